"""Compilation of the kernels by numba, once per installation, into the cache directory of the package.

`kernel` marks an inner function, `entry` one that is called from outside, with its signature. `ready` makes every
entry available: it loads them from the cache, or compiles them and says so.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from operator import methodcaller
from pathlib import Path
from typing import Any

import numba
import numba.core.ccallback
import numba.core.sigutils
import numba.extending

from ...compiled.directory import VARIABLE, cache_directory
from ...compiled.machine import processor
from ...errors import LienketError
from ...version import __version__

_numba: Any = numba  # whose own types leave some of its options out

SECONDS = 25  # that compilation takes, measured on two shared cores
UNUSED = 90 * 24 * 3600  # seconds after which kernels of other versions are removed
FAST: set[str] = {"contract", "reassoc"}
"""What dot products may do: sum in another order, multiply and add in one rounding. NaN and infinity stay."""
_pieces: list[Callable[[], Any]] = []  # each compiles or loads one kernel


def kernel(function: Callable[..., Any], fastmath: Any = False) -> Any:
    """Marks an inner function of kernels; it is compiled into the entries that call it, and kept with them."""
    # In Python it stays a plain function. Wrappers for calls from there would be a third of the time of compilation.
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "no_rewrites": True}
    return _numba.extending.register_jitable(nogil=True, error_model="numpy", fastmath=fastmath, **bare)(function)


def intrinsic(function: Callable[..., Any]) -> Any:
    """Marks a function that writes LLVM instructions into the kernels that use it."""
    return _numba.extending.intrinsic(function)


def product_kernel(function: Callable[..., Any]) -> Any:
    """Marks one that sums products, which may do so in any order."""
    return kernel(function, FAST)


def entry(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Marks a kernel called from outside, with its numba signature; it is kept in the cache directory."""

    def mark(function: Callable[..., Any]) -> Any:
        with _our_cache():
            compiled = _numba.njit(nogil=True, error_model="numpy", cache=True)(function)
        _pieces.append(partial(methodcaller("compile", signature), compiled))
        return compiled

    return mark


def callback(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Marks a kernel that others call by its `.address`, known once the kernels are ready; kept likewise."""

    def mark(function: Callable[..., Any]) -> Any:
        compiled = _numba.core.ccallback.CFunc(
            function, _numba.core.sigutils.normalize_signature(signature), {}, {"error_model": "numpy"}
        )
        with _our_cache():
            compiled.enable_caching()
        _pieces.append(compiled.compile)
        return compiled

    return mark


@contextmanager
def _our_cache() -> Iterator[None]:
    """Numba reads the place when it decorates. It is set for that moment only: functions of the user are not ours."""
    before = _numba.config.CACHE_DIR
    _numba.config.CACHE_DIR = str(kernel_directory())
    try:
        yield
    finally:
        _numba.config.CACHE_DIR = before


@cache
def kernel_directory() -> Path:
    """Where the compiled kernels of this installation are kept. Another version has another directory.

    numba looks at the file of an entry only, not at those of the functions it calls, to see if it is up to date.
    """
    directory = cache_directory() / "kernels" / hashlib.sha256(_identity().encode()).hexdigest()[:16]
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return directory


@cache
def _identity() -> str:
    """What compiled kernels depend on, in words."""
    here = Path(__file__).parent
    sources = hashlib.sha256()
    for path in (*sorted(here.glob("*.py")), *sorted(here.parent.glob("*.py"))):  # tolerances come from the plain ones
        sources.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    parts = (__version__, numba.__version__, python, processor(), str(here), sources.hexdigest())
    return "\n".join(parts) + "\n"


@cache
def ready() -> None:
    """Makes all entries available, loaded or compiled; says so on stderr if it compiles."""
    if _numba.config.DISABLE_JIT:
        raise LienketError("numba's compiler is switched off by NUMBA_DISABLE_JIT, and kernels need it.")
    stamp = kernel_directory() / "stamp"
    if _loaded(stamp):
        return
    with _alone(stamp.parent):
        if _loaded(stamp):  # another process has compiled them meanwhile
            return
        print(f"lienket: compiling kernels, about {SECONDS} s, once per installation", file=sys.stderr, flush=True)
        try:
            _make()
        except OSError as error:
            raise LienketError(
                f"Compiled kernels cannot be written to {stamp.parent}: {error}. "
                f"Make room there, or name another directory in {VARIABLE}."
            ) from error
        _write(stamp)
        _sweep(stamp.parent.parent)


def _loaded(stamp: Path) -> bool:
    """Whether the kernels could be taken from the cache; if they should be there and are damaged, they are removed."""
    if not _compiled_before(stamp):
        return False
    try:
        _make()
    except Exception:  # numba has no one exception for files that it cannot read
        _empty(stamp.parent)
        return False
    return True


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """One process at a time, where the system has such locks; two that compile at once only waste time."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(directory / "lock", "wb") as file:
        with suppress(OSError):  # some network directories have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make() -> None:
    for piece in _pieces:
        piece()


def _compiled_before(stamp: Path) -> bool:
    """Whether the stamp says so; a stamp that says something else takes with it what lies beside it."""
    try:
        found = stamp.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        found = b""
    if found != _identity().encode():
        _empty(stamp.parent)
        return False
    with suppress(OSError):
        os.utime(stamp)  # used just now
    return True


def _sweep(directory: Path) -> None:
    """Removes the kernels of versions that nobody has used for long."""
    for kernels in directory.iterdir():
        with suppress(OSError):
            if time.time() - (kernels / "stamp").stat().st_mtime > UNUSED:
                shutil.rmtree(kernels, ignore_errors=True)


def _empty(directory: Path) -> None:
    for path in directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != "lock":  # others may hold it
            path.unlink(missing_ok=True)


def _write(stamp: Path) -> None:
    """Writes the stamp whole or not at all; without one the next process compiles again."""
    try:
        with tempfile.NamedTemporaryFile(dir=stamp.parent, prefix="stamp-", delete=False) as file:
            file.write(_identity().encode())
        os.replace(file.name, stamp)
    except OSError:
        print(f"lienket: cannot write {stamp}; kernels will be compiled again next time", file=sys.stderr, flush=True)
