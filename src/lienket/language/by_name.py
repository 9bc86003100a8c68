"""ByName: results by name, which are not changed, and whose unknown names come with a suggestion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from ..errors import UnknownName
from ..foundation.equality import hash_of, same
from .names import name_among

T = TypeVar("T")


class ByName(dict[Any, T]):
    """A read-only dictionary of results by name, or by pair of names.

    A name that it does not have raises UnknownName, which is a KeyError, with the most similar one; `==` compares
    arrays as a whole. `what` is the kind of thing that has the names: "constraint".
    """

    def __init__(self, entries: Mapping[Any, T], what: str) -> None:
        super().__init__(entries)
        self._what = what

    def __missing__(self, key: Any) -> T:
        names = [_text(name) for name in self]
        if isinstance(key, tuple):
            raise UnknownName(self._what, _text(key), names)
        name = name_among(key, names)
        if name in self:
            return self[name]
        raise UnknownName(self._what, name, names)

    def __eq__(self, other: object) -> bool:
        return same(dict(self), dict(other)) if isinstance(other, Mapping) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]
        return hash_of(dict(self))

    def __reduce__(self) -> Any:
        return ByName, (dict(self), self._what)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("results are not changed; make a copy with dict(...)")

    __setitem__ = __delitem__ = _refuse
    __ior__ = clear = pop = popitem = setdefault = update = _refuse


def _text(key: Any) -> str:
    """Return a key as messages show it: a name, or several separated by commas."""
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)
