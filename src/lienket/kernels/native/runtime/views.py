"""Views of the arrays of the workspace, for use in kernels; see `memory.workspace` for the layout."""

from __future__ import annotations

from typing import Any

from numba import types

from ...memory.workspace import slots, terms
from .address import data_of, vector, view
from .blocks import views
from .jit import intrinsic, kernel


def _array_view(*sizes: int) -> Any:
    """Return a function (work, iwork, name) for kernels: the array of that slot, its shape from the slots `sizes`.

    It is an intrinsic, inlined as instructions: a compiled function would cost each kernel compilation time.
    """
    kind = types.Array(types.float64, len(sizes), "C")

    def typed(typing: Any, work: Any, iwork: Any, name: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            data = [data_of(context, builder, *pair) for pair in zip(signature.args[:2], values[:2], strict=True)]
            shape = [builder.load(builder.gep(data[1], [context.get_constant(types.int64, k)])) for k in sizes]
            begin = builder.load(builder.gep(data[1], [values[2]]))
            return view(context, builder, kind, builder.gep(data[0], [begin]), shape)

        return kind(work, iwork, types.int64), generate

    return intrinsic(typed)


square = _array_view(slots.N, slots.N)
rows_of = _array_view(slots.ROWS, slots.N)
small = _array_view(slots.ROWS, slots.ROWS)
by_coordinate = _array_view(slots.N)
by_row = _array_view(slots.ROWS)


@kernel
def order_of(iwork: Any) -> Any:
    """Return the order of the coordinates, n indices."""
    return vector(iwork, slots.INDICES, iwork[slots.N])


@kernel
def accepted_of(iwork: Any) -> Any:
    """Return the numbers of the accepted rows, s."""
    return vector(iwork, slots.INDICES + iwork[slots.N], iwork[slots.ROWS])


@kernel
def verdicts_of(iwork: Any) -> Any:
    """Return the verdict on each row, s: 0 independent, 1 redundant, 2 contradictory."""
    return vector(iwork, slots.INDICES + iwork[slots.N] + iwork[slots.ROWS], iwork[slots.ROWS])


@kernel
def terms_of(work: Any, n: Any, s: Any) -> Any:
    """Return views of the beginning of `work` for n coordinates and s rows, see `Terms`."""
    return views(work, 0, terms(n, s))
