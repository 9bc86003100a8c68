"""The chain of stages: Algorithms 1 and 2 of paper 000 as one, with verdicts.

start(A, h) is the free system, D = I; add(chain, rows) is the chain with one more constraint. Chains never change, and
each keeps every stage. How a constraint is judged is in judge.py, the step itself in advance.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from .judge import Judgement, judge
from .next_stage import next_stage, unit
from .null_space_step import ZERO, Matrix, Vector
from .sampling.on_constraints import points_on
from .sampling.point import SMALL, SMALL_ROUNDED, Point, completed, has_rounded_numbers
from .stage import Stage
from .verdict import CONTRADICTORY


@dataclass(frozen=True, eq=False)
class Chain:
    """The free system A (n x n), h (n) in the engine's symbols and the stages so far.

    `parameters` are the engine's symbols of the parameters; `independent` the places of coordinates that must not be
    eliminated; `choice` is "pivot" or "orthogonal". `points` lie on all constraints so far (or, where none were found
    that satisfy the last ones, on those before), `anywhere` off them. `rounded`: floating-point numbers stand in the
    formulas.
    """

    engine: Engine
    A: Matrix
    h: Vector
    parameters: tuple[Any, ...]
    independent: frozenset[int] = frozenset()
    choice: str = "pivot"
    stages: tuple[Stage, ...] = ()
    points: tuple[Point, ...] = ()
    anywhere: tuple[Point, ...] = ()
    rounded: bool = False

    @property
    def rows(self) -> tuple[ConstraintRows, ...]:
        """The rows of all constraints."""
        return tuple(stage.rows for stage in self.stages)

    @property
    def D(self) -> Matrix:
        """The motions left free, n x m."""
        return self.stages[-1].inside_D if self.stages else unit(len(self.h))

    @property
    def C(self) -> Matrix:
        """D^T A, m x n."""
        return self.stages[-1].inside_C if self.stages else self.A

    @property
    def f(self) -> Vector:
        """D^T h, m."""
        return self.stages[-1].inside_f if self.stages else self.h

    @property
    def gamma(self) -> Vector:
        """G gamma + g0 = 0, n."""
        return self.stages[-1].inside_gamma if self.stages else [ZERO] * len(self.h)

    @property
    def d(self) -> Vector | None:
        """G d + b0 = 0, n; None where velocities enter nonlinearly."""
        return self.stages[-1].inside_d if self.stages else [ZERO] * len(self.h)

    @property
    def freedom(self) -> int:
        """The number of freedoms left."""
        return len(self.D[0])

    @property
    def accepted(self) -> list[tuple[str, int, int]]:
        """Name, row number and pivot column of every row accepted, in order."""
        return [(stage.name, number, p) for stage in self.stages for number, p, _ in stage.pivots]

    @property
    def free_coordinates(self) -> list[int]:
        """The places of the coordinates that the columns of D follow (pivot elimination)."""
        places = list(range(len(self.h)))
        for _, _, p in self.accepted:
            del places[p]
        return places


def start(
    engine: Engine,
    A: Sequence[Sequence[Any]],
    h: Sequence[Any],
    independent: frozenset[int] = frozenset(),
    choice: str = "pivot",
) -> Chain:
    """The free system, D = I."""
    entries = [*(e for row in A for e in row), *h]
    motion = {engine.t, *engine.q, *engine.v, *engine.a}
    parameters = tuple(sorted({s for e in entries for s in e.free_symbols} - motion, key=str))
    rounded = has_rounded_numbers(entries)
    points = tuple(points_on((), engine, parameters, rounded=rounded))
    rows, right = [list(row) for row in A], list(h)
    return Chain(engine, rows, right, parameters, independent, choice, (), points, points, rounded)


def add(chain: Chain, rows: ConstraintRows) -> Chain:
    """The chain with one more constraint: one step for each of its rows."""
    chain = _knowing(chain, rows)
    everything = (*chain.rows, rows)
    points = _found(chain, everything)
    satisfied = bool(points)
    if not points:
        # Either the constraint cannot hold with those before it, or random parameters leave no position for both.
        before = judge(chain, rows, chain.points)
        if before is not None and before.verdict.status == CONTRADICTORY:
            return _extended(chain, rows, before, satisfied=False)
        points = _found(chain, everything, adjust=True)
        satisfied, points = bool(points), points or list(chain.points)
    judgement = judge(chain, rows, points)
    if judgement is None:
        # A pivot of an earlier stage vanishes on the new constraint: the elimination begins again with other pivots.
        return _rebuilt(chain, everything, points, satisfied)
    return _extended(chain, rows, judgement, satisfied)


def _found(chain: Chain, rows: Sequence[ConstraintRows], adjust: bool = False) -> list[Point]:
    near = () if adjust else chain.points
    return points_on(rows, chain.engine, chain.parameters, near, adjust=adjust, rounded=chain.rounded)


def _knowing(chain: Chain, rows: ConstraintRows) -> Chain:
    """The chain with numbers at its points for parameters that the new constraint brings in."""
    expressions = [*rows.expressions(), *(e for _, column in rows.drives for e in column)]
    motion = {chain.engine.t, *chain.engine.q, *chain.engine.v, *chain.engine.a}
    new = {s for e in expressions for s in e.free_symbols} - motion - set(chain.parameters)
    rounded = chain.rounded or has_rounded_numbers(expressions)
    small = SMALL_ROUNDED if rounded else SMALL

    return replace(
        chain,
        engine=chain.engine.joined(rows.engine),
        parameters=tuple(sorted({*chain.parameters, *new}, key=str)),
        points=tuple(completed(point, new, k, small) for k, point in enumerate(chain.points)),
        anywhere=tuple(completed(point, new, k, small) for k, point in enumerate(chain.anywhere)),
        rounded=rounded,
    )


def _extended(chain: Chain, rows: ConstraintRows, judgement: Judgement, satisfied: bool) -> Chain:
    stage, points = next_stage(chain, rows, judgement, satisfied)
    return replace(chain, stages=(*chain.stages, stage), points=tuple(points))


def _rebuilt(chain: Chain, everything: Sequence[ConstraintRows], points: list[Point], satisfied: bool) -> Chain:
    again = replace(chain, stages=(), points=tuple(points))
    for place, rows in enumerate(everything):
        judgement = judge(again, rows, again.points)
        if judgement is None:
            raise LienketError(
                f"No independent coordinates were found for {rows.name!r}: every choice fails somewhere."
            )
        known = chain.stages[place].verdict if place < len(chain.stages) else None
        if known is not None and len(rows) - len(known.rows) == len(judgement.news):
            judgement = replace(judgement, verdict=known)
        again = _extended(again, rows, judgement, satisfied)
    return again
