"""HiddenPrograms: the hidden programs that a set of programs implies, and the rows they consist of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...foundation.frozen_dataclass import dataclass
from ...language.expression import Expression
from ...language.printing.text import plain
from ...model.constraint import Constraint

Output = tuple[str, int]  # name of a program or hidden program, and number of its row, from 0


@dataclass(frozen=True)
class HiddenRow:
    """Hidden program phi = 0 that other programs imply.

    Attributes
    ----------
    constraint : Constraint
        Statement of phi = 0, on positions or velocities.
    of : tuple of str
        Names of the programs that imply it.
    """

    constraint: Constraint
    of: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the hidden program."""
        return self.constraint.name

    @property
    def expression(self) -> Expression:
        """Expression phi(q, q', t) in SymPy."""
        return self.constraint.expressions[0]

    @property
    def level(self) -> int:
        """Level of phi: 0 if it does not depend on velocities, otherwise 1."""
        return self.constraint.level


@dataclass(frozen=True)
class HiddenPrograms:
    """Hidden programs, relative degrees, and whether the drives can realise the programs (theory 10).

    Attributes
    ----------
    rows : tuple of HiddenRow
        Hidden programs in the order in which they were derived.
    decisive : tuple of (str, int)
        Name of a program or hidden program and number of its row, from 0: the rows whose accelerations determine the
        drives, wherever the weights of the rows that they replace do not vanish.
    degrees : Mapping of str to int
        Relative degree of each output: the highest derivative of its law on which the drives depend. Empty if the
        programs cannot be realised.
    drives : tuple of str
        Names of the drives.
    reason : str
        Reason why the drives cannot realise the programs; empty if they can.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> m, k = lk.parameters("m k")
    >>> masses = lk.System("masses", [x, y], kinetic=m*(der(x)**2 + der(y)**2)/2, potential=k*(x - y)**2/2,
    ...                    values={m: 1, k: 2})
    >>> move = masses.drive({y: lk.t**4}, {"F": {x: 1}}, times=[0, 0.5, 1])
    >>> move.hidden.degrees
    {'law of y': 4}
    >>> move.hidden.realisable
    True
    """

    rows: tuple[HiddenRow, ...]
    decisive: tuple[Output, ...]
    degrees: Mapping[str, int]
    drives: tuple[str, ...]
    reason: str = ""

    def rows_as_programs(self) -> tuple[Constraint, ...]:
        """Return the hidden rows as programs of the same drives.

        Returns
        -------
        tuple of Constraint
            One program per hidden row.
        """
        return tuple(replace(row.constraint, kind="program") for row in self.rows)

    @property
    def realisable(self) -> bool:
        """Whether the drives can realise the programs."""
        return not self.reason

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on the result: one for each hidden program, and the relative degrees."""
        if self.reason:
            return (self.reason,)
        hidden = [
            f"{quoted_list(row.of)} can be kept only where {plain(row.expression)} = 0: the "
            f"{drives_clause(self.drives)} not act on "
            f"{'its acceleration' if len(row.of) == 1 else 'their accelerations'}."
            for row in self.rows
        ]
        degrees = ", ".join(f"{name} {degree}" for name, degree in self.degrees.items())
        return (*hidden, f"Relative degrees: {degrees}.")

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def drives_clause(drives: Sequence[str]) -> str:
    """Return the beginning of a clause: "drive F does", "drives F, M do"."""
    return f"drive {drives[0]} does" if len(drives) == 1 else f"drives {', '.join(drives)} do"


def quoted_list(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: 'a', 'b' and 'c'."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
