"""Compilation of kernels by numba, once per installation. `library` imports this only if a kernel is not cached yet.

`kernel` marks an inner function, `entry` a function that Python calls, `callback` one that other kernels call by
address. Entries and callbacks are compiled when `library` first needs them; it caches the object code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numba.extending

from ....compiled.machine.processor import tell_numba
from ...memory import workspace

_numba: Any = numba  # its type hints omit some options
tell_numba(_numba)

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
    workspace.iwork_size,
    workspace.lay_out,
):
    kernel(_size)  # plain functions that kernels call too


def callback(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that marks a function, called by address, with its numba signature."""

    def mark(function: Any) -> Any:
        function.signature = signature
        return function

    return mark


entry = callback(ENTRY)
"""Decorator of functions that Python calls; their argument is the words of `library.call`."""


def written(function: Any) -> tuple[str, str]:
    """Return the optimised LLVM IR of an entry or callback, and the name of its function there."""
    if _numba.config.DISABLE_JIT:
        from ....errors import LienketError

        raise LienketError("numba's compiler is switched off by NUMBA_DISABLE_JIT, and kernels need it.")
    found = _numba.cfunc(function.signature, error_model="numpy")(function)
    return found.inspect_llvm(), found.native_name
