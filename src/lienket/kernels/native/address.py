"""Functions called by address, and views into a workspace: what lets kernels be compiled once, for every model.

A model is a function `int64 f(double t, double *q, double *v, double *parameters, double *inputs, double *out)`; a
routine of LAPACK or BLAS takes pointers only. Their addresses are numbers handed in at run time, so that no kernel
has one inside and all of them can be kept on disk.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from .jit import kernel

_DOUBLE = ir.DoubleType()
_WORD = ir.IntType(64)


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The pointer to the first entry of an array."""
    return context.make_array(kind)(context, builder, value=value).data


@intrinsic  # type: ignore[untyped-decorator]
def call(typing: Any, address: Any, t: Any, q: Any, v: Any, parameters: Any, inputs: Any, out: Any) -> Any:
    """What the model function at the address returns; it fills `out`. Arrays are C-contiguous float64."""
    signature = types.int64(types.int64, types.float64, q, v, parameters, inputs, out)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _DOUBLE.as_pointer()
        function = ir.FunctionType(_WORD, [_DOUBLE] + [pointer] * 5).as_pointer()
        arrays = [_data(context, builder, *pair) for pair in zip(signature.args[2:], values[2:], strict=True)]
        return builder.call(builder.inttoptr(values[0], function), [values[1], *arrays])

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def call_words(typing: Any, address: Any, words: Any) -> Any:
    """What the function at the address returns for a tuple of int64, some of which may be pointers to it."""
    signature = types.int64(types.int64, words)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        count = signature.args[1].count
        function = ir.FunctionType(_WORD, [_WORD] * count).as_pointer()
        arguments = [builder.extract_value(values[1], k) for k in range(count)]
        return builder.call(builder.inttoptr(values[0], function), arguments)

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def address_of(typing: Any, array: Any, place: Any) -> Any:
    """The address of an entry of a contiguous array, counted row after row, int64."""
    signature = types.int64(array, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = _data(context, builder, signature.args[0], values[0])
        return builder.ptrtoint(builder.gep(data, [values[1]]), _WORD)

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def pointer_to(typing: Any, array: Any, place: Any) -> Any:
    """The pointer to an entry of a 1-D contiguous array."""
    signature = types.CPointer(array.dtype)(array, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.gep(_data(context, builder, signature.args[0], values[0]), [values[1]])

    return signature, generate


@kernel
def vector(store: Any, place: Any, size: Any) -> Any:
    """The `size` numbers of a workspace from `place` on, without counting references; the caller keeps the store."""
    return carray(pointer_to(store, place), size)


@kernel
def matrix(store: Any, place: Any, rows: Any, columns: Any) -> Any:
    """The same as a matrix, row after row."""
    return carray(pointer_to(store, place), (rows, columns))
