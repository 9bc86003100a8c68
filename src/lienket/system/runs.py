"""RunnableSystem: runs of a system, from its statement or from what an earlier process has kept of its model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..foundation.lazy_import import lazy_module
from .linearizable import LinearizableSystem

if TYPE_CHECKING:
    from ..simulation.run.result import Run
    from ..trajectory import Trajectory
    from .known_file import ModelText


class RunnableSystem(LinearizableSystem):
    """Base of System with the two ways of a run."""

    __slots__ = ()

    def _simulate(
        self, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any], progress: Any, outputs: Any,
        file: ModelText | None,
    ) -> Trajectory:  # fmt: skip
        """Return the motion, simulated from the statement; `file` remembers what later processes need."""
        motion = lazy_module("lienket.assembly.motion")
        result = motion.simulate(self._statement, self._numbers(values), start, guess, t, run, outputs, progress)
        if file is not None:
            file.remember()
        trajectory: Trajectory = lazy_module("lienket.trajectory").trajectory(self, result)
        return trajectory

    def _known_motion(
        self, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any], progress: Any
    ) -> Trajectory | None:
        """Return the motion of a system that is known from an earlier process, or None if it needs formulas."""
        if self._stated is not None or self._file is None or self._file.known is None:
            return None

        def explain(t: float, q: Any, v: Any, parameters: Any) -> str:
            reason: str = lazy_module("lienket.assembly.motion").explain(self._statement, t, q, v, parameters)
            return reason

        known, model = lazy_module("lienket.assembly.known.run"), self._file.model(lambda: self._statement)
        result: Run | None = known.known_run(self._file.known, model, values, start, guess, t, run, progress, explain)
        if result is not None and not result.outcome.complete and self._file.known.corners:
            ends = lazy_module("lienket.assembly.table_ends")
            result = ends.with_table_ends(result, self._statement, (), result.outcome.time)
        return None if result is None else lazy_module("lienket.trajectory").trajectory(self, result)
