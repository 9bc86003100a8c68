"""Unoptimised LLVM text of a kernel by numba; the process must have the settings of `make.SETTINGS`.

It stands apart from `make`, since stored texts follow from this function: a change of anything else there must not make
them out of date.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def unoptimised(function: Any) -> tuple[str, str, tuple[str, ...]]:
    """Return the LLVM text of a kernel, the name of its function there, and the LLVM types of its arguments."""
    numba: Any = import_module("numba")
    compiled = numba.cfunc(function.signature, error_model="numpy")(function)
    pointers = [isinstance(kind, numba.types.CPointer) for kind in compiled._sig.args]
    types = tuple("ptr" if pointer else "i64" for pointer in pointers)
    return compiled.inspect_llvm(), compiled.native_name.removeprefix("cfunc."), types
