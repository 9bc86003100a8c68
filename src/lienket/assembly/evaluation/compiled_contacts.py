"""CompiledContactSystem: a system with contacts as machine code, compiled for each contact mode that is met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiled.model import CompiledModel
from ...errors import Faults, LienketError
from ...foundation.frozen_dataclass import dataclass
from ..numeric_system import NumericSystem, Outputs
from ..run_request import numbers_of_parameters
from .compiled_system import CompiledSystem
from .contact_evaluation import ContactEvaluation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from ...assembly.arguments import Numbers


@dataclass(frozen=True, repr=False, eq=False)
class CompiledContactSystem(CompiledSystem):
    """System with contacts as machine code, made by `System.compile`.

    A contact is open, sticks or slides, and each pattern of modes has equations of its own. `evaluate` decides the
    modes at each state as `System.at` does, and compiles the equations of a pattern when it is first met. `system` is
    the system in numbers.
    """

    system: NumericSystem
    stated_outputs: Outputs
    optimize: bool
    models: dict[tuple[int, ...], CompiledModel]  # by active constraints, of the modes met so far

    def evaluate(
        self,
        t: ArrayLike,
        q: ArrayLike | Mapping[Any, ArrayLike],
        v: ArrayLike | Mapping[Any, ArrayLike],
        values: Numbers | None = None,
    ) -> ContactEvaluation:
        """Return an evaluation of the system at one state or at many, each in its own contact modes.

        Numbers are computed when they are first read, as without contacts; `.modes` and `.friction` are those of the
        contacts by name. At a state where friction leaves no motion or several, the numbers are NaN and `.status` is
        -5.

        Parameters
        ----------
        t, q, v, values
            As in `CompiledSystem.evaluate`.

        Returns
        -------
        ContactEvaluation
            Arrays with the axes (...) of the states first.

        Raises
        ------
        ModelError
            If a number is missing, a name is unknown, or the shapes do not fit together; all faults are reported
            together.

        Examples
        --------
        >>> code = lk.load("examples/models/belt.toml").compile()
        >>> code.evaluate(t=0, q=[0.01, 0], v=[[0.15, 0], [0.5, 0]]).modes["belt"].tolist()
        ['sticks', 'slides']
        """
        faults = Faults()
        parameters = numbers_of_parameters(self.system, values, faults)
        states = self._read_states(t, q, v, faults)
        return ContactEvaluation(self.model, *states, parameters, self.system, self._model_under)

    def optimized(self) -> CompiledContactSystem:
        """Return the system with optimized code in all functions.

        Returns
        -------
        CompiledContactSystem
            The system with equal functions.
        """
        fixed = (self.coordinates, self.parameters, self.values, self.system, self.stated_outputs)
        return self if self.optimize else CompiledContactSystem(self.model.optimized(), *fixed, True, {})

    def _check_source(self, function: str) -> None:
        """Raise an error, since each contact mode has equations of its own."""
        contact = self.system.contacts[0]
        raise LienketError(
            f"The contact {contact.name!r} slides, sticks or is open, with different equations for each mode; there is "
            f"no C source of {function!r} for all states. Leave out the law of the contact, or state the equations of "
            "one mode: a sticking contact as the constraint slip = 0, an open one without its constraint."
        )

    def _compiled_models(self) -> list[CompiledModel]:
        """Return the models that `summary` lists: that of the stated constraints, and those of the modes met so far."""
        return list(dict.fromkeys((self.model, *self.models.values())))

    def _model_under(self, active: tuple[int, ...]) -> CompiledModel:
        """Return the model for active constraints."""
        model = self.models.get(active)
        if model is None:
            model = self.system.model(active, self.stated_outputs)
            model = self.models.setdefault(active, model.optimized() if self.optimize else model)
        return model
