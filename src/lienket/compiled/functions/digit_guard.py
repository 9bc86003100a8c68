"""Check that emitted accelerations have their digits, from numbers that the elimination has anyway.

The pivots may all be large although digits are lost in the right sides: with a force of 1e12 on a mass of 1 that is
glued to one of 1e12, the acceleration 1 of the light mass is the difference of two numbers 1e12. With the right side r
of each coordinate when it is the pivot d,

    e = sum r^2/d  =  h^T A^-1 h        where coordinates are eliminated first

is the square of the accelerations without constraints, in the metric of A. Those under the constraints, a, are what is
left of them. Their rounding errors are those of sqrt(e), so the code requires

    e  <=  MOST_CANCELLATION  sum A_ii a_i^2

and a has all but two of its digits in that metric. A light coordinate beside a heavy one that moves as fast has a small
part of this sum, and loses half as many digits as their inertias differ by. The check takes three operations a
coordinate; the residuals G a + g0 would take four times as many. Where it fails nothing is wrong yet: forces nearly
balance, as in slow motions, and the kernels compare G a + g0 with its terms (`kernels.native.row_residuals`).

A row with a single entry prescribes one acceleration: that is written instead of the computed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..graph.graph import Graph
from .saddle_elimination import Matrix, SolutionNodes

MOST_CANCELLATION = 1e4  # [1] square of free accelerations relative to those under constraints, in the metric of A


def with_prescribed(graph: Graph, solution: SolutionNodes, G: Matrix, g0: Sequence[int]) -> SolutionNodes:
    """Return the solution with the accelerations that rows with a single entry prescribe: -g0/G."""
    a = list(solution.accelerations)
    prescribed: set[int] = set()
    for k, row in enumerate(G):
        entries = [i for i, x in enumerate(row) if x != graph.zero]
        if len(entries) == 1 and entries[0] not in prescribed:
            prescribed.add(entries[0])
            a[entries[0]] = graph.scale(-1.0, graph.divide(g0[k], row[entries[0]]))
    return replace(solution, accelerations=tuple(a))


def digit_conditions(graph: Graph, solution: SolutionNodes, A: Matrix) -> tuple[int, ...]:
    """Return the condition for the digits of the accelerations; none without constraints."""
    if not solution.multipliers:
        return ()
    depth, graph.factor_depth = graph.factor_depth, 0
    known = sorted((a, i) for i, a in enumerate(solution.accelerations))  # the sum ends with what is known last
    motion = graph.sum([graph.product(graph.product(A[i][i], a), a) for a, i in known])
    free = graph.sum(solution.free)
    graph.factor_depth = depth
    return (graph.compare("less_equal", free, graph.scale(MOST_CANCELLATION, motion)),)
