"""Names: coordinates that are identifiers, elements and bodies whose names are not taken; all follow from the file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from ...language.names import identifier_problem
from ...language.reserved_words import RESERVED
from ...model.bodies import GROUND
from ..joints import KINDS
from .findings import Findings
from .joints import UrdfJoint
from .xml_nodes import quoted


def coordinate_bases(joints: Sequence[UrdfJoint], findings: Findings) -> dict[str, str]:
    """Return the base of the names of each joint's coordinates; note those that differ from the joint's name.

    A joint keeps its name where that is an identifier; other signs become _, and what is taken gets _2, _3, ...
    """
    moving = [joint for joint in joints if suffixes_of(joint)]
    bases = {j.name: j.name for j in moving if suffixes_of(j) == ("",) and _is_plain(j.name)}
    taken = {joint.name for joint in joints} | set(bases.values())
    for joint in moving:
        if joint.name in bases:
            continue
        plain = joint.name if _is_plain(joint.name) else _identifier(joint.name)
        count, base = 1, plain
        while taken & (names := {f"{base}{suffix}" for suffix in suffixes_of(joint)}) or not _is_plain(min(names)):
            count += 1
            base = f"{plain}_{count}"
        taken |= names
        bases[joint.name] = base
        if base != joint.name:
            several = "its coordinates begin with" if len(names) > 1 else "its coordinate has the name"
            findings.note(f"Line {joint.line}, joint {quoted(joint.name)}: {several} {base!r}.")
    return bases


def suffixes_of(joint: UrdfJoint) -> tuple[str, ...]:
    """Return what is appended to the base of a joint for each of its coordinates."""
    return KINDS[joint.kind].spatial_suffixes or ()


def element_name(joint: UrdfJoint, word: str, taken: set[str], findings: Findings) -> str:
    """Return NAME_word for an element of a joint, which is then taken; with _2, _3, ... if it was before."""
    plain = name = f"{joint.name}_{word}"
    count = 1
    while name in taken:
        count += 1
        name = f"{plain}_{count}"
    taken.add(name)
    if name != plain:
        findings.note(f"Line {joint.line}, joint {quoted(joint.name)}: its element has the name {quoted(name)}.")
    return name


def body_name(link: str, line: int, links: Collection[str], findings: Findings) -> str:
    """Return the name of the body of a link: its own, unless it is that of the ground."""
    if link != GROUND:
        return link
    count, name = 1, f"{GROUND}_link"
    while name in links:
        count += 1
        name = f"{GROUND}_link_{count}"
    findings.note(f"Line {line}, link {quoted(link)}: its body has the name {name!r}, since it is not the ground.")
    return name


def _is_plain(name: str) -> bool:
    """Return whether a name can be used in formulas as text, in one spelling only."""
    return not identifier_problem(name) and unicodedata.normalize("NFKC", name) == name


def _identifier(name: str) -> str:
    """Return a name with everything but letters, digits and _ replaced by _; it begins with a letter."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or name
    word = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_") or "q"
    word = f"q_{word}" if word[0].isdigit() else word
    return f"{word}_" if word in RESERVED else word
