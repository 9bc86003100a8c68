"""Functions called by address, and views into a workspace: what lets kernels be compiled once, for every model.

A model is a function `int64 f(double t, double *q, double *v, double *parameters, double *inputs, double *out)`; a
routine of LAPACK or BLAS takes pointers only. Their addresses are numbers handed in at run time, so that no kernel
has one inside and all of them can be kept on disk.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.np import arrayobj

from .jit import intrinsic

_DOUBLE = ir.DoubleType()
_WORD = ir.IntType(64)


def data_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The pointer to the first entry of an array."""
    return context.make_array(kind)(context, builder, value=value).data


@intrinsic
def call(typing: Any, address: Any, t: Any, q: Any, v: Any, parameters: Any, inputs: Any, out: Any) -> Any:
    """What the model function at the address returns; it fills `out`. Arrays are C-contiguous float64."""
    signature = types.int64(types.int64, types.float64, q, v, parameters, inputs, out)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _DOUBLE.as_pointer()
        function = ir.FunctionType(_WORD, [_DOUBLE] + [pointer] * 5).as_pointer()
        arrays = [data_of(context, builder, *pair) for pair in zip(signature.args[2:], values[2:], strict=True)]
        return builder.call(builder.inttoptr(values[0], function), [values[1], *arrays])

    return signature, generate


@intrinsic
def call_entry(typing: Any, address: Any, words: Any) -> Any:
    """What the entry at the address returns for the words that this one was given."""
    signature = types.int64(types.int64, words)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        function = ir.FunctionType(_WORD, [values[1].type]).as_pointer()
        return builder.call(builder.inttoptr(values[0], function), [values[1]])

    return signature, generate


@intrinsic
def call_words(typing: Any, address: Any, words: Any) -> Any:
    """What the function at the address returns for a tuple of int64, some of which may be pointers to it."""
    signature = types.int64(types.int64, words)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        count = signature.args[1].count
        function = ir.FunctionType(_WORD, [_WORD] * count).as_pointer()
        arguments = [builder.extract_value(values[1], k) for k in range(count)]
        return builder.call(builder.inttoptr(values[0], function), arguments)

    return signature, generate


@intrinsic
def address_of(typing: Any, array: Any, place: Any) -> Any:
    """The address of an entry of a contiguous array, counted row after row, int64."""
    signature = types.int64(array, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = data_of(context, builder, signature.args[0], values[0])
        return builder.ptrtoint(builder.gep(data, [values[1]]), _WORD)

    return signature, generate


@intrinsic
def vector(typing: Any, store: Any, place: Any, size: Any) -> Any:
    """The `size` numbers of a workspace from `place` on, without counting references; the caller keeps the store."""
    found = types.Array(store.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return view(
            context, builder, found, builder.gep(data_of(context, builder, store, values[0]), [values[1]]), values[2:]
        )

    return found(store, types.int64, types.int64), generate


@intrinsic
def matrix(typing: Any, store: Any, place: Any, rows: Any, columns: Any) -> Any:
    """The same as a matrix, row after row."""
    found = types.Array(store.dtype, 2, "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return view(
            context, builder, found, builder.gep(data_of(context, builder, store, values[0]), [values[1]]), values[2:]
        )

    return found(store, types.int64, types.int64, types.int64), generate


@intrinsic
def word(typing: Any, words: Any, place: Any) -> Any:
    """One word of those that an entry is given."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(builder.gep(values[0], [values[1]]))

    return types.int64(words, types.int64), generate


def _handed(kind: Any) -> Any:
    """A function (words, place) for entries: the array of that kind whose address and shape stand there."""

    def typed(typing: Any, words: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            one = context.get_constant(types.int64, 1)
            place, found = values[1], []
            for _ in range(1 + kind.ndim):
                found.append(builder.load(builder.gep(values[0], [place])))
                place = builder.add(place, one)
            data = builder.inttoptr(found[0], context.get_data_type(kind.dtype).as_pointer())
            return view(context, builder, kind, data, found[1:])

        return kind(words, types.int64), generate

    return intrinsic(typed)


doubles = _handed(types.Array(types.float64, 1, "C"))
integers = _handed(types.Array(types.int64, 1, "C"))
table = _handed(types.Array(types.float64, 2, "C"))
cube = _handed(types.Array(types.float64, 3, "C"))


def view(context: Any, builder: Any, kind: Any, data: Any, shape: Any) -> Any:
    """An array of a contiguous kind over memory that belongs to somebody else."""
    size = context.get_constant(types.intp, 8)
    strides = [size]
    for extent in reversed(list(shape)[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    array = context.make_array(kind)(context, builder)
    populate: Any = arrayobj.populate_array
    populate(array, data=data, shape=list(shape), strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()
