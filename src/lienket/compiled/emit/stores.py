"""How the results of a function get into memory: a matrix that is mostly 0 is cleared first, neighbours go together.

The code generator's time grows faster than the number of stores (and of loads between them) that it may put in any
order: 4 000 results, nearly all 0, took it 1.5 s and 60 000 took 110 s. So zeros are not stored one by one, and a
fence, which is no instruction of the processor, keeps portions of the stores apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..functions.plan import Written
from .simd_packing import Packer
from .sine import LANES

if TYPE_CHECKING:
    from .llvm import Emitter

MANY = 64  # results from which on it is worth looking for vectors among them
ZEROS = 1000  # from which on memory is cleared; the code would be a little faster without, and takes long to make
PORTION = 100  # stores that the code generator sees at a time,
PORTIONS = 500  # if there are more than so many in all
FENCE = 'fence syncscope("singlethread") acq_rel'
DECLARATIONS = ("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",)

Group = tuple[int, tuple[int, ...]]
"""Nodes for places one after another: (the first place, up to four nodes)."""
LONG = 5000
"""Operations of an elimination beyond which no vectors are sought in it, as deep as Python's stack allows."""


def store_results(emitter: Emitter, function: Written) -> None:
    """Write the code that computes the results and stores them in `out`, or in K if they are to be solved for."""
    dense = function.dense
    target, alignment = ("%out", 8) if dense is None else ("%K", 32)
    cleared = _is_sparse(emitter.graph.zero, function)
    if cleared:
        size = 8 * (function.size if dense is None else dense.columns * dense.width)
        emitter.lines.append(
            f"call void @llvm.memset.p0.i64(ptr align {alignment} {target}, i8 0, i64 {size}, i1 false)"
        )
    packer = Packer(emitter)
    there = emitter.graph.zero if cleared else None
    groups = _groups(packer, function, there)
    for count, (place, kind, value) in enumerate(_values(emitter, packer, groups, there), 1):
        address = emitter.new(f"getelementptr double, ptr {target}, i64 {place}")
        emitter.lines.append(f"store {kind} {value}, ptr {address}, align {8 if kind == 'double' else alignment}")
        if count % PORTION == 0 and len(groups) > PORTIONS:
            emitter.lines.append(FENCE)


def _is_sparse(zero: int, function: Written) -> bool:
    """Whether to clear the memory: most results are 0."""
    zeros = sum(x == zero for _, x in function.outputs)
    return zeros >= ZEROS and 2 * zeros >= len(function.outputs)


def _is_long_elimination(packer: Packer, function: Written) -> bool:
    """Whether it is the elimination of a large sparse matrix: a long chain of numbers with little alike in it."""
    return bool(function.conditions) and packer.operations(function) > LONG


def _groups(packer: Packer, function: Written, there: int | None) -> list[Group]:
    """What is stored together, without what is `there` already."""
    outputs = function.outputs
    single: list[Group] = [(place, (x,)) for place, x in outputs if x != there]
    if len(outputs) < MANY or _is_long_elimination(packer, function):
        return single
    found: list[Group] = []
    for place, x in outputs:
        start, nodes = found[-1] if found else (-LANES, ())
        if place == start + len(nodes) and len(nodes) < LANES:
            found[-1] = (start, (*nodes, x))
        else:
            found.append((place, (x,)))
    found = [(place, nodes) for place, nodes in found if any(x != there for x in nodes)]
    return found if packer.worthwhile([nodes for _, nodes in found]) else single


def _values(emitter: Emitter, packer: Packer, groups: list[Group], there: int | None) -> Iterator[tuple[int, str, str]]:
    """(place, type, name) of what is to be stored, each computed when it is asked for."""
    for place, nodes in groups:
        vector = packer.vector(nodes) if len(nodes) == LANES else None
        if vector is not None:
            yield place, f"<{LANES} x double>", vector
            continue
        for k, x in enumerate(nodes):
            if x != there:
                yield place + k, "double", emitter.value(x)
