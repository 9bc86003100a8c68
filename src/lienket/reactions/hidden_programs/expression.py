"""The expression of a hidden program as it should read, and whether velocities matter in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import symengine as se

from ...constraints import lower
from ...elimination.chain import Chain
from ...elimination.judge import replays
from ...elimination.null_space_step import ZERO
from ...elimination.sampling.on_constraints import points_on
from ...elimination.sampling.point import OutsideDomain, Point
from ...language.simplify.factors import factors
from ...language.simplify.quotient import tidy_quotients
from ...model.constraint import LEVELS, Constraint


def readable(chain: Chain, phi: Any, laws: Mapping[Any, Any]) -> Any:
    """The expression without denominators, numbers, parameters as factors, and factors that vanish nowhere it matters.

    `laws` are put in for their symbols last.
    """
    (phi,) = tidy_quotients([phi])
    if phi == 0:
        return phi
    engine = chain.engine
    moving = {engine.t, *engine.q, *engine.v, *laws}
    powers = {b: k for b, k in factors(phi)[1].items() if k > 0 and (b.is_Add or not moving.isdisjoint(b.free_symbols))}
    found = [tidy_quotients([base])[0].subs(laws) for base in powers]
    if len(found) > 1:
        found = [e for e in found if _can_vanish(chain, e)] or found
    return se.Mul(*found)


def _can_vanish(chain: Chain, factor: Any) -> bool:
    """Whether a factor is zero anywhere on the constraints and programs so far."""
    engine = chain.engine
    if factor.free_symbols.isdisjoint({*engine.q, *engine.v}):
        return True
    level = int(not factor.free_symbols.isdisjoint(engine.v))
    row = lower(Constraint("factor", LEVELS[level], level, (engine.outward(factor),)), engine.fork())
    return bool(points_on((*chain.rows, row), engine, chain.parameters, chain.points, rounded=chain.rounded))


def is_zero(point: Point, phi: Any) -> bool:
    """Whether phi vanishes at a point, or has no value there."""
    try:
        return bool(abs(float(point.number(phi))) <= point.small * point.size(phi))
    except OutsideDomain:
        return True


def lowest_level(chain: Chain, phi: Any) -> tuple[Any, int]:
    """The expression and its level; velocities that stand in it but do not matter on the constraints are replaced.

    All velocities v = D x + d on the constraints give the same phi then, so those of x = 0 do.
    """
    moving = [v for v in chain.engine.v if v in phi.free_symbols]
    if not moving:
        return phi, 0
    if chain.d is None or any(not row.velocity for row in chain.rows):
        return phi, 1
    slope = [chain.engine.derivative(phi, v) for v in chain.engine.v]
    probe = replace(chain.rows[-1], inside_G=(tuple(slope),), inside_g0=(ZERO,), position=(), velocity=())
    shadows = replays(chain, probe, chain.points)
    if not shadows or any(b != 0 for s in shadows for b in s.beta(s.point.numbers(slope))):
        return phi, 1
    (found,) = tidy_quotients([phi.subs(dict(zip(chain.engine.v, chain.d, strict=True)))])
    return readable(chain, found, {}), 0
