"""Chain of stages: Algorithms 1 and 2 of paper 000 combined, with verdicts.

start(A, h) is the free system, D = I; add(chain, rows) is the chain with one more constraint. Chains are immutable and
hold all stages. judge.py classifies a constraint, next_stage.py eliminates its rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.expression import EngineExpression, EngineSymbol, Symbol
from .judge import Judgement, judge
from .next_stage import next_stage, unit
from .null_space_step import ZERO, Matrix, Vector
from .sampling.on_constraints import points_on
from .sampling.point import (
    ZERO_TOLERANCE,
    ZERO_TOLERANCE_ROUNDED,
    Point,
    has_floating_point,
    precise,
    with_parameters,
)
from .stage import Stage
from .verdict import CONTRADICTORY


@dataclass(frozen=True, eq=False)
class Chain:
    """Free system A (n x n), h (n) in the engine's symbols and the stages so far.

    `parameters` are the engine's symbols of the parameters; `independent` the indices of coordinates that must not be
    eliminated; `choice` is "pivot" or "orthogonal". `points` satisfy all constraints so far (or all but the last ones,
    if no point was found that satisfies these too); `generic_points` satisfy none. `given` are the numbers of those
    parameters of constraints that have one; verdicts hold with these. `rounded`: formulas or given numbers are
    floating-point numbers.
    """

    engine: Engine
    A: Matrix
    h: Vector
    parameters: tuple[EngineSymbol, ...]
    independent: frozenset[int] = frozenset()
    choice: str = "pivot"
    stages: tuple[Stage, ...] = ()
    points: tuple[Point, ...] = ()
    generic_points: tuple[Point, ...] = ()
    rounded: bool = False
    given: tuple[tuple[EngineSymbol, EngineExpression], ...] = ()

    @property
    def rows(self) -> tuple[ConstraintRows, ...]:
        """Rows of all constraints."""
        return tuple(stage.rows for stage in self.stages)

    @property
    def D(self) -> Matrix:
        """Basis of the free motions, G D = 0, n x m."""
        return self.stages[-1].inside_D if self.stages else unit(len(self.h))

    @property
    def C(self) -> Matrix:
        """Product D^T A, m x n."""
        return self.stages[-1].inside_C if self.stages else self.A

    @property
    def f(self) -> Vector:
        """Product D^T h, m entries."""
        return self.stages[-1].inside_f if self.stages else self.h

    @property
    def gamma(self) -> Vector:
        """Particular acceleration, G gamma + g0 = 0, n entries."""
        return self.stages[-1].inside_gamma if self.stages else [ZERO] * len(self.h)

    @property
    def d(self) -> Vector | None:
        """Particular velocity, G d + b0 = 0, n entries; None if velocities enter nonlinearly."""
        return self.stages[-1].inside_d if self.stages else [ZERO] * len(self.h)

    @property
    def freedom(self) -> int:
        """Number of degrees of freedom left, m."""
        return len(self.D[0])

    @property
    def accepted(self) -> list[tuple[str, int, int]]:
        """Constraint name, row number and pivot column of every accepted row, in order."""
        return [(stage.name, number, p) for stage in self.stages for number, p, _ in stage.pivots]

    @property
    def free_coordinates(self) -> list[int]:
        """Indices of the independent coordinates, one per column of D (pivot elimination)."""
        indices = list(range(len(self.h)))
        for _, _, p in self.accepted:
            del indices[p]
        return indices


def start(
    engine: Engine,
    A: Sequence[Sequence[EngineExpression]],
    h: Sequence[EngineExpression],
    independent: frozenset[int] = frozenset(),
    choice: str = "pivot",
) -> Chain:
    """Return the chain of the free system, D = I."""
    entries = [*(e for row in A for e in row), *h]
    motion = {engine.t, *engine.q, *engine.v, *engine.a}
    parameters = tuple(sorted({s for e in entries for s in e.free_symbols} - motion, key=str))
    rounded = has_floating_point(entries)
    points = tuple(points_on((), engine, parameters, rounded=rounded))
    rows, right = [list(row) for row in A], list(h)
    return Chain(engine, rows, right, parameters, independent, choice, (), points, points, rounded)


def add(chain: Chain, rows: ConstraintRows, numbers: Mapping[Symbol, float] | None = None) -> Chain:
    """Return the chain with one more constraint, eliminated row by row; `numbers` are those of parameters."""
    chain = _with_symbols_of(chain, rows, numbers or {})
    all_rows = (*chain.rows, rows)
    points = _sample(chain, all_rows)
    satisfied = bool(points)
    if not points:
        # Either the constraint contradicts those before it, or the random parameters admit no common position.
        judgement = judge(chain, rows, chain.points)
        if judgement is not None and judgement.verdict.status == CONTRADICTORY:
            return _extend(chain, rows, judgement, satisfied=False)
        points = _sample(chain, all_rows, adjust=True)
        satisfied, points = bool(points), points or list(chain.points)
    judgement = judge(chain, rows, points)
    if judgement is None:
        # A pivot of an earlier stage vanishes on the new constraint: eliminate again with other pivots.
        return _rebuild(chain, all_rows, points, satisfied)
    return _extend(chain, rows, judgement, satisfied)


def _sample(chain: Chain, rows: Sequence[ConstraintRows], adjust: bool = False) -> list[Point]:
    """Return points on the rows; with `adjust` the parameters may change too."""
    given, near = dict(chain.given), () if adjust else chain.points
    if adjust and set(chain.parameters) <= set(given):
        return []
    return points_on(rows, chain.engine, chain.parameters, near, adjust, chain.rounded, given)


def _with_symbols_of(chain: Chain, rows: ConstraintRows, numbers: Mapping[Symbol, float]) -> Chain:
    """Return the chain whose points have values for the parameters that occur first in the new constraint.

    A parameter of the free system gets its number only here: the points so far do not depend on it.
    """
    engine = chain.engine.joined(rows.engine)
    expressions = [*rows.expressions(), *(e for _, column in rows.drives for e in column)]
    used = {s for e in expressions for s in e.free_symbols} - {engine.t, *engine.q, *engine.v, *engine.a}
    new = used - set(chain.parameters)
    stated = {engine.inward(symbol): number for symbol, number in numbers.items()}
    given = {s: precise(stated[s]) for s in used if s in stated} | dict(chain.given)
    rounded = chain.rounded or bool(given) or has_floating_point(expressions)
    tolerance = ZERO_TOLERANCE_ROUNDED if rounded else ZERO_TOLERANCE
    points = [with_parameters(point, new, k, tolerance) for k, point in enumerate(chain.points)]
    return replace(
        chain,
        engine=engine,
        parameters=tuple(sorted({*chain.parameters, *new}, key=str)),
        points=tuple(replace(point, values={**point.values, **given}) for point in points),
        generic_points=tuple(with_parameters(point, new, k, tolerance) for k, point in enumerate(chain.generic_points)),
        rounded=rounded,
        given=tuple(given.items()),
    )


def _extend(chain: Chain, rows: ConstraintRows, judgement: Judgement, satisfied: bool) -> Chain:
    """Return the chain with the stage of a judged constraint."""
    stage, points = next_stage(chain, rows, judgement, satisfied)
    return replace(chain, stages=(*chain.stages, stage), points=tuple(points))


def _rebuild(chain: Chain, all_rows: Sequence[ConstraintRows], points: list[Point], satisfied: bool) -> Chain:
    """Eliminate all constraints again with pivots that do not vanish at the points; earlier verdicts stay."""
    rebuilt = replace(chain, stages=(), points=tuple(points))
    for k, rows in enumerate(all_rows):
        judgement = judge(rebuilt, rows, rebuilt.points)
        if judgement is None:
            raise LienketError(
                f"No independent coordinates were found for {rows.name!r}: every choice fails somewhere on the "
                "constraints."
            )
        earlier = chain.stages[k].verdict if k < len(chain.stages) else None
        if earlier is not None and len(rows) - len(earlier.rows) == len(judgement.new_rows):
            judgement = replace(judgement, verdict=earlier)
        rebuilt = _extend(rebuilt, rows, judgement, satisfied)
    return rebuilt
