"""The scratch memory of Radau5 in kernels."""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.blocks import views
from .....kernels.native.runtime.jit import kernel
from ...scratch.radau5 import radau5_scratch

ITERATIONS = 7
"""The most of Newton's method."""

kernel(radau5_scratch)  # a plain function, which kernels call as well


@kernel
def scratch_of(run: Any) -> Any:
    """The blocks of the scratch, see `Radau5Scratch`."""
    return views(run.scratch, 0, radau5_scratch(run.n, run.s))
