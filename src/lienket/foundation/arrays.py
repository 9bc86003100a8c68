"""Types of arrays; shapes are in the docstrings."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # numpy.typing takes several milliseconds to import; annotations are not evaluated
    from typing import Any

    import numpy as np
    import numpy.typing as npt

Array: TypeAlias = "npt.NDArray[np.float64]"
IntArray: TypeAlias = "npt.NDArray[np.signedinteger[Any]]"  # np.int64, and np.intp of index arrays
BoolArray: TypeAlias = "npt.NDArray[np.bool_]"
ComplexArray: TypeAlias = "npt.NDArray[np.complex128]"
TextArray: TypeAlias = "npt.NDArray[np.str_]"
ArrayLike: TypeAlias = "npt.ArrayLike"  # what np.asarray takes: a number, a sequence, an array
