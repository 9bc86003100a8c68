"""The processor that code is made for: the one at hand, or a plainer one that `LIENKET_CPU` names.

Code for a plain processor runs on every machine of its kind, and rounds as such a machine does: without fused
multiplication and addition, and with shorter vectors. What this machine could not run is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from struct import calcsize
from typing import TYPE_CHECKING

import llvmlite.binding as llvm

from ...errors import LienketError

if TYPE_CHECKING:
    from types import ModuleType


CHOICE = "LIENKET_CPU"
WORD_SIZE = 8  # bytes of an address
NEEDS: dict[str, tuple[str, ...]] = {
    "generic": (),
    "x86-64": (),
    "x86-64-v2": ("cx16", "popcnt", "sse4.2"),
    "x86-64-v3": ("avx2", "bmi2", "f16c", "fma", "lzcnt", "movbe"),
    "x86-64-v4": ("avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"),
}
"""Names that `LIENKET_CPU` may have, and what distinguishes each from the one before (x86-64 psABI, table 3.1)."""
ARCHITECTURES = ("x86_64", "amd64", "aarch64", "arm64", "riscv64", "powerpc64le", "ppc64le", "loongarch64", "mips64el")
"""Beginnings of the triples of machines with 64-bit little-endian words, for which memory layouts and code are made."""


@lru_cache(maxsize=1)
def initialized() -> None:
    """Make LLVM ready for this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def target() -> tuple[str, str, str]:
    """Return the triple of this machine, the name of the processor that code is made for, and its features."""
    return _target(os.environ.get(CHOICE, ""))


@lru_cache(maxsize=8)
def _target(choice: str) -> tuple[str, str, str]:
    triple = llvm.get_process_triple()
    check_architecture(triple)
    initialized()
    features = llvm.get_host_cpu_features()
    if not choice:
        return triple, llvm.get_host_cpu_name(), features.flatten()
    possible = [name for name in NEEDS if _runs(name, triple, features)]
    if choice not in possible:
        raise LienketError(
            f"{CHOICE}: this machine runs no code for {choice!r}.\n"
            f"Possible are {', '.join(possible)}; without {CHOICE}, code is made for the processor at hand."
        )
    return triple, choice, ""


def check_architecture(triple: str, word_size: int = calcsize("P")) -> None:
    """Raise LienketError for machines whose words do not have 64 bits in little-endian order, by name."""
    if word_size != WORD_SIZE or not triple.lower().startswith(ARCHITECTURES):
        raise LienketError(
            f"lienket makes machine code for 64-bit little-endian processors (x86-64, arm64, riscv64, ppc64le, "
            f"loongarch64, mips64el). This process runs on {triple} with {8 * word_size}-bit addresses. Formulas "
            "(equations, stages, reactions, influence) work without machine code."
        )


def _runs(name: str, triple: str, features: Mapping[str, bool]) -> bool:
    """Return whether this machine has all that code for the processor of that name needs."""
    if name == "generic":
        return True
    levels = list(NEEDS)
    needed = [feature for level in levels[: levels.index(name) + 1] for feature in NEEDS[level]]
    return triple.startswith(("x86_64", "amd64")) and all(features.get(feature) for feature in needed)


def processor() -> str:
    """Return the processor that code is made for: its triple, its name and its features."""
    return " ".join(target())


def tell_numba(numba: ModuleType) -> None:
    """Have numba optimise for the processor that `LIENKET_CPU` names; needed before numba compiles anything."""
    if os.environ.get(CHOICE):
        _, numba.config.CPU_NAME, numba.config.CPU_FEATURES = target()
