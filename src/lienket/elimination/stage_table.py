"""Stages: the chain of a system as a table with one row per constraint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from ..errors import UnknownName
from ..foundation.frozen_dataclass import dataclass
from ..language.expression import Expression
from ..language.printing.text import plain
from ..language.traversal import subexpressions
from .chain import Chain
from .stage import Stage
from .verdict import CONTRADICTORY, INDEPENDENT

LONGEST_CONDITION = 200  # [1] distinct parts of a condition up to which the table shows it


@dataclass(frozen=True, eq=False)
class Stages(Sequence[Stage]):
    """Stages of all constraints in the order in which they were added, made by `System.stages`.

    A sequence of Stage; print it for a table.

    Examples
    --------
    >>> stages = lk.load("examples/models/rolling_disc.toml").stages()
    >>> [stage.name for stage in stages], stages.freedom
    (['contact', 'rolling'], 1)
    >>> stages["rolling"].verdict.status
    'independent'
    """

    chain: Chain

    @overload
    def __getitem__(self, key: int | str) -> Stage: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Stage, ...]: ...
    def __getitem__(self, key: int | str | slice) -> Stage | tuple[Stage, ...]:
        """Return the stage of one constraint, or several stages.

        Parameters
        ----------
        key : int, str or slice
            Index of the constraint, its name, or a range of indices.

        Returns
        -------
        Stage or tuple of Stage
            A tuple for a slice.

        Raises
        ------
        UnknownName
            If no constraint has this name.
        """
        if isinstance(key, str):
            by_name = {stage.name: stage for stage in self.chain.stages}
            if key not in by_name:
                raise UnknownName("constraint", key, list(by_name))
            return by_name[key]
        return self.chain.stages[key]

    def __len__(self) -> int:
        return len(self.chain.stages)

    def __iter__(self) -> Iterator[Stage]:
        return iter(self.chain.stages)

    @property
    def freedom(self) -> int:
        """Degrees of freedom after all constraints."""
        return self.chain.freedom

    def text(self) -> str:
        """Return the table in plain text.

        Returns
        -------
        str
            One line per constraint: kind, verdict, degrees of freedom, changed reactions and conditions; then a
            sentence for every constraint that is not independent or not ideal.
        """
        head = ["constraint", "kind", "verdict", "freedom", "changes the reaction of", "as long as"]
        lines = [["(free)", "", "", str(len(self.chain.h)), "", ""]]
        for stage in self:
            safe = _conditions(stage.conditions)
            changed = ", ".join(stage.changes) or "-"
            kind = f"{stage.kind}, {type(stage.law).__name__}" if stage.law is not None else stage.kind
            cells = [stage.name, kind, stage.verdict.status, str(stage.freedom), changed, ", ".join(safe)]
            lines.append(cells)
        widths = [max(len(line[k]) for line in (head, *lines)) for k in range(len(head))]
        table = ["  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in (head, *lines)]
        remarks = [stage.verdict.sentence for stage in self if stage.verdict.status != INDEPENDENT]
        lost = next((s for s in self if not s.satisfied and s.verdict.status != CONTRADICTORY), None)
        if lost is not None:
            remarks.append(
                f"No state was found that satisfies {lost.name!r} together with the constraints before it; from there "
                "on the verdicts refer to states off these constraints."
            )
        return "\n".join([*table, *remarks, *self._laws()])

    def _laws(self) -> list[str]:
        """Return the sentences about laws below the table."""
        laws = {stage.name: stage.law for stage in self if stage.law is not None}
        sentences = [f"{name!r} is not ideal: {law.description}." for name, law in laws.items()]
        if any(law.exerts_force for law in laws.values()):
            sentences.append(
                "Laws exert c: D^T r = D^T c in place of D^T r = 0, and C q'' = f + D^T c. The changes of reactions "
                "listed are those of the ideal parts."
            )
        if any(law.can_open for law in laws.values()):
            sentences.append("Unilateral constraints are shown closed.")
        return sentences

    def __eq__(self, other: object) -> bool:
        """Return whether both have equal stages."""
        return tuple(self) == tuple(other) if isinstance(other, Stages) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(stage.name for stage in self))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()


def _conditions(conditions: Iterable[Expression]) -> list[str]:
    """Return the conditions c != 0 as texts; long ones are only counted, `stage.conditions` has them."""
    listed = list(conditions)
    short = [c for c in listed if sum(1 for _ in subexpressions(c)) <= LONGEST_CONDITION]
    texts, long = [f"{plain(c)} != 0" for c in short], len(listed) - len(short)
    if long:
        texts.append(f"{long} long expression{'s' if long > 1 else ''} != 0")
    return texts
