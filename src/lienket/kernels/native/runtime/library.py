"""Compiled kernels in memory: from the cache of machine code, from the text stored in the package, or made by numba.

A kernel is identified by its module and function. The package stores its LLVM text (`stored.texts`), which LLVM turns
into code for this processor at the first use, 0.1 to 0.3 s each; the cache of `compiled` keeps the code, and a later
process takes 4 ms. A kernel whose source differs from the stored one is made by numba and kept in the same way.

Every entry has the C type int64 f(int64 *words). `call` writes its arguments into words: an integer is one word, an
array is its address followed by its shape.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import numpy as np

from ....compiled.machine import cache as code_cache
from ....compiled.machine.cache import cache_directory
from ....compiled.machine.function import address_of
from ....compiled.machine.object_code import LoadedCode, object_code
from ..stored import texts

Array = Any

LEVEL = 3  # optimization level of the code generator
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_buffer: Any = ctypes.c_char.from_buffer
_KINDS = (np.dtype(np.float64), np.dtype(np.int64))
_LOADING = threading.RLock()


@cache
def address(module: str, name: str) -> int:
    """Return the address of the function `name` of a module, for calls from other kernels."""
    with _LOADING:  # of code loaded twice, the cache of `_loaded` would keep one and release the other
        return _loaded(module, name)[1]


def call(module: str, name: str, *arguments: int | Array) -> int:
    """Call the entry `name` of a module with integers and contiguous arrays, and return its result.

    Arrays are float64 or int64 and stay owned by the caller. The interpreter lock is released during the call.
    """
    return prepared(module, name, *arguments)()


def prepared(module: str, name: str, *arguments: int | Array) -> Any:
    """Return the call as a function without arguments, for repeated use; it reads the arrays as they are then."""
    words = np.array([word for argument in arguments for word in _words(argument)], dtype=np.int64)
    return _call_of(module, name, words, arguments)


def prepared_again(module: str, name: str, other: Any) -> Any:
    """Return the call of an entry with all arguments of another prepared call."""
    return _call_of(module, name, *other.kept)


def _call_of(module: str, name: str, words: Array, arguments: tuple[int | Array, ...]) -> Any:
    """Return the call of an entry with the words of its arguments as a function without arguments."""
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


@cache
def _loaded(module: str, name: str) -> tuple[LoadedCode, int]:
    """Return the loaded code of a kernel and its address."""
    facts, code = _kept(module, name)
    loaded = LoadedCode(code)
    return loaded, loaded.address(facts["symbol"])


def _kept(module: str, name: str) -> tuple[dict[str, Any], bytes]:
    """Return the metadata and the object code of a kernel, from the cache or compiled."""
    stored = texts.current(module, name)
    origin = f"text {stored.text}" if stored is not None else f"sources {texts.sources(module, name)}"
    key = code_cache.key(origin, ("kernel", texts.kernel_name(module, name), str(LEVEL)))
    cached = code_cache.read(key)
    if cached is None:
        with _alone():
            cached = code_cache.read(key) or _compiled(key, module, name, stored)
    return cached


def _compiled(key: str, module: str, name: str, stored: texts.StoredKernel | None) -> tuple[dict[str, Any], bytes]:
    """Compile a kernel and cache its code."""
    text = None if stored is None else texts.text_of(texts.kernel_name(module, name), stored)
    if text is None:
        text = _made(module, name, damaged=stored is not None)
    facts = {"symbol": texts.symbol_of(module, name)}
    code = object_code(text, LEVEL)
    code_cache.write(key, facts, code)
    return facts, code


def _made(module: str, name: str, damaged: bool) -> str:
    """Return the text of a kernel made by numba, with a message to stderr, since it takes seconds."""
    from ..stored.make import text_by_numba

    kernel = texts.kernel_name(module, name)
    reason = "the package does not store it" if kernel not in texts.index() else "its source has changed"
    reason = f"its stored text {texts.path_of(kernel)} is damaged" if damaged else reason
    print(f"lienket: numba makes the kernel {kernel}, since {reason}", file=sys.stderr, flush=True)
    return text_by_numba(module, name)


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
