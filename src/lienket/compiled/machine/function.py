"""CompiledFunction: machine code in memory, called from Python for one state or for many, or by its address."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass
from .object_code import LoadedCode

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OneState = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 5)
_ManyStates = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 7)


_FLOAT64 = np.dtype(np.float64)
_first_byte: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer  # an array is a buffer
_address = ctypes.addressof


def address_of(array: NDArray[np.number[Any]]) -> int:
    """Return the address of the first entry of an array, 0 if it is empty; `array.ctypes` takes five times as long."""
    try:
        return _address(_first_byte(array))
    except (TypeError, ValueError):  # read-only or empty
        return int(array.__array_interface__["data"][0]) if array.size else 0


def address_of_read_only(array: NDArray[np.number[Any]]) -> int:
    """Return the address of an array that is probably read-only, as those of a run are; an exception takes longer."""
    return address_of(array) if array.flags.writeable else int(array.__array_interface__["data"][0])


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
        self._check(q, (n,))
        self._check(v, (n,))
        self._check(parameters, (p,))
        self._check(inputs, (k,))
        out = np.empty(self.size)
        address = address_of
        given = address(inputs if k else out)  # without a pointer, the function would not check its digits
        return self._one(t, address(q), address(v), address(parameters), given, address(out)), out

    def many(self, t: Array, q: Array, v: Array, parameters: Array, inputs: Array) -> tuple[IntArray, Array]:
        """Call it at N states, t (N), q and v (N x n), inputs (N x k); return statuses (N) and results (N x size)."""
        count = len(t)
        n, p, k = self.info.lengths
        self._check(t, (count,))
        self._check(q, (count, n))
        self._check(v, (count, n))
        self._check(parameters, (p,))
        self._check(inputs, (count, k))
        out, status = np.empty((count, self.size)), np.empty(count, np.int64)
        of_rows = address_of if q.flags.writeable else address_of_read_only
        rows = of_rows(t), of_rows(q), of_rows(v)
        given = address_of(inputs if inputs.size else out)  # without a pointer, it would not check its digits
        self._many(count, *rows, address_of(parameters), given, address_of(out), address_of(status))
        return status, out

    def _check(self, array: Array, shape: tuple[int, ...]) -> None:
        """Raise ValueError for an array of another shape or type, which machine code would read beyond its end."""
        if array.shape != shape or array.dtype != _FLOAT64 or not array.flags.c_contiguous:
            raise ValueError(
                f"{self.info.name} takes a C-contiguous float64 array of shape {shape} here, not one of shape "
                f"{array.shape} and type {array.dtype}{'' if array.flags.c_contiguous else ', not contiguous'}"
            )

    def parts(self, out: Array) -> list[Array]:
        """Return the blocks in `out` (..., size) in order."""
        if out.ndim == 1:
            return [out[begin:end].reshape(shape) for begin, end, shape in self._slices]
        axes = out.shape[:-1]
        return [out[..., begin:end].reshape((*axes, *shape)) for begin, end, shape in self._slices]

    def named(self, out: Array) -> dict[str, Array]:
        """Return the blocks in `out` by name."""
        return dict(zip((name for name, _ in self.info.blocks), self.parts(out), strict=True))

    @cached_property
    def _slices(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Begin, end and shape of each block of the results."""
        slices, begin = [], 0
        for _, shape in self.info.blocks:
            end = begin + math.prod(shape)
            slices.append((begin, end, shape))
            begin = end
        return slices

    @cached_property
    def _one(self) -> Any:
        """Function of one state."""
        return _OneState(self.address)

    @cached_property
    def _many(self) -> Any:
        """Loop over many states."""
        return _ManyStates(self.code.address(f"{self.info.name}_many"))
