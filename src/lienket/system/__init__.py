"""System, the user's object: a thin interface to derivation, pipeline and analysis.

Its methods are functions in the modules of this folder, listed in the class by what they return. None of them has
mathematics; heavy rooms are imported when they are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from ..foundation.lazy_import import lazy_module
from ..foundation.nearest_name import with_suggestions
from . import constraining, formulas, linear, motions, states
from .as_formulas import as_formulas
from .from_sympy import from_sympy
from .symbol_names import SymbolNames, names_of

if TYPE_CHECKING:
    from ..assembly.numeric_system import NumericSystem
    from ..free_system import FreeSystem
    from ..language.expression import ExpressionLike
    from ..model.constraint import Constraint
    from ..model.event import StatedEvent
    from ..model.force import Force
    from ..model.statement import Statement
    from .known_file import ModelText


class System:
    """Mechanical system: generalized coordinates, energies, forces and the constraints added so far.

    A system never changes: `constrain`, `release` and `watch` return new systems. Two systems with equal statements
    are equal.

    Parameters
    ----------
    name : str
        Any printable text.
    coordinates : iterable
        Generalized coordinates q_i(t), see `lk.coordinates`.
    kinetic : expression, optional
        Kinetic energy T(q, q', t), at most quadratic in the velocities; required unless `inertia` is given.
    inertia : matrix, optional
        Symmetric matrix A(q, t) (n x n) of T = q'^T A q'/2, instead of `kinetic`.
    potential : expression
        Potential energy V(q, t).
    forces : mapping, optional
        Generalized force Q_i(q, q', t) by coordinate.
    loads : iterable of Force
        Forces applied at points, see `lk.Force`.
    dissipation : expression
        Rayleigh's function R(q, q', t); its generalized force is -dR/dq'.
    values : mapping, optional
        Default numbers of parameters, by symbol or name. A name may be that of a parameter which a later constraint
        brings; one that nothing uses is an error as soon as numbers are computed.
    units : mapping, optional
        Unit labels of coordinates, inputs and parameters, by symbol or name.
    inputs : iterable
        Functions of time F(t) that are no coordinates, see `lk.inputs`.

    Raises
    ------
    ModelError
        With all faults of the statement.

    Examples
    --------
    >>> m, g, l = lk.parameters("m g l")
    >>> x, y = lk.coordinates("x y")
    >>> mass = lk.System("mass", [x, y], kinetic=m*(der(x)**2 + der(y)**2)/2, potential=m*g*y)
    >>> mass.constrain("rod", x**2 + y**2 - l**2)
    System 'mass' in x, y
      T = m*(x'^2 + y'^2)/2
      V = m*g*y
      rod: x^2 + y^2 - l^2 = 0  (holonomic)
    """

    __slots__ = ("_file", "_stated")
    _stated: Statement | None
    _file: ModelText | None

    @with_suggestions
    def __init__(
        self,
        name: str,
        coordinates: Iterable[Any],
        *,
        kinetic: ExpressionLike | None = None,
        inertia: Any = None,
        potential: ExpressionLike = 0,
        forces: Mapping[Any, Any] | None = None,
        loads: Iterable[Force] = (),
        dissipation: ExpressionLike = 0,
        values: Mapping[Any, Any] | None = None,
        units: Mapping[Any, str] | None = None,
        inputs: Iterable[Any] = (),
    ) -> None:
        from ..model.input.system import read_system

        statement = read_system(
            name,
            coordinates,
            kinetic=kinetic,
            inertia=inertia,
            potential=potential,
            forces=forces,
            loads=loads,
            dissipation=dissipation,
            values=values,
            units=units,
            inputs=inputs,
        )
        object.__setattr__(self, "_stated", statement)
        object.__setattr__(self, "_file", None)

    @classmethod
    def from_statement(cls, statement: Statement) -> Self:
        """Return the system of a checked statement.

        Parameters
        ----------
        statement : Statement
            Checked statement, such as that of another system.

        Returns
        -------
        System
            System with this statement.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> lk.System.from_statement(disc.statement) == disc
        True
        """
        return cls._of(statement, None)

    from_sympy = classmethod(from_sympy)

    # Statement

    @property
    def statement(self) -> Statement:
        """Complete checked statement of the system, immutable."""
        return self._statement

    @property
    def name(self) -> str:
        """Name of the system."""
        return self._statement.name

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """Generalized coordinates q_i(t), in order."""
        return self._statement.coordinates

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Parameters that appear in the statement or have a default number, sorted by name."""
        return self._statement.parameters

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Constraints in the order in which they were added."""
        return self._statement.constraints

    @property
    def values(self) -> dict[Any, Any]:
        """Default numbers by parameter."""
        return dict(self._statement.values)

    @property
    def units(self) -> dict[Any, str]:
        """Unit labels by coordinate or parameter."""
        return dict(self._statement.units)

    @property
    def inputs(self) -> tuple[Any, ...]:
        """Inputs F(t): functions of time that are no coordinates, in order."""
        return tuple(F for F, _ in self._statement.inputs)

    @property
    def events(self) -> tuple[StatedEvent, ...]:
        """Events that are detected in every run of the system."""
        return self._statement.events

    @property
    def formulas_are_read(self) -> bool:
        """Whether the statement is there; False for a known model file of which only numbers have been asked for."""
        return self._stated is not None or (self._file is not None and self._file.is_read)

    @property
    def numeric_system(self) -> NumericSystem:
        """Names, constraints, contacts and events in numbers, with machine code; see `assembly.numeric_system`.

        Formulas of a known model file are not read for it.
        """
        if self._stated is None and self._file is not None and self._file.known is not None:
            return self._file.known
        system: NumericSystem = lazy_module("lienket.assembly.description").numeric_system(self._statement)
        return system

    @property
    def symbol_names(self) -> SymbolNames:
        """Names of coordinates, parameters and inputs; formulas of a known model file are not read for them."""
        return names_of(self)

    # Other systems

    constrain = with_suggestions(constraining.constrain)
    release = with_suggestions(constraining.release)
    watch = with_suggestions(constraining.watch)
    under = with_suggestions(constraining.under)
    with_inputs = with_suggestions(constraining.with_inputs)

    # Formulas

    @property
    def free(self) -> FreeSystem:
        """Equations of motion A q'' = h without constraints; attributes A (n x n), h, Q and N (n x 1).

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> print(disc.free.A)
        Matrix([[m, 0, 0], [0, m, 0], [0, 0, J]])
        """
        from .. import derivation

        return derivation.free(self._statement)

    stages = with_suggestions(formulas.stages)
    equations = with_suggestions(formulas.equations)
    accelerations = with_suggestions(formulas.accelerations)
    reactions = with_suggestions(formulas.reactions)
    influence = with_suggestions(formulas.influence)
    joint_reaction = with_suggestions(formulas.joint_reaction)
    as_formulas = as_formulas

    # Numbers

    at = with_suggestions(states.at)
    consistent = with_suggestions(states.consistent)
    compile = with_suggestions(states.compile)
    simulate = with_suggestions(motions.simulate)
    sensitivity = with_suggestions(motions.sensitivity)
    drive = with_suggestions(motions.drive)
    linearize = with_suggestions(linear.linearize)
    equilibrium = with_suggestions(linear.equilibrium)

    # Private

    @classmethod
    def _of(cls, statement: Statement | None, file: ModelText | None) -> Self:
        """Return the system of a statement, or of a model file."""
        system = object.__new__(cls)
        object.__setattr__(system, "_stated", statement)
        object.__setattr__(system, "_file", file)
        return system

    @property
    def _statement(self) -> Statement:
        """Statement, read from the text of the model file if it has not been needed before."""
        if self._stated is None:
            assert self._file is not None  # noqa: S101  # for the type checker: a system has one or the other
            object.__setattr__(self, "_stated", self._file.statement())
        return self._stated  # type: ignore[return-value]

    @property
    def _closed(self) -> Statement:
        """Statement with its inputs replaced by what is stated for them."""
        from ..model.closed_inputs import closed

        return closed(self._statement)

    def _unsampled(self, question: str) -> Statement:
        """Return the closed statement for a question that sampled inputs cannot answer; raise an error for these."""
        from ..model.closed_inputs import closed_unsampled

        return closed_unsampled(self._statement, question)

    def _outputs(self, outputs: object) -> Any:
        """Return outputs that a user states, with inputs replaced."""
        if not self._statement.inputs:
            return outputs
        from ..assembly.inputs import outputs_without_inputs

        return outputs_without_inputs(outputs, self._statement)

    def _numbers(self, values: object) -> Any:
        """Return the values of parameters that a user states; raise an error if inputs are among them."""
        table = self.numeric_system.symbols
        if not table.inputs:
            return values
        return lazy_module("lienket.model.input.numbers").without_inputs(table, values)

    def _remember(self) -> None:
        """Let a model file record what later processes need to compute without formulas."""
        if self._file is not None:
            self._file.remember()

    # Value object

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a System never changes; create a new one with another {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a System never changes; {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return self._statement == other._statement if isinstance(other, System) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._statement)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> Any:
        return _restored, (type(self), self._statement)

    def __repr__(self) -> str:
        from ..model.summary import overview

        return overview(self._statement)


def _restored(kind: type[System], statement: Statement) -> System:
    """Return a system from its pickled statement, normalized again: SymPy swaps the sides of some comparisons."""
    return kind.from_statement(statement.normal())
