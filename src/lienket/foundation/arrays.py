"""Types of arrays; shapes are in the docstrings."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # numpy.typing takes several milliseconds to import; annotations are not evaluated
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"
IntArray: TypeAlias = "NDArray[np.signedinteger[Any]]"  # np.int64, and np.intp of index arrays
BoolArray: TypeAlias = "NDArray[np.bool_]"
ComplexArray: TypeAlias = "NDArray[np.complex128]"
TextArray: TypeAlias = "NDArray[np.str_]"
