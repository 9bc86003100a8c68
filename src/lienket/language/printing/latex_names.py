r"""Names in LaTeX, m_{1} and \hat{\theta}_2, taken apart for the printers.

Only commands that set a letter, an accent or a font are passed on. A name may come from a file, and LaTeX has commands
that read files: a name with any other command, or with braces that do not match, is printed with its signs escaped.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...foundation.frozen_dataclass import dataclass
from ..written_names import FONTS
from .printer import GREEK

ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304", "vec": "\u20d7",
    "overline": "\u0305", "underline": "\u0332", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c",
}  # fmt: skip
"""Combining characters of the accents by command."""
SIGNS = GREEK | {
    "varepsilon": "ε", "vartheta": "ϑ", "varpi": "ϖ", "varrho": "ϱ", "varsigma": "ς", "varphi": "φ", "ell": "ℓ",
    "hbar": "ℏ", "ast": "∗", "star": "⋆", "prime": "′", "circ": "∘", "infty": "∞", "perp": "⊥", "parallel": "∥",
    "dagger": "†", "pm": "±", "mp": "∓",
}  # fmt: skip
"""Characters of the commands that stand for one."""

_TOKEN = re.compile(r"\\[A-Za-z]+|.", re.DOTALL)
_ESCAPED = {"\\": r"\backslash ", "{": r"\{", "}": r"\}", "_": r"\_", "^": r"{\wedge}"}


@dataclass(frozen=True)
class LatexName:
    """Parts of a name in LaTeX: the head, and the indices and powers as they follow it, with _ and ^.

    `escaped`: LaTeX could not set the name, and all of it is in the head with its signs escaped.
    """

    head: str
    scripts: str = ""
    escaped: bool = False


@lru_cache(maxsize=1024)
def latex_name(name: str) -> LatexName:
    r"""Return the LaTeX of a name that is not an identifier.

    It is kept as written; an index of several letters without braces gets them, \theta_12 is \theta_{12}, and two
    indices are joined by a comma.
    """
    head, *scripts = _fragments(name)
    try:
        if any(len(_TOKEN.findall(script)) > 2 and script[1] != "{" for script in scripts):
            raise ValueError
        _check("".join([head, *scripts]))
    except ValueError:
        scripts = _joined(scripts)
    try:
        _check("".join([head, *scripts]))
    except ValueError:
        return LatexName(rf"\mathrm{{{''.join(_ESCAPED.get(c, c) for c in name)}}}", escaped=True)
    return LatexName(head, "".join(scripts))


def name_parts(name: str) -> tuple[str, str, str]:
    """Return the head, the index and the power of a name in LaTeX as characters; the head alone if it is no LaTeX."""
    shown = latex_name(name)
    if shown.escaped:
        return name, "", ""
    parts: dict[str, list[str]] = {"_": [], "^": []}
    for script in _fragments(shown.scripts)[1:]:
        parts[script[0]].append(_characters(script[1:]))
    return _characters(shown.head), ",".join(parts["_"]), ",".join(parts["^"])


def _fragments(name: str) -> list[str]:
    """Return the parts of a name, split before every _ and ^ outside braces."""
    parts, depth = [""], 0
    for piece in _TOKEN.findall(name):
        depth += (piece == "{") - (piece == "}")
        if piece in "_^" and depth == 0:
            parts.append("")
        parts[-1] += piece
    return parts


def _joined(scripts: list[str]) -> list[str]:
    """Return one index and one power in braces, each with all those of the name."""
    joined = []
    for sign in "_^":
        contents = [script[1:] for script in scripts if script[0] == sign]
        bare = [c[1:-1] if re.fullmatch(r"\{[^{}]*\}", c) else c for c in contents]
        joined += [f"{sign}{{{','.join(bare)}}}"] if bare else []
    return joined


def _check(text: str) -> None:
    """Raise ValueError unless LaTeX can set the text: known commands, braces that match, one index and one power."""
    tokens = _TOKEN.findall(text)
    if _end_of_list(tokens, 0) != len(tokens):
        raise ValueError(text)


def _end_of_list(tokens: list[str], k: int) -> int:
    """Return the index after a list of letters with indices and powers: that of a closing brace, or the end."""
    scripts: set[str] | None = None  # of the letter before; None if there is none
    while k < len(tokens) and tokens[k] != "}":
        if tokens[k] not in "_^":
            k, scripts = _end_of_letter(tokens, k), set()
        elif scripts is None or tokens[k] in scripts:
            raise ValueError(tokens[k])
        else:
            scripts.add(tokens[k])
            k = _end_of_letter(tokens, k + 1)
    return k


def _end_of_letter(tokens: list[str], k: int) -> int:
    """Return the index after a letter, a command with its group, or a group."""
    piece = tokens[k] if k < len(tokens) else ""
    if piece[1:] in ACCENTS or piece[1:] in FONTS:
        k += 1
        if tokens[k : k + 1] != ["{"]:
            raise ValueError(piece)
        piece = "{"
    if piece == "{":
        k = _end_of_list(tokens, k + 1)
        if tokens[k : k + 1] != ["}"]:
            raise ValueError(piece)
    elif piece in ("", "_", "^", "}") or (piece[0] == "\\" and piece[1:] not in SIGNS):
        raise ValueError(piece)
    return k + 1


def _characters(text: str) -> str:
    """Return LaTeX as characters, with accents as combining characters."""
    accents = "|".join(ACCENTS)
    while match := re.search(rf"\\({accents})\{{([^{{}}]*)\}}", text):
        text = text[: match.start()] + match[2] + ACCENTS[match[1]] + text[match.end() :]
    text = re.sub(r"\\([A-Za-z]+)", lambda match: SIGNS.get(match[1], ""), text)
    return re.sub(r"[{}\\]", "", text)
