"""Forces applied at a point of the system; virtual work turns them into generalized forces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import sympy as sp

from ..foundation.nearest_name import with_suggestions
from ..language.expression import Expression, ExpressionLike


@dataclass(frozen=True, init=False)
class Force:
    """Force F at the point r(q, t), both in the same fixed axes.

    Its virtual work F . dr gives the generalized forces Q = (dr/dq)^T F (theory 9, with the Jacobian
    transpose that paper 003 leaves out).

    Parameters
    ----------
    at : iterable of expressions
        Coordinates of the point, 1, 2 or 3.
    components : iterable of expressions
        Components of the force, as many as `at` has entries.
    name : str
        Name of the force.

    Examples
    --------
    >>> x, F = lk.coordinates("x"), lk.parameters("F")
    >>> cart = lk.System("cart", [x], kinetic=der(x)**2, loads=[lk.Force(at=(2*x, 0), components=(F, 0), name="pull")])
    >>> print(cart.free.Q)
    Matrix([[2*F]])
    """

    at: tuple[Expression, ...]
    components: tuple[Expression, ...]
    name: str

    @with_suggestions
    def __init__(self, at: Iterable[ExpressionLike], components: Iterable[ExpressionLike], name: str = "") -> None:
        object.__setattr__(self, "at", _entries(at))
        object.__setattr__(self, "components", _entries(components))
        object.__setattr__(self, "name", name)


def _entries(vector: Iterable[ExpressionLike] | ExpressionLike) -> tuple[ExpressionLike, ...]:
    """Return the components of a tuple, list, matrix, array or single expression."""
    if isinstance(vector, sp.MatrixBase):
        return tuple(vector)
    if isinstance(vector, np.ndarray):
        return tuple(vector.ravel())
    if isinstance(vector, str) or not isinstance(vector, Iterable):
        return (vector,)
    return tuple(vector)
