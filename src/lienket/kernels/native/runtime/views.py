"""The arrays of the workspace, for use in kernels; `layout` says where they lie."""

from __future__ import annotations

from typing import Any

from numba import types

from ...memory.workspace import slots, terms
from .address import data_of, vector, view
from .blocks import views
from .jit import intrinsic, kernel


def _shaped(*sizes: int) -> Any:
    """A function (work, places, name) for kernels: the array of that name, its shape at these places.

    It is written into the kernels that use it; a function of its own would cost each of them compilation.
    """
    kind = types.Array(types.float64, len(sizes), "C")

    def typed(typing: Any, work: Any, places: Any, name: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            data = [data_of(context, builder, *pair) for pair in zip(signature.args[:2], values[:2], strict=True)]
            shape = [builder.load(builder.gep(data[1], [context.get_constant(types.int64, k)])) for k in sizes]
            place = builder.load(builder.gep(data[1], [values[2]]))
            return view(context, builder, kind, builder.gep(data[0], [place]), shape)

        return kind(work, places, types.int64), generate

    return intrinsic(typed)


square = _shaped(slots.N, slots.N)
rows_of = _shaped(slots.ROWS, slots.N)
small = _shaped(slots.ROWS, slots.ROWS)
by_coordinate = _shaped(slots.N)
by_row = _shaped(slots.ROWS)


@kernel
def order_of(places: Any) -> Any:
    """Indices of coordinates, n."""
    return vector(places, slots.INDICES, places[slots.N])


@kernel
def accepted_of(places: Any) -> Any:
    """The numbers of the accepted rows, s."""
    return vector(places, slots.INDICES + places[slots.N], places[slots.ROWS])


@kernel
def verdicts_of(places: Any) -> Any:
    """The verdict on each row, s: 0 independent, 1 redundant, 2 contradictory."""
    return vector(places, slots.INDICES + places[slots.N] + places[slots.ROWS], places[slots.ROWS])


@kernel
def terms_of(work: Any, n: Any, s: Any) -> Any:
    """The beginning of `work` for n coordinates and s rows, see `Terms`."""
    return views(work, 0, terms(n, s))
