"""Python functions of the user as functions with an address: compiled by numba, or called in Python where it cannot.

numba takes a function as it stands when it is first needed: global and enclosing numbers are frozen into it. What
numba cannot compile (objects with a state, other libraries) is called in Python, a hundred times slower. An exception
gives NaN and is kept, to be reported.
"""

from __future__ import annotations

import ctypes
import logging
import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..errors import LienketError


@dataclass(frozen=True)
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


def callback(name: str, function: Callable[..., float], arguments: int) -> Callback:
    """The function double f(double, ...) with an address."""
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
            raise LienketError(f"The function {call.name!r} failed: {type(error).__name__}: {error}") from error


def _by_numba(function: Callable[..., float], arguments: int, called: Any) -> Any:
    """The function compiled; where it raises, it is called in Python again, which keeps the exception."""
    import numba

    logging.getLogger("numba").setLevel(logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what numba thinks of the user's code; it runs in Python otherwise
        compiled = numba.njit(error_model="numpy")(getattr(function, "py_func", function))

        def safe(*values: float) -> Any:
            try:
                return float(compiled(*values))  # None and texts must fail in here
            except Exception:
                return called(*values)

        outer = _OUTER[arguments - 1](numba.njit(error_model="numpy")(safe))
        return numba.cfunc(numba.float64(*[numba.float64] * arguments), error_model="numpy")(outer)


# numba.cfunc wants functions with as many arguments as there are.
_OUTER: tuple[Callable[[Any], Any], ...] = (
    lambda f: lambda a: f(a),
    lambda f: lambda a, b: f(a, b),
    lambda f: lambda a, b, c: f(a, b, c),
    lambda f: lambda a, b, c, d: f(a, b, c, d),
    lambda f: lambda a, b, c, d, e: f(a, b, c, d, e),
    lambda f: lambda a, b, c, d, e, g: f(a, b, c, d, e, g),
    lambda f: lambda a, b, c, d, e, g, h: f(a, b, c, d, e, g, h),
    lambda f: lambda a, b, c, d, e, g, h, i: f(a, b, c, d, e, g, h, i),
    lambda f: lambda a, b, c, d, e, g, h, i, j: f(a, b, c, d, e, g, h, i, j),
    lambda f: lambda a, b, c, d, e, g, h, i, j, k: f(a, b, c, d, e, g, h, i, j, k),
    lambda f: lambda a, b, c, d, e, g, h, i, j, k, m: f(a, b, c, d, e, g, h, i, j, k, m),
    lambda f: lambda a, b, c, d, e, g, h, i, j, k, m, n: f(a, b, c, d, e, g, h, i, j, k, m, n),
    lambda f: lambda a, b, c, d, e, g, h, i, j, k, m, n, o: f(a, b, c, d, e, g, h, i, j, k, m, n, o),
    lambda f: lambda a, b, c, d, e, g, h, i, j, k, m, n, o, p: f(a, b, c, d, e, g, h, i, j, k, m, n, o, p),
    lambda f: lambda a, b, c, d, e, g, h, i, j, k, m, n, o, p, q: f(a, b, c, d, e, g, h, i, j, k, m, n, o, p, q),
    lambda f: lambda a, b, c, d, e, g, h, i, j, k, m, n, o, p, q, r: f(a, b, c, d, e, g, h, i, j, k, m, n, o, p, q, r),
)


def _by_python(function: Callable[..., float], arguments: int) -> tuple[Any, list[BaseException]]:
    """The function called in Python, and where its first exception is kept."""
    faults: list[BaseException] = []

    def safe(*values: float) -> float:
        try:
            return float(function(*values))
        except Exception as error:  # nothing can be raised through machine code
            if not faults:
                faults.append(error)
            return math.nan

    return ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * arguments)(safe), faults


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
