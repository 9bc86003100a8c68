"""CompiledFunction: machine code in memory, called from Python for one state or for many, or by its address."""

from __future__ import annotations

import ctypes
import math
from functools import cached_property
from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from .object_code import LoadedCode

Array = Any

_OneState = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 5)
_ManyStates = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 7)


def address_of(array: Array) -> int:
    """Return the address of the first entry of an array, 0 if it is empty; `array.ctypes` takes three times as long."""
    if not array.size:
        return 0
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError):  # read-only
        return int(array.ctypes.data)


@dataclass(frozen=True)
class FunctionInfo:
    """Description of a compiled function, kept with its code.

    `blocks` are (name, shape) of its results in order; `lengths` are those of q (and v), parameters and inputs;
    `operations` is the number of operations of its plan, `level` that of the code generator, `seconds` the time of
    derivation and compilation; `nonlinear` are the indices of the constraints that are nonlinear in the accelerations.
    """

    name: str
    blocks: tuple[tuple[str, tuple[int, ...]], ...]
    operations: int
    level: int
    seconds: float
    lengths: tuple[int, int, int] = (0, 0, 0)
    nonlinear: tuple[int, ...] = ()


@dataclass(frozen=True)
class CompiledFunction:
    """Machine code of int64 f(double t, double *q, double *v, double *parameters, double *inputs, double *out).

    It returns 0 if all conditions of its plan hold; otherwise the numbers in `out` may be inaccurate.
    """

    info: FunctionInfo
    code: LoadedCode
    bytes: int
    from_cache: bool

    @cached_property
    def address(self) -> int:
        """Address of the function."""
        return self.code.address(self.info.name)

    @cached_property
    def size(self) -> int:
        """Number of results."""
        return sum(math.prod(shape) for _, shape in self.info.blocks)

    def __call__(self, t: float, q: Array, v: Array, parameters: Array, inputs: Array) -> tuple[int, Array]:
        """Call the function at one state with contiguous float64 arrays; return its status and its results."""
        n, p, k = self.info.lengths
        self._check((q, v, parameters, inputs), ((n,), (n,), (p,), (k,)))
        out = np.empty(self.size)
        arrays = (q, v, parameters, inputs, out)
        return self._one(t, *map(address_of, arrays)), out

    def many(self, t: Array, q: Array, v: Array, parameters: Array, inputs: Array) -> tuple[Array, Array]:
        """Call it at N states, t (N), q and v (N x n), inputs (N x k); return statuses (N) and results (N x size)."""
        count = len(t)
        n, p, k = self.info.lengths
        self._check((t, q, v, parameters, inputs), ((count,), (count, n), (count, n), (p,), (count, k)))
        out, status = np.empty((count, self.size)), np.empty(count, np.int64)
        arrays = (t, q, v, parameters, inputs, out, status)
        self._many(count, *(a.ctypes.data for a in arrays))
        return status, out

    def _check(self, arrays: tuple[Array, ...], shapes: tuple[tuple[int, ...], ...]) -> None:
        """Raise ValueError for arrays of other shapes or types, which machine code would read beyond their end."""
        for array, shape in zip(arrays, shapes, strict=True):
            if array.shape != shape or array.dtype != np.float64 or not array.flags.c_contiguous:
                raise ValueError(
                    f"{self.info.name} takes a C-contiguous float64 array of shape {shape} here, not one of shape "
                    f"{array.shape} and type {array.dtype}{'' if array.flags.c_contiguous else ', not contiguous'}"
                )

    def parts(self, out: Array) -> list[Array]:
        """Return the blocks in `out` (..., size) in order."""
        blocks, start = [], 0
        for _, shape in self.info.blocks:
            stop = start + math.prod(shape)
            blocks.append(out[..., start:stop].reshape((*out.shape[:-1], *shape)))
            start = stop
        return blocks

    def named(self, out: Array) -> dict[str, Array]:
        """Return the blocks in `out` by name."""
        return dict(zip((name for name, _ in self.info.blocks), self.parts(out), strict=True))

    @cached_property
    def _one(self) -> Any:
        """Function of one state."""
        return _OneState(self.address)

    @cached_property
    def _many(self) -> Any:
        """Loop over many states."""
        return _ManyStates(self.code.address(f"{self.info.name}_many"))
