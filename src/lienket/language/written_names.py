r"""Names in LaTeX, as SymPy users write them: m_{1}, I_{1zz}, \theta, and their readable forms m_1, I_1zz, theta.

A symbol keeps the name it was written with. Formulas as text need an identifier instead, the alias:

    written      m_{1}   I_{1,zz}   \theta_2   l^*      \hat{x}   \pi
    readable     m_1     I_1_zz     theta_2    l_star   hat_x     pi_
    alias        the readable form, with _2, _3, ... appended where another name of the system has it already
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .functions import RESERVED

NAME_LENGTH_LIMIT = 200  # [characters] longest name in LaTeX; its groups cannot be nested too deeply to be printed
NAMES_CACHED = 64  # [1] sets of names of which the aliases are kept
WORDS_CACHED = 1024  # [1] names of which is kept whether they are in LaTeX

_COMMAND = re.compile(r"\\([A-Za-z]+)")
_SIGNS_IN_BRACES = ",.:/|*+-"
FONTS = frozenset({"mathrm", "mathit", "mathbf", "mathsf", "mathcal", "boldsymbol", "text", "textrm", "operatorname"})
"""Commands that set a group in another font."""
_WORDS = {"*": "star", "+": "plus", "-": "minus"}


def written_name_problem(name: str) -> str:
    """Return the reason why a name that is not an identifier is not a name in LaTeX either, or an empty text."""
    if "'" in name:
        return f"{name!r} is not a valid name: an apostrophe marks a time derivative"
    if len(name) > NAME_LENGTH_LIMIT:
        return f"{name[:20]!r}... has {len(name)} characters; a name in LaTeX has at most {NAME_LENGTH_LIMIT}"
    strange = _strange_characters(name)
    if strange or not re.match(r"[^\W\d_]|\\[A-Za-z]", name) or not _without_signs(name).isidentifier():
        what = f", not {' '.join(strange)}" if strange else ""
        return (
            f"{name!r} is not a valid name: a name begins with a letter and consists of letters, digits and _; "
            f"LaTeX such as m_{{1}}, I_{{1,zz}} or \\theta is allowed too{what}"
        )
    return ""


def _strange_characters(name: str) -> list[str]:
    r"""Return the characters that a name cannot contain; signs are allowed in braces and right after _ and ^."""
    depth, strange = 0, []
    for k, c in enumerate(name):
        depth += (c == "{") - (c == "}")
        script = k > 0 and name[k - 1] in "_^"
        allowed = (
            ("_" + c).isidentifier() or c.isalnum() or c in r"\{}^" or (c in _SIGNS_IN_BRACES and (depth > 0 or script))
        )
        if not allowed and c not in strange:
            strange.append(c)
    return strange


@lru_cache(maxsize=WORDS_CACHED)
def is_latex(name: str) -> bool:
    """Return whether a name is one in LaTeX: valid, but not an identifier."""
    return not name.isidentifier() and not written_name_problem(name)


def readable(name: str) -> str:
    """Return a name in LaTeX without its signs, never as a reserved word; any other name is returned unchanged."""
    return _without_signs(name) if is_latex(name) else name


def _without_signs(name: str) -> str:
    """Return a name in LaTeX as a word."""
    # A space ends a word, so that letters after a command do not continue it.
    text = _COMMAND.sub(lambda match: "" if match[1] in FONTS else f" {match[1]} ", name)
    for sign, word in _WORDS.items():
        text = text.replace(sign, f" {word} ")
    text = unicodedata.normalize("NFKC", re.sub(r"[{}\\]", "", text))  # digits below the line are digits
    text = re.sub(r"[\W_]+", "_", text).strip("_")
    return text + "_" if text in RESERVED else text


def aliases(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return an identifier for each of the names that is none, different from all other names, in their order.

    It depends on the names and their order only; `taken` are further names that it must not equal.
    """
    return dict(_aliases(tuple(names), frozenset(taken)))


@lru_cache(maxsize=NAMES_CACHED)
def _aliases(names: tuple[str, ...], taken: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs (name, alias) of `aliases`."""
    written = [name for name in names if is_latex(name)]
    if not written:
        return ()
    used = {*names, *taken}
    pairs = []
    for name in written:
        base = alias = readable(name)
        k = 1
        while alias in used:
            k += 1
            alias = f"{base}_{k}"
        used.add(alias)
        pairs.append((name, alias))
    return tuple(pairs)


def full_name(text: str, names: Sequence[str], others: Sequence[str] = ()) -> str:
    r"""Return the one of `names` that a text denotes, by itself or by its alias; otherwise the text.

    The alias is that among `names`, or among these and the `others` of the system, as in files. Primes of derivatives
    are kept: theta' is \theta' if there is a coordinate \theta.
    """
    if text in names:
        return text
    bare = text.rstrip("'")
    primes = text[len(bare) :]
    bare_names = tuple(dict.fromkeys(name.rstrip("'") for name in names))
    for among in (bare_names, (*bare_names, *others)):
        for name, alias in _aliases(among, frozenset()):
            if alias == bare and name in bare_names:
                return name + primes
    return text
