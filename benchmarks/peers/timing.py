"""Compiling small C files, and timing compiled functions in one and the same loop (hand/loop.c)."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

HAND = Path(__file__).parent / "hand"
BUILD = Path(__file__).parents[2] / "build" / "peers"
MACHINE = ("-march=native", "-shared", "-fPIC")


@cache
def compiled(source: str, *definitions: str) -> ctypes.CDLL:
    """Return the C file, compiled by the system's compiler for this machine and loaded."""
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        library = Path(folder) / "peer.so"
        compiler = os.environ.get("CC", "cc")
        command = [compiler, "-O3", "-std=gnu11", *MACHINE, *definitions, str(HAND / source), "-o", str(library), "-lm"]
        subprocess.run(command, check=True)
        return ctypes.CDLL(str(library))


@cache
def compiled_once(source: str, *options: str) -> ctypes.CDLL:
    """Return a C++ file that takes long to compile: kept in build/ until the file or the options change."""
    text = (HAND / source).read_bytes() + repr(options).encode()
    library = BUILD / f"{source}-{hashlib.sha256(text).hexdigest()[:16]}.so"
    if not library.exists():
        print(f"  compiling {source}, once; this takes a minute or two", flush=True)
        BUILD.mkdir(parents=True, exist_ok=True)
        part = library.with_suffix(f".{os.getpid()}.part")
        compiler = os.environ.get("CXX", "c++")
        subprocess.run([compiler, "-O3", *MACHINE, *options, str(HAND / source), "-o", str(part)], check=True)
        part.replace(library)
    return ctypes.CDLL(str(library))


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """Return the address of an array's numbers."""
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


def cycles_per_second() -> float:
    """Cycles of the processor's time-stamp counter per second; 0 where there is none."""
    count = compiled("loop.c").cycles_per_second
    count.restype = ctypes.c_double
    return float(count())


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
