"""Kept: the results used most recently, by key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Kept(Generic[Result]):
    """At most `size` results by key; the one that was not used for the longest time is dropped first.

    Unlike `functools.lru_cache` it can be asked whether a result is there.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._results: OrderedDict[Hashable, Result] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Result | None:
        """Return the result of a key, or None."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def put(self, key: Hashable, result: Result) -> Result:
        """Keep a result and return it."""
        with self._lock:
            self._results[key] = result
            self._results.move_to_end(key)
            while len(self._results) > self._size:
                self._results.popitem(last=False)
        return result
