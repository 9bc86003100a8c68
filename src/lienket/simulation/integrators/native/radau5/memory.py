"""Scratch memory of Radau5 as kernels read it, and the limit of its Newton iteration."""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.blocks import views
from .....kernels.native.runtime.jit import kernel
from ..scratch.radau5 import radau5_scratch

RADAU5_NEWTON_ITERATIONS = 7  # [iterations] limit of Newton's method in one attempt

kernel(radau5_scratch)  # a Python function that kernels call too


@kernel
def scratch_of(run: Any) -> Any:
    """Return the blocks of the scratch memory, see `Radau5Scratch`."""
    return views(run.scratch, 0, radau5_scratch(run.n, run.s))
