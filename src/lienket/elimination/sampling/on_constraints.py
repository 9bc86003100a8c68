"""Random states that satisfy the constraints, to 60 digits.

Whether something holds "always" means: everywhere on the constraints. The second coupler of a parallelogram is
redundant there and nowhere else. So parameters, time, positions and velocities are drawn at random, brought onto the
constraints by Newton's method (first q on g = 0, then q' on g' = 0 and phi = 0) and polished in high precision.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import symengine as se

from ...constraints import ConstraintRows
from ...language.engine.data_functions import generic
from ...language.engine.engine import Engine
from .point import SMALL, SMALL_ROUNDED, OutsideDomain, Point, precise

Array = Any
WANTED = 3
ATTEMPTS = 24
STEPS = 40
HALVINGS = 40
RANK = 1e-9  # singular values below this share of the largest are taken for zero
ON = 1e-45  # a residual on the surface, against the size of its coordinates
ON_ROUNDED = 1e-13  # the same where floating-point numbers stand in the formulas


def points_on(
    rows: Sequence[ConstraintRows],
    engine: Engine,
    parameters: Sequence[Any],
    near: Sequence[Point] = (),
    adjust: bool = False,
    rounded: bool = False,
) -> list[Point]:
    """Up to three points on all the constraints, sought first from the points `near`; empty if none was found.

    Random parameters may allow no position at all (a chain that does not close): with `adjust`, they give way too.
    Where floating-point numbers stand in the formulas (`rounded`), rows that follow from others do so to rounding only.
    """
    source = random.Random(20011105)  # noqa: S311 -- the same question gets the same answer
    positions = [*engine.q, *parameters] if adjust else engine.q
    levels = _levels(rows, engine, parameters, positions)
    with np.errstate(all="ignore"):  # a step too far is taken back
        return _collect(levels, parameters, source, near, rounded)


class _Level:
    """Residuals that must vanish by a choice of some of the symbols."""

    def __init__(
        self, residuals: list[Any], jacobian: list[Any], unknowns: Sequence[Any], inputs: Sequence[Any]
    ) -> None:
        self.residuals = residuals
        self.unknowns = list(unknowns)
        self.inputs = list(inputs)
        self.places = [self.inputs.index(u) for u in self.unknowns]
        if residuals:
            self._function = se.Lambdify(self.inputs, [*residuals, *jacobian], cse=False)

    def evaluate(self, x: Array) -> tuple[Array, Array]:
        """The residuals (s) and their derivatives by the unknowns (s x u) at x, one number per input."""
        flat = self._function(x)
        s = len(self.residuals)
        return flat[:s], flat[s:].reshape(s, -1)


def _levels(
    rows: Sequence[ConstraintRows], engine: Engine, parameters: Sequence[Any], positions: list[Any]
) -> list[_Level]:
    """Position, velocity and, where q'' enters nonlinearly, acceleration."""
    inputs = [engine.t, *engine.q, *engine.v, *engine.a, *parameters]
    g = [e for row in rows for e in row.position]
    by_position = [engine.derivative(e, x) for e in g for x in positions]
    moving = [row for row in rows if row.velocity]
    parts = [
        (g, by_position, positions),
        ([e for row in moving for e in row.velocity], _entries(moving), engine.v),
    ]
    if any(row.nonlinear for row in rows):
        psi = [
            se.Add(c, *[j * a for j, a in zip(J, engine.a, strict=True)])
            for row in rows
            for J, c in zip(row.inside_G, row.inside_g0, strict=True)
        ]
        parts.append((psi, _entries(rows), engine.a))
    if engine.given:
        parts = [([generic(e) for e in r], [generic(e) for e in J], unknowns) for r, J, unknowns in parts]
    return [_Level(*part, inputs) for part in parts]


def _entries(rows: Sequence[ConstraintRows]) -> list[Any]:
    return [e for row in rows for J in row.inside_G for e in J]


def _collect(
    levels: list[_Level], parameters: Sequence[Any], source: random.Random, near: Sequence[Point], rounded: bool
) -> list[Point]:
    """Points from all but one of the known ones, the rest from new starts; if these fail, from the last known one."""
    inputs = levels[0].inputs
    known = [np.array([float(point.values[symbol]) for symbol in inputs]) for point in near]
    found: list[Point] = []
    for start in (*known[: WANTED - 1], *_starts(len(inputs), len(parameters), source), *known[WANTED - 1 :]):
        x = _newton_all(levels, start)
        point = _polished(levels, x, rounded) if x is not None else None
        if point is not None:
            found.append(point)
        if len(found) == WANTED:
            break
    return found


def _starts(inputs: int, parameters: int, source: random.Random) -> Iterator[Array]:
    for attempt in range(ATTEMPTS):
        size = (1, 1, 1, 10, 0.1, 1, 100, 1)[attempt % 8]
        drawn = [source.uniform(-2, 2) * size for _ in range(inputs - parameters)]
        yield np.array(drawn + [source.uniform(0.5, 2) for _ in range(parameters)])


def _newton_all(levels: list[_Level], x: Array) -> Array | None:
    for level in levels:
        if level.residuals and not _newton(level, x):
            return None
    return x


def _newton(level: _Level, x: Array) -> bool:
    """Gauss-Newton with halved steps; x is changed in place. Whether the residuals vanish to rounding."""
    r, J = level.evaluate(x)
    for _ in range(STEPS):
        if not (np.all(np.isfinite(r)) and np.all(np.isfinite(J))):
            return False
        size = np.linalg.norm(r)
        if np.all(np.abs(r) <= 1e-12 * (1 + np.abs(J) @ np.abs(x[level.places]))):
            return True
        step = np.linalg.lstsq(J, -r, rcond=RANK)[0]
        for halving in range(HALVINGS):
            tried = x.copy()
            tried[level.places] += step * 0.5**halving
            r_tried, J_tried = level.evaluate(tried)
            if np.all(np.isfinite(r_tried)) and np.linalg.norm(r_tried) < size:
                break
        else:
            return False
        x[:], r, J = tried, r_tried, J_tried
    return False


def _polished(levels: list[_Level], x: Array, rounded: bool) -> Point | None:
    """The point with 60 digits: the residual in high precision, the correction by the double-precision inverse."""
    values = {symbol: precise(number) for symbol, number in zip(levels[0].inputs, x, strict=True)}
    try:
        settled = all(_polish(level, x, values, rounded) for level in levels if level.residuals)
    except OutsideDomain:
        return None
    return Point(values, SMALL_ROUNDED if rounded else SMALL) if settled else None


def _polish(level: _Level, x: Array, values: dict[Any, Any], rounded: bool) -> bool:
    J = level.evaluate(x)[1]
    inverse = np.linalg.pinv(J, rcond=RANK)
    scales = 1 + np.abs(J) @ np.abs(x[level.places])
    for _ in range(10):
        residuals = Point(values).numbers(level.residuals)
        if all(abs(float(r)) <= ON * scale for r, scale in zip(residuals, scales, strict=True)):
            return True
        step = inverse @ np.array([float(r) for r in residuals])
        for unknown, change in zip(level.unknowns, step, strict=True):
            values[unknown] = values[unknown] - precise(change)
    return rounded and all(abs(float(r)) <= ON_ROUNDED * scale for r, scale in zip(residuals, scales, strict=True))
