"""Messages about values that do not fit the schema of a model file: table, key, fault, nearest known key."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from ...errors import Faults, did_you_mean
from ...language.short_text import short_text
from .schema import VERSION
from .typed_toml import KeyPath, Misfit

FORMULA_KEYS = ("kinetic", "inertia", "potential", "dissipation", "forces", "loads")
"""Keys of files that state a system by formulas; a file of a mechanism does not have them."""
_LISTS = ("loads", "constraints", "events", "bodies", "joints", "elements")


def add_schema_faults(misfits: list[Misfit], data: dict[str, Any], faults: Faults) -> None:
    """Report all misfits; an unknown key is reported with the nearest known one."""
    for misfit in misfits:
        faults.add(location(misfit.path, data), *_fault_and_advice(misfit))


def location(path: KeyPath, data: dict[str, Any]) -> str:
    """Return the location of a value in the file: `[[constraints]] 'rolling', equation` or `[parameters] m`."""
    if not path:
        return ""
    table, *rest = path
    if table in _LISTS and rest and isinstance(rest[0], int):
        label = _entry_label(data[table][rest[0]], rest[0])
        return ", ".join([f"[[{table}]] {label}", *_inner(rest[1:])])
    if table in ("parameters", "forces") and rest:
        return ", ".join([f"[{table}] {rest[0]}", *_inner(rest[1:])])
    if table == "tables" and rest:
        return ", ".join([f"[tables.{rest[0]}]", *_inner(rest[1:])])
    return str(table) + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest)


def _inner(rest: list[Any]) -> list[str]:
    """Return the keys below a table as text; a list index i is "entry i + 1"."""
    return [f"entry {part + 1}" if isinstance(part, int) else str(part) for part in rest]


def _entry_label(entry: object, i: int) -> str:
    """Return the name of an entry, or its number if it has none."""
    name = entry.get("name") if isinstance(entry, dict) else None
    return repr(name) if isinstance(name, str) and name else f"number {i + 1}"


def _fault_and_advice(misfit: Misfit) -> tuple[str, str]:
    """Return the fault of a misfit, and advice."""
    path, value = misfit.path, misfit.value
    key = str(path[-1]) if path else ""
    if value is MISSING:
        return "this key is missing", _allowed(misfit)
    if misfit.known and len(path) == 1 and key in FORMULA_KEYS:
        advice = "Its masses and forces are stated by bodies, joints and elements."
        return "there is no such key in the file of a mechanism", advice
    if misfit.known:
        return f"there is no such key{did_you_mean(key, misfit.known)}", f"Known here: {', '.join(misfit.known)}."
    if path == ("lienket",):
        advice = f"This package reads version {VERSION}: lienket = {VERSION}"
        return f"version {value!r} of the format is not known", advice
    if len(path) == 1 and key in _LISTS and isinstance(value, dict):
        return "it is a single table", f"Write [[{key}]] with double brackets before each one."
    meant = did_you_mean(value, map(str, misfit.allowed)) if isinstance(value, str) else ""
    return f"{misfit.expected} was expected, not {short_text(repr(value))}{meant}", _allowed(misfit)


def _allowed(misfit: Misfit) -> str:
    """Return advice that lists the allowed values, if there are any."""
    if not misfit.allowed:
        return ""
    own = " lk.load(path, laws=[...]) takes laws of one's own." if misfit.path[-2:] == ("law", "kind") else ""
    return f"Allowed: {', '.join(map(repr, misfit.allowed))}.{own}"
