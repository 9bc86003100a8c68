"""What does not fit the shape of a model file, in its words: table, key, what is wrong, what may have been meant."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from ...errors import did_you_mean
from ...language.faults import Faults, short_text
from .schema import VERSION
from .typed_toml import Misfit, Place

_LISTS = ("loads", "constraints", "events")


def add_schema_faults(misfits: list[Misfit], data: dict[str, Any], faults: Faults) -> None:
    """Note what does not fit, unknown keys with the nearest known one."""
    for misfit in misfits:
        faults.add(place_name(misfit.place, data), *_explained(misfit))


def place_name(place: Place, data: dict[str, Any]) -> str:
    """The place of a value in the file: `[[constraints]] 'rolling', equation` or `[parameters] m`."""
    if not place:
        return ""
    table, *rest = place
    if table in _LISTS and rest and isinstance(rest[0], int):
        label = _entry_label(data[table][rest[0]], rest[0])
        return ", ".join([f"[[{table}]] {label}", *_inner(rest[1:])])
    if table in ("parameters", "forces") and rest:
        return ", ".join([f"[{table}] {rest[0]}", *_inner(rest[1:])])
    if table == "tables" and rest:
        return ", ".join([f"[tables.{rest[0]}]", *_inner(rest[1:])])
    return str(table) + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest)


def _inner(rest: list[Any]) -> list[str]:
    return [f"entry {part + 1}" if isinstance(part, int) else str(part) for part in rest]


def _entry_label(entry: Any, i: int) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return repr(name) if isinstance(name, str) and name else f"number {i + 1}"


def _explained(misfit: Misfit) -> tuple[str, str]:
    """What is wrong, and advice."""
    place, value = misfit.place, misfit.value
    key = str(place[-1]) if place else ""
    if value is MISSING:
        return "this key is missing", _allowed(misfit)
    if misfit.known:
        return f"there is no such key{did_you_mean(key, misfit.known)}", f"Known here: {', '.join(misfit.known)}."
    if place == ("lienket",):
        advice = f"This package reads version {VERSION}: lienket = {VERSION}"
        return f"version {value!r} of the format is not known", advice
    if len(place) == 1 and key in _LISTS and isinstance(value, dict):
        return "it is a single table", f"Write [[{key}]] with double brackets before each one."
    return f"{misfit.wanted} was expected, not {short_text(repr(value))}", _allowed(misfit)


def _allowed(misfit: Misfit) -> str:
    return f"Allowed: {', '.join(map(repr, misfit.allowed))}." if misfit.allowed else ""
