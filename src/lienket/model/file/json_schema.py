"""JSON Schema (draft 2020-12) of model files, for editors, generated from the classes of `schema`."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from ..laws import LAWS, Law
from .mechanism_schema import mechanism_file
from .schema import MECHANISM_KEYS, model_file
from .typed_toml import branches, keys

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


def json_schema(laws: tuple[type[Law], ...] = LAWS) -> dict[str, Any]:
    """Return the schema of files with these laws: of bodies and joints if they have their keys, else of formulas.

    Tables with fixed keys appear once, under $defs.
    """
    tables: dict[str, dict[str, Any]] = {}
    formulas, bodies = _branch(model_file(laws), tables), _branch(mechanism_file(laws), tables)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": dict(sorted(tables.items())),
        "if": {"anyOf": [{"required": [key]} for key in MECHANISM_KEYS]},
        "then": bodies,
        "else": formulas,
    }


def _table(table: Any, tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a table with fixed keys."""
    properties = {}
    for f in fields(table):
        default = f.default if f.default_factory is MISSING else f.default_factory()
        default_entry = {} if default is MISSING else {"default": default}
        properties[f.name] = _schema(keys(table)[f.name].shape, tables) | default_entry
    required = [name for name, key in keys(table).items() if key.required]
    description = {"title": table.__name__, "description": table.__doc__, "type": "object", "properties": properties}
    return description | ({"required": required} if required else {}) | {"additionalProperties": False}


def _schema(shape: Any, tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of any shape, with its description if it has one."""
    described = {"description": shape.__metadata__[-1]} if get_origin(shape) is Annotated else {}
    choices = [_branch(branch, tables) for branch in branches(shape)]
    plain = [choice["type"] for choice in choices if [*choice] == ["type"]]
    if len(plain) > 1:  # "type": [...] is equivalent to a choice of them
        choices = [{"type": plain}, *(choice for choice in choices if [*choice] != ["type"])]
    return (choices[0] if len(choices) == 1 else {"anyOf": choices}) | described


def _branch(branch: Any, tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a shape that is not a choice."""
    if is_dataclass(branch):
        name = branch.__name__  # type: ignore[union-attr]
        if name not in tables:
            tables[name] = {}  # a table may contain itself
            tables[name] = _table(branch, tables)
        return {"$ref": f"#/$defs/{name}"}
    origin, items = get_origin(branch), get_args(branch)
    if origin is Literal:
        return {"enum": [*items]} if len(items) > 1 else {"const": items[0]}
    if origin is tuple:  # of fixed length
        return {"type": "array", "prefixItems": [_schema(x, tables) for x in items], "minItems": len(items),
                "maxItems": len(items)}  # fmt: skip
    if origin is list:
        return {"type": "array", "items": _schema(items[0], tables)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(items[1], tables)}
    return {"type": _TYPES[branch]}
