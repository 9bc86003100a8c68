"""Check of emitted accelerations against their constraints: G a + g0 must vanish up to rounding of its terms.

The pivots of an elimination may all be large although digits are lost in the right sides: with a force of 1e12 on a
mass of 1 that is glued to one of 1e12, the acceleration 1 of the light mass is the difference of two numbers 1e12. The
residual of the row shows it. The code requires, row by row,

    (G a + g0)^2  <=  TERM_ROUNDING^2 sum (G_i a_i)^2  +  MOTION_ROUNDING^2 d sum A_ii a_i^2

with the pivot d of the row, at most G A^-1 G^T. On the constraint |G a| <= sqrt(G A^-1 G^T) |a| in the metric of
A, so that the second term is the rounding of the motion as a whole: it accepts a row whose terms are all small, as that
of a guide across the motion. Where a row fails, the robust kernel solves.

A row with a single entry, a number, prescribes one acceleration: that is written instead of the computed one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..graph.graph import Graph
from ..residual_limits import MOTION_ROUNDING, TERM_ROUNDING
from .saddle_elimination import Matrix, SolutionNodes


def checked_by_residuals(
    graph: Graph, solution: SolutionNodes, A: Matrix, G: Matrix, g0: Sequence[int]
) -> SolutionNodes:
    """Return the solution with prescribed accelerations written exactly, and with a condition for every other row."""
    depth, graph.factor_depth = graph.factor_depth, 0  # terms of the residual must not be joined with the solution
    entries = [{i: x for i, x in enumerate(row) if x != graph.zero} for row in G]
    prescribed = _prescribed(graph, entries, g0)
    a = [prescribed.get(i, x) for i, x in enumerate(solution.accelerations)]
    motion = graph.sum(
        graph.product(A[i][i], graph.product(x, x)) for i, x in enumerate(a) if graph.zero not in (A[i][i], x)
    )
    conditions = []
    for k, row in enumerate(entries):
        if len(row) == 1 and prescribed.keys() >= row.keys():
            continue
        terms = [graph.product(x, a[i]) for i, x in row.items()]
        residual = graph.sum([*terms, g0[k]])
        sizes = graph.sum(graph.product(x, x) for x in terms)
        whole = graph.scale(MOTION_ROUNDING**2, graph.product(solution.sizes[k], motion))
        allowed = graph.add(graph.scale(TERM_ROUNDING**2, sizes), whole)
        conditions.append(graph.compare("less_equal", graph.product(residual, residual), allowed))
    graph.factor_depth = depth
    return replace(solution, accelerations=tuple(a), conditions=(*solution.conditions, *conditions))


def _prescribed(graph: Graph, entries: Sequence[Mapping[int, int]], g0: Sequence[int]) -> dict[int, int]:
    """Return the accelerations that rows with a single entry, a number, prescribe: -g0/G by coordinate."""
    found: dict[int, int] = {}
    for k, row in enumerate(entries):
        for i, x in row.items():
            if len(row) == 1 and graph.operation[x] == "constant" and i not in found:
                found[i] = graph.scale(-1.0 / float(graph.data[x]), g0[k])
    return found
