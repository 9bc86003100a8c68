"""Result of a check: numbers of freedom, redundant rows with proposals, loops, floating bodies, warnings."""

from __future__ import annotations

from collections.abc import Iterator

from ...foundation.assessment import table
from ...foundation.frozen_dataclass import dataclass
from .proposals import Proposal

ALWAYS, HERE = "always", "only at this position"


@dataclass(frozen=True)
class Redundancy:
    """Row that adds no rank to the rows before it.

    Attributes
    ----------
    joint : str
        Joint or element that the row belongs to.
    row : str
        What the row holds, such as "force along z" or "turn about x", in the axes of the joint's first place.
    depends_on : tuple of str
        Joints and elements that hold it already, all together.
    where : str
        "always", "only at this position", or empty where no neighbouring position is there to compare.
    proposal : str
        Change that removes a redundant row and keeps the rank; empty if none was found.
    """

    joint: str
    row: str
    depends_on: tuple[str, ...]
    where: str
    proposal: str

    def __str__(self) -> str:
        partners = ", ".join(map(repr, self.depends_on))
        parts = [f"{self.joint!r}, {self.row}: held already" + (f" by {partners}" if partners else "")]
        parts += [self.where] if self.where else []
        parts += [f"proposal: {self.proposal}"] if self.proposal else []
        return "; ".join(parts)


@dataclass(frozen=True)
class Loop:
    """Loop that a joint closes: the joint that is cut, and bodies and joints around the loop, in order.

    The bodies begin with the first body of the cut joint; the joints lie between them, the cut one comes last.
    """

    cut: str
    bodies: tuple[str, ...]
    joints: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.cut!r} closes {' - '.join(self.bodies)}"


@dataclass(frozen=True)
class MechanismCheck:
    """What `Mechanism.check` finds; it prints as a table.

    Attributes
    ----------
    name : str
        Name of the mechanism.
    planar : bool
        Whether it is planar.
    bodies, rows : int
        Number of bodies without the ground, and of all rows of joints and elements.
    gruebler : int
        Count 3 bodies - rows (Gruebler), in space 6 bodies - rows (Kutzbach).
    freedom : int or None
        True freedom n - rank G at the assembled position; None if the mechanism cannot be assembled.
        `gruebler` + number of redundant rows = `freedom`.
    freedom_nearby : int or None
        Freedom at neighbouring positions; None if there are none.
    redundant : tuple of Redundancy
        The redundant rows, in order of statement.
    proposals : tuple of Proposal
        Changes that together remove redundant rows and keep the freedom.
    loops : tuple of Loop
        Loops, one for each joint that is cut.
    floating : tuple of str
        Bodies that nothing connects to the ground; they count as free.
    warnings : tuple of str
        Sentences on bodies without inertia, singular positions and the like.
    problem : str
        Why the mechanism cannot be assembled; empty if it can.
    """

    name: str
    planar: bool
    bodies: int
    rows: int
    gruebler: int
    freedom: int | None
    freedom_nearby: int | None
    redundant: tuple[Redundancy, ...]
    proposals: tuple[Proposal, ...]
    loops: tuple[Loop, ...]
    floating: tuple[str, ...]
    warnings: tuple[str, ...]
    problem: str

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        count = "Gruebler" if self.planar else "Kutzbach"
        each = 3 if self.planar else 6
        freedom = "not known" if self.freedom is None else str(self.freedom)
        counted = f"{_counted(self.bodies, 'body', 'bodies')}, {_counted(self.rows, 'row', 'rows')}"
        yield f"Check of {self.name!r}: {counted} of joints and elements"
        yield f"  count by {count}  {each} x {self.bodies} - {self.rows} = {self.gruebler}"
        yield f"  true freedom       {freedom}"
        if self.freedom_nearby not in (None, self.freedom):
            yield f"  freedom nearby     {self.freedom_nearby}"
        if self.freedom is not None:
            yield f"  redundant rows     {len(self.redundant)}"
        if self.problem:
            yield "It cannot be assembled:"
            yield from (f"  {line}" for line in self.problem.splitlines())
        if self.redundant:
            yield "Redundant rows, in the axes of each joint's first place:"
            head = ["  joint", "row", "where", "held already by", "proposal"]
            rows = [[f"  {r.joint}", r.row, r.where, ", ".join(r.depends_on), r.proposal] for r in self.redundant]
            yield from _to_the_left([head, *rows])
        for title, lines in (
            ("Loops:", list(map(str, self.loops))),
            ("Bodies that nothing connects to the ground:", [", ".join(self.floating)] if self.floating else []),
            ("Warnings:", list(self.warnings)),
        ):
            if lines:
                yield title
                yield from (f"  {line}" for line in lines)


def _counted(number: int, one: str, several: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else several}"


def _to_the_left(rows: list[list[str]]) -> list[str]:
    """Return the rows as lines with all columns to the left."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return table(padded)
