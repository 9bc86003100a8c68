"""What a function of machine code computes, before it is written."""

from __future__ import annotations

from typing import Any

from ..records import dataclass
from .saddle import Saddle


@dataclass(frozen=True)
class Written:
    """What a function computes: out[k] = node for each pair, and the comparisons that must hold.

    With `dense` the pairs fill the matrix of a system that is then solved (see `dense`).
    """

    name: str
    outputs: tuple[tuple[int, int], ...]
    conditions: tuple[int, ...] = ()
    dense: Saddle | None = None

    @property
    def size(self) -> int:
        """How many numbers it writes."""
        return len(self.outputs) if self.dense is None else self.dense.n + self.dense.s

    def roots(self) -> list[int]:
        """Every node it needs."""
        return [*(x for _, x in self.outputs), *self.conditions]


def given_name(function: Any, orders: tuple[int, ...]) -> str:
    """The name in the code of a Python function or of its derivative, by which its address is looked up."""
    return f"given.{id(function.callable_of(orders)):x}.{'.'.join(map(str, orders))}"
