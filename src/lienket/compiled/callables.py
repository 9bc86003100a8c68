"""Python functions of the user as functions with an address: compiled by numba, or called in Python where it cannot.

numba takes a function as it stands when it is first needed: global and enclosing numbers are frozen into it, whole
numbers have 64 bits, and an exception or an index out of range gives NaN. What numba cannot compile (objects with a
state, other libraries) is called in Python, a hundred times slower; an exception in it gives NaN too and is kept, to be
reported.
"""

from __future__ import annotations

import ctypes
import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any

from ..errors import LienketError


@dataclass(frozen=True, eq=False)
class Callback:
    """A callable with an address; `compiled` says whether it runs without Python, `why` why not.

    `faults` gathers the first exception of a function called in Python.
    """

    name: str
    address: int
    compiled: bool
    why: str
    keep: Any
    faults: list[BaseException] = field(default_factory=list)


@lru_cache(maxsize=256)  # frozen once, whichever part of a system asks first
def callback(name: str, function: Callable[..., float], arguments: int) -> Callback:
    """The function double f(double *arguments) with an address."""
    try:
        made = _by_numba(function, arguments)
    except Exception as error:  # numba has many ways to say no
        return _by_python(name, function, arguments, _first_line(error))
    return Callback(name, int(made.address), True, "", made)


def raise_faults(callbacks: Iterable[Callback]) -> None:
    """Raise the first exception in a function called in Python, if there was one since the last time."""
    for call in callbacks:
        if call.faults:
            error = call.faults.pop()
            if not isinstance(error, Exception):
                raise error  # Ctrl-C, above all
            raise LienketError(f"The function {call.name!r} failed: {type(error).__name__}: {error}") from error


def _by_numba(function: Callable[..., float], arguments: int) -> Any:
    numba: Any = import_module("numba")
    to_fixed_tuple: Any = import_module("numba.np.unsafe.ndarray").to_fixed_tuple
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what numba thinks of the user's code; it runs in Python otherwise
        inner = numba.njit(error_model="numpy", boundscheck=True)(getattr(function, "py_func", function))

        def safe(pointer: Any) -> float:
            values = to_fixed_tuple(numba.carray(pointer, (arguments,)), arguments)
            try:
                return inner(*values)
            except Exception:  # nothing can be raised through machine code
                return math.nan

        return numba.cfunc(numba.float64(numba.types.CPointer(numba.float64)))(safe)


def _by_python(name: str, function: Callable[..., float], arguments: int, why: str) -> Callback:
    faults: list[BaseException] = []

    def safe(pointer: Any) -> float:
        try:
            return float(function(*pointer[:arguments]))
        except BaseException as error:  # nothing can be raised through machine code
            if not faults:
                faults.append(error)
            return math.nan

    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))
    made = kind(safe)
    address = ctypes.cast(made, ctypes.c_void_p).value
    return Callback(name, int(address or 0), False, why, made, faults)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
