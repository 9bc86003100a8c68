"""Attributes of elements as numbers; a number that cannot be read is a fault, and None."""

from __future__ import annotations

import re
from math import isfinite

from .findings import Findings
from .xml_nodes import Node, quoted

Triple = tuple[float, float, float]

LARGEST_NUMBER = 1e100  # [1] largest magnitude of a number in a URDF file: products of three stay finite
DIGITS_LIMIT = 100  # [characters] longest number in a URDF file
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WORD = re.compile(r"[^ \t\r\n]+")


def optional_number(node: Node, key: str, label: str, findings: Findings) -> float | None:
    """Return an attribute as a number, None without it."""
    if key not in node.attributes:
        return None
    listed = _numbers(node, key, label, findings, 1)
    return listed[0] if listed else None


def number(node: Node, key: str, label: str, findings: Findings, default: float | None = None) -> float | None:
    """Return an attribute as a number; it must be there if there is no default."""
    if key in node.attributes:
        return optional_number(node, key, label, findings)
    if default is None:
        missing(node, key, label, findings)
    return default


def triple(node: Node, key: str, label: str, findings: Findings, default: Triple | None = None) -> Triple | None:
    """Return an attribute as three numbers; it must be there if there is no default."""
    if key not in node.attributes:
        if default is None:
            missing(node, key, label, findings)
        return default
    listed = _numbers(node, key, label, findings, 3)
    return None if listed is None else (listed[0], listed[1], listed[2])


def missing(node: Node, key: str, label: str, findings: Findings) -> None:
    """Report an attribute that is missing."""
    findings.fault_at(node, label, f"<{node.tag}> has no attribute {key!r}", f'Write <{node.tag} {key}="...">.')


def known_attributes(node: Node, known: tuple[str, ...], label: str, findings: Findings, strict: bool = True) -> None:
    """Report attributes that are not known, as faults if they may change the mechanics.

    Those of other programs, with a prefix as in drake:name, are left alone.
    """
    for key in node.attributes:
        if key in known or ":" in key or key == "xmlns":
            continue
        what = f"the attribute {quoted(key)} of <{node.tag}> is not known{findings.meant(key, known)}"
        if strict:
            findings.fault_at(node, label, what, f"Known: {', '.join(known)}.")
        else:
            findings.note_at(node, label, f"{what.rstrip('?')}; it is left out")


def _numbers(node: Node, key: str, label: str, findings: Findings, count: int) -> list[float] | None:
    """Return an attribute as `count` finite numbers, or None and a fault."""
    text = node.attributes[key]
    place = f"{label}, {node.tag} {key}"
    words = _WORD.findall(text) if len(text) <= (count + 1) * DIGITS_LIMIT else []
    if len(words) != count:
        expected = "a number was" if count == 1 else f"{count} numbers were"
        findings.fault_at(node, place, f"{expected} expected, not {quoted(text)}")
        return None
    found = []
    for word in words:
        if not _NUMBER.fullmatch(word):
            advice = "Expand the file with xacro first." if "${" in text else ""
            findings.fault_at(node, place, f"{quoted(word)} is not a finite number", advice)
            return None
        value = float(word)
        if not isfinite(value) or abs(value) > LARGEST_NUMBER:
            findings.fault_at(node, place, f"{quoted(word)} is too large")
            return None
        found.append(value)
    return found
