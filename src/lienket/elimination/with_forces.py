"""Chain with additional forces: A q'' = h + c + r and C q'' = f + D^T c. Constraints and verdicts are unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..language.expression import Expression
from .chain import Chain
from .null_space_step import Vector, dot, transposed
from .sampling.point import with_parameters


def with_forces(chain: Chain, forces: Sequence[Expression]) -> Chain:
    """Return the chain with h + c in place of h; c (n, SymPy) may contain new parameters."""
    engine = chain.engine.fork()
    c = [engine.inward(e) for e in forces]
    motion = {engine.t, *engine.q, *engine.v, *engine.a}
    new = {s for e in c for s in e.free_symbols} - motion - set(chain.parameters)
    stages = chain.stages
    if stages:
        f = [x + y for x, y in zip(chain.f, projected(chain, c), strict=True)]
        stages = (*stages[:-1], replace(stages[-1], engine=engine, inside_f=f))
    return replace(
        chain,
        engine=engine,
        h=[x + y for x, y in zip(chain.h, c, strict=True)],
        parameters=tuple(sorted({*chain.parameters, *new}, key=str)),
        stages=stages,
        points=tuple(with_parameters(point, new, k) for k, point in enumerate(chain.points)),
        generic_points=tuple(with_parameters(point, new, k) for k, point in enumerate(chain.generic_points)),
    )


def projected(chain: Chain, c: Vector) -> Vector:
    """Return D^T c, the projection of a force onto the free motions."""
    return [dot(column, c) for column in transposed(chain.D, chain.freedom)]
