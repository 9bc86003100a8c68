"""Tables of blocks: views tile their memory exactly, and the model writes the blocks that kernels read."""

from itertools import product
from math import prod
from pathlib import Path

import numba
import numpy as np
import pytest

import lienket as lk
from lienket.analysis.sensitivity.scratch import explicit_blocks, implicit_blocks, shared_blocks
from lienket.assembly.models import compiled_model
from lienket.kernels.memory.blocks import length
from lienket.kernels.memory.non_ideal import loads_blocks, non_ideal_scratch_blocks
from lienket.kernels.memory.workspace import acting_rows_at, iwork_size, lay_out, slots, terms, terms_size, work_size
from lienket.kernels.native.runtime.address import vector
from lienket.kernels.native.runtime.blocks import views
from lienket.model.contacts import with_contact_modes
from lienket.simulation import model_answers
from lienket.simulation.methods import METHODS
from lienket.simulation.stepping.bridge_scratch import bridge_scratch

MODELS = Path(__file__).parents[2] / "examples" / "models"
SIZES = (0, 1, 3)
GUARD = 5  # numbers before and after the blocks
TABLES = {
    **{f"scratch of {name}": (m.scratch, 2) for name, m in METHODS.items() if m.native},
    "bridge": (bridge_scratch, 1),
    "terms": (terms, 2),
    "loads": (loads_blocks, 5),
    "scratch": (non_ideal_scratch_blocks, 6),
    "equation derivatives": (model_answers.equation_derivatives, 2),
    "surface": (model_answers.surface, 2),
    "surface derivatives": (model_answers.surface_derivatives, 3),
    "lagrangian": (model_answers.lagrangian, 2),
    "shared by sensitivities": (shared_blocks, 5),
    "explicit sensitivities": (explicit_blocks, 3),
    "implicit sensitivities": (implicit_blocks, 4),
}


def marker(fields):
    """Return a compiled function that adds k to every number of block k, and gives the length that kernels see."""
    lines = ["def mark(store, begin, shapes):", "    blocks = views(store, begin, shapes)"]
    for k, field in enumerate(fields, 1):
        lines += [f"    flat = vector(blocks.{field}, 0, blocks.{field}.size)"]
        lines += ["    for i in range(flat.size):", f"        flat[i] += {k}"]
    names = {"views": views, "vector": vector, "length": length}
    exec("\n".join([*lines, "    return length(shapes)"]), names)  # noqa: S102  # numba has no loop over such tuples
    return numba.njit(names["mark"])


@pytest.mark.parametrize("name", TABLES)
def test_views_tile_their_memory(name):
    """The blocks follow one another without gap or overlap, and their total length is that computed in Python."""
    table, count = TABLES[name]
    mark = marker(table(*[1] * count)._fields)
    for sizes in product(SIZES, repeat=count):
        shapes = table(*sizes)
        store = np.zeros(GUARD + length(shapes) + GUARD)
        assert mark(store, GUARD, shapes) == length(shapes)
        blocks = [np.full(prod(shape), k) for k, shape in enumerate(shapes, 1)]
        np.testing.assert_array_equal(store, np.concatenate([np.zeros(GUARD), *blocks, np.zeros(GUARD)]))


@pytest.mark.parametrize(("n", "s"), list(product(SIZES, repeat=2)))
def test_arrays_of_elimination_tile_the_workspace(n, s):
    iwork = np.zeros(iwork_size(n, s), dtype=np.int64)
    begin = terms_size(n, s)
    assert begin == length(terms(n, s))
    lay_out(iwork, n, s, begin)
    ends = [*iwork[slots.A + 1 : slots.NUMBERS], None]
    shapes = [(n, n)] * 4 + [(s, n)] * 2 + [(s, s)] * 2 + [(n,)] * 7 + [(s,)] * 4
    assert len(shapes) == slots.NUMBERS - slots.A
    for name, shape, end in zip(range(slots.A, slots.NUMBERS), shapes, ends, strict=True):
        assert iwork[name] == begin
        begin += prod(shape)
        assert end is None or end == begin
    assert begin <= work_size(n, s)
    assert slots.INDICES + n + 3 * s == acting_rows_at(n, s) + s == len(iwork)


@pytest.mark.parametrize("model", ["crane", "slider_crank_friction", "belt", "slider_crank"])
def test_the_model_writes_the_blocks_that_kernels_read(model):
    statement = with_contact_modes(lk.load(MODELS / f"{model}.toml").statement)
    compiled = compiled_model(statement.free, statement.constraints, statement.parameters)
    n, s, p = compiled.n, compiled.s, len(statement.parameters)
    assert compiled.non_ideal == (model != "slider_crank")
    expected = {
        "derivatives": model_answers.equation_derivatives(n, s),
        "surface": model_answers.surface(n, s),
        "surface_derivatives": model_answers.surface_derivatives(n, s, p),
        "lagrangian": model_answers.lagrangian(n, s),
    }
    if compiled.non_ideal:
        written = dict(compiled.function("loads").info.blocks)
        expected["loads"] = loads_blocks(n, *(written[x][0] for x in ("rows", "weights", "kept", "p0")))
    for name, table in expected.items():
        written = [(block, prod(shape)) for block, shape in compiled.function(name).info.blocks]
        assert written == [(block, prod(shape)) for block, shape in table._asdict().items()], name
