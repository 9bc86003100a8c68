"""What the catalogue needs of vectors: products, lengths, and the parts across a direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ...language.engine.engine import Engine
from ...language.engine.zero_test import vanishes
from ...language.symbols import t


def difference(head: Sequence[Any], tail: Sequence[Any]) -> tuple[Any, ...]:
    """The vector from `tail` to `head`."""
    return tuple(h - k for h, k in zip(head, tail, strict=True))


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """The scalar product a . b."""
    return sp.Add(*[p * q for p, q in zip(a, b, strict=True)])


def rate(vector: Sequence[Any]) -> tuple[Any, ...]:
    """The time derivative of a vector in fixed axes."""
    return tuple(sp.diff(component, t) for component in vector)


def length_of(vector: Sequence[Any]) -> Any:
    """|vector|; plainly 1 for a unit vector such as (cos(a), sin(a)), however it is written."""
    square = dot(vector, vector)
    return sp.S.One if is_zero(square - 1) else sp.sqrt(square)


def unit(vector: Sequence[Any]) -> tuple[Any, ...]:
    """The vector divided by its length."""
    length = length_of(vector)
    return tuple(component / length for component in vector)


def parts_across(d: Sequence[Any], v: Sequence[Any]) -> list[Any]:
    """The parts n . v of v, for one vector n (plane) or two (space) across the direction d; zero if v is along d.

    plane                    n = (-d_y, d_x), to the left of d
    space, d_k = 0 always    n = e_k x d and e_k, whatever d does in its plane
    space, otherwise         n = e_x - d_x w and e_y - d_y w with w = (d + |d| e_z)/(|d| (|d| + d_z)), the x and y
                             axes in Householder's reflection of d into z: perpendicular unit vectors

    In space the two n make with d a right-handed system.
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


def is_zero(expression: Any) -> bool:
    """Whether an expression of coordinates without derivatives is zero everywhere, by its values."""
    moving = sorted(expression.atoms(AppliedUndef), key=str)
    # To the engine a coordinate is a symbol like any other; a blank keeps its name apart from the parameters'.
    names = {x: sp.Symbol(f"coordinate {i}") for i, x in enumerate(moving)}
    return vanishes(Engine(()).inward(expression.xreplace(names)))
