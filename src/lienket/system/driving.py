"""What a motion takes: the part of a System that is asked for the drives that make it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..imports import imported
from .stated import Stated

if TYPE_CHECKING:
    from ..results.drive import Drive


class Driving(Stated):
    """A system of which the motion is known and the drives are asked."""

    __slots__ = ()

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
        pipeline = imported("lienket.pipeline.drive")
        return pipeline.drive(self._statement, motion, drives, values, weights, times, start)
