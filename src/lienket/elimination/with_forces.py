"""A chain under further forces: A q'' = h + c + r and C q'' = f + D^T c. The constraints and their verdicts stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .chain import Chain
from .null_space_step import Vector, dot, transposed
from .sampling.point import completed


def with_forces(chain: Chain, forces: Sequence[Any]) -> Chain:
    """The chain with c (n, SymPy) beside h, which may bring in parameters of its own."""
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
        points=tuple(completed(point, new, k) for k, point in enumerate(chain.points)),
        anywhere=tuple(completed(point, new, k) for k, point in enumerate(chain.anywhere)),
    )


def projected(chain: Chain, c: Vector) -> Vector:
    """D^T c: a force on the motions left free."""
    return [dot(column, c) for column in transposed(chain.D, chain.freedom)]
