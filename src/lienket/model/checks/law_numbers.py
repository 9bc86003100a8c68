"""Laws and programs with numbers in them: coefficients that are none, bounds that leave nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sympy.core.function import AppliedUndef

from ...language.faults import Faults
from ...language.symbols import t
from ...language.traversal import find_cached
from ..constraint import Constraint
from ..laws import Coulomb, Unilateral, Viscous
from ..statement import Statement


def check_laws(statement: Statement, numbers: Sequence[float], faults: Faults) -> None:
    """Note what the numbers of the parameters make of laws and programs that cannot be; see also `model.input.law`."""
    stated = [c for c in statement.every_constraint if c.law is not None or c.following.expressions()]
    if not stated or len(numbers) != len(statement.parameters):
        return
    point = dict(zip(statement.parameters, map(float, numbers), strict=True))
    for constraint in stated:
        for what in (*_law(constraint, point), *_program(constraint, point)):
            faults.add(f"constraint {constraint.name!r}", what, "Change the values.")


def _law(constraint: Constraint, point: dict[Any, float]) -> Iterator[str]:
    law = constraint.law
    if isinstance(law, Viscous):
        yield from _least(_number(law.coefficient, point), "coefficient", 0.0)
    if isinstance(law, Coulomb | Unilateral):
        e = _number(law.restitution, point)
        if e is not None and not 0 <= e <= 1:
            yield f"restitution must lie between 0 and 1, not be {e:.6g}"
    if isinstance(law, Coulomb):
        mu, static = _number(law.mu, point), _number(law.mu_static, point)
        for name in ("mu", "mu_static", "viscous"):
            yield from _least(_number(getattr(law, name), point), name, 0.0)
        for name in ("stribeck", "smooth"):
            value = _number(getattr(law, name), point)
            if value is not None and not value > 0:
                yield f"{name} must be positive, but is {value:.6g}"
        if mu is not None and static is not None and static < mu:
            yield f"mu_static, {static:.6g}, is less than mu, {mu:.6g}: what begins to slide would be held at once"


def _program(constraint: Constraint, point: dict[Any, float]) -> Iterator[str]:
    following, drives = constraint.following, [name for name, _ in constraint.drives]
    for name, weight in zip(drives, following.weights, strict=False):
        value = _number(weight, point)
        if value is not None and not value > 0:
            yield f"the weight of drive {name!r} must be positive, but is {value:.6g}"
    for name, pair in zip(drives, following.bounds, strict=False):
        least, most = (_number(e, point) for e in pair)
        if least is not None and most is not None and least > most:
            yield f"the least of drive {name!r}, {least:.6g}, is more than the most, {most:.6g}"
    for gain in following.gains or ():
        yield from _least(_number(gain, point), "the gain of the feedback", 0.0)


def _least(value: float | None, name: str, least: float) -> Iterator[str]:
    if value is not None and not value >= least:
        yield f"{name} must not be negative, but is {value:.6g}"


def _number(e: Any, point: dict[Any, float]) -> float | None:
    """The number of an expression of parameters alone, None for others."""
    if e is None or find_cached(e, AppliedUndef) or e.has(t):
        return None
    return float(e.xreplace(point))
