"""Frozen data classes with a short import time.

The standard decorator generates and compiles the source of all methods of a class: 0.7 ms per class, 67 ms for the
classes imported by a run, whose process takes 800 ms in all. Classes made here share their methods and take 0.06 ms
each. Fields, `replace` and `asdict` are those of `dataclasses`; type checkers see the standard decorator.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from .equality import hash_of, same

ARRAY_TYPES = ("Array", "Mapping", "dict", "Any")
"""Words in the type of a field that may hold arrays; they are compared as a whole."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
    from inspect import Signature
else:

    def dataclass(*, frozen: bool, eq: bool = True, repr: bool = True) -> Any:
        """Return a class decorator; `frozen` must be True and is written out for the reader."""
        if not frozen:
            raise TypeError("frozen must be True; use dataclasses.dataclass for mutable classes")

        def decorate(cls: type) -> type:
            # Collects the fields and generates no code, unless a base is a frozen class of the standard library.
            standard = any(b.__dataclass_params__.frozen for b in cls.__mro__[1:] if dataclasses.is_dataclass(b))
            cls = dataclasses.dataclass(init=False, repr=False, eq=False, frozen=standard)(cls)
            cls._post_init = getattr(cls, "__post_init__", None)
            cls.__signature__ = _Signature()
            cls._last_defaults = {}  # by the number of positional arguments: the other fields, if all have defaults
            methods = {"__init__": _init, "__setattr__": _set, "__delattr__": _delete, "__getstate__": _state}
            if eq:
                compared = [f for f in dataclasses.fields(cls) if f.compare]
                cls._values = _values_of(tuple(f.name for f in compared))
                cls._with_arrays = any(word in str(f.type) for f in compared for word in ARRAY_TYPES)
                methods |= {"__eq__": _equal, "__hash__": _hash}
            if repr:
                methods["__repr__"] = _repr
            for name, method in methods.items():
                inherited = name == "__getstate__" and getattr(cls, name, None) not in (None, object.__getstate__)
                if vars(cls).get(name) is None and not inherited:  # with only __eq__ a class has __hash__ = None
                    setattr(cls, name, method)
            return cls

        return decorate

    def replace(instance: Any, **changes: object) -> Any:
        """Return a copy with some fields changed, as `dataclasses.replace` does in four times the time."""
        cls = type(instance)
        names, source, copy = cls.__match_args__, instance.__dict__, object.__new__(cls)
        attributes = copy.__dict__
        for name in names:
            attributes[name] = source[name]
        attributes.update(changes)
        if len(attributes) != len(names):
            unknown = [name for name in changes if name not in names]
            raise TypeError(f"{cls.__name__}({', '.join(names)}) has no {' and no '.join(unknown)}")
        if cls._post_init is not None:
            copy._post_init()
        return copy


class _Signature:
    """Descriptor of `__signature__` (for `help` and `inspect`), computed on access."""

    def __get__(self, instance: object, cls: type) -> Signature:
        if instance is not None:
            raise AttributeError("__signature__ is an attribute of the class, not of its instances")
        from inspect import Parameter, Signature

        parameters = []
        for field in dataclasses.fields(cls):
            default: Any = field.default if field.default is not dataclasses.MISSING else Parameter.empty
            if field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            kind = Parameter.POSITIONAL_OR_KEYWORD
            parameters.append(Parameter(field.name, kind, default=default, annotation=field.type))
        return Signature(parameters)


def _init(self: Any, *values: object, **keywords: object) -> None:
    names, attributes = self.__match_args__, self.__dict__
    if keywords:
        _set_attributes(self, attributes, values, keywords)
    elif len(values) == len(names):
        attributes.update(zip(names, values))  # noqa: B905  of one length; `strict` takes time
    elif len(values) in self._last_defaults:
        attributes.update(zip(names, values), **self._last_defaults[len(values)])  # noqa: B905  defaults follow
    else:
        _set_attributes(self, attributes, values, keywords)
    if self._post_init is not None:
        self._post_init()


def _set_attributes(
    self: Any, attributes: dict[str, object], values: tuple[object, ...], keywords: dict[str, object]
) -> None:
    """Set the fields from positional values, keywords and defaults; raise TypeError on a mismatch."""
    cls, names = type(self), self.__match_args__
    attributes.update(zip(names, values, strict=False), **keywords)
    if len(values) + len(keywords) != len(attributes) or not keywords.keys() <= set(names):
        raise TypeError(_mismatch(cls, values, keywords))
    for name in names if len(attributes) < len(names) else ():
        if name in attributes:
            continue
        field = cls.__dataclass_fields__[name]
        if field.default is not dataclasses.MISSING:
            attributes[name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            attributes[name] = field.default_factory()
        else:
            raise TypeError(f"{cls.__name__}({', '.join(names)}) is missing the argument {name}")
    last = {name: cls.__dataclass_fields__[name].default for name in names[len(values) :]}
    if not keywords and all(default is not dataclasses.MISSING for default in last.values()):
        cls._last_defaults[len(values)] = last


def _mismatch(cls: type, values: tuple[object, ...], keywords: dict[str, object]) -> str:
    """Return the message about arguments that are no fields, or that are given twice."""
    from .nearest_name import unknown_arguments  # here, since only errors need it

    names = cls.__match_args__  # type: ignore[attr-defined]
    unknown = unknown_arguments(cls.__name__, [name for name in keywords if name not in names], names)
    if unknown:
        return unknown
    signature = f"{cls.__name__}({', '.join(names)})"
    if len(values) > len(names):
        return f"{signature} takes at most {len(names)} arguments, not {len(values)}"
    twice = [name for name in names[: len(values)] if name in keywords]
    return f"{signature} got two values of {' and '.join(twice)}"


def _values_of(names: tuple[str, ...]) -> Any:
    """Return the function that reads the fields `names` of an instance as a tuple."""
    if len(names) > 1:
        return staticmethod(attrgetter(*names))
    return staticmethod(lambda instance: tuple(getattr(instance, name) for name in names))


def _set(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _equal(self: Any, other: Any) -> bool:
    if type(other) is not type(self):
        return NotImplemented
    one, two = self._values(self), self._values(other)
    if self._with_arrays:
        return same(one, two)
    return bool(one == two)


def _hash(self: Any) -> int:
    return hash_of(self._values(self)) if self._with_arrays else hash(self._values(self))


def _state(self: Any) -> dict[str, object]:
    """Return the fields alone for pickles and copies: what was computed from them is computed again."""
    return {name: self.__dict__[name] for name in self.__match_args__}


def _repr(self: Any) -> str:
    values = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({values})"
