"""The compiled kernels in memory: taken from the cache, or compiled by numba and kept.

A kernel is named by its module and function. Its object code lies in the cache of `compiled`, under a name that follows
from the sources of all kernels and the versions of everything; a process that finds it there needs llvmlite alone,
4 ms instead of the 0.6 s of numba.

Every entry has the C type int64 f(int64 *words). `call` writes its arguments into words: a whole number is one, an
array is its address followed by its shape.
"""

from __future__ import annotations

import ctypes
import hashlib
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

from ....compiled.machine import cache as kept
from ....compiled.machine.cache import cache_directory
from ....compiled.machine.function import address_of
from ....compiled.machine.object_code import Loaded, known, object_code

Array = Any

LEVEL = 3  # of the code generator
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_buffer: Any = ctypes.c_char.from_buffer
_KINDS = (np.dtype(np.float64), np.dtype(np.int64))
_DECLARED = re.compile(r'^declare [^@\n]*@"?([^"(\s]+)"?\(', re.MULTILINE)
_IMPORT = re.compile(r"^ *from (\.+)([\w.]*) import (.*)$", re.MULTILINE)


@cache
def address(module: str, name: str) -> int:
    """Where the function `name` of a module begins, for calls from other kernels."""
    return _loaded(module, name)[1]


def call(module: str, name: str, *arguments: int | Array) -> int:
    """What the entry `name` of a module returns for whole numbers and contiguous arrays.

    Arrays are of float64 or int64; the caller keeps them. The interpreter's lock is released meanwhile.
    """
    return prepared(module, name, *arguments)()


def prepared(module: str, name: str, *arguments: int | Array) -> Any:
    """The same as a function without arguments, to be called often; it sees what the arrays hold by then."""
    words = np.array([word for argument in arguments for word in _words(argument)], dtype=np.int64)
    function, place = _entry(module, name), address_of(words)

    def run() -> int:
        return int(function(place))

    run.kept = (words, arguments)  # type: ignore[attr-defined]  # the machine sees addresses only
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
    """The functions that a kernel expects from outside, among them what numba declares and never reaches."""
    return list(_kept(module, name)[0]["outside"])


@cache
def _loaded(module: str, name: str) -> tuple[Loaded, int]:
    """The code and where it begins."""
    facts, code = _kept(module, name)
    loaded = Loaded(code, {symbol: _stub() for symbol in facts["outside"] if not known(symbol)})
    return loaded, loaded.address(facts["symbol"])


def _kept(module: str, name: str) -> tuple[dict[str, Any], bytes]:
    """What is known of a kernel and its code, from the cache or made."""
    key = kept.key(("kernel", _identity(), module, name))
    found = kept.read(key)
    if found is None:
        with _alone():
            found = kept.read(key) or _compiled(key, module, name)
    return found


def _compiled(key: str, module: str, name: str) -> tuple[dict[str, Any], bytes]:
    """Compiles a kernel and keeps it; says so, since it takes seconds."""
    where = module.removeprefix("lienket.")
    print(f"lienket: compiling {where}.{name}, once per installation", file=sys.stderr, flush=True)
    from .jit import written

    text, symbol = written(getattr(import_module(module), name))
    facts = {"symbol": symbol, "outside": sorted(set(_DECLARED.findall(text)))}
    code = object_code(text, LEVEL)
    kept.write(key, facts, code)
    return facts, code


@cache
def _stub() -> int:
    """A function that does nothing, for what numba declares and kernels never reach: they raise no exceptions."""
    nothing = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: None)
    _stubs.append(nothing)
    return int(ctypes.cast(nothing, ctypes.c_void_p).value or 0)


_stubs: list[Any] = []  # kept for good: code may hold their addresses


@cache
def _versions() -> str:
    """Numba and Python. The file that numba keeps its version in is read as it is: importlib.metadata takes 30 ms."""
    found = find_spec("numba")
    folder = None if found is None or found.origin is None else Path(found.origin).parent
    numba = None
    with suppress(OSError):
        numba = folder and (folder / "_version.py").read_text("utf-8")
    if not numba:
        from importlib import metadata

        numba = metadata.version("numba")
    return f"{numba}\n{platform.python_implementation()} {platform.python_version()}"


def _identity() -> str:
    """What compiled kernels depend on besides what every cached code does, in words."""
    return "\n".join((_versions(), _sources()))


@cache
def _sources() -> str:
    """A digest of all that kernels are made of."""
    digest = hashlib.sha256()
    for name, text in sorted(sources().items()):
        digest.update(name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def sources() -> dict[str, bytes]:
    """All files below a folder `native` and what they import in the rooms that have such a folder, with their texts."""
    package = os.path.abspath(__file__)
    for _ in range(4):
        package = os.path.dirname(package)
    files = {os.path.join(folder, name) for folder, _, names in os.walk(package) for name in names}
    parts = {path: path.removeprefix(package).split(os.sep)[1:] for path in files if path.endswith(".py")}
    wanted = [path for path in parts if "native" in parts[path]]
    rooms = {parts[path][0] for path in wanted}
    texts: dict[str, bytes] = {}
    while wanted:
        path = wanted.pop()
        if path not in texts and path in parts and parts[path][0] in rooms:
            with open(path, "rb", buffering=0) as file:
                texts[path] = file.read()
            wanted += _imports(path, texts[path].decode())
    return {"/".join(parts[path]): text for path, text in texts.items()}


def _imports(path: str, text: str) -> Iterator[str]:
    """The files that a module may mean with its relative imports."""
    for dots, module, names in _IMPORT.findall(text):
        base = path
        for _ in dots:
            base = os.path.dirname(base)
        base = os.path.join(base, *module.split(".")) if module else base
        yield base + ".py"
        for name in names.split(","):
            yield os.path.join(base, name.split(" as ")[0].strip() + ".py")


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time, where the system has such locks; two that compile at once only waste time."""
    file = None
    with suppress(ImportError, OSError):  # no such locks, or nowhere to write: the code runs all the same
        import fcntl

        file = open(cache_directory() / "lock", "wb")  # noqa: SIM115
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if file is not None:
            file.close()
