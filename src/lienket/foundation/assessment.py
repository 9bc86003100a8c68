"""Assessment: the statement that an answer makes about its own quality, the same for every answer.

    ok          whether there is nothing to warn about: ok == (warnings == ())
    warnings    sentences on what is not as it should be
    str()       facts, then the warnings

Audits and other results that judge themselves are frozen data classes with a field `warnings` and this base.
"""

from __future__ import annotations


class Assessment:
    """Base of every audit: `ok`, `warnings` and `text`, which is also `str()`."""

    warnings: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no warnings."""
        return not self.warnings

    def facts(self) -> list[str]:
        """Return the lines of the text before the warnings."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the facts and then the warnings in plain text.

        Returns
        -------
        str
            One line per fact and per warning.
        """
        return "\n".join([*self.facts(), *self.warnings])

    def __str__(self) -> str:
        return self.text()


def table(rows: list[list[str]]) -> list[str]:
    """Return the rows as lines of aligned columns, the first to the left and as wide as its longest entry needs."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines
