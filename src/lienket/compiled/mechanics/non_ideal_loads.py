"""What is not ideal in the equations, for kernels: forces whose sizes follow from the solution itself.

    A a = h + G^T lambda + sum c_j x_j + E u,        c_j = share_j lambda_j,        lambda = 0 in the rows of programs
                                                     that are kept,  P a + p0 = 0 for programs that are followed

The function `loads` writes, one after another (F contacts with friction, p drives, k rows of programs that are kept, m
of programs that are followed):

    counts (4)   F, p, k, m
    rows (F), shares (F), directions x_j (F n)
    drives E (p n), weights (p), least (p), most (p)
    kept (k)     which of the s rows these are
    P (m n), p0 (m) with the feedback of errors: g0 + k_d e' + k_p e
"""

from __future__ import annotations

from ...foundation.frozen_dataclass import dataclass
from .equations import Mechanics, RowNodes
from .statement_nodes import ConstraintNodes

Named = list[tuple[str, list[int]]]


@dataclass(frozen=True)
class Frictional:
    """A contact with friction: the row that drives it, the share and the direction (n) of its push."""

    row: int
    share: int
    direction: tuple[int, ...]


def frictional(m: Mechanics) -> list[Frictional]:
    """The contacts with friction, in order."""
    found, row = [], 0
    for c in m.stated.constraints:
        if c.direction and c.share != m.graph.zero:
            found.append(Frictional(row, c.share, c.direction))
        row += len(c)
    return found


def loads(m: Mechanics) -> Named | None:
    """The nodes by what they are; None if everything is ideal."""
    graph, contacts, every = m.graph, frictional(m), (*m.stated.constraints, *m.stated.followed)
    drives = [(E, limits) for c in every for (_, E), limits in zip(c.drives, c.following, strict=True)]
    if not contacts and not drives:
        return None
    kept: list[int] = []
    row = 0
    for c in m.stated.constraints:
        kept += range(row, row + len(c)) if c.kind == "program" else ()
        row += len(c)
    wanted = [x for program, rows in zip(m.stated.followed, m.followed, strict=True) for x in _wanted(m, program, rows)]
    P = [x for rows in m.followed for row_of_G in rows.G for x in row_of_G]
    counts = (len(contacts), len(drives), len(kept), len(wanted))
    return [
        ("counts", [graph.constant(float(x)) for x in counts]),
        ("rows", [graph.constant(float(c.row)) for c in contacts]),
        ("shares", [c.share for c in contacts]),
        ("directions", [x for c in contacts for x in c.direction]),
        ("drives", [x for E, _ in drives for x in E]),
        *((name, [limits[k] for _, limits in drives]) for k, name in enumerate(("weights", "least", "most"))),
        ("kept", [graph.constant(float(k)) for k in kept]),
        ("P", P),
        ("p0", wanted),
    ]


def _wanted(m: Mechanics, program: ConstraintNodes, rows: RowNodes) -> list[int]:
    """g0 of a followed program with its feedback."""
    graph = m.graph
    if not program.gains:
        return list(rows.g0)
    by_error, by_rate = program.gains
    errors = rows.position or (graph.zero,) * len(rows)
    terms = zip(rows.g0, rows.velocity, errors, strict=True)
    return [graph.sum([g, graph.product(by_rate, e1), graph.product(by_error, e)]) for g, e1, e in terms]
