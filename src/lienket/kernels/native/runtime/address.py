"""Calls by address and views into a workspace, so that kernels are compiled once for all models.

A model is a function `int64 f(double t, double *q, double *v, double *parameters, double *inputs, double *out)`; a
routine of LAPACK or BLAS takes pointers only. Their addresses are arguments at run time: no kernel contains one, and
all kernels can be cached on disk.
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
    """Return the pointer to the first entry of an array."""
    return context.make_array(kind)(context, builder, value=value).data


@intrinsic
def call(typing: Any, address: Any, t: Any, q: Any, v: Any, parameters: Any, inputs: Any, out: Any) -> Any:
    """Call the model function at the address, which fills `out`; return its result. Arrays are contiguous float64."""
    signature = types.int64(types.int64, types.float64, q, v, parameters, inputs, out)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _DOUBLE.as_pointer()
        function = ir.FunctionType(_WORD, [_DOUBLE] + [pointer] * 5).as_pointer()
        arrays = [data_of(context, builder, *pair) for pair in zip(signature.args[2:], values[2:], strict=True)]
        return builder.call(builder.inttoptr(values[0], function), [values[1], *arrays])

    return signature, generate


@intrinsic
def call_motion(
    typing: Any, address: Any, checked: Any, t: Any, q: Any, v: Any, parameters: Any, inputs: Any, out: Any
) -> Any:
    """Call the model function `motion` as `call` does; it checks its digits only if `checked`, see `emit.llvm`."""
    signature = types.int64(types.int64, types.boolean, types.float64, q, v, parameters, inputs, out)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _DOUBLE.as_pointer()
        function = ir.FunctionType(_WORD, [_DOUBLE] + [pointer] * 5).as_pointer()
        arrays = [data_of(context, builder, *pair) for pair in zip(signature.args[3:], values[3:], strict=True)]
        arrays[3] = builder.select(values[1], arrays[3], ir.Constant(pointer, None))
        return builder.call(builder.inttoptr(values[0], function), [values[2], *arrays])

    return signature, generate


@intrinsic
def call_entry(typing: Any, address: Any, words: Any) -> Any:
    """Call the entry at the address with the words of the calling entry, and return its result."""
    signature = types.int64(types.int64, words)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        function = ir.FunctionType(_WORD, [values[1].type]).as_pointer()
        return builder.call(builder.inttoptr(values[0], function), [values[1]])

    return signature, generate


@intrinsic
def entry_words(typing: Any, address: Any) -> Any:
    """Return the words at an address (int64), as an entry receives them: those of another entry."""
    words: Any = types.CPointer(types.int64)  # type: ignore[no-untyped-call]

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], context.get_value_type(words))

    return words(types.int64), generate


@intrinsic
def call_words(typing: Any, address: Any, words: Any) -> Any:
    """Call the function at the address with a tuple of int64, some of them pointers, and return its result."""
    signature = types.int64(types.int64, words)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        count = signature.args[1].count
        function = ir.FunctionType(_WORD, [_WORD] * count).as_pointer()
        arguments = [builder.extract_value(values[1], k) for k in range(count)]
        return builder.call(builder.inttoptr(values[0], function), arguments)

    return signature, generate


@intrinsic
def address_of(typing: Any, array: Any, index: Any) -> Any:
    """Return the address (int64) of an entry of a contiguous array, counted row by row."""
    signature = types.int64(array, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = data_of(context, builder, signature.args[0], values[0])
        return builder.ptrtoint(builder.gep(data, [values[1]]), _WORD)

    return signature, generate


@intrinsic
def vector(typing: Any, store: Any, begin: Any, size: Any) -> Any:
    """Return the view of `size` numbers of a store from `begin` on; references are not counted, the caller keeps it."""
    kind = types.Array(store.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return view(
            context, builder, kind, builder.gep(data_of(context, builder, store, values[0]), [values[1]]), values[2:]
        )

    return kind(store, types.int64, types.int64), generate


@intrinsic
def matrix(typing: Any, store: Any, begin: Any, rows: Any, columns: Any) -> Any:
    """Return the view of a matrix, stored by rows, in a store from `begin` on; see `vector`."""
    kind = types.Array(store.dtype, 2, "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return view(
            context, builder, kind, builder.gep(data_of(context, builder, store, values[0]), [values[1]]), values[2:]
        )

    return kind(store, types.int64, types.int64, types.int64), generate


@intrinsic
def word(typing: Any, words: Any, index: Any) -> Any:
    """Return one of the words that an entry receives."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(builder.gep(values[0], [values[1]]))

    return types.int64(words, types.int64), generate


def _array_argument(kind: Any) -> Any:
    """Return a function (words, index) for entries: the array of that kind whose address and shape begin there."""

    def typed(typing: Any, words: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            one = context.get_constant(types.int64, 1)
            index, numbers = values[1], []
            for _ in range(1 + kind.ndim):
                numbers.append(builder.load(builder.gep(values[0], [index])))
                index = builder.add(index, one)
            data = builder.inttoptr(numbers[0], context.get_data_type(kind.dtype).as_pointer())
            return view(context, builder, kind, data, numbers[1:])

        return kind(words, types.int64), generate

    return intrinsic(typed)


doubles = _array_argument(types.Array(types.float64, 1, "C"))
integers = _array_argument(types.Array(types.int64, 1, "C"))
table = _array_argument(types.Array(types.float64, 2, "C"))
cube = _array_argument(types.Array(types.float64, 3, "C"))


def view(context: Any, builder: Any, kind: Any, data: Any, shape: Any) -> Any:
    """Return a contiguous array over memory that it does not own."""
    size = context.get_constant(types.intp, 8)
    strides = [size]
    for extent in reversed(list(shape)[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    array = context.make_array(kind)(context, builder)
    populate: Any = arrayobj.populate_array
    populate(array, data=data, shape=list(shape), strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()
