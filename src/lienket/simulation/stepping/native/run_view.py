"""The run as kernels pass it: the pointer that an entry receives, with the arrays of `memory` as its attributes.

`run.control` reads address and shape from the words behind the pointer on each use. Passing the arrays themselves, a
hundred numbers with every call, took longer than the evaluation of the model.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import overload_attribute

from ....kernels.native.runtime.address import doubles, integers, table, vector
from ....kernels.native.runtime.jit import kernel
from ...memory import addresses, control

_LAYOUT = (
    ("addresses", integers, 2),
    ("level", integers, 2),
    ("parameters", doubles, 2),
    ("inputs", doubles, 2),
    ("control", doubles, 2),
    ("counts", integers, 2),
    ("atol", doubles, 2),
    ("y", table, 3),
    ("times", doubles, 2),
    ("rows", table, 3),
    ("scratch", doubles, 2),
    ("bridge", doubles, 2),
    ("log", table, 3),
    ("work", doubles, 2),
    ("places", integers, 2),
    ("events", table, 3),
    ("values", doubles, 2),
    ("struck", doubles, 2),
    ("changes", table, 3),
    ("corners", doubles, 2),
    ("choices", integers, 2),
    ("lengths", doubles, 2),
    ("stops", table, 3),
    ("tableau", table, 3),
    ("columns", integers, 2),
    ("tangents", table, 3),
    ("gradient", table, 3),
    ("sizes", doubles, 2),
)
"""Name, kind and number of words of each array, in the order of the words; the last five are for sensitivities."""


def _attribute(name: str, kind: Any, word: int) -> None:
    """Define `run.name` as the array whose address is the given word."""

    def read(run: Any) -> Any:
        return kind(run, word)

    def typed(run: Any) -> Any:
        return read

    attribute: Any = overload_attribute(types.CPointer, name)
    attribute(typed)


def _size_attribute(name: str, index: int) -> None:
    """Define `run.name` as the size at that index of `addresses`."""

    def read(run: Any) -> Any:
        return run.addresses[index]

    def typed(run: Any) -> Any:
        return read

    attribute: Any = overload_attribute(types.CPointer, name)
    attribute(typed)


_word = 0
for _name, _kind, _words in _LAYOUT:
    _attribute(_name, _kind, _word)
    _word += _words
_size_attribute("n", addresses.COORDINATES)
_size_attribute("s", addresses.ROWS)


@kernel
def state(run: Any, which: Any) -> Any:
    """Return a row of y, one of the `states`, as a view without reference counting."""
    y = run.y
    m = y.shape[1]
    return vector(y, which * m, m)


@kernel
def weighted(run: Any, x: Any, y: Any, z: Any) -> Any:
    """Return the root mean square of x_i/(atol_i + rtol max(|y_i|, |z_i|)) over positions and velocities (as SciPy)."""
    total, rtol, atol = 0.0, run.control[control.RTOL], run.atol
    for i in range(atol.size):
        ratio = x[i] / (atol[i] + rtol * max(abs(y[i]), abs(z[i])))
        total += ratio * ratio
    return (total / atol.size) ** 0.5
