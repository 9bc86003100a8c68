"""CompiledSystem: a system as machine code, for one state or a million."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiled.emit.c_source import c_source
from ...compiled.model import CompiledModel
from ...errors import Faults, UnknownName
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...kernels.evaluation import Evaluation
from ...language.symbols import name_of
from ...language.written_names import aliases
from ...model.input.numbers import parameter_values, positions_of_many, times, velocities_of_many

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...assembly.arguments import Numbers


FUNCTIONS = (
    "motion",
    "terms",
    "surface",
    "residuals",
    "reactions",
    "energy",
    "outputs",
    "derivatives",
    "parameter_derivatives",
)  # that can be written as C source


@dataclass(frozen=True, repr=False, eq=False)
class CompiledSystem:
    """System as machine code, made by `System.compile`.

    Functions are derived and compiled when they are first needed and kept on disk for other processes.

    Attributes
    ----------
    coordinates : tuple
        Generalized coordinates, n.
    parameters : tuple
        Parameters in the order in which the code takes them.
    values : Mapping
        Default numbers by parameter.

    Examples
    --------
    >>> import numpy as np
    >>> code = lk.load("examples/models/rolling_disc.toml").compile()
    >>> q = np.array([[0, 0.37, 0], [1, 0.37, -1/0.37]])
    >>> code.evaluate(t=0, q=q, v=np.zeros((2, 3))).accelerations[:, 2].round(4).tolist()
    [0.2773, 0.2773]
    """

    model: CompiledModel
    coordinates: tuple[Any, ...]
    parameters: tuple[Any, ...]
    values: Mapping[Any, Any]  # default numbers

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same machine code with the same names and default numbers."""
        if not isinstance(other, CompiledSystem):
            return NotImplemented
        one, two = ((x.coordinates, x.parameters, dict(x.values), x.model.optimize) for x in (self, other))
        return one == two and (self.model is other.model or self.model.digest == other.model.digest)

    def __hash__(self) -> int:
        return hash((self.coordinates, self.parameters))

    def evaluate(
        self,
        t: ArrayLike,
        q: ArrayLike | Mapping[Any, ArrayLike],
        v: ArrayLike | Mapping[Any, ArrayLike],
        values: Numbers | None = None,
    ) -> Evaluation:
        """Return an evaluation of the system at one state or at many.

        Numbers are computed when they are first read: .accelerations, .multipliers, .A, .h, .G, .g0, .kinetic and
        others. Results that are not finite are NaN.

        Parameters
        ----------
        t : array_like
            Time, a number or an array of the shape (...).
        q, v : array_like or Mapping
            Positions and velocities, (..., n) in the order of the coordinates, or by name.
        values : Mapping, optional
            Numbers of parameters by name or symbol, for all states; the others have the system's default numbers.

        Returns
        -------
        Evaluation
            Arrays with the axes (...) of the states first.

        Raises
        ------
        ModelError
            If a number is missing, a name is unknown, or the shapes do not fit together; all faults are reported
            together.

        Examples
        --------
        >>> code = lk.load("examples/models/rolling_disc.toml").compile()
        >>> code.evaluate(t=0, q=[0, 0.37, 0], v=[0, 0, 2.0]).kinetic.round(3).item()
        0.82
        """
        faults = Faults()
        parameters = self._read_parameters(values, faults)
        return Evaluation(self.model, *self._read_states(t, q, v, faults), parameters)

    def _read_parameters(self, values: object, faults: Faults) -> Array:
        """Return a number for each parameter."""
        if values is None and self._default_numbers is not None:
            return self._default_numbers.copy()
        defaults = {p.name: x for p, x in self.values.items()}
        return parameter_values(values, [p.name for p in self.parameters], defaults, faults)

    @cached_property
    def _default_numbers(self) -> Array | None:
        """Default numbers of the parameters, None if some have none; conversion from SymPy is slow."""
        faults = Faults()
        defaults = {p.name: x for p, x in self.values.items()}
        numbers = parameter_values(None, [p.name for p in self.parameters], defaults, faults)
        return None if faults else numbers

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return tuple(map(name_of, self.coordinates))

    def _read_states(
        self, t: object, q: object, v: object, faults: Faults
    ) -> tuple[tuple[int, ...], Array, Array, Array]:
        """Return the shape of the states, t (N), q and v (N x n); raise all faults of the arguments."""
        n = len(self.coordinates)
        at = times(t, faults)
        x, rates = positions_of_many(q, self._names, faults), velocities_of_many(v, self._names, faults)
        faults.raise_any("The evaluation")
        # Copies: the numbers are computed on demand, and the caller may change the arrays before.
        if at.shape == () and x.shape == rates.shape == (n,):
            return (), at.reshape(1).copy(), x.reshape(1, n).copy(), rates.reshape(1, n).copy()
        try:
            shape = np.broadcast_shapes(at.shape, x.shape[:-1], rates.shape[:-1])
        except ValueError:
            faults.add("t, q, v", f"their shapes {at.shape}, {x.shape} and {rates.shape} do not belong together")
            faults.raise_any("The evaluation")
        x, rates = (np.array(np.broadcast_to(part, (*shape, n)), order="C").reshape(-1, n) for part in (x, rates))
        return shape, np.array(np.broadcast_to(at, shape), order="C").reshape(-1), x, rates

    def __repr__(self) -> str:
        names = ", ".join(map(name_of, self.coordinates))
        return f"Machine code of a system in {names} with {self.model.s} rows of constraints\n{self.summary()}"

    def optimized(self) -> CompiledSystem:
        """Return the system with optimized code in all functions.

        It takes longer to generate and pays in a long run of a large system.

        Returns
        -------
        CompiledSystem
            The system with equal functions.
        """
        return CompiledSystem(self.model.optimized(), self.coordinates, self.parameters, self.values)

    def c_source(self, function: str = "motion") -> str:
        """Return one function as a self-contained C source file.

        Comments at the head of the file state the order of its arguments and results.

        Parameters
        ----------
        function : str
            "motion", "terms", "surface", "residuals", "reactions", "energy", "outputs", "derivatives" or
            "parameter_derivatives".

        Returns
        -------
        str
            C source.

        Raises
        ------
        UnknownName
            If there is no such function.
        LienketError
            If the system has contacts: each of their modes has equations of its own.

        Examples
        --------
        >>> code = lk.load("examples/models/rolling_disc.toml").compile()
        >>> code.c_source("energy").splitlines()[0]
        '/* q and v: x, y, phi'
        """
        if function not in FUNCTIONS:
            raise UnknownName("function", function, FUNCTIONS)
        self._check_source(function)
        stated, plan = self.model.source(function)
        names, parameters = [name_of(x) for x in self.coordinates], [p.name for p in self.parameters]
        # In a comment the signs of LaTeX could end it: x_{*/}.
        words = aliases([*names, *parameters])
        listed = [", ".join(words.get(name, name) for name in group) for group in (names, parameters)]
        order = f"/* q and v: {listed[0]}\n * parameters: {listed[1]}\n"
        inputs = f" * inputs: accelerations in the same order, then {self.model.s} multipliers */\n"
        return order + inputs + c_source(stated.graph, self.model.input_slots, plan)

    def summary(self) -> str:
        """Return a table of the functions compiled so far.

        Returns
        -------
        str
            One line per function: number of operations, seconds to derive and compile it, size of its code in bytes.
        """
        head = ("function", "operations", "seconds", "bytes", "code")
        rows = [head]
        for f in [f for model in self._compiled_models() for f in model.functions()]:
            quality = ("quick", "better")[f.info.level] + (", from the cache" if f.from_cache else "")
            rows.append((f.info.name, str(f.info.operations), f"{f.info.seconds:.3f}", str(f.bytes), quality))
        widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        for call in dict.fromkeys(call for model in self._compiled_models() for call in model.callbacks):
            how = "compiled by numba" if call.compiled else f"called in Python, since {call.why}"
            lines.append(f"function {call.name!r}: {how}")
        return "\n".join(lines) if len(rows) > 1 else "Nothing has been compiled yet."

    def _compiled_models(self) -> list[CompiledModel]:
        """Return the models that `summary` lists."""
        return [self.model]

    def _check_source(self, function: str) -> None:
        """Raise an error if a function has no C source; without contacts all have one."""
