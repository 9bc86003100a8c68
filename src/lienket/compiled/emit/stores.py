"""Stores of the results of a function: memory that is mostly 0 is cleared first, neighbouring results form vectors.

The time of the code generator grows faster than the number of stores (and of loads between them) that it may reorder:
4 000 results, nearly all 0, took 1.5 s and 60 000 took 110 s. So zeros are not stored one by one, and fences, which
emit no instruction, divide the stores into portions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..functions.plan import Plan
from .simd_packing import Packer
from .sine import LANES

if TYPE_CHECKING:
    from .llvm import Emitter

RESULTS_FOR_VECTORS = 64  # [1] results of a function from which on vectors are searched among them
# [1] zeros from which on memory is cleared first; single stores run a little faster but take long to compile
ZEROS_FOR_CLEARING = 1000
STORES_PER_FENCE = 100  # [1] stores between two fences, which the code generator may reorder
STORES_FOR_FENCES = 500  # [1] stores of a function beyond which fences are emitted
# [1] operations of an elimination beyond which no vectors are searched, since the search recurses to its depth
OPERATIONS_FOR_VECTORS = 5000
FENCE = 'fence syncscope("singlethread") acq_rel'
DECLARATIONS = ("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",)

Group = tuple[int, tuple[int, ...]]
"""Nodes of neighbouring results: (first index in the target, up to four nodes)."""


def store_results(emitter: Emitter, plan: Plan) -> None:
    """Emit the code that computes the results and stores them in `out`, or in K for a dense system to be solved."""
    dense = plan.dense
    target, alignment = ("%out", 8) if dense is None else ("%K", 32)
    cleared = _is_sparse(emitter.graph.zero, plan)
    if cleared:
        size = 8 * (plan.size if dense is None else dense.columns * dense.width)
        emitter.lines.append(
            f"call void @llvm.memset.p0.i64(ptr align {alignment} {target}, i8 0, i64 {size}, i1 false)"
        )
    packer = Packer(emitter)
    stored = emitter.graph.zero if cleared else None
    groups = _groups(packer, plan, stored)
    for count, (index, kind, value) in enumerate(_values(emitter, packer, groups, stored), 1):
        address = emitter.new(f"getelementptr double, ptr {target}, i64 {index}")
        emitter.lines.append(f"store {kind} {value}, ptr {address}, align {8 if kind == 'double' else alignment}")
        if count % STORES_PER_FENCE == 0 and len(groups) > STORES_FOR_FENCES:
            emitter.lines.append(FENCE)


def _is_sparse(zero: int, plan: Plan) -> bool:
    """Return whether to clear the memory first, since most results are 0."""
    zeros = sum(x == zero for _, x in plan.outputs)
    return zeros >= ZEROS_FOR_CLEARING and 2 * zeros >= len(plan.outputs)


def _is_long_elimination(packer: Packer, plan: Plan) -> bool:
    """Return whether the plan eliminates a large sparse matrix: many operations with few of equal structure."""
    return bool(plan.conditions) and packer.operations(plan) > OPERATIONS_FOR_VECTORS


def _groups(packer: Packer, plan: Plan, stored: int | None) -> list[Group]:
    """Return the results that are stored together, without the node that is `stored` already by clearing."""
    outputs = plan.outputs
    single: list[Group] = [(index, (x,)) for index, x in outputs if x != stored]
    if len(outputs) < RESULTS_FOR_VECTORS or _is_long_elimination(packer, plan):
        return single
    groups: list[Group] = []
    for index, x in outputs:
        start, nodes = groups[-1] if groups else (-LANES, ())
        if index == start + len(nodes) and len(nodes) < LANES:
            groups[-1] = (start, (*nodes, x))
        else:
            groups.append((index, (x,)))
    groups = [(index, nodes) for index, nodes in groups if any(x != stored for x in nodes)]
    return groups if packer.worthwhile([nodes for _, nodes in groups]) else single


def _values(
    emitter: Emitter, packer: Packer, groups: list[Group], stored: int | None
) -> Iterator[tuple[int, str, str]]:
    """Yield (index, type, name) of each value to be stored, right after the code that computes it."""
    for index, nodes in groups:
        vector = packer.vector(nodes) if len(nodes) == LANES else None
        if vector is not None:
            yield index, f"<{LANES} x double>", vector
            continue
        for k, x in enumerate(nodes):
            if x != stored:
                yield index + k, "double", emitter.value(x)
