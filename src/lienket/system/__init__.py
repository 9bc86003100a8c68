"""System, the user's object: a thin interface to derivation, assembly and analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from ..analysis.equilibrium import equilibrium as equilibria
from ..analysis.linearization import numeric
from ..assembly import models, state
from ..foundation.lazy_import import lazy_module
from .value import StatementValue

if TYPE_CHECKING:
    from ..analysis.drives.result import Drive
    from ..analysis.equilibrium.result import Equilibria, Equilibrium
    from ..analysis.linearization.result import Linearization
    from ..analysis.linearization.symbolic_system import LinearFormulas
    from ..analysis.sensitivity.result import Sensitivity
    from ..assembly.compiled_system import CompiledSystem
    from ..elimination.forms import Equations
    from ..elimination.stage_table import Stages
    from ..free_system import FreeSystem
    from ..kernels.state import State
    from ..reactions.reactions import Reactions
    from ..simulation.start.start import Start
    from ..trajectory import Trajectory

Names = Iterable[Any] | None
Outputs = Mapping[str, Any] | None


class System(StatementValue):
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

    __slots__ = ()

    # Formulas

    @property
    def free(self) -> FreeSystem:
        """The system without its constraints, A q'' = h: .A .h .Q .N and .matrix_form(...)."""
        from .. import derivation

        return derivation.free_system(self._statement.free)

    def stages(self, independent: Iterable[Any] | None = None, choice: str = "pivot") -> Stages:
        """What each constraint did, in order: .name .kind .verdict .freedom .beta .H .D .C .f of every stage.

        `independent` names coordinates that must not be eliminated; `choice` is "pivot" (sparse, as in the papers)
        or "orthogonal" (the columns of each H are orthogonal, by Gram and Schmidt; for a few rows, they grow long).
        """
        from .. import derivation
        from ..elimination.stage_table import Stages

        indices = derivation.independent_indices(self._statement, independent, choice)
        return Stages(derivation.chain(self._statement.free, self.constraints, indices, choice))

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
        Laws of constraints exert c beside G^T lambda: then D^T r = D^T c, and h + c stands for h. Friction follows the
        multiplier of its constraint, which the equations of eliminated coordinates determine. When contacts push and
        stick, and what drives can do, is said in `.remarks`.

        `pseudovelocities` maps a name to an expression linear in q' for each freedom; `independent` and `choice` are
        those of `stages`.
        """
        from .. import derivation

        indices = derivation.independent_indices(self._statement, independent, choice)
        return derivation.equations_of(self._statement, form, pseudovelocities, indices, choice)

    def accelerations(self) -> dict[Any, Any]:
        """Explicit formulas for q'', by coordinate; large systems rather ask system.at(q, v).accelerations.

        Unilateral contacts count as closed; friction has no formulas.
        """
        from .. import derivation

        formulas = derivation.explicit_accelerations(self._statement.free, self.constraints)
        return dict(zip(self.coordinates, formulas, strict=True))

    def reactions(self, method: str = "multipliers") -> Reactions:
        """The generalized reaction of each constraint as formulas, by name; .total and .multipliers.

        `method` is "multipliers", "direct", "middle" or "accelerations"; they agree. Laws that are functions of the
        state count, r = G^T lambda + c; unilateral contacts count as closed; friction has no formulas.
        """
        from .. import derivation

        return derivation.reactions_of(self._statement.free, self.constraints, method)

    def influence(self, of: str | None = None, on: str | None = None) -> Any:
        """The matrix C with (change of the reaction of `on`) = C (reaction of `of`); without names, the whole table."""
        from .. import derivation

        return derivation.influence_of(self._statement.free, self.constraints, of, on)

    # Numbers

    def at(self, q: Any, v: Any, t: float = 0.0, values: Any = None, *, tolerance: float | None = None) -> State:
        """Everything in numbers at one state: .A .h .G .g0 .D .W .accelerations .reaction .reactions .verdicts .audit.

        `q` and `v` are mappings by name or symbol, or sequences in the order of the coordinates; `t` is the time;
        `values` are numbers of parameters, the rest come from the system's own. The state may be off its
        constraints: the audit reports it. `tolerance` decides when a constraint is called dependent: what it adds
        to those before it, as a share of it in the metric of A (1e-7).
        """
        return state.state(self._statement, q, v, t, values, tolerance)

    def consistent(
        self, start: Any = None, values: Any = None, *, guess: Any = None, t: float = 0.0, others: bool = True
    ) -> Start:
        """Positions and velocities at the time `t` that satisfy the constraints: `q, v = system.consistent(...)`.

        `start` has what is kept: a mapping of any "x" and "x'" (or x and der(x)), or a pair (q, v); `guess` is such a
        mapping of what may move, 0 where nothing is said; `values` are those of `at`. The solution nearest the guess
        in the metric of A is taken; `others` asks for .others as well. Programs with feedback or bounds need not hold.
        """
        motion = lazy_module("lienket.assembly.motion")
        return motion.consistent(self._statement, start, values, guess, t, others)

    def simulate(
        self, values: Any = None, start: Any = None, until: float | None = None, method: str = "auto",
        rtol: float = 1e-8, atol: Any = 1e-10, times: Any = None, events: Any = (), progress: Any = None, *,
        t: float = 0.0, guess: Any = None, outputs: Mapping[str, Any] | None = None, step: float | None = None,
        most_rows: int = 200_000, chattering: int = 100,
    ) -> Trajectory:  # fmt: skip
        """The motion from the time t until an end: .t .q .v .accelerations .reactions .energy .audit .outcome.

        `values` are numbers of parameters; `start` and `guess` are those of `consistent`, which finds the rest of the
        state. The run ends at `until`; rows are the `times`, or its steps: every n-th, if there are more than
        `most_rows`. `method` is "auto" (explicit, implicit where stiff), "dop853", "radau5", "bdf", "rattle", "rattle4"
        (`step` is their fixed step) or "ida"; `rtol` and `atol` mean what SciPy's do. `outputs` are expressions wanted
        as columns. `progress` is a function of the time reached; a terminal shows a bar. Ctrl-C keeps all rows.
        `events` (lk.Event) are looked for beside the system's own; so many as `chattering` in a short time end the run.
        """
        run = {"until": until, "times": times, "method": method, "rtol": rtol, "atol": atol, "step": step}
        run |= {"most_rows": most_rows, "chattering": chattering}
        trajectories, motion = lazy_module("lienket.trajectory"), lazy_module("lienket.assembly.motion")
        system = self if events in ((), None) else self.watch(events)
        result = motion.simulate(system.statement, values, start, guess, t, run, outputs, progress)
        return trajectories.trajectory(system, result)

    def compile(self, outputs: Mapping[str, Any] | None = None) -> CompiledSystem:
        """The system as machine code: .evaluate(t, q, v) for many states at once, .summary(), .c_source().

        `outputs` maps names to expressions of q, q', q'', t and parameters that are wanted as numbers too.
        """
        return models.compiled_system(self._statement, outputs)

    # Linearization and equilibrium

    @overload
    def linearize(  # noqa: D418
        self, q: Any = ..., v: Any = ..., t: Any = ..., values: Any = ..., *, inputs: Names = ...,
        outputs: Outputs = ..., independent: Names = ..., symbolic: Literal[False] = ...,
    ) -> Linearization:  # fmt: skip
        """In numbers."""

    @overload
    def linearize(  # noqa: D418
        self, q: Any = ..., v: Any = ..., t: Any = ..., values: Any = ..., *, inputs: Names = ...,
        outputs: Outputs = ..., independent: Names = ..., symbolic: Literal[True],
    ) -> LinearFormulas:  # fmt: skip
        """As formulas."""

    def linearize(
        self, q: Any = None, v: Any = None, t: Any = 0.0, values: Any = None, *, inputs: Names = None,
        outputs: Outputs = None, independent: Names = None, symbolic: bool = False,
    ) -> Linearization | LinearFormulas:  # fmt: skip
        """The linear system beside a state or a steady motion: .A .B .C .D .eigenvalues .modes .stable.

        `q`, `v` (rest if left out), `t` and `values` are those of `at`; `q` may also be a whole state, such as a start
        or an equilibrium. The state must lie on its constraints. `independent` names the states x, positions "x" and
        velocities "x'"; well conditioned ones are taken if it is left out. `inputs` are names of parameters. `outputs`
        maps names to expressions of q, q', q'', t, parameters and the multipliers lambda_1, lambda_2, ... of the rows.
        With `symbolic`, for small systems, q and v map to expressions, 0 where nothing is said, and the matrices are
        SymPy's; numbers for parameters are only those in `values`.
        """
        if symbolic:
            from ..analysis.linearization import symbolic as formulas

            return formulas.linear_formulas(self._statement, q, v, t, values, inputs, outputs, independent)
        return numeric.linearize(self._statement, q, v, t, values, inputs, outputs, independent)

    @overload
    def equilibrium(  # noqa: D418
        self, guess: Any = ..., values: Any = ..., *, t: float = ..., fixed: Any = ..., over: None = ...
    ) -> Equilibrium:
        """One position."""

    @overload
    def equilibrium(  # noqa: D418
        self,
        guess: Any = ...,
        values: Any = ...,
        *,
        t: float = ...,
        fixed: Any = ...,
        over: tuple[Any, Iterable[float]],
    ) -> Equilibria:
        """A branch over a parameter."""

    def equilibrium(
        self, guess: Any = None, values: Any = None, *, t: float = 0.0, fixed: Any = None, over: Any = None
    ) -> Equilibrium | Equilibria:
        """A position of rest near a guess: .q .multipliers .reactions .stiffness .stable .frequencies.

        `guess` is a mapping of positions (0 where nothing is said) or all of them in order; `values` and `t` are those
        of `at`. `fixed` holds coordinates: a mapping to their places, or names, held as guessed; what holds x is the
        reaction of "x held". `over`, a pair of a parameter's name and numbers, asks for the branch of equilibria over
        that parameter.
        """
        return equilibria.equilibrium(self._statement, guess, values, t, fixed, over)

    # Sensitivity

    def sensitivity(
        self, values: Any = None, start: Any = None, until: float | None = None, *, by: Any, of: Any = None,
        along: bool = False, mode: str = "auto", method: str = "auto", rtol: float = 1e-10, atol: Any = 1e-12,
        t: float = 0.0, guess: Any = None, outputs: Mapping[str, Any] | None = None, step: float | None = None,
    ) -> Sensitivity:  # fmt: skip
        """The derivatives of the motion at its end by parameters and start values: .values, s["x", "m"], .audit.

        `values`, `start`, `until`, `rtol`, `atol`, `t`, `guess`, `outputs` and `step` are those of `simulate`, which
        runs first; `method` is "auto", "dop853" or "radau5". `by` lists parameters, "m", and start values, "x" and
        "x'". `of` lists what is differentiated: "x", "x'", "x''", a multiplier "rod[0]", one of the `outputs`; all
        states and outputs unless it is given. With `along` they are had at every row as well, .along["x", "m"]. `mode`
        is "forward" (one pass for all of `of`), "adjoint" (one back for all of `by`) or "auto". docs/sensitivity.md.
        """
        trajectories = lazy_module("lienket.trajectory")
        analysis = lazy_module("lienket.analysis.sensitivity.sensitivity")
        run = {"until": until, "times": None, "method": method, "rtol": rtol, "atol": atol, "step": step}
        request = {"by": by, "of": of, "along": along, "mode": mode}
        return analysis.sensitivity(
            self._statement,
            values,
            start,
            guess,
            t,
            run,
            outputs,
            request,
            lambda result: trajectories.trajectory(self, result),
        )

    # Inverse dynamics

    def drive(
        self, motion: Any, drives: Mapping[str, Mapping[Any, Any]] | None = None, values: Any = None,
        weights: Mapping[str, float] | None = None, *, times: Any = None, start: Any = None,
    ) -> Drive:  # fmt: skip
        """The drives that make a motion: .t .drives["M"] .power .reactions .multipliers .residual .audit .sentence.

        `motion` is a trajectory, rows (t, q), (t, q, v) or (t, q, v, a), or a mapping of "t" and coordinates to
        columns; what is not given is found by splines. Or it maps outputs, coordinates or expressions, to their laws of
        time: then `times` are the rows, and `start` is a mapping with a guess of the positions at the first of them.
        `drives` maps names to {coordinate: factor}, those of the system's programs if left out; where they can share,
        u^T W u is least, W the `weights` by drive (1). `values` are numbers of parameters. docs/drives.md.
        """
        analysis = lazy_module("lienket.analysis.drives.drive")
        return analysis.drive(self._statement, motion, drives, values, weights, times, start)
