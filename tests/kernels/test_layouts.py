"""Layouts of arrays: an array is indexed by the names of its own layout and by no other."""

import ast
import re
from pathlib import Path

import lienket
from lienket.kernels.memory.workspace import slots
from lienket.simulation import memory
from lienket.simulation.integrators.native.scratch import bdf, radau5, rattle

PACKAGE = Path(lienket.__file__).parent
ARRAYS = {
    "addresses": {"addresses", "functions"},
    "control": {"control", "numbers"},
    "counts": {"counts", "counted"},
    "events": {"events", "watched"},
    "states": {"y"},
    "row_columns": {"row", "rows"},
    "slots": {"iwork", "places"},
    "numbers": {"memory"},
    "carried": {"carried", "carried_now", "carried_tried", "tried"},
}
"""For each layout the names of the arrays that it may index."""
MIXED = {"addresses", "control", "counts", "iwork", "places"}
"""Arrays, as attributes, that are indexed by their layout alone: not by a number, nor by a constant of a module."""
NOT_PLACES = {"codes", "rejections", "requests"}
"""Named numbers that are no places in an array."""


def faults(text):
    """Return the wrong indices in a source text, as text."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute | ast.Name) and _wrong(node)
    ]


def _wrong(node):
    base = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
    for part in _own_parts(node.slice):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.attr.isupper():
            layout = part.value.id
            if layout in NOT_PLACES or (layout in ARRAYS and base not in ARRAYS[layout]):
                return True
            if layout not in ARRAYS and isinstance(node.value, ast.Attribute) and base in MIXED:
                return True
        if isinstance(node.value, ast.Attribute) and base in MIXED and _run_or_arrays(node.value.value):
            if isinstance(part, ast.Constant) or (isinstance(part, ast.Name) and part.id.isupper()):
                return True
    return False


def _run_or_arrays(node):
    """Return whether a node is the run of a kernel or the arrays of a run."""
    return (node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")) in {"run", "arrays", "self"}


def _own_parts(node):
    """Yield the nodes of an index, without those of indices inside it."""
    if not isinstance(node, ast.Subscript):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _own_parts(child)


def test_arrays_are_indexed_by_their_own_layouts():
    by_file = {path: faults(path.read_text()) for path in PACKAGE.rglob("*.py")}
    assert {path: wrong for path, wrong in by_file.items() if wrong} == {}
    assert (
        sum(len(re.findall(r"\.(?:control|counts|events|addresses)\[\w+\.[A-Z]", p.read_text())) for p in by_file) > 300
    )


def test_wrong_indices_are_detected():
    right = (
        "run.control[control.T]", "arrays.counts[counts.STEPS]", "self.arrays.events[k, events.SAMPLES + j]",
        "times[run.counts[counts.NEXT_TIME]]", "run.y[states.NOW]", "iwork[slots.N]", "SHRINK[reason]",
    )  # fmt: skip
    wrong = (
        "run.counts[control.H]", "run.control[counts.STEPS]", "run.events[k, states.NOW]", "run.y[events.SIDE]",
        "run.control[codes.DONE]", "iwork[counts.STEPS]", "run.counts[3]", "run.control[H]", "run.addresses[slots.N]",
        "memory[control.T]", "run.control[run.counts[counts.STEPS] + counts.STEPS]",
    )  # fmt: skip
    assert [faults(text) for text in right] == [[] for _ in right]
    assert [text for text in wrong if not faults(text)] == []


def test_indices_are_distinct_and_lengths_follow():
    layouts = (memory.addresses, memory.control, memory.counts, memory.states, radau5.numbers, bdf.numbers)
    for layout in (*layouts, memory.row_columns, memory.requests, rattle.carried):
        assert list(layout) == list(range(len(layout)))
    assert list(memory.rejections) == list(range(1, 1 + len(memory.rejections)))  # 0: not rejected
    assert len(set(memory.codes)) == len(memory.codes)
    assert memory.events.PROBE == memory.events.SAMPLES + memory.EVENT_SAMPLES
    assert len(set(memory.events)) == len(memory.events) and max(memory.events) == memory.EVENT_COLUMNS - 1
    assert len(set(slots)) == len(slots) and max(slots) == slots.INDICES
