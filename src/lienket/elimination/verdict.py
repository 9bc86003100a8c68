"""Verdict on a constraint: independent of those before it, redundant, or contradictory."""

from __future__ import annotations

from collections.abc import Iterable

from ..foundation.frozen_dataclass import dataclass
from ..language.expression import Expression

INDEPENDENT, REDUNDANT, CONTRADICTORY = "independent", "redundant", "contradictory"


@dataclass(frozen=True)
class Verdict:
    """Verdict on a constraint: independent of those before it, redundant or contradictory.

    Attributes
    ----------
    name : str
        Name of the constraint.
    status : str
        "independent": every row removes a degree of freedom; "redundant": at least one row follows from other
        constraints; "contradictory": a row cannot hold together with the constraints it depends on.
    depends_on : tuple of str
        Smallest set of constraints from which the dependent rows follow.
    always : bool or None
        Whether the verdict holds everywhere on the constraints; False if only in this configuration, None if this was
        not examined.
    rows : tuple of int
        Numbers of the dependent rows, from 1.
    of : int
        Number of rows of the constraint.
    condition : tuple of expressions
        Expressions that vanish where the rows are dependent, as far as they could be found.
    adds : str
        "position" or "velocity" if the row removes no degree of freedom but fixes what the others leave open, as x = 1
        does after x' = 0; otherwise empty.
    with_values : bool
        Whether the verdict holds only with the numbers of the parameters, such as equal lengths of bars, and not with
        numbers nearby.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> point = lk.System("point", [x, y], kinetic=(der(x)**2 + der(y)**2)/2)
    >>> held = point.constrain("wall", x).constrain("same wall", 2*x)
    >>> print(held.stages()["same wall"].verdict)
    'same wall' is redundant: it follows from 'wall'.
    """

    name: str
    status: str
    depends_on: tuple[str, ...] = ()
    always: bool | None = None
    rows: tuple[int, ...] = ()
    of: int = 1
    condition: tuple[Expression, ...] = ()
    adds: str = ""
    with_values: bool = False

    @property
    def sentence(self) -> str:
        """Verdict as a sentence."""
        subject = repr(self.name)
        if self.status == INDEPENDENT:
            return f"{subject} is independent of the constraints before it."
        if len(self.rows) < self.of:
            plural = "s" if len(self.rows) > 1 else ""
            subject = f"row{plural} {_listed(map(str, self.rows))} of {subject}"
            subject = subject[0].upper() + subject[1:]
        where = " in this configuration" if self.always is False else " with these values" if self.with_values else ""
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


def _plain(expression: Expression) -> str:
    from ..language.printing.text import plain

    return str(plain(expression))


def _listed(words: Iterable[str]) -> str:
    """Join words by commas and a final "and"."""
    *first, last = list(words) or [""]
    return f"{', '.join(first)} and {last}" if first else last
