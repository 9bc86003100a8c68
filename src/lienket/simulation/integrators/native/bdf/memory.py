"""Scratch memory of BDF as kernels read it, and limits of its Newton iteration."""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.blocks import views
from .....kernels.native.runtime.jit import kernel
from ..scratch.bdf import bdf_scratch

BDF_NEWTON_ITERATIONS = 4  # [iterations] limit of Newton's method in one attempt
BDF_JACOBIAN_REUSE = 0.1  # [1] contraction of Newton's method up to which the Jacobian of an earlier step is reused

kernel(bdf_scratch)  # a Python function that kernels call too


@kernel
def scratch_of(run: Any) -> Any:
    """Return the blocks of the scratch memory, see `BdfScratch`."""
    return views(run.scratch, 0, bdf_scratch(run.n, run.s))
