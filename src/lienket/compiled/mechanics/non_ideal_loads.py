"""Friction and drives in the equations, for the kernels: forces whose magnitudes follow from the solution.

    A a = h + G^T lambda + sum c_j x_j + E u,        c_j = share_j lambda_j
    lambda = 0 in the rows of programs that hold exactly
    P a + p0 = 0 for programs that the motion may deviate from

The function `loads` writes, one after another (F contacts with friction, p drives, k rows of programs that hold
exactly, m rows of programs that the motion may deviate from):

    counts (4)   F, p, k, m
    rows (F), shares (F), directions x_j (F n)
    drives E (p n), weights (p), least (p), most (p)
    kept (k)     indices of the k rows among the s rows
    P (m n), p0 (m) with the feedback of errors: g0 + k_d e' + k_p e
"""

from __future__ import annotations

from ...foundation.frozen_dataclass import dataclass
from .equations import Mechanics, RowNodes
from .statement_nodes import ConstraintNodes

Named = list[tuple[str, list[int]]]


@dataclass(frozen=True)
class Frictional:
    """Contact with friction: force share lambda direction (n), with lambda of the row of its normal force."""

    row: int
    share: int
    direction: tuple[int, ...]


def frictional(m: Mechanics) -> list[Frictional]:
    """Return the contacts with friction, in order."""
    contacts, row = [], 0
    for c in m.nodes.constraints:
        if c.direction and c.share != m.graph.zero:
            contacts.append(Frictional(row, c.share, c.direction))
        row += len(c)
    return contacts


def loads(m: Mechanics) -> Named | None:
    """Return the blocks of `loads` by name; None for an ideal system."""
    graph, contacts, every = m.graph, frictional(m), (*m.nodes.constraints, *m.nodes.followed)
    drives = [(E, limits) for c in every for (_, E), limits in zip(c.drives, c.drive_limits, strict=True)]
    if not contacts and not drives:
        return None
    exact: list[int] = []
    row = 0
    for c in m.nodes.constraints:
        exact += range(row, row + len(c)) if c.kind == "program" else ()
        row += len(c)
    programs = zip(m.nodes.followed, m.followed, strict=True)
    p0 = [x for program, rows in programs for x in _with_feedback(m, program, rows)]
    P = [x for rows in m.followed for row_of_G in rows.G for x in row_of_G]
    counts = (len(contacts), len(drives), len(exact), len(p0))
    return [
        ("counts", [graph.constant(float(x)) for x in counts]),
        ("rows", [graph.constant(float(c.row)) for c in contacts]),
        ("shares", [c.share for c in contacts]),
        ("directions", [x for c in contacts for x in c.direction]),
        ("drives", [x for E, _ in drives for x in E]),
        *((name, [limits[k] for _, limits in drives]) for k, name in enumerate(("weights", "least", "most"))),
        ("kept", [graph.constant(float(k)) for k in exact]),
        ("P", P),
        ("p0", p0),
    ]


def _with_feedback(m: Mechanics, program: ConstraintNodes, rows: RowNodes) -> list[int]:
    """Return g0 + k_d e' + k_p e of a program that the motion may deviate from."""
    graph = m.graph
    if not program.gains:
        return list(rows.g0)
    error_gain, rate_gain = program.gains
    errors = rows.position or (graph.zero,) * len(rows)
    terms = zip(rows.g0, rows.velocity, errors, strict=True)
    return [graph.sum([g, graph.product(rate_gain, e1), graph.product(error_gain, e)]) for g, e1, e in terms]
