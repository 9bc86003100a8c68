"""System, the user's object: a thin face over the statement and the pipeline, without mathematics of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import pipeline
from .elimination.stages import Stages
from .errors import LienketError, UnknownName
from .model.algebra.engine import Engine
from .model.check_units import check_units
from .model.checks import check_added
from .model.constraint import Constraint
from .model.faults import Faults
from .model.loads import Force
from .model.overview import overview
from .model.state import state
from .model.state_constraint import state_constraint
from .model.statement import Statement
from .model.sympy_systems import parts_of

if TYPE_CHECKING:
    from .elimination.forms import Equations
    from .free_system import FreeSystem
    from .kernels.compiled_system import CompiledSystem
    from .kernels.state import State
    from .reactions.derive import Reactions
    from .simulation.start import Start
    from .trajectory import Trajectory


class System:
    """A mechanical system with generalized coordinates and the constraints added to it so far.

    name         any text
    coordinates  the generalized coordinates q_i(t), see `lk.coordinates`
    kinetic      T(q, q', t), at most quadratic in the velocities; or
    inertia      A(q, t) alone, n x n and symmetric, for T = q'^T A q'/2
    potential    V(q, t)
    forces       {coordinate: generalized force Q_i(q, q', t)}
    loads        forces applied at points, see `lk.Force`
    dissipation  Rayleigh's function R(q, q', t); its force is -dR/dq'
    values       default numbers of parameters, by symbol or name
    units        labels of coordinates and parameters, by symbol or name

    A system never changes: `constrain` and `release` give new ones. Two systems are equal if they
    state the same. All faults of a statement are reported together in one ModelError.
    """

    __slots__ = ("_statement",)
    _statement: Statement

    def __init__(
        self,
        name: str,
        coordinates: Iterable[Any],
        *,
        kinetic: Any = None,
        inertia: Any = None,
        potential: Any = 0,
        forces: Mapping[Any, Any] | None = None,
        loads: Iterable[Force] = (),
        dissipation: Any = 0,
        values: Mapping[Any, Any] | None = None,
        units: Mapping[Any, str] | None = None,
    ) -> None:
        statement = state(
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
        )
        object.__setattr__(self, "_statement", statement)

    @classmethod
    def from_statement(cls, statement: Statement) -> System:
        """The system of a statement that has been checked."""
        system = object.__new__(cls)
        object.__setattr__(system, "_statement", statement)
        return system

    @classmethod
    def from_sympy(cls, method: Any, name: str = "from SymPy", *, values: Mapping[Any, Any] | None = None) -> System:
        """The same system stated with `sympy.physics.mechanics`: a LagrangesMethod, KanesMethod or System.

        Its constraints come along, named "holonomic 1", "nonholonomic 1" and so on.
        """
        parts = parts_of(method)
        return cls.from_statement(
            state(
                name,
                parts.coordinates,
                kinetic=parts.kinetic,
                potential=parts.potential,
                forces=parts.forces,
                values=values,
                constraints=[(label, expression) for label, _, expression in parts.constraints],
            )
        )

    # What is stated

    @property
    def statement(self) -> Statement:
        """Everything that is stated, frozen."""
        return self._statement

    @property
    def name(self) -> str:
        """The name of the system."""
        return self._statement.name

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The generalized coordinates q_i(t), in order."""
        return self._statement.coordinates

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Every parameter that is used or has been given a number, by name."""
        return self._statement.parameters

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints in the order in which they were added."""
        return self._statement.constraints

    @property
    def values(self) -> dict[Any, Any]:
        """The default numbers, by parameter."""
        return dict(self._statement.values)

    @property
    def units(self) -> dict[Any, str]:
        """The units, by coordinate or parameter."""
        return dict(self._statement.units)

    # One constraint at a time

    def constrain(self, name: str, statement: Any) -> System:
        """This system under one more constraint.

        `statement` is an expression that must be zero (or an equation, or a list of them for several
        rows under one name); its kind follows from its highest derivative, or is said by
        lk.Holonomic, lk.Velocity, lk.Acceleration or lk.Program.
        """
        faults = Faults()
        added = state_constraint(name, statement, self.coordinates, faults)
        extended = self._statement.with_constraints((*self.constraints, added))
        check_added(extended, [added], faults)
        check_units(extended, faults)
        faults.raise_any(f"The system {self.name!r}")
        normal = added.rewritten(Engine(self.coordinates).normal)
        return System.from_statement(self._statement.with_constraints((*self.constraints, normal)))

    def release(self, name: str) -> System:
        """This system without the constraint of that name."""
        names = [constraint.name for constraint in self.constraints]
        if name not in names:
            raise UnknownName("constraint", name, names)
        kept = tuple(constraint for constraint in self.constraints if constraint.name != name)
        return System.from_statement(self._statement.with_constraints(kept))

    # What follows

    @property
    def free(self) -> FreeSystem:
        """The system without its constraints, A q'' = h: .A .h .Q .N and .matrix_form(...)."""
        return pipeline.free_system(self._statement.free)

    def stages(self, independent: Iterable[Any] | None = None, choice: str = "pivot") -> Stages:
        """What each constraint did, in order: .name .kind .verdict .freedom .beta .H .D .C .f of every stage.

        `independent` names coordinates that must not be eliminated; `choice` is "pivot" (sparse, as in the papers)
        or "orthogonal" (the columns of each H are orthogonal, by Gram and Schmidt; for a few rows, they grow long).
        """
        places = pipeline.places(self._statement, independent, choice)
        return Stages(pipeline.chain(self._statement.free, self.constraints, places, choice))

    def equations(
        self,
        form: str = "reduced",
        *,
        pseudovelocities: Any = None,
        independent: Iterable[Any] | None = None,
        choice: str = "pivot",
    ) -> Equations:
        """The equations of motion: .latex(), .text(), .mathml().

        `form` is "full" (A q'' = h + r, constraints, D^T r = 0), "reduced" (C q'' = f, constraints), "pseudovelocity"
        ((D^T A D) pi'' = D^T [h - A (D' pi' + d')]) or "multipliers" (A q'' = h + G^T lambda, constraints).
        `pseudovelocities` maps a name to an expression linear in q' for each freedom; `independent` and `choice` are
        those of `stages`.
        """
        places = pipeline.places(self._statement, independent, choice)
        return pipeline.forms(self._statement, form, pseudovelocities, places, choice)

    def accelerations(self) -> dict[Any, Any]:
        """Explicit formulas for q'', by coordinate; large systems rather ask system.at(q, v).accelerations."""
        found = pipeline.explicit(self._statement.free, self.constraints)
        return dict(zip(self.coordinates, found, strict=True))

    def reactions(self, method: str = "multipliers") -> Reactions:
        """The generalized reaction of each constraint as formulas, by name; .total and .multipliers.

        `method` is "multipliers", "direct", "middle" or "accelerations"; they agree.
        """
        return pipeline.reactions_of(self._statement.free, self.constraints, method)

    def influence(self, of: str | None = None, on: str | None = None) -> Any:
        """The matrix C with (change of the reaction of `on`) = C (reaction of `of`); without names, the whole table."""
        return pipeline.influence_of(self._statement.free, self.constraints, of, on)

    def at(self, q: Any, v: Any, t: float = 0.0, values: Any = None, *, tolerance: float | None = None) -> State:
        """Everything in numbers at one state: .A .h .G .g0 .D .W .accelerations .reaction .reactions .verdicts .audit.

        `q` and `v` are mappings by name or symbol, or sequences in the order of the coordinates; `t` is the time;
        `values` are numbers of parameters, the rest come from the system's own. The state may be off its
        constraints: the audit reports it. `tolerance` decides when a constraint is called dependent: what it adds
        to those before it, as a share of it in the metric of A (1e-7).
        """
        return pipeline.state(self._statement, q, v, t, values, tolerance)

    def consistent(
        self, start: Any = None, values: Any = None, *, guess: Any = None, t: float = 0.0, others: bool = True
    ) -> Start:
        """Positions and velocities at the time `t` that satisfy the constraints: `q, v = system.consistent(...)`.

        `start` has what is kept: a mapping of any "x" and "x'" (or x and der(x)), or a pair (q, v); `guess` is such a
        mapping of what may move, 0 where nothing is said; `values` are those of `at`. The solution nearest the guess
        in the metric of A is taken; `others` asks for .others as well. Programs need not be satisfied.
        """
        return pipeline.consistent(self._statement, start, values, guess, t, others)

    def simulate(
        self, values: Any = None, start: Any = None, until: float | None = None, method: str = "auto",
        rtol: float = 1e-8, atol: Any = 1e-10, times: Any = None, events: Any = (), progress: Any = None, *,
        t: float = 0.0, guess: Any = None, outputs: Mapping[str, Any] | None = None, step: float | None = None,
        most_rows: int = 200_000,
    ) -> Trajectory:  # fmt: skip
        """The motion from the time t until an end: .t .q .v .accelerations .reactions .energy .audit .outcome.

        `values` are numbers of parameters; `start` and `guess` are those of `consistent`, which finds the rest of the
        state. The run ends at `until`; rows are the `times`, or its steps: every n-th, if there are more than
        `most_rows`. `method` is "auto" (explicit, implicit where stiff), "dop853", "radau5", "bdf", "rattle" (`step` is
        its fixed step) or "ida"; `rtol` and `atol` mean what SciPy's do. `outputs` are expressions wanted as columns.
        `progress` is a function of the time reached; a terminal shows a bar. No `events` yet. Ctrl-C keeps all rows.
        """
        from .trajectory import motion

        if events is not None and events != ():
            raise LienketError("Events during a run are not there yet; leave `events` empty.")
        run = {"until": until, "times": times, "method": method, "rtol": rtol, "atol": atol, "step": step}
        run |= {"most_rows": most_rows}
        return motion(self, pipeline.simulate(self._statement, values, start, guess, t, run, outputs, progress))

    def compile(self, outputs: Mapping[str, Any] | None = None) -> CompiledSystem:
        """The system as machine code: .evaluate(t, q, v) for many states at once, .summary(), .c_source().

        `outputs` maps names to expressions of q, q', q'', t and parameters that are wanted as numbers too.
        """
        return pipeline.compiled_system(self._statement, outputs)

    # What every value object has

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a System never changes; make a new one to have another {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a System never changes; {name} cannot be taken away")

    def __eq__(self, other: object) -> bool:
        return self._statement == other._statement if isinstance(other, System) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._statement)

    def __copy__(self) -> System:
        return self

    def __deepcopy__(self, memo: Any) -> System:
        return self

    def __reduce__(self) -> Any:
        return _restored, (self._statement,)

    def __repr__(self) -> str:
        return overview(self._statement)


def _restored(statement: Statement) -> System:
    """A pickled system; SymPy turns some comparisons round on the way, so the normal form is made again."""
    return System.from_statement(statement.normal())
