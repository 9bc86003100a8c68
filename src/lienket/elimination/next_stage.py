"""Elimination of one constraint: each independent row removes one degree of freedom (theory 4, steps 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..language.expression import EngineExpression
from ..language.simplify.quotient import tidy_quotients
from .judge import Judgement, replays
from .null_space_step import ONE, ZERO, Matrix, Vector, dot, product, reduced_basis, transposed
from .pivot import choose_pivot
from .sampling.numeric_replay import Replay
from .sampling.point import Point
from .stage import Pivot, Stage

if TYPE_CHECKING:
    from .chain import Chain

STAGE_TERMS_LIMIT = 200  # [terms] expanded terms of a matrix of a stage up to which it is simplified


def next_stage(chain: Chain, rows: ConstraintRows, judgement: Judgement, satisfied: bool) -> tuple[Stage, list[Point]]:
    """Return the next stage and the points at which none of its pivots vanishes.

    For each independent row: D <- D H, gamma <- gamma - e (J gamma + g0); then C = D^T A and f = D^T h.
    """
    D, gamma = chain.D, chain.gamma
    d = None if rows.b0 is None else chain.d
    on_rows = replays(chain, rows, judgement.points)
    off_rows = replays(chain, rows, chain.generic_points)[:1]
    beta = [
        _beta(J, D, on_rows, off_rows) if number in judgement.new_rows else [ZERO] * len(D[0])
        for number, J in enumerate(rows.inside_G)
    ]
    H = unit(len(D[0]))
    pivots: list[Pivot] = []
    for number in judgement.new_rows:
        J = rows.inside_G[number]
        reduced = _beta(J, D, on_rows, off_rows)
        p, on_rows = _pivot(chain, rows, reduced, J, on_rows, pivots)
        for replayed in (*on_rows, *off_rows):
            values = replayed.point.numbers(J)
            replayed.accept(rows.name, number, values, replayed.beta(values), p)
        e = _direction(chain.choice, D, reduced, p)
        gamma = _corrected(gamma, e, J, rows.inside_g0[number])
        if d is not None and rows.b0 is not None:  # all constraints so far are linear in the velocities
            d = _corrected(d, e, J, rows.b0[number])
        D, H = _tidied(reduced_basis(D, chain.choice, reduced, p)), reduced_basis(H, chain.choice, reduced, p)
        pivots.append((number, p, reduced[p]))
    # H^T C and H^T f of Algorithm 2, computed from the D that is simplified already.
    motions = transposed(D, len(D[0]))
    C, f = product(motions, chain.A), [dot(motion, chain.h) for motion in motions]
    programs = tuple(row.name for row in (*chain.rows, rows) if row.drives)
    verdict, changes = judgement.verdict, judgement.changes
    stage = Stage(chain.engine, rows, verdict, beta, H, D, C, f, gamma, d, tuple(pivots), changes, satisfied, programs)
    return stage, [replayed.point for replayed in on_rows]


def unit(n: int) -> Matrix:
    """Return the unit matrix."""
    return [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]


def _beta(J: Sequence[EngineExpression], D: Matrix, on_rows: Sequence[Replay], off_rows: Sequence[Replay]) -> Vector:
    """Return beta = J D; an entry is set to zero if it vanishes on the constraints and off them."""
    values = [s.beta(s.point.numbers(J)) for s in (*on_rows, *off_rows)]
    zeros = [bool(off_rows) and all(b[k] == 0 for b in values) for k in range(len(D[0]))]
    return tidy_quotients(
        [ZERO if z else dot(J, [row[k] for row in D]) for k, z in enumerate(zeros)], STAGE_TERMS_LIMIT
    )


def _pivot(
    chain: Chain,
    rows: ConstraintRows,
    beta: Vector,
    J: Sequence[EngineExpression],
    on_rows: list[Replay],
    pivots: list[Pivot],
) -> tuple[int, list[Replay]]:
    """Return the pivot that is nonzero at most of the points, and those points.

    On constraints that hold on several intersecting surfaces, such as x y = 0, no pivot is nonzero on all of them.
    """
    values = [s.beta(s.point.numbers(J)) for s in on_rows]
    usable = [[s for s, b in zip(on_rows, values, strict=True) if s.can_pivot(b, k)] for k in range(len(beta))]
    allowed = [k for k in range(len(beta)) if beta[k] != 0 and not _is_independent(chain, pivots, k)]
    most = max((len(usable[k]) for k in allowed), default=0)
    if most == 0:
        raise LienketError(_no_pivot_message(chain, rows))
    motion = {chain.engine.t, *chain.engine.q, *chain.engine.v, *chain.engine.a}
    p = choose_pivot(beta, [k for k in allowed if len(usable[k]) == most], motion)
    return p, usable[p]


def _is_independent(chain: Chain, pivots: list[Pivot], column: int) -> bool:
    """Return whether the column belongs to a coordinate that must stay independent."""
    indices = chain.free_coordinates
    for _, p, _ in pivots:
        del indices[p]
    return indices[column] in chain.independent


def _no_pivot_message(chain: Chain, rows: ConstraintRows) -> str:
    """Return the error message for a constraint without a usable pivot."""
    names = ", ".join(str(chain.engine.q[i]) for i in sorted(chain.independent))
    if not names:
        return f"No coordinate can be eliminated by {rows.name!r}: every pivot vanishes somewhere on the constraints."
    return (
        f"The coordinates {names} cannot all be independent: {rows.name!r} relates them to each other and contains no "
        "other coordinate that it could determine. Leave one of them out."
    )


def _direction(choice: str, D: Matrix, beta: Vector, p: int) -> Vector:
    """Return the direction e in the column space of D with J e = 1."""
    if choice == "pivot":
        return [row[p] / beta[p] if row[p] != 0 else ZERO for row in D]
    square = dot(beta, beta)
    return [dot(row, beta) / square for row in D]


def _corrected(x: Vector, e: Vector, J: Sequence[EngineExpression], constant: EngineExpression) -> Vector:
    """Return x - e (J x + constant), which satisfies the row J x + constant = 0."""
    misfit = dot(J, x) + constant
    return tidy_quotients([a - b * misfit for a, b in zip(x, e, strict=True)], STAGE_TERMS_LIMIT / 2)


def _tidied(rows: Matrix) -> Matrix:
    flat = iter(tidy_quotients([e for row in rows for e in row], STAGE_TERMS_LIMIT))
    return [[next(flat) for _ in row] for row in rows]
