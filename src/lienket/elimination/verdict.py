"""Verdict on a constraint: independent of those before it, redundant, or contradictory."""

from __future__ import annotations

from typing import Any

from ..foundation.frozen_dataclass import dataclass

INDEPENDENT, REDUNDANT, CONTRADICTORY = "independent", "redundant", "contradictory"


@dataclass(frozen=True)
class Verdict:
    """Independent, redundant or contradictory, with the names it depends on.

    status      "independent": every row takes a freedom; "redundant": at least one row says nothing new;
                "contradictory": a row can not hold together with those it depends on
    depends_on  the smallest set of constraints, by name, from which the rows without news follow
    always      whether this holds everywhere on the constraints; False if only in this configuration,
                None where it was not asked
    rows        the numbers, from 1, of the rows without news, and `of` how many rows the constraint has
    condition   expressions that vanish where the row has no news, if they could be found
    adds        "position" or "velocity" where the row takes no freedom but fixes what those it follows from leave
                open: after x' = 0, x = 1
    """

    name: str
    status: str
    depends_on: tuple[str, ...] = ()
    always: bool | None = None
    rows: tuple[int, ...] = ()
    of: int = 1
    condition: tuple[Any, ...] = ()
    adds: str = ""

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        subject = repr(self.name)
        if self.status == INDEPENDENT:
            return f"{subject} is independent of the constraints before it."
        if len(self.rows) < self.of:
            plural = "s" if len(self.rows) > 1 else ""
            subject = f"row{plural} {_listed(map(str, self.rows))} of {subject}"
            subject = subject[0].upper() + subject[1:]
        where = {True: "", False: " in this configuration", None: ""}[self.always]
        names = _listed(map(repr, self.depends_on))
        verb = "are" if len(self.rows) > 1 and len(self.rows) < self.of else "is"
        many = verb == "are"
        if self.status == CONTRADICTORY:
            if not names:
                binds = "they bind" if many else "it binds"
                return f"{subject} cannot hold{where}: {binds} no motion; correct the numbers."
            contradicts = "contradict" if many else "contradicts"
            names = "itself" if self.depends_on == (self.name,) else names
            advice = "correct its numbers" if names == "itself" else "take one of them away or correct its numbers"
            return f"{subject} {contradicts} {names}{where}; {advice}."
        reason = (
            f"{'follow' if many else 'follows'} from {names}" if names else f"{'bind' if many else 'binds'} no motion"
        )
        when = f", where {_listed(f'{_plain(c)} = 0' for c in self.condition)}" if self.condition else ""
        sentence = f"{subject} {verb} redundant{where}: {'they' if many else 'it'} {reason}{when}"
        if self.adds:
            leaves = "leave" if len(self.depends_on) > 1 else "leaves"
            return f"{sentence} as far as accelerations go, but fixes a {self.adds} that {names} {leaves} open."
        return f"{sentence}."

    def __str__(self) -> str:
        return self.sentence


def _plain(expression: Any) -> str:
    from ..language.printing.text import plain

    return str(plain(expression))


def _listed(words: Any) -> str:
    """Join words by commas and a final "and"."""
    *first, last = list(words) or [""]
    return f"{', '.join(first)} and {last}" if first else last
