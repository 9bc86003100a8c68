"""Programs in the equations: exact or with feedback, and the bounds and weights of their drives (theory 10)."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ...language.expression import EngineExpression, Expression
from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Line, accelerations, column, combination, matrix, unevaluated_sum
from .remarks import Remark, RemarkPart


def program_lines(chain: Chain, constraints: tuple[Constraint, ...]) -> tuple[Line, ...]:
    """Return the lines of programs: as stated if exact; with feedback, the error equation that the drives impose.

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
            acceleration = unevaluated_sum(combination(G.row(k), accelerations(chain)), g0[k])
            feedback = _feedback(chain, constraint, row.velocity[k : k + 1], row.position[k : k + 1])
            lines.append((unevaluated_sum(acceleration, feedback), sp.S.Zero))
    return tuple(lines)


def _feedback(
    chain: Chain, constraint: Constraint, rate: Sequence[EngineExpression], error: Sequence[EngineExpression]
) -> Expression:
    """Return k_d e' + k_p e, unevaluated: each gain times its error in parentheses."""
    if constraint.following.gains is None:
        return sp.S.Zero
    k_p, k_d = constraint.following.gains
    terms = [(gain, column(chain, e)[0]) for gain, e in ((k_d, rate), (k_p, error)) if len(e) and gain != 0]
    first, *more = [sp.Mul(gain, e, evaluate=False) if gain != 1 else e for gain, e in terms] or [sp.S.Zero]
    return unevaluated_sum(first, more[0]) if more else first


def program_remarks(constraints: tuple[Constraint, ...]) -> tuple[Remark, ...]:
    """Return remarks on the allocation of drives, if there are more drives than programs, and on their bounds."""
    programs = [c for c in constraints if c.drives]
    drives = [(sp.Symbol(name), c, k) for c in programs for k, (name, _) in enumerate(c.drives)]
    remarks: list[Remark] = []
    if len(drives) > sum(len(c.expressions) for c in programs):
        weights = [c.following.weights[k] if c.following.weights else sp.S.One for _, c, k in drives]
        cost = combination(weights, [u**2 for u, _, _ in drives])
        remarks.append(("Of all drives that satisfy the programs, those with the smallest ", cost, " are chosen."))
    limits: list[RemarkPart] = []
    for u, c, k in drives:
        least, most = c.following.bounds[k] if c.following.bounds else (None, None)
        limits += [", ", (u, ">=", least)] if least is not None else []
        limits += [", ", (u, "<=", most)] if most is not None else []
    if limits:
        saturated = "; when a drive is at a bound, the error of the programs is minimized."
        remarks.append(("Bounds: ", *limits[1:], saturated))
    return tuple(remarks)
