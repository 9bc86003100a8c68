"""Vector operations of the catalogue: products, lengths, components across a direction."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from ...language.engine.engine import Engine
from ...language.engine.zero_test import vanishes
from ...language.expression import Expression
from ...language.symbols import t


def difference(head: Sequence[Expression], tail: Sequence[Expression]) -> tuple[Expression, ...]:
    """Return the vector from `tail` to `head`."""
    return tuple(h - k for h, k in zip(head, tail, strict=True))


def dot(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    """Return the scalar product a . b."""
    return sp.Add(*[p * q for p, q in zip(a, b, strict=True)])


def rate(vector: Sequence[Expression]) -> tuple[Expression, ...]:
    """Return the time derivative of a vector in fixed axes."""
    return tuple(sp.diff(component, t) for component in vector)


def length_of(vector: Sequence[Expression]) -> Expression:
    """Return |vector|, and exactly 1 for any unit vector, such as (cos(a), sin(a))."""
    square = dot(vector, vector)
    return sp.S.One if is_zero(square - 1) else sp.sqrt(square)


def unit(vector: Sequence[Expression]) -> tuple[Expression, ...]:
    """Return the vector divided by its length."""
    length = length_of(vector)
    return tuple(component / length for component in vector)


def components_across(d: Sequence[Expression], v: Sequence[Expression]) -> list[Expression]:
    """Return the components n . v for one normal n (plane) or two (space) to the direction d; zero if v is along d.

    plane                    n = (-d_y, d_x), to the left of d
    space, d_k = 0 always    n = e_k x d and e_k, whatever d does in its plane
    space, otherwise         n = e_x - d_x w and e_y - d_y w with w = (d + |d| e_z)/(|d| (|d| + d_z)), the x and y
                             axes in Householder's reflection of d into z: perpendicular unit vectors

    In space the two n and d form a right-handed system.
    """
    if len(d) == 2:
        return [d[0] * v[1] - d[1] * v[0]]
    for k in (2, 1, 0):
        if is_zero(d[k]):
            i, j = (k + 1) % 3, (k + 2) % 3
            return [d[i] * v[j] - d[j] * v[i], v[k]]
    length = length_of(d)
    along = (dot(d, v) + length * v[2]) / (length * (length + d[2]))
    return [v[0] - d[0] * along, v[1] - d[1] * along]


def across_factors(d: Sequence[Expression]) -> list[Expression]:
    """Return the lengths of the normals n of `components_across`."""
    if len(d) == 2:
        return [length_of(d)]
    return [length_of(d) if any(map(is_zero, d)) else sp.S.One, sp.S.One]


def is_zero(expression: Expression) -> bool:
    """Return whether an expression of coordinates without derivatives is zero everywhere, tested by its values."""
    moving = sorted(expression.atoms(AppliedUndef), key=str)
    # The engine treats coordinates as symbols; the blank in the name avoids clashes with parameters.
    names = {x: sp.Symbol(f"coordinate {i}") for i, x in enumerate(moving)}
    return vanishes(Engine(()).inward(expression.xreplace(names)))
