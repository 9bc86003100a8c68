"""Python functions of the user as C functions with an address: compiled by numba, or called in Python.

numba, if it is installed (the extra `functions`), compiles a function at its first use: values of global and enclosing
variables are frozen into it, and integers have 64 bits. Without numba, and if numba cannot compile the function
(objects with a state, other libraries), it is called in Python, thirty times slower. An exception in it gives NaN and
is stored, to be raised after the machine code has returned.
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
from .processor import tell_numba


@dataclass(frozen=True, eq=False)
class Callback:
    """Python function with an address; `compiled` tells whether numba compiled it, `why` the reason if not.

    `keep` holds the objects that own the code; `faults` holds the first exception.
    """

    name: str
    address: int
    compiled: bool
    why: str
    keep: object
    faults: list[BaseException] = field(default_factory=list)


@lru_cache(maxsize=256)  # frozen once for all parts of a system
def callback(name: str, function: Callable[..., float], arguments: int) -> Callback:
    """Return a Python function, which takes `arguments` numbers, as double f(double *) with an address."""
    interpreted, faults = _by_python(function, arguments)
    try:
        compiled = _by_numba(function, arguments, interpreted)
    except Exception as error:  # numba raises many kinds of exceptions for what it cannot compile
        address = ctypes.cast(interpreted, ctypes.c_void_p).value
        return Callback(name, int(address or 0), False, _reason(error), interpreted, faults)
    return Callback(name, int(compiled.address), True, "", (compiled, interpreted), faults)


def raise_faults(callbacks: Iterable[Callback]) -> None:
    """Raise the exception of one of the functions, if one has failed since the last call."""
    for call in callbacks:
        if call.faults:
            error = call.faults.pop()
            if not isinstance(error, Exception):
                raise error  # KeyboardInterrupt above all
            raise LienketError(f"The function {call.name!r} failed: {type(error).__name__}: {error}") from error


def _by_numba(function: Callable[..., float], arguments: int, interpreted: Callable[..., float]) -> Any:
    """Compile the function; where it raises, the compiled code calls the interpreted one, which stores the error."""
    numba: Any = import_module("numba")
    tell_numba(numba)
    to_fixed_tuple: Any = import_module("numba.np.unsafe.ndarray").to_fixed_tuple
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba's warnings on the user's code; what it cannot compile runs in Python
        inner = numba.njit(error_model="numpy", boundscheck=True)(getattr(function, "py_func", function))

        def safe(pointer: Any) -> Any:
            values = to_fixed_tuple(numba.carray(pointer, (arguments,)), arguments)
            try:
                return float(inner(*values))  # raises for None
            except Exception:
                return interpreted(pointer)

        return numba.cfunc(numba.float64(numba.types.CPointer(numba.float64)))(safe)


def _by_python(function: Callable[..., float], arguments: int) -> tuple[Any, list[BaseException]]:
    """Return the function called by the interpreter, and the list that receives its first exception."""
    faults: list[BaseException] = []

    def safe(pointer: Any) -> float:
        try:
            return float(function(*pointer[:arguments]))
        except BaseException as error:  # an exception cannot pass through machine code
            if not faults:
                faults.append(error)
            return math.nan

    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))(safe), faults


def _reason(error: Exception) -> str:
    """Return why numba has not compiled a function, from the exception."""
    if isinstance(error, ModuleNotFoundError) and error.name == "numba":
        return "numba is not installed; with it (pip install lienket[functions]) a call takes 15 ns instead of 500"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"numba cannot compile it: {lines[0] if lines else type(error).__name__}"
