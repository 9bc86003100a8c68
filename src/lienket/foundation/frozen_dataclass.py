"""Frozen data classes that are made quickly.

`dataclasses` writes all methods of a class as text and has it compiled: 0.7 ms a class, 67 ms for those that a run
brings in, which takes 800 from the start of its process to the end. These share their methods and take 0.06 ms. Fields,
`replace` and `asdict` are those of `dataclasses`, which is what type checkers see.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, eq: bool = True, repr: bool = True) -> Any:
        """A class decorator; `frozen` is there to be read, and must be True."""
        if not frozen:
            raise TypeError("a record is frozen; take dataclasses.dataclass for what is not")

        def made(kind: type) -> type:
            kind = dataclasses.dataclass(init=False, repr=False, eq=False)(kind)  # gathers the fields, writes nothing
            kind._ready = getattr(kind, "__post_init__", None)
            kind.__signature__ = _Signature()
            methods = {"__init__": _init, "__setattr__": _set, "__delattr__": _delete}
            if eq:
                kind._values = _values_of(kind.__match_args__)
                methods |= {"__eq__": _equal, "__hash__": _hash}
            if repr:
                methods["__repr__"] = _repr
            for name, method in methods.items():
                if vars(kind).get(name) is None:  # a class with __eq__ alone has None for __hash__
                    setattr(kind, name, method)
            return kind

        return made


class _Signature:
    """The arguments of a class in words, for `help` and the like, made when somebody asks."""

    def __get__(self, record: Any, kind: Any) -> Any:
        if record is not None:
            raise AttributeError("__signature__ is the class's")
        from inspect import Parameter, Signature

        found = []
        for field in dataclasses.fields(kind):
            default: Any = field.default if field.default is not dataclasses.MISSING else Parameter.empty
            if field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            how = Parameter.POSITIONAL_OR_KEYWORD
            found.append(Parameter(field.name, how, default=default, annotation=field.type))
        return Signature(found)


def _init(self: Any, *values: Any, **named: Any) -> None:
    names, own = self.__match_args__, self.__dict__
    if named or len(values) != len(names):
        _complete(self, own, values, named)
    else:
        own.update(zip(names, values))  # noqa: B905  they are equally many
    if self._ready is not None:
        self._ready()


def _complete(self: Any, own: dict[str, Any], values: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Values by place and by name, and defaults; raises an error where fields and arguments do not fit."""
    kind, names = type(self), self.__match_args__
    own.update(zip(names, values, strict=False), **named)
    if len(values) + len(named) != len(own) or not named.keys() <= set(names):
        raise TypeError(f"{kind.__name__}({', '.join(names)}) was given {len(values)} values and {[*named]}")
    for name in names if len(own) < len(names) else ():
        if name in own:
            continue
        field = kind.__dataclass_fields__[name]
        if field.default is not dataclasses.MISSING:
            own[name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            own[name] = field.default_factory()
        else:
            raise TypeError(f"{kind.__name__}({', '.join(names)}) was not given {name}")


def _values_of(names: tuple[str, ...]) -> Any:
    """The function that gives all values of a record."""
    if len(names) > 1:
        return staticmethod(attrgetter(*names))
    return staticmethod(lambda record: tuple(getattr(record, name) for name in names))


def _set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _equal(self: Any, other: Any) -> bool:
    if type(other) is not type(self):
        return NotImplemented
    return bool(self._values(self) == self._values(other))


def _hash(self: Any) -> int:
    return hash(self._values(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"
