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

_ONE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 5)
_MANY = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 7)


def address_of(array: Array) -> int:
    """Where the numbers of an array begin, 0 if it has none; `array.ctypes` takes three times as long."""
    if not array.size:
        return 0
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError):  # read-only
        return int(array.ctypes.data)


@dataclass(frozen=True)
class FunctionInfo:
    """What is known of a function beside its code.

    `blocks` are (name, shape) of its results in order; `lengths` are those of q (and v), parameters and inputs;
    `operations` counts what it computes, `level` is that of the code generator, `seconds` what deriving and compiling
    took; `nonlinear` are the places of the constraints that are nonlinear in the accelerations.
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
    """int64 f(double t, double *q, double *v, double *parameters, double *inputs, double *out), ready to be called.

    It returns 0 if the numbers in `out` can be trusted.
    """

    facts: FunctionInfo
    loaded: LoadedCode
    bytes: int
    from_cache: bool

    @cached_property
    def address(self) -> int:
        """Where the function begins."""
        return self.loaded.address(self.facts.name)

    @cached_property
    def size(self) -> int:
        """How many numbers it writes."""
        return sum(math.prod(shape) for _, shape in self.facts.blocks)

    def __call__(self, t: float, q: Array, v: Array, parameters: Array, inputs: Array) -> tuple[int, Array]:
        """Its return value and its numbers at one state; all arrays are of doubles, one after another in memory."""
        n, p, k = self.facts.lengths
        self._check((q, v, parameters, inputs), ((n,), (n,), (p,), (k,)))
        out = np.empty(self.size)
        arrays = (q, v, parameters, inputs, out)
        return self._one(t, *map(address_of, arrays)), out

    def many(self, t: Array, q: Array, v: Array, parameters: Array, inputs: Array) -> tuple[Array, Array]:
        """The return values (N) and the numbers (N x size) at N states: t (N), q and v (N x n), inputs (N x k)."""
        count = len(t)
        n, p, k = self.facts.lengths
        self._check((t, q, v, parameters, inputs), ((count,), (count, n), (count, n), (p,), (count, k)))
        out, status = np.empty((count, self.size)), np.empty(count, np.int64)
        arrays = (t, q, v, parameters, inputs, out, status)
        self._many(count, *(a.ctypes.data for a in arrays))
        return status, out

    def _check(self, arrays: tuple[Array, ...], shapes: tuple[tuple[int, ...], ...]) -> None:
        """Machine code reads what it is given: an array that is too short would be read beyond its end."""
        for array, shape in zip(arrays, shapes, strict=True):
            if array.shape != shape or array.dtype != np.float64 or not array.flags.c_contiguous:
                raise ValueError(
                    f"{self.facts.name} takes float64 arrays one after another in memory, here of shape {shape}; "
                    f"given is one of shape {array.shape} and type {array.dtype}"
                )

    def parts(self, out: Array) -> list[Array]:
        """The blocks in `out`, with any axes before, in order."""
        found, start = [], 0
        for _, shape in self.facts.blocks:
            stop = start + math.prod(shape)
            found.append(out[..., start:stop].reshape((*out.shape[:-1], *shape)))
            start = stop
        return found

    def named(self, out: Array) -> dict[str, Array]:
        """The blocks in `out` by name."""
        return dict(zip((name for name, _ in self.facts.blocks), self.parts(out), strict=True))

    @cached_property
    def _one(self) -> Any:
        return _ONE(self.address)

    @cached_property
    def _many(self) -> Any:
        return _MANY(self.loaded.address(f"{self.facts.name}_many"))
