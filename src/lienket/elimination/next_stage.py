"""One constraint further: its rows with news each take one freedom (theory 4, steps 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..language.simplify.quotient import tidy_quotients
from .judge import Judgement, replays
from .null_space_step import ONE, ZERO, Matrix, Vector, applied, dot, product, transposed
from .pivot import choose
from .sampling.numeric_replay import NumericReplay
from .sampling.point import Point
from .stage import Stage

if TYPE_CHECKING:
    from .chain import Chain

TIDY_LIMIT = 200  # expanded terms of the entries of a matrix, up to which it is tidied


def next_stage(chain: Chain, rows: ConstraintRows, judgement: Judgement, satisfied: bool) -> tuple[Stage, list[Point]]:
    """The next stage, and the points at which all its pivots can be divided by.

    One step per row with news: D <- D H, gamma <- gamma - e (J gamma + g0); then C = D^T A and f = D^T h.
    """
    D, gamma = chain.D, chain.gamma
    d = None if rows.b0 is None else chain.d
    shadows = replays(chain, rows, judgement.points)
    anywhere = replays(chain, rows, chain.anywhere)[:1]
    beta = [
        _beta(J, D, shadows, anywhere) if number in judgement.news else [ZERO] * len(D[0])
        for number, J in enumerate(rows.inside_G)
    ]
    H = unit(len(D[0]))
    pivots: list[tuple[int, int, Any]] = []
    for number in judgement.news:
        J = rows.inside_G[number]
        here = _beta(J, D, shadows, anywhere)
        p, shadows = _pivot(chain, rows, here, J, shadows, pivots)
        for shadow in (*shadows, *anywhere):
            values = shadow.point.numbers(J)
            shadow.accept(rows.name, number, values, shadow.beta(values), p)
        e = _direction(chain.choice, D, here, p)
        gamma = _corrected(gamma, e, J, rows.inside_g0[number])
        if d is not None and rows.b0 is not None:  # positions and velocities bound linearly, by all constraints so far
            d = _corrected(d, e, J, rows.b0[number])
        D, H = _tidied(applied(D, chain.choice, here, p)), applied(H, chain.choice, here, p)
        pivots.append((number, p, here[p]))
    # H^T C and H^T f of Algorithm 2, from the D that is tidy already.
    motions = transposed(D, len(D[0]))
    C, f = product(motions, chain.A), [dot(motion, chain.h) for motion in motions]
    programs = tuple(row.name for row in (*chain.rows, rows) if row.drives)
    verdict, changes = judgement.verdict, judgement.changes
    stage = Stage(chain.engine, rows, verdict, beta, H, D, C, f, gamma, d, tuple(pivots), changes, satisfied, programs)
    return stage, [shadow.point for shadow in shadows]


def unit(n: int) -> Matrix:
    """The unit matrix."""
    return [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]


def _beta(J: Sequence[Any], D: Matrix, shadows: Sequence[NumericReplay], anywhere: Sequence[NumericReplay]) -> Vector:
    """J D; an entry is written as zero if it vanishes on the constraints and off them."""
    seen = [s.beta(s.point.numbers(J)) for s in (*shadows, *anywhere)]
    zeros = [bool(anywhere) and all(b[k] == 0 for b in seen) for k in range(len(D[0]))]
    return tidy_quotients([ZERO if z else dot(J, [row[k] for row in D]) for k, z in enumerate(zeros)], TIDY_LIMIT)


def _pivot(
    chain: Chain, rows: ConstraintRows, beta: Vector, J: Sequence[Any], shadows: list[NumericReplay], pivots: list[Any]
) -> tuple[int, list[NumericReplay]]:
    """The pivot that serves at most of the points, and those points.

    Where constraints hold on several surfaces that meet, x y = 0, no pivot serves on all of them.
    """
    seen = [s.beta(s.point.numbers(J)) for s in shadows]
    serves = [[s for s, b in zip(shadows, seen, strict=True) if s.can_pivot(b, k)] for k in range(len(beta))]
    possible = [k for k in range(len(beta)) if beta[k] != 0 and not _is_kept(chain, pivots, k)]
    most = max((len(serves[k]) for k in possible), default=0)
    if most == 0:
        raise LienketError(_cannot_keep(chain, rows))
    motion = {chain.engine.t, *chain.engine.q, *chain.engine.v, *chain.engine.a}
    p = choose(beta, [k for k in possible if len(serves[k]) == most], motion)
    return p, serves[p]


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
    """The e with J e = 1 inside the freedoms of D."""
    if choice == "pivot":
        return [row[p] / beta[p] if row[p] != 0 else ZERO for row in D]
    square = dot(beta, beta)
    return [dot(row, beta) / square for row in D]


def _corrected(x: Vector, e: Vector, J: Sequence[Any], constant: Any) -> Vector:
    """The vector x - e (J x + constant), which satisfies the row as well."""
    misfit = dot(J, x) + constant
    return tidy_quotients([a - b * misfit for a, b in zip(x, e, strict=True)], TIDY_LIMIT / 2)


def _tidied(rows: Matrix) -> Matrix:
    flat = iter(tidy_quotients([e for row in rows for e in row], TIDY_LIMIT))
    return [[next(flat) for _ in row] for row in rows]
