"""Python functions of the user as functions with an address: compiled by numba, or called in Python where it cannot.

numba takes a function as it stands when it is first needed: global and enclosing numbers are frozen into it, and whole
numbers have 64 bits. What numba cannot compile (objects with a state, other libraries) is called in Python, a hundred
times slower. An exception gives NaN and is kept, to be reported.
"""

from __future__ import annotations

import ctypes
import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import field
from functools import lru_cache
from importlib import import_module
from typing import Any

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Callback:
    """A callable with an address; `compiled` says whether it runs without Python, `why` why not.

    `faults` gathers the first exception.
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
    called, faults = _by_python(function, arguments)
    try:
        made = _by_numba(function, arguments, called)
    except Exception as error:  # numba has many ways to say no
        address = ctypes.cast(called, ctypes.c_void_p).value
        return Callback(name, int(address or 0), False, _first_line(error), called, faults)
    return Callback(name, int(made.address), True, "", (made, called), faults)


def raise_faults(callbacks: Iterable[Callback]) -> None:
    """Raise the first exception in one of the functions, if there was one since the last time."""
    for call in callbacks:
        if call.faults:
            error = call.faults.pop()
            if not isinstance(error, Exception):
                raise error  # Ctrl-C, above all
            raise LienketError(f"The function {call.name!r} failed: {type(error).__name__}: {error}") from error


def _by_numba(function: Callable[..., float], arguments: int, called: Any) -> Any:
    """The function compiled; where it raises, it is called in Python again, which keeps the exception."""
    numba: Any = import_module("numba")
    to_fixed_tuple: Any = import_module("numba.np.unsafe.ndarray").to_fixed_tuple
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what numba thinks of the user's code; it runs in Python otherwise
        inner = numba.njit(error_model="numpy", boundscheck=True)(getattr(function, "py_func", function))

        def safe(pointer: Any) -> Any:
            values = to_fixed_tuple(numba.carray(pointer, (arguments,)), arguments)
            try:
                return float(inner(*values))  # None is no number
            except Exception:
                return called(pointer)

        return numba.cfunc(numba.float64(numba.types.CPointer(numba.float64)))(safe)


def _by_python(function: Callable[..., float], arguments: int) -> tuple[Any, list[BaseException]]:
    """The function called in Python, and where its first exception is kept."""
    faults: list[BaseException] = []

    def safe(pointer: Any) -> float:
        try:
            return float(function(*pointer[:arguments]))
        except BaseException as error:  # nothing can be raised through machine code
            if not faults:
                faults.append(error)
            return math.nan

    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))(safe), faults


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
