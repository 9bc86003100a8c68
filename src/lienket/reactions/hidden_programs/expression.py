"""Simplification of the expression of a hidden program, and its level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import symengine as se

from ...constraints import lower
from ...elimination.chain import Chain
from ...elimination.judge import replays
from ...elimination.null_space_step import ZERO
from ...elimination.sampling.on_constraints import points_on
from ...elimination.sampling.point import OutsideDomain, Point
from ...language.expression import EngineExpression, EngineSymbol
from ...language.simplify.factors import factors
from ...language.simplify.quotient import tidy_quotients
from ...model.constraint import LEVELS, Constraint


def readable(chain: Chain, phi: EngineExpression, laws: Mapping[EngineSymbol, EngineExpression]) -> EngineExpression:
    """Return the expression without denominators, constant factors, and factors that never vanish on the constraints.

    The symbols of `laws` are replaced by the laws last.
    """
    (phi,) = tidy_quotients([phi])
    if phi == 0:
        return phi
    engine = chain.engine
    moving = {engine.t, *engine.q, *engine.v, *laws}
    powers = {b: k for b, k in factors(phi)[1].items() if k > 0 and (b.is_Add or not moving.isdisjoint(b.free_symbols))}
    bases = [tidy_quotients([base])[0].subs(laws) for base in powers]
    if len(bases) > 1:
        bases = [e for e in bases if _can_vanish(chain, e)] or bases
    return se.Mul(*bases)


def _can_vanish(chain: Chain, factor: EngineExpression) -> bool:
    """Return whether a factor is zero somewhere on the constraints and programs so far."""
    engine = chain.engine
    if factor.free_symbols.isdisjoint({*engine.q, *engine.v}):
        return True
    level = int(not factor.free_symbols.isdisjoint(engine.v))
    row = lower(Constraint("factor", LEVELS[level], level, (engine.outward(factor),)), engine.fork())
    given, rows = dict(chain.given), (*chain.rows, row)
    return bool(points_on(rows, engine, chain.parameters, chain.points, rounded=chain.rounded, given=given))


def is_zero(point: Point, phi: EngineExpression) -> bool:
    """Return whether phi vanishes at a point or has no real value there."""
    try:
        return bool(abs(float(point.number(phi))) <= point.tolerance * point.size(phi))
    except OutsideDomain:
        return True


def lowest_level(chain: Chain, phi: EngineExpression) -> tuple[EngineExpression, int]:
    """Return phi and its level; velocities in phi that do not change its value on the constraints are replaced.

    If phi has one value for all velocities v = D x + d on the constraints, v = d is substituted.
    """
    moving = [v for v in chain.engine.v if v in phi.free_symbols]
    if not moving:
        return phi, 0
    if chain.d is None or any(not row.velocity for row in chain.rows):
        return phi, 1
    slope = [chain.engine.derivative(phi, v) for v in chain.engine.v]
    probe = replace(chain.rows[-1], inside_G=(tuple(slope),), inside_g0=(ZERO,), position=(), velocity=())
    replayed = replays(chain, probe, chain.points)
    if not replayed or any(b != 0 for r in replayed for b in r.beta(r.point.numbers(slope))):
        return phi, 1
    (phi,) = tidy_quotients([phi.subs(dict(zip(chain.engine.v, chain.d, strict=True)))])
    return readable(chain, phi, {}), 0
