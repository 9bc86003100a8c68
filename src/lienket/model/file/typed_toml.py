"""Shapes: what TOML and JSON give, fitted into classes whose annotations say what they hold.

A shape is an annotation: str, bool, int, float (of a whole number it makes one, int | float keeps it), None,
Literal[...], list[X], dict[str, X], tuple[X, ...], tuple[X, Y], a dataclass for a table with fixed keys, X | Y,
Annotated[X, "a description"]. The branches of X | Y are told apart by the kind of the value: text, number, list, table;
tables by their key `kind`, a Literal with one value in each of them.
"""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Place = tuple[str | int, ...]

_WORDS = {str: "a text in quotes", bool: "true or false", int: "a whole number", float: "a number"}
_WORDS |= {list: "a list in square brackets", dict: "a table"}


class Misfit(NamedTuple):
    """A value that does not fit at its place: `wanted` is in words, empty if the key is missing or not known.

    `known` are the keys of the table that has an unknown one, `allowed` the values of a Literal.
    """

    place: Place
    value: Any = MISSING
    wanted: str = ""
    known: tuple[str, ...] = ()
    allowed: tuple[Any, ...] = ()


class Key(NamedTuple):
    """A key of a table."""

    shape: Any
    required: bool


def fitted(data: Any, shape: type[T], *, strangers: bool = False) -> tuple[T, list[Misfit]]:
    """The data as an object of this class, and all that does not fit; with any of it, the object is of no use.

    With `strangers`, keys that a table does not know are left alone.
    """
    misfits: list[Misfit] = []
    return _fitted(data, shape, (), misfits, strangers), misfits


def _fitted(value: Any, shape: Any, place: Place, misfits: list[Misfit], strangers: bool) -> Any:
    for branch in branches(shape):
        if not _admits(branch, value):
            continue
        if isinstance(value, list):
            return _listed(value, branch, place, misfits, strangers)
        if not isinstance(value, dict):
            return float(value) if branch is float and int not in branches(shape) else value
        if is_dataclass(branch):
            chosen = _of_kind(value, shape, branch, place, misfits)
            return None if chosen is None else _table(value, chosen, place, misfits, strangers)
        item = get_args(branch)[1]
        return {key: _fitted(x, item, (*place, key), misfits, strangers) for key, x in value.items()}
    allowed = tuple(x for branch in branches(shape) if get_origin(branch) is Literal for x in get_args(branch))
    misfits.append(Misfit(place, value, _wanted(shape), allowed=allowed))
    return None


def _listed(value: list[Any], branch: Any, place: Place, misfits: list[Misfit], strangers: bool) -> Any:
    """A list, or a tuple with a length of its own."""
    items = get_args(branch)
    made = get_origin(branch)
    if made is tuple and items[-1] is not ...:
        if len(items) != len(value):
            misfits.append(Misfit(place, value, f"a list of {len(items)}"))
            return None
        shapes = items
    else:
        if {*map(type, value)} <= _plain(items[0]):  # thousands of points, at once
            return made(value)
        shapes = items[:1] * len(value)
    return made(
        _fitted(x, shape, (*place, i), misfits, strangers)
        for i, (x, shape) in enumerate(zip(value, shapes, strict=True))
    )


def _of_kind(value: dict[str, Any], shape: Any, first: Any, place: Place, misfits: list[Misfit]) -> Any:
    """The table among several that a value says it is, by its `kind`; None if it does not say, which is a misfit."""
    tables = {kind: branch for branch in branches(shape) if (kind := _kind(branch)) is not None}
    if len(tables) < 2:
        return first
    said = value.get("kind", MISSING)
    found = tables.get(said) if isinstance(said, str) else None
    if found is None:
        wanted = "" if said is MISSING else "one of the allowed values"
        misfits.append(Misfit((*place, "kind"), said, wanted, allowed=(*tables,)))
    return found


def _table(value: dict[str, Any], branch: Any, place: Place, misfits: list[Misfit], strangers: bool) -> Any:
    known = keys(branch)
    found = {
        key: _fitted(x, known[key].shape, (*place, key), misfits, strangers) for key, x in value.items() if key in known
    }
    missing = [key for key in known if known[key].required and key not in found]
    misfits.extend(Misfit((*place, key)) for key in missing)
    if not strangers:
        misfits.extend(Misfit((*place, key), x, known=(*known,)) for key, x in value.items() if key not in known)
    return None if missing else branch(**found)


def _admits(branch: Any, value: Any) -> bool:
    """Whether a value is of the kind that a branch holds; what is in it is looked at later."""
    origin = get_origin(branch) or branch
    if origin is Literal:
        return any(type(value) is type(x) and value == x for x in get_args(branch))
    if origin is float:
        return type(value) is float or (type(value) is int and abs(value) < 2**1000)
    if origin in (list, tuple):
        return isinstance(value, list)
    if origin is dict or is_dataclass(origin):
        return isinstance(value, dict)
    return type(value) is origin


@cache
def branches(shape: Any) -> tuple[Any, ...]:
    """The shapes of X | Y one by one, without descriptions."""
    if get_origin(shape) is Annotated:
        return branches(shape.__origin__)
    if get_origin(shape) in (Union, UnionType):
        return tuple(branch for part in get_args(shape) for branch in branches(part))
    return (NoneType if shape is None else shape,)


@cache
def keys(table: Any) -> dict[str, Key]:
    """The keys of a table."""
    hints = get_type_hints(table, include_extras=True)
    return {f.name: Key(hints[f.name], f.default is MISSING and f.default_factory is MISSING) for f in fields(table)}


@cache
def _kind(branch: Any) -> str | None:
    """The one value that the key `kind` of a table may have, None if there is no such key."""
    known = keys(branch) if is_dataclass(branch) else {}  # type: ignore[arg-type]
    said = branches(known["kind"].shape)[0] if "kind" in known else None
    allowed = get_args(said) if get_origin(said) is Literal else ()
    return allowed[0] if len(allowed) == 1 else None


@cache
def _plain(shape: Any) -> frozenset[Any]:
    """The types of values that fit as they are."""
    return frozenset(branch for branch in branches(shape) if branch in (str, bool, int, float, NoneType))


def _wanted(shape: Any) -> str:
    """The shape in words."""
    words = []
    for branch in branches(shape):
        origin = get_origin(branch) or branch
        kind = list if origin is tuple else dict if is_dataclass(origin) else origin
        words.append("one of the allowed values" if kind is Literal else _WORDS.get(kind, ""))
    if {"a number", "a whole number"} <= {*words}:
        words.remove("a whole number")  # every number will do
    return " or ".join(dict.fromkeys(filter(None, words)))
