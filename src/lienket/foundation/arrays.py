"""Types of arrays; shapes are in the docstrings."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # numpy.typing takes several milliseconds to import; annotations are not evaluated
    import numpy as np
    import numpy.typing as npt

Array: TypeAlias = "npt.NDArray[np.float64]"
IntArray: TypeAlias = "npt.NDArray[np.int64]"
BoolArray: TypeAlias = "npt.NDArray[np.bool_]"
ArrayLike: TypeAlias = "npt.ArrayLike"  # what np.asarray takes: a number, a sequence, an array
