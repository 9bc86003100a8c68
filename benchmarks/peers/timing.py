"""Compiling small C files, and timing compiled functions in one and the same loop (hand/loop.c)."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

HAND = Path(__file__).parent / "hand"
FLAGS = ("-O3", "-march=native", "-std=gnu11", "-shared", "-fPIC")


@cache
def compiled(source: str, *definitions: str) -> ctypes.CDLL:
    """The C file, compiled by the system's compiler for this machine and loaded."""
    folder = tempfile.mkdtemp(prefix="peers-")
    library = Path(folder) / "peer.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, *FLAGS, *definitions, str(HAND / source), "-o", str(library), "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    library.unlink()
    Path(folder).rmdir()
    return loaded


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """The address of an array's numbers."""
    return ctypes.c_void_p(array.ctypes.data)


def function_loop(
    function: Any, q: np.ndarray, v: np.ndarray, parameters: np.ndarray, length: int
) -> Callable[[int], float]:
    """Seconds per call of `int f(t, q, v, parameters, out)`, `out` being `length` numbers, accelerations first.

    `function` is a ctypes function or an address. The state of each round depends a little on the answer before.
    """
    run = compiled("loop.c").loop_function
    run.restype = ctypes.c_double
    total = ctypes.c_double()
    address = ctypes.c_void_p(function) if isinstance(function, int) else ctypes.cast(function, ctypes.c_void_p)

    def loop(count: int) -> float:
        arrays = pointer(q), pointer(v), pointer(parameters)
        return run(address, len(q), length, *arrays, ctypes.c_long(count), ctypes.byref(total))

    return loop


def object_loop(
    function: int, first: int, second: int | None, q: np.ndarray, answer: np.ndarray
) -> Callable[[int], float]:
    """Seconds per call of `f(first)` or `f(first, second)`, which read the array `q` and write `answer`."""
    run = compiled("loop.c").loop_object
    run.restype = ctypes.c_double
    total = ctypes.c_double()

    def loop(count: int) -> float:
        pointers = ctypes.c_void_p(function), ctypes.c_void_p(first), ctypes.c_void_p(second)
        return run(*pointers, len(q), pointer(q), pointer(answer), ctypes.c_long(count), ctypes.byref(total))

    return loop
