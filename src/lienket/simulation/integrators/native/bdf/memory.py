"""The scratch memory of BDF in kernels."""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.blocks import views
from .....kernels.native.runtime.jit import kernel
from ...scratch.bdf import bdf_scratch

ITERATIONS = 4
"""The most of Newton's method."""
FAST = 0.1
"""The contraction of Newton's method at which the Jacobian of an earlier step is still good."""

kernel(bdf_scratch)  # a plain function, which kernels call as well


@kernel
def scratch_of(run: Any) -> Any:
    """The blocks of the scratch, see `BdfScratch`."""
    return views(run.scratch, 0, bdf_scratch(run.n, run.s))
