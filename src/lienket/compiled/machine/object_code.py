"""Compilation of LLVM IR to machine code for this processor or one chosen (`processor`), without optimisation passes.

Passes do not improve straight-line code. Level 1 of the code generator gives the fastest code; its time grows faster
than the length of a function (14 700 operations: 2 s; at level 0 0.12 s, with code of half the speed; splitting the
function into basic blocks changes neither).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

import llvmlite.binding as llvm

from .processor import initialized, target

_LOCK = threading.Lock()


def version() -> str:
    """Return the version of LLVM."""
    return ".".join(map(str, llvm.llvm_version_info))


def _target(level: int) -> llvm.TargetMachine:
    triple, name, features = target()
    return llvm.Target.from_triple(triple).create_target_machine(cpu=name, features=features, opt=level, jit=True)


def object_code(text: str, level: int = 1) -> bytes:
    """Return the object code of a module of LLVM IR."""
    initialized()
    with _LOCK:
        machine, parsed = _target(level), llvm.parse_assembly(text)
        parsed.triple, parsed.data_layout = machine.triple, str(machine.target_data)
        return bytes(machine.emit_object(parsed))


class LoadedCode:
    """Object code in memory, ready to be called as long as this object exists.

    `symbols` are the addresses of functions that the code calls by name; `keep` holds the objects that own them.
    """

    def __init__(self, code: bytes, symbols: Mapping[str, int] | None = None, keep: object = None) -> None:
        self._keep = keep
        initialized()
        with _LOCK:
            for name, address in (symbols or {}).items():
                llvm.add_symbol(name, address)
            empty = llvm.parse_assembly("")
            self._engine = llvm.create_mcjit_compiler(empty, _target(1))
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return int(self._engine.get_function_address(name))
