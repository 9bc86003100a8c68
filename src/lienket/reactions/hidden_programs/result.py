"""HiddenPrograms, the answer to what programs ask for beside themselves, and the rows it consists of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass
from ...language.printing.text import plain
from ...model.constraint import Constraint

Output = tuple[str, int]
"""The name of a program, or of a hidden one, and the number of its row, from 0."""


@dataclass(frozen=True)
class HiddenRow:
    """The row phi = 0 that the programs `of` ask for; `constraint` states it, on positions or velocities."""

    constraint: Constraint
    of: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name it goes by."""
        return self.constraint.name

    @property
    def expression(self) -> Any:
        """phi(q, q', t), a SymPy expression."""
        return self.constraint.expressions[0]

    @property
    def level(self) -> int:
        """0 if no velocities stand in it, otherwise 1."""
        return self.constraint.level


@dataclass(frozen=True, eq=False)
class HiddenPrograms:
    """Whether drives can keep programs, and what these ask for on the way.

    rows        the hidden programs, in the order in which they were found
    decisive    (name, number from 0) of the rows, programs or hidden ones, whose accelerations determine the drives,
                wherever the weights of the rows that they replace do not vanish
    degrees     the relative degree of each output: the highest derivative of its law on which the drives depend;
                empty if they cannot keep it
    drives      the names of the drives
    reason      why the drives cannot keep the programs; empty if they can
    """

    rows: tuple[HiddenRow, ...]
    decisive: tuple[Output, ...]
    degrees: Mapping[str, int]
    drives: tuple[str, ...]
    reason: str = ""

    def rows_as_programs(self) -> tuple[Constraint, ...]:
        """The hidden rows as programs, which the same drives keep."""
        return tuple(replace(row.constraint, kind="program") for row in self.rows)

    @property
    def realisable(self) -> bool:
        """Whether the drives can keep the programs."""
        return not self.reason

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in words."""
        if self.reason:
            return (self.reason,)
        told = [
            f"{listed(row.of)} can be kept only where {plain(row.expression)} = 0: the {acting(self.drives)} not "
            f"reach {'its acceleration' if len(row.of) == 1 else 'their accelerations'}."
            for row in self.rows
        ]
        degrees = ", ".join(f"{name} {degree}" for name, degree in self.degrees.items())
        return (*told, f"Relative degrees: {degrees}.")

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def acting(drives: Sequence[str]) -> str:
    """Drives as they begin a clause: "drive F does", "drives F, M do"."""
    return f"drive {drives[0]} does" if len(drives) == 1 else f"drives {', '.join(drives)} do"


def listed(names: Sequence[str]) -> str:
    """Names as they stand in a sentence: 'a', 'b' and 'c'."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
