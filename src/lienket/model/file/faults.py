"""pydantic's complaints in the words of a model file: table, key, what is wrong, what may have been meant."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from ...errors import did_you_mean
from ..faults import Faults, shown
from .schema import ConstraintEntry, CoordinateEntry, LoadEntry, ModelFile, ParameterEntry, TableEntry

_TABLES: dict[str, type[BaseModel]] = {
    "coordinates": CoordinateEntry,
    "parameters": ParameterEntry,
    "tables": TableEntry,
    "loads": LoadEntry,
    "constraints": ConstraintEntry,
}
_WANTED = {
    "string_type": "a text in quotes was expected",
    "list_type": "a list in square brackets was expected",
    "dict_type": "a table was expected",
    "model_type": "a table was expected",
    "bool_type": "true or false was expected",
    "int_type": "a whole number was expected",
    "float_type": "a number was expected",
    "literal_error": "one of the allowed values was expected",
}


def add_schema_faults(error: ValidationError, data: dict[str, Any], faults: Faults) -> None:
    """Note the complaints of a validation, one for each place, unknown keys with the nearest known one."""
    by_place: dict[tuple[Any, ...], list[Any]] = {}
    for complaint in error.errors(include_url=False):
        place = tuple(part for part in complaint["loc"] if not _is_branch(part))
        by_place.setdefault(place, []).append(complaint)
    for place, complaints in by_place.items():
        faults.add(place_name(place, data), *_explained(place, complaints))


def place_name(place: tuple[Any, ...], data: dict[str, Any]) -> str:
    """The place of a value in the file: `[[constraints]] 'rolling', equation` or `[parameters] m`."""
    if not place:
        return ""
    table, *rest = place
    if table in ("loads", "constraints") and rest and isinstance(rest[0], int):
        label = _entry_label(data.get(table), rest[0])
        return ", ".join([f"[[{table}]] {label}", *_inner(rest[1:])])
    if table in ("parameters", "forces") and rest:
        return ", ".join([f"[{table}] {rest[0]}", *_inner(rest[1:])])
    if table == "tables" and rest:
        return ", ".join([f"[tables.{rest[0]}]", *_inner(rest[1:])])
    return str(table) + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest)


def _inner(rest: list[Any]) -> list[str]:
    return [f"entry {part + 1}" if isinstance(part, int) else str(part) for part in rest]


def _entry_label(entries: Any, i: int) -> str:
    entry = entries[i] if isinstance(entries, list) and i < len(entries) else None
    name = entry.get("name") if isinstance(entry, dict) else None
    return repr(name) if isinstance(name, str) and name else f"number {i + 1}"


def _is_branch(part: Any) -> bool:
    """Pydantic names the branch of a union in the place; a file knows nothing of that."""
    if not isinstance(part, str):
        return False
    return part in ("str", "int", "float") or part in _BRANCHES or "[" in part


_BRANCHES = {entry.__name__ for entry in _TABLES.values()}


def _explained(place: tuple[Any, ...], complaints: list[dict[str, Any]]) -> tuple[str, str]:
    first = complaints[0]
    kind = first["type"]
    key = str(place[-1]) if place else ""
    if kind == "missing":
        return "this key is missing", ""
    if kind == "extra_forbidden":
        known = list(_fields(place))
        return f"there is no such key{did_you_mean(key, known)}", f"Known here: {', '.join(known)}."
    if place == ("lienket",):
        return f"version {first['input']!r} of the format is not known", "This package reads version 1: lienket = 1"
    if kind == "list_type" and place in (("constraints",), ("loads",)) and isinstance(first["input"], dict):
        return "it is a single table", f"Write [[{key}]] with double brackets before each one."
    wanted = sorted({_WANTED.get(c["type"], c["msg"]) for c in complaints})
    values = first.get("ctx", {}).get("expected", "")
    advice = f"Allowed: {values}." if kind == "literal_error" and values else ""
    return f"{' or '.join(wanted)}, not {shown(repr(first['input']))}", advice


def _fields(place: tuple[Any, ...]) -> dict[str, Any]:
    table = _TABLES.get(str(place[0])) if len(place) > 1 else ModelFile
    return (table or ModelFile).model_fields
