"""Compiled kernels in memory: loaded from the cache, or compiled by numba and cached.

A kernel is identified by its module and function. Its object code is stored in the cache of `compiled`, under a key
made from the syntax of all definitions it reaches, in any file (`source_digest`), and from the versions of Python,
numba and LLVM. A process that finds the code there needs llvmlite alone, 4 ms instead of the 0.6 s of numba.

Every entry has the C type int64 f(int64 *words). `call` writes its arguments into words: an integer is one word, an
array is its address followed by its shape.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ....compiled.machine import cache as code_cache
from ....compiled.machine import object_code as object_code_module
from ....compiled.machine.cache import cache_directory, source_digests
from ....compiled.machine.function import address_of
from ....compiled.machine.object_code import LoadedCode, known, object_code

Array = Any

LEVEL = 3  # optimization level of the code generator
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_buffer: Any = ctypes.c_char.from_buffer
_KINDS = (np.dtype(np.float64), np.dtype(np.int64))
_DECLARED = re.compile(r'^declare [^@\n]*@"?([^"(\s]+)"?\(', re.MULTILINE)
_COMPILER = (
    (os.path.join(os.path.dirname(os.path.abspath(__file__)), "jit.py"), "written"),
    (str(object_code_module.__file__), "object_code"),
)
"""Functions that turn a kernel into object code, besides numba and LLVM."""


@cache
def address(module: str, name: str) -> int:
    """Return the address of the function `name` of a module, for calls from other kernels."""
    return _loaded(module, name)[1]


def call(module: str, name: str, *arguments: int | Array) -> int:
    """Call the entry `name` of a module with integers and contiguous arrays, and return its result.

    Arrays are float64 or int64 and stay owned by the caller. The interpreter lock is released during the call.
    """
    return prepared(module, name, *arguments)()


def prepared(module: str, name: str, *arguments: int | Array) -> Any:
    """Return the call as a function without arguments, for repeated use; it reads the arrays as they are then."""
    words = np.array([word for argument in arguments for word in _words(argument)], dtype=np.int64)
    function, words_address = _entry(module, name), address_of(words)

    def run() -> int:
        return int(function(words_address))

    run.kept = (words, arguments)  # type: ignore[attr-defined]  # keeps the memory behind the addresses alive
    return run


def _words(argument: int | Array) -> tuple[int, ...]:
    if not isinstance(argument, np.ndarray):
        return (int(argument),)
    if argument.size and argument.dtype in _KINDS:
        try:
            return (ctypes.addressof(_buffer(argument)), *argument.shape)  # the quick way
        except (TypeError, ValueError):  # not contiguous, or read-only
            pass
    if not argument.flags.c_contiguous or argument.dtype not in _KINDS:
        raise ValueError(f"a kernel takes contiguous arrays of float64 or int64, not {argument.dtype}")
    return (address_of(argument), *argument.shape)


@cache
def _entry(module: str, name: str) -> Any:
    return _ENTRY(address(module, name))


def expected_outside(module: str, name: str) -> list[str]:
    """Return the external functions of a kernel, including those that numba declares and the kernel never calls."""
    return list(_kept(module, name)[0]["outside"])


@cache
def _loaded(module: str, name: str) -> tuple[LoadedCode, int]:
    """Return the loaded code of a kernel and its address."""
    facts, code = _kept(module, name)
    loaded = LoadedCode(code, {symbol: _stub() for symbol in facts["outside"] if not known(symbol)})
    return loaded, loaded.address(facts["symbol"])


def _kept(module: str, name: str) -> tuple[dict[str, Any], bytes]:
    """Return the metadata and the object code of a kernel, from the cache or compiled."""
    key = code_cache.key(_sources(module, name), ("kernel", name))
    cached = code_cache.read(key)
    if cached is None:
        with _alone():
            cached = code_cache.read(key) or _compiled(key, module, name)
    return cached


def _compiled(key: str, module: str, name: str) -> tuple[dict[str, Any], bytes]:
    """Compile a kernel and cache it, with a message to stderr, since it takes seconds."""
    where = module.removeprefix("lienket.")
    print(f"lienket: compiling {where}.{name}, once per installation", file=sys.stderr, flush=True)
    from .jit import written

    text, symbol = written(getattr(import_module(module), name))
    facts = {"symbol": symbol, "outside": sorted(set(_DECLARED.findall(text)))}
    code = object_code(text, LEVEL)
    code_cache.write(key, facts, code)
    return facts, code


@cache
def _stub() -> int:
    """Return the address of an empty function, for the functions that numba declares to raise exceptions."""
    nothing = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: None)
    _stubs.append(nothing)
    return int(ctypes.cast(nothing, ctypes.c_void_p).value or 0)


_stubs: list[Any] = []  # never released: loaded code may hold their addresses


@cache
def _versions() -> str:
    """Return the versions of numba and Python; reads the version file of numba: importlib.metadata takes 30 ms."""
    spec = find_spec("numba")
    folder = None if spec is None or spec.origin is None else Path(spec.origin).parent
    numba = None
    with suppress(OSError):
        numba = folder and (folder / "_version.py").read_text("utf-8")
    if not numba:
        from importlib import metadata

        numba = metadata.version("numba")
    return f"{numba}\n{platform.python_implementation()} {platform.python_version()}"


def source_of(module: str) -> str:
    """Return the file of a module."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {module}")
    return spec.origin


@cache
def _sources(module: str, name: str) -> str:
    """Return the digest of all definitions that a kernel reaches, and of what compiles it."""
    digests = source_digests(cache_directory())
    parts = [digests.reached(path, function) for path, function in ((source_of(module), name), *_COMPILER)]
    return "\n".join((_versions(), *parts))


@contextmanager
def _alone() -> Iterator[None]:
    """Let one process compile at a time, if the system has file locks; the others then find the code in the cache."""
    file = None
    with suppress(ImportError, OSError):  # no file locks, or no writable cache: compile without a lock
        import fcntl

        file = open(cache_directory() / "lock", "wb")  # noqa: SIM115
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if file is not None:
            file.close()
