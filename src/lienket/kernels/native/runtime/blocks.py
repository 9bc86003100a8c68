"""Views of the blocks of a flat array, for use in kernels; see `kernels.memory.blocks`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import overload

from ...memory.blocks import length
from .address import data_of, view
from .jit import intrinsic

_ZERO = ir.Constant(ir.IntType(64), 0)


def _extents(context: Any, builder: Any, kind: Any, value: Any) -> list[list[Any]]:
    """Return the extents of every shape in a tuple of shapes, as int64."""
    extents_of_shapes = []
    for k, shape in enumerate(kind):
        extents = builder.extract_value(value, k)
        parts = [(builder.extract_value(extents, j), part) for j, part in enumerate(shape)]
        extents_of_shapes.append([context.cast(builder, x, part, types.int64) for x, part in parts])
    return extents_of_shapes


def _size(builder: Any, extents: list[Any]) -> Any:
    """Return the product of the extents."""
    size = extents[0]
    for extent in extents[1:]:
        size = builder.mul(size, extent)
    return size


@intrinsic
def views(typing: Any, store: Any, begin: Any, shapes: Any) -> Any:
    """Return views of the consecutive blocks of a store from `begin` on, as a named tuple of the class of `shapes`.

    References are not counted; the caller keeps the store.
    """
    kinds = [types.Array(store.dtype, len(shape), "C") for shape in shapes]
    named: Any = types.NamedTuple
    result = named(kinds, shapes.instance_class)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data, index, arrays = data_of(context, builder, store, values[0]), values[1], []
        for kind, extents in zip(kinds, _extents(context, builder, signature.args[2], values[2]), strict=True):
            arrays.append(view(context, builder, kind, builder.gep(data, [index]), extents))
            index = builder.add(index, _size(builder, extents))
        return context.make_tuple(builder, result, arrays)

    return result(store, types.int64, shapes), generate


@intrinsic
def _length(typing: Any, shapes: Any) -> Any:
    """Return the total length of all blocks."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        total = _ZERO
        for extents in _extents(context, builder, signature.args[0], values[0]):
            total = builder.add(total, _size(builder, extents))
        return total

    return types.int64(shapes), generate


def _typed(shapes: Any) -> Any:
    """Return the implementation of `memory.blocks.length` for kernels."""

    def read(shapes: Any) -> Any:
        return _length(shapes)

    return read


_register: Any = overload(length)
_register(_typed)  # `length` of a table of shapes, in kernels as in Python
