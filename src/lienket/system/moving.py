"""What follows in numbers: the part of a System that is evaluated, compiled and set in motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..imports import imported
from ..pipeline import numbers, states
from .stated import Stated

if TYPE_CHECKING:
    from ..kernels.compiled_system import CompiledSystem
    from ..kernels.state import State
    from ..simulation.start import Start
    from ..trajectory import Trajectory


class Moving(Stated):
    """A system with numbers for its parameters."""

    __slots__ = ()

    def at(self, q: Any, v: Any, t: float = 0.0, values: Any = None, *, tolerance: float | None = None) -> State:
        """Everything in numbers at one state: .A .h .G .g0 .D .W .accelerations .reaction .reactions .verdicts .audit.

        `q` and `v` are mappings by name or symbol, or sequences in the order of the coordinates; `t` is the time;
        `values` are numbers of parameters, the rest come from the system's own. The state may be off its
        constraints: the audit reports it. `tolerance` decides when a constraint is called dependent: what it adds
        to those before it, as a share of it in the metric of A (1e-7).
        """
        return states.state(self._statement, q, v, t, values, tolerance)

    def consistent(
        self, start: Any = None, values: Any = None, *, guess: Any = None, t: float = 0.0, others: bool = True
    ) -> Start:
        """Positions and velocities at the time `t` that satisfy the constraints: `q, v = system.consistent(...)`.

        `start` has what is kept: a mapping of any "x" and "x'" (or x and der(x)), or a pair (q, v); `guess` is such a
        mapping of what may move, 0 where nothing is said; `values` are those of `at`. The solution nearest the guess
        in the metric of A is taken; `others` asks for .others as well. Programs with feedback or bounds need not hold.
        """
        motion = imported("lienket.pipeline.motion")
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
        face, motion = imported("lienket.trajectory"), imported("lienket.pipeline.motion")
        system = self if events in ((), None) else self.watch(events)
        found = motion.simulate(system.statement, values, start, guess, t, run, outputs, progress)
        return face.trajectory(system, found)

    def compile(self, outputs: Mapping[str, Any] | None = None) -> CompiledSystem:
        """The system as machine code: .evaluate(t, q, v) for many states at once, .summary(), .c_source().

        `outputs` maps names to expressions of q, q', q'', t and parameters that are wanted as numbers too.
        """
        return numbers.compiled_system(self._statement, outputs)
