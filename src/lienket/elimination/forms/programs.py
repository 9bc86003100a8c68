"""Programs among the equations: what drives keep or work towards, and what they can do (theory 10)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Line, accelerations, added, column, combination, matrix
from .remarks import Remark


def program_lines(chain: Chain, constraints: tuple[Constraint, ...]) -> tuple[Line, ...]:
    """A program that is kept as it was stated; one that may be missed by what its drives work for.

    e'' + k_d e' + k_p e = 0,      e'' = G q'' + g0
    """
    lines: list[Line] = []
    for constraint, row in zip(constraints, chain.rows, strict=True):
        if not constraint.drives:
            continue
        if not constraint.following.may_deviate:
            lines += [(e, sp.S.Zero) for e in constraint.expressions]
            continue
        G, g0 = matrix(chain, row.inside_G, len(chain.h)), column(chain, row.inside_g0)
        for k in range(len(row)):
            asked = added(combination(G.row(k), accelerations(chain)), g0[k])
            answer = _answer(chain, constraint, row.velocity[k : k + 1], row.position[k : k + 1])
            lines.append((added(asked, answer), sp.S.Zero))
    return tuple(lines)


def _answer(chain: Chain, constraint: Constraint, rate: Any, error: Any) -> Any:
    """k_d e' + k_p e; the gains stand before errors in parentheses."""
    if constraint.following.gains is None:
        return sp.S.Zero
    by_error, by_rate = constraint.following.gains
    answers = [(gain, column(chain, e)[0]) for gain, e in ((by_rate, rate), (by_error, error)) if len(e) and gain != 0]
    first, *more = [sp.Mul(gain, e, evaluate=False) if gain != 1 else e for gain, e in answers] or [sp.S.Zero]
    return added(first, more[0]) if more else first


def program_remarks(constraints: tuple[Constraint, ...]) -> tuple[Remark, ...]:
    """How drives are shared where there are more than programs, and between which bounds they stay."""
    programs = [c for c in constraints if c.drives]
    drives = [(sp.Symbol(name), c, k) for c in programs for k, (name, _) in enumerate(c.drives)]
    remarks: list[Remark] = []
    if len(drives) > sum(len(c.expressions) for c in programs):
        weights = [c.following.weights[k] if c.following.weights else sp.S.One for _, c, k in drives]
        cost = combination(weights, [u**2 for u, _, _ in drives])
        remarks.append(("Of all drives that do this, those are taken for which ", cost, " is least."))
    limits: list[Any] = []
    for u, c, k in drives:
        least, most = c.following.bounds[k] if c.following.bounds else (None, None)
        limits += [", ", (u, ">=", least)] if least is not None else []
        limits += [", ", (u, "<=", most)] if most is not None else []
    if limits:
        missed = "; where that stops the drives, programs are missed by as little as can be."
        remarks.append(("Bounds: ", *limits[1:], missed))
    return tuple(remarks)
