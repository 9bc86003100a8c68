"""Printed: results that are read as text in a terminal and as LaTeX in a notebook."""

from __future__ import annotations

from ..short_text import short_text

LINE_LENGTH_LIMIT = 400  # [characters] length from which a line of a formula is shortened in a terminal


class Printed:
    """Base of results with `text()` and `latex()`."""

    def text(self) -> str:
        """Return the result as plain text."""
        raise NotImplementedError

    def latex(self) -> str:
        """Return the result as LaTeX."""
        raise NotImplementedError

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return "\n".join(short_text(line, LINE_LENGTH_LIMIT) for line in self.text().splitlines())
