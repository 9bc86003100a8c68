"""What follows when something changes a little: the part of a System that is differentiated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..imports import imported
from .stated import Stated

if TYPE_CHECKING:
    from ..results.sensitivity import Sensitivity


class Varied(Stated):
    """A system whose motion is asked how it changes."""

    __slots__ = ()

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
        face, pipeline = imported("lienket.trajectory"), imported("lienket.pipeline.sensitivity")
        run = {"until": until, "times": None, "method": method, "rtol": rtol, "atol": atol, "step": step}
        asked = {"by": by, "of": of, "along": along, "mode": mode}
        return pipeline.sensitivity(
            self._statement, values, start, guess, t, run, outputs, asked, lambda made: face.trajectory(self, made)
        )
