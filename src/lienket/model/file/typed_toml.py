"""Typed TOML and JSON: data converted to dataclasses according to their annotations.

A shape is an annotation: str, bool, int, float (converts whole numbers; int | float keeps them), None, Literal[...],
list[X], dict[str, X], tuple[X, ...], tuple[X, Y], a dataclass for a table with fixed keys, X | Y,
Annotated[X, "a description"]. The branches of X | Y are distinguished by the type of the value: text, number, list,
table; tables by their key `kind`, a Literal with one value in each of them.
"""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


T = TypeVar("T")
KeyPath = tuple[str | int, ...]

_TYPE_NAMES = {str: "a text in quotes", bool: "true or false", int: "a whole number", float: "a number"}
_TYPE_NAMES |= {list: "a list in square brackets", dict: "a table"}


class Misfit(NamedTuple):
    """A value that does not fit at its path in the data: `expected` is in words, empty for a missing or an unknown key.

    `known` are the keys of the table that has an unknown one, `allowed` the values of a Literal.
    """

    path: KeyPath
    value: Any = MISSING
    expected: str = ""
    known: tuple[str, ...] = ()
    allowed: tuple[Any, ...] = ()


class Key(NamedTuple):
    """A key of a table."""

    shape: Any
    required: bool


def fit(data: object, shape: type[T], *, ignore_unknown: bool = False) -> tuple[T, list[Misfit]]:
    """Return the data as an object of this class, and all misfits; if there are misfits, the object must not be used.

    With `ignore_unknown`, keys that a table does not know are ignored.
    """
    misfits: list[Misfit] = []
    return _fit(data, shape, (), misfits, ignore_unknown), misfits


def _fit(value: Any, shape: Any, path: KeyPath, misfits: list[Misfit], ignore_unknown: bool) -> Any:
    """Return the value in the given shape; None and a misfit if no branch of the shape admits it."""
    for branch in branches(shape):
        if not _admits(branch, value):
            continue
        if isinstance(value, list):
            return _fit_list(value, branch, path, misfits, ignore_unknown)
        if not isinstance(value, dict):
            return float(value) if branch is float and int not in branches(shape) else value
        if is_dataclass(branch):
            chosen = _table_of_kind(value, shape, branch, path, misfits)
            return None if chosen is None else _fit_table(value, chosen, path, misfits, ignore_unknown)
        item = get_args(branch)[1]
        return {key: _fit(x, item, (*path, key), misfits, ignore_unknown) for key, x in value.items()}
    misfits.append(Misfit(path, value, _in_words(shape), allowed=_literals(shape)))
    return None


def _literals(shape: Any) -> tuple[Any, ...]:
    """Return the values of the Literals among the branches of a shape."""
    return tuple(x for branch in branches(shape) if get_origin(branch) is Literal for x in get_args(branch))


def _fit_list(value: list[Any], branch: Any, path: KeyPath, misfits: list[Misfit], ignore_unknown: bool) -> Any:
    """Return a list, or a tuple of fixed length, with its items fitted."""
    items = get_args(branch)
    container = get_origin(branch)
    if container is tuple and items[-1] is not ...:
        if len(items) != len(value):
            misfits.append(Misfit(path, value, f"a list of {len(items)}"))
            return None
        shapes = items
    else:
        if {*map(type, value)} <= _plain_types(items[0]):  # fast path for thousands of points
            return container(value)
        shapes = items[:1] * len(value)
    return container(
        _fit(x, shape, (*path, i), misfits, ignore_unknown)
        for i, (x, shape) in enumerate(zip(value, shapes, strict=True))
    )


def _table_of_kind(value: dict[str, Any], shape: Any, first: Any, path: KeyPath, misfits: list[Misfit]) -> Any:
    """Return the table class that the value's `kind` selects; None and a misfit if it selects none."""
    tables = {kind: branch for branch in branches(shape) if (kind := _kind(branch)) is not None}
    if len(tables) < 2:
        return first
    kind_value = value.get("kind", MISSING)
    selected = tables.get(kind_value) if isinstance(kind_value, str) else None
    if selected is None:
        expected = "" if kind_value is MISSING else "one of the allowed values"
        misfits.append(Misfit((*path, "kind"), kind_value, expected, allowed=(*tables,)))
    return selected


def _fit_table(value: dict[str, Any], branch: Any, path: KeyPath, misfits: list[Misfit], ignore_unknown: bool) -> Any:
    """Return the dataclass of a table; None if a required key is missing."""
    table_keys = keys(branch)
    values = {
        key: _fit(x, table_keys[key].shape, (*path, key), misfits, ignore_unknown)
        for key, x in value.items()
        if key in table_keys
    }
    missing = [key for key in table_keys if table_keys[key].required and key not in values]
    misfits.extend(Misfit((*path, key), allowed=_literals(table_keys[key].shape)) for key in missing)
    if not ignore_unknown:
        misfits.extend(
            Misfit((*path, key), x, known=(*table_keys,)) for key, x in value.items() if key not in table_keys
        )
    return None if missing else branch(**values)


def _admits(branch: Any, value: object) -> bool:
    """Return whether a branch holds values of this type; items are checked later."""
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
    """Return the shapes of X | Y one by one, without descriptions."""
    if get_origin(shape) is Annotated:
        return branches(shape.__origin__)
    if get_origin(shape) in (Union, UnionType):
        return tuple(branch for part in get_args(shape) for branch in branches(part))
    return (NoneType if shape is None else shape,)


@cache
def keys(table: type[DataclassInstance]) -> dict[str, Key]:
    """Return the keys of a table."""
    hints = get_type_hints(table, include_extras=True)
    return {f.name: Key(hints[f.name], f.default is MISSING and f.default_factory is MISSING) for f in fields(table)}


@cache
def _kind(branch: Any) -> str | None:
    """Return the only value that the key `kind` of a table may have; None without such a key."""
    table_keys = keys(branch) if is_dataclass(branch) else {}  # type: ignore[arg-type]
    shape = branches(table_keys["kind"].shape)[0] if "kind" in table_keys else None
    allowed = get_args(shape) if get_origin(shape) is Literal else ()
    return allowed[0] if len(allowed) == 1 else None


@cache
def _plain_types(shape: Any) -> frozenset[Any]:
    """Return the types of values that need no conversion."""
    return frozenset(branch for branch in branches(shape) if branch in (str, bool, int, float, NoneType))


def _in_words(shape: Any) -> str:
    """Return the shape in words."""
    words = []
    for branch in branches(shape):
        origin = get_origin(branch) or branch
        kind = list if origin is tuple else dict if is_dataclass(origin) else origin
        words.append("one of the allowed values" if kind is Literal else _TYPE_NAMES.get(kind, ""))
    if {"a number", "a whole number"} <= {*words}:
        words.remove("a whole number")  # "a number" includes it
    return " or ".join(dict.fromkeys(filter(None, words)))
