"""Marks of kernels for numba, which writes their LLVM text when their source has changed (`stored.make`).

`kernel` marks an inner function, `entry` a function that Python calls, `callback` one that other kernels call by
address. The package stores the texts of entries and callbacks; a process that runs them imports none of these modules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numba.extending

from ...memory import workspace

_numba: Any = numba  # its type hints omit some options

FAST: set[str] = {"contract", "reassoc"}
"""Freedoms for dot products: another order of summation, fused multiply-add. NaN and infinity are preserved."""
ENTRY = "int64(CPointer(int64))"


def kernel(function: Callable[..., Any], fastmath: Any = False) -> Any:
    """Mark an inner function of kernels; it is compiled into the entries that call it."""
    # In Python it remains a plain function: wrappers for calls from Python would take a third of the compilation time.
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "no_rewrites": True}
    return _numba.extending.register_jitable(nogil=True, error_model="numpy", fastmath=fastmath, **bare)(function)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Mark a function that writes LLVM instructions into the kernels that use it."""
    return _numba.extending.intrinsic(function)


def product_kernel(function: Callable[..., Any]) -> Any:
    """Mark an inner function whose sums of products may be evaluated in any order."""
    return kernel(function, FAST)


for _size in (
    workspace.terms,
    workspace.terms_size,
    workspace.accelerations_at,
    workspace.elimination_size,
    workspace.projection_at,
    workspace.work_size,
    workspace.least_pivot_at,
    workspace.acting_rows_at,
    workspace.iwork_size,
    workspace.lay_out,
):
    kernel(_size)  # plain functions that kernels call too


def callback(signature: str, vectors: bool = True) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that marks a function, called by address, with its numba signature.

    Without `vectors` its loops stay scalar: for long functions with short loops, whose code then takes half the time
    to generate.
    """

    def mark(function: Any) -> Any:
        function.signature, function.vectors = signature, vectors
        return function

    return mark


entry = callback(ENTRY)
"""Decorator of functions that Python calls; their argument is the words of `library.call`."""
