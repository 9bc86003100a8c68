"""How kernels are compiled: numba, once per installation. Only `library` imports this, when something is not kept yet.

`kernel` marks an inner function; `entry` one that Python calls, `callback` one that other kernels call by address.
Both are marked by name only: `library` has them compiled when they are first needed, and keeps the object code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numba.extending

from ....compiled.machine.processor import tell_numba
from ...memory import workspace as layout

_numba: Any = numba  # whose own types leave some of its options out
tell_numba(_numba)

FAST: set[str] = {"contract", "reassoc"}
"""What dot products may do: sum in another order, multiply and add in one rounding. NaN and infinity stay."""
ENTRY = "int64(CPointer(int64))"


def kernel(function: Callable[..., Any], fastmath: Any = False) -> Any:
    """Marks an inner function of kernels; it is compiled into the entries that call it, and kept with them."""
    # In Python it stays a plain function. Wrappers for calls from there would be a third of the time of compilation.
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "no_rewrites": True}
    return _numba.extending.register_jitable(nogil=True, error_model="numpy", fastmath=fastmath, **bare)(function)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Marks a function that writes LLVM instructions into the kernels that use it."""
    return _numba.extending.intrinsic(function)


def product_kernel(function: Callable[..., Any]) -> Any:
    """Marks one that sums products, which may do so in any order."""
    return kernel(function, FAST)


for _size in (
    layout.terms,
    layout.terms_size,
    layout.accelerations_at,
    layout.elimination_size,
    layout.kept_at,
    layout.work_size,
    layout.places_size,
    layout.lay_out,
):
    kernel(_size)  # plain functions, which kernels call as well


def callback(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Marks a function that others call by its address, with its numba signature."""

    def mark(function: Any) -> Any:
        function.signature = signature
        return function

    return mark


entry = callback(ENTRY)
"""Marks a function that Python calls. Its argument is the words of `library.call`."""


def written(function: Any) -> tuple[str, str]:
    """The optimised LLVM IR of an entry or callback, and the name of its function there."""
    if _numba.config.DISABLE_JIT:
        from ....errors import LienketError

        raise LienketError("numba's compiler is switched off by NUMBA_DISABLE_JIT, and kernels need it.")
    found = _numba.cfunc(function.signature, error_model="numpy")(function)
    return found.inspect_llvm(), found.native_name
