"""Texts of kernels made by numba: all that are out of date, or a single one.

    python -m lienket.kernels.native.stored.make                 renew what is stored (`make kernels`)
    python -m lienket.kernels.native.stored.make MODULE NAME     write the text of one kernel to standard output

numba writes unoptimised LLVM text only, in a process of its own: it reads its settings when it is imported, and a
process that uses numba otherwise must not have these.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

from ....errors import LienketError
from ....foundation.atomic_file import write_whole
from .llvm_text import stored_form
from .numba_text import unoptimised
from .texts import FOLDER, INDEX, StoredKernel, index, kernel_name, path_of, source_of, sources, symbol_of, text_of

PACKAGE = Path(FOLDER).parents[2]
SETTINGS = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""Settings of numba: no optimisation, and nothing that depends on the processor."""


def made_text(module: str, name: str) -> str:
    """Return the text of a kernel, made in this process, which has the settings of numba."""
    function = getattr(import_module(module), name)
    text, native, types = unoptimised(function)
    return stored_form(text, native, symbol_of(module, name), types, function.vectors)


def text_by_numba(module: str, name: str) -> str:
    """Return the text of a kernel, made in a process of its own."""
    if not _numba_is_installed():
        raise LienketError(
            f"The kernel {name} of {module} is not stored in the package as it is in {source_of(module)} and the "
            "modules that it uses. Either restore the package (pip install --force-reinstall lienket), or install "
            'numba, which makes the kernel anew: pip install -e ".[dev]"'
        )
    command = [sys.executable, "-m", __name__, module, name]
    search = os.pathsep.join(path for path in sys.path if path)
    run = subprocess.run(command, env=_environment() | {"PYTHONPATH": search}, capture_output=True)  # noqa: S603
    if run.returncode:
        raise LienketError(f"numba could not make the kernel {name} of {module}:\n{run.stderr.decode()}")
    return run.stdout.decode("ascii")


def _numba_is_installed() -> bool:
    try:
        return find_spec("numba") is not None
    except ValueError:  # what find_spec raises for a module that is blocked in sys.modules
        return False


def _environment() -> dict[str, str]:
    """Return the environment of this process with the settings of numba and no others."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")} | SETTINGS


def all_kernels() -> Iterator[tuple[str, str]]:
    """Yield module and name of every kernel of the package that is compiled by itself; imports numba."""
    for path in sorted(PACKAGE.rglob("native/**/*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        module = import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        for name, value in vars(module).items():
            if hasattr(value, "vectors") and (value.__module__ == module.__name__ or "<locals>" in value.__qualname__):
                yield module.__name__, name


def renew() -> list[str]:
    """Make the texts that are out of date, write them and the index; return their names."""
    kernels = dict.fromkeys(all_kernels())
    stale = [kernel for kernel in kernels if not is_current(*kernel)]
    os.environ.update(_environment())
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        entries = dict(zip(stale, pool.map(_store, stale), strict=True))
    kept = {kernel: index()[kernel_name(*kernel)] for kernel in kernels if kernel not in entries}
    _write_index({kernel_name(*kernel): entry for kernel, entry in (kept | entries).items()})
    for path in Path(FOLDER).glob("*.ll.xz"):
        if path.name.removesuffix(".ll.xz") not in {kernel_name(*kernel) for kernel in kernels}:
            path.unlink()
    return [kernel_name(*kernel) for kernel in stale]


def is_current(module: str, name: str) -> bool:
    """Return whether the stored text of a kernel is there, undamaged, and made from the sources as they are."""
    stored = index().get(kernel_name(module, name))
    if stored is None or stored.sources != sources(module, name):
        return False
    return text_of(kernel_name(module, name), stored) is not None


def _store(kernel: tuple[str, str]) -> StoredKernel:
    """Make the text of a kernel and write it; return its entry of the index."""
    content = made_text(*kernel).encode("ascii")
    packed = lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)
    write_whole(Path(path_of(kernel_name(*kernel))), packed)
    print(kernel_name(*kernel), len(packed), flush=True)
    return StoredKernel(symbol_of(*kernel), sources(*kernel), hashlib.sha256(content).hexdigest())


def _write_index(entries: dict[str, StoredKernel]) -> None:
    import llvmlite
    import numba

    made_with = {"numba": numba.__version__, "llvmlite": llvmlite.__version__}
    kernels = {name: entry._asdict() for name, entry in sorted(entries.items())}
    write_whole(Path(INDEX), (json.dumps({"made_with": made_with, "kernels": kernels}, indent=1) + "\n").encode())


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.stdout.write(made_text(*sys.argv[1:]))
    else:
        renewed = renew()
        print(f"{len(renewed)} kernels made anew: {', '.join(renewed) or 'all were current'}")
