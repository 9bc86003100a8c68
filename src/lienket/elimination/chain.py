"""The chain of stages: Algorithms 1 and 2 of paper 000 as one, with verdicts.

start(A, h) is the free system, D = I; add(chain, rows) is the chain with one more constraint. Both are cheap to ask
again: chains never change, and each keeps every stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..model.algebra.engine import Engine
from ..model.algebra.quotient import tidy_quotients
from .judge import Judgement, judge
from .pivot import choose
from .point import Point, precise
from .stage import Stage
from .step import ONE, ZERO, Matrix, Vector, applied, dot, product, transposed
from .surface import points_on
from .verdict import CONTRADICTORY

TIDY_LIMIT = 200  # expanded terms of the entries of a matrix, up to which it is tidied


@dataclass(frozen=True, eq=False)
class Chain:
    """The free system A (n x n), h (n) in the engine's symbols and the stages so far.

    `parameters` are the engine's symbols of the parameters; `independent` the places of coordinates that must not be
    eliminated; `choice` is "pivot" or "orthogonal"; `points` lie on all constraints so far.
    """

    engine: Engine
    A: Matrix
    h: Vector
    parameters: tuple[Any, ...]
    independent: frozenset[int] = frozenset()
    choice: str = "pivot"
    stages: tuple[Stage, ...] = ()
    points: tuple[Point, ...] = ()
    satisfied: bool = True  # the points satisfy every constraint

    @property
    def rows(self) -> tuple[ConstraintRows, ...]:
        """The rows of all constraints."""
        return tuple(stage.rows for stage in self.stages)

    @property
    def D(self) -> Matrix:
        """The motions left free, n x m."""
        return self.stages[-1].inside_D if self.stages else _unit(len(self.h))

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
    symbols: Iterable[Any],
    independent: frozenset[int] = frozenset(),
    choice: str = "pivot",
) -> Chain:
    """The free system, D = I; `symbols` are those in A and h."""
    motion = {engine.t, *engine.q, *engine.v, *engine.a}
    parameters = tuple(sorted(set(symbols) - motion, key=str))
    return Chain(engine, [list(row) for row in A], list(h), parameters, independent, choice)


def add(chain: Chain, rows: ConstraintRows) -> Chain:
    """The chain with one more constraint: one step for each of its rows."""
    everything = (*chain.rows, rows)
    chain = _knowing(chain, rows)
    points = points_on(everything, chain.engine, chain.parameters, chain.points)
    satisfied = bool(points)
    if not points:
        # Either the constraint cannot hold with those before it, or random parameters leave no position for both.
        points = list(chain.points) or points_on((), chain.engine, chain.parameters)
        before = judge(chain, rows, points)
        if before is not None and before.verdict.status == CONTRADICTORY:
            return _extended(chain, rows, points, False, before)
        adjusted = points_on(everything, chain.engine, chain.parameters, adjust=True)
        satisfied, points = bool(adjusted), adjusted or points
    judgement = judge(chain, rows, points)
    if judgement is None:
        # A pivot of an earlier stage vanishes on the new constraint: the elimination begins again with other pivots.
        return _rebuilt(chain, everything, points)
    return _extended(chain, rows, points, satisfied, judgement)


def _knowing(chain: Chain, rows: ConstraintRows) -> Chain:
    """The chain with numbers at its points for parameters that the new constraint brings in."""
    entries = [e for J in rows.inside_G for e in J]
    symbols = {s for e in (*entries, *rows.inside_g0, *rows.position, *rows.velocity) for s in e.free_symbols}
    engine = chain.engine
    new = symbols - {engine.t, *engine.q, *engine.v, *engine.a, *chain.parameters}
    if not new:
        return chain
    parameters = tuple(sorted({*chain.parameters, *new}, key=str))
    drawn = {symbol: precise(0.7 + 0.6180339887498949 * k % 1) for k, symbol in enumerate(sorted(new, key=str))}
    points = tuple(Point({**point.values, **drawn}) for point in chain.points)
    return replace(chain, parameters=parameters, points=points)


def _rebuilt(chain: Chain, everything: Sequence[ConstraintRows], points: list[Point]) -> Chain:
    again = replace(chain, stages=(), points=())
    for place, rows in enumerate(everything):
        known = chain.stages[place].verdict if place < len(chain.stages) else None
        judgement = judge(again, rows, points)
        if judgement is None:
            raise LienketError(
                f"No independent coordinates were found for {rows.name!r}: every choice fails somewhere."
            )
        if known is not None:
            judgement = replace(judgement, verdict=known)
        again = _extended(again, rows, points, True, judgement)
    return again


def _extended(chain: Chain, rows: ConstraintRows, points: list[Point], satisfied: bool, judgement: Judgement) -> Chain:
    """One step per accepted row: D <- D H, gamma <- gamma - e (J gamma + g0); then C = D^T A and f = D^T h."""
    D, gamma = chain.D, chain.gamma
    d = None if rows.b0 is None and rows.velocity else chain.d
    beta = [_beta(J, D, judgement, number) for number, J in enumerate(rows.inside_G)]
    H = _unit(len(D[0]))
    pivots: list[tuple[int, int, Any]] = []
    for number in judgement.news:
        J = rows.inside_G[number]
        here, p = _row(chain, rows, number, D, judgement, pivots)
        e = _direction(chain.choice, D, here, p)
        gamma = _corrected(gamma, e, J, rows.inside_g0[number])
        if d is not None and rows.b0 is not None:
            d = _corrected(d, e, J, rows.b0[number])
        D, H = _tidied(applied(D, chain.choice, here, p)), applied(H, chain.choice, here, p)
        pivots.append((number, p, here[p]))
    # H^T C and H^T f of Algorithm 2, from the D that is tidy already.
    motions = transposed(D, len(D[0]))
    C, f = product(motions, chain.A), [dot(motion, chain.h) for motion in motions]
    changes = judgement.changes
    programs = tuple(row.name for row in (*chain.rows, rows) if row.drives)
    stage = Stage(rows, judgement.verdict, beta, H, D, C, f, gamma, d, tuple(pivots), changes, programs)
    return replace(chain, stages=(*chain.stages, stage), points=tuple(points), satisfied=satisfied and chain.satisfied)


def _row(
    chain: Chain, rows: ConstraintRows, number: int, D: Matrix, judgement: Judgement, pivots: list[Any]
) -> tuple[Vector, int]:
    """Beta of one row and its pivot; the shadows take the row in as well."""
    J = rows.inside_G[number]
    beta = _beta(J, D, judgement, number)
    seen = [(s, values, s.beta(values)) for s in judgement.shadows for values in [s.point.numbers(J)]]
    allowed = [k for k in range(len(beta)) if all(s.can_pivot(b, k) for s, _, b in seen)]
    allowed = [k for k in allowed if beta[k] != 0 and not _is_kept(chain, pivots, k)]
    if not allowed:
        raise LienketError(_cannot_keep(chain, rows))
    motion = {chain.engine.t, *chain.engine.q, *chain.engine.v, *chain.engine.a}
    p = choose(beta, allowed, motion)
    for shadow in (*judgement.shadows, *judgement.anywhere):
        values = shadow.point.numbers(J)
        shadow.accept(rows.name, number, values, shadow.beta(values), p)
    return beta, p


def _beta(J: Sequence[Any], D: Matrix, judgement: Judgement, number: int) -> Vector:
    """J D. A row without news is zero on the constraints, and an entry is zero if it vanishes on and off them."""
    if number not in judgement.news:
        return [ZERO] * len(D[0])
    everywhere = [s.beta(s.point.numbers(J)) for s in (*judgement.shadows, *judgement.anywhere)]
    zeros = [bool(judgement.anywhere) and all(b[k] == 0 for b in everywhere) for k in range(len(D[0]))]
    return tidy_quotients([ZERO if z else dot(J, [row[k] for row in D]) for k, z in enumerate(zeros)], TIDY_LIMIT)


def _is_kept(chain: Chain, pivots: list[Any], column: int) -> bool:
    """Whether the column follows a coordinate that the user wants independent."""
    places = chain.free_coordinates
    for _, p, _ in pivots:
        del places[p]
    return places[column] in chain.independent


def _cannot_keep(chain: Chain, rows: ConstraintRows) -> str:
    names = ", ".join(str(chain.engine.q[i]) for i in sorted(chain.independent))
    if not names:
        return f"No coordinate can be eliminated by {rows.name!r}: each would fail somewhere on the constraints."
    return (
        f"The coordinates {names} cannot be the independent ones: {rows.name!r} binds them to each other, and nothing "
        "else is left that it could determine. Leave one of them out."
    )


def _direction(choice: str, D: Matrix, beta: Vector, p: int) -> Vector:
    """E with J e = 1 inside the freedoms of D."""
    if choice == "pivot":
        return [row[p] / beta[p] if row[p] != 0 else ZERO for row in D]
    square = dot(beta, beta)
    return [dot(row, beta) / square for row in D]


def _corrected(x: Vector, e: Vector, J: Sequence[Any], constant: Any) -> Vector:
    """X - e (J x + constant), which satisfies the row as well."""
    misfit = dot(J, x) + constant
    return tidy_quotients([a - b * misfit for a, b in zip(x, e, strict=True)], TIDY_LIMIT / 2)


def _unit(n: int) -> Matrix:
    return [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]


def _tidied(rows: Matrix) -> Matrix:
    flat = iter(tidy_quotients([e for row in rows for e in row], TIDY_LIMIT))
    return [[next(flat) for _ in row] for row in rows]
