"""The arrays of the workspace, for use in kernels; `layout` says where they lie."""

from __future__ import annotations

from typing import Any

from numba import types

from ..layout import INDICES, ROWS, N
from .address import data_of, vector, view
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


square = _shaped(N, N)
rows_of = _shaped(ROWS, N)
small = _shaped(ROWS, ROWS)
by_coordinate = _shaped(N)
by_row = _shaped(ROWS)


@kernel
def order_of(places: Any) -> Any:
    """Indices of coordinates, n."""
    return vector(places, INDICES, places[N])


@kernel
def accepted_of(places: Any) -> Any:
    """The numbers of the accepted rows, s."""
    return vector(places, INDICES + places[N], places[ROWS])


@kernel
def verdicts_of(places: Any) -> Any:
    """The verdict on each row, s: 0 independent, 1 redundant, 2 contradictory."""
    return vector(places, INDICES + places[N] + places[ROWS], places[ROWS])
