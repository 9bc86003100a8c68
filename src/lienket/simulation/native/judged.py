"""The judgement on a step: by its error, then by what settling its end finds."""

from __future__ import annotations

from typing import Any

from ...kernels.native.jit import kernel
from . import memory as at
from .method import ask
from .over import near_singular
from .settle import settled


@kernel
def judged(run: Any, t: Any, h: Any, error: Any) -> Any:
    """0 if the step may be accepted, else the reason why not."""
    if not error >= 0:
        return _failed(run.counts)
    if error > 1:
        return at.INACCURATE
    return ask(run, at.OWN_SETTLE, t, h) if run.counts[at.OWN] == 1 else settled(run, t, h)


@kernel
def _failed(counts: Any) -> Any:
    """The reason why an attempt gave nothing."""
    if counts[at.WORST] < 0:
        return at.NO_ACCELERATION
    return at.RANK_LOST if near_singular(counts) else at.NOT_CONVERGED
