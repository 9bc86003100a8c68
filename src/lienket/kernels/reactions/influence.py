"""Influence of one constraint on the reaction of another, at a state (theory 7).

The change is the reaction of `on` in the whole system minus its reaction in the system without `of`. The latter
comes from the chain with `of` released; the lemma r1 = r1_0 + C r2 gives the same change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...language.by_name import ByName

if TYPE_CHECKING:
    from ..state import State


@dataclass(frozen=True)
class InfluenceNumbers(Mapping[tuple[str, str], Array]):
    """Mapping (of, on) -> change of the reaction of `on` caused by the constraint `of`, n numbers."""

    changes: Mapping[tuple[str, str], Array]
    coordinates: tuple[str, ...]

    def __getitem__(self, pair: tuple[str, str]) -> Array:
        return self.changes[pair]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __str__(self) -> str:
        if not self.changes:
            return "There are fewer than two constraints, so there is no influence."
        head = ["of", "on", *self.coordinates]
        lines = [[of, on, *(f"{x:.6g}" for x in change)] for (of, on), change in self.changes.items()]
        widths = [max(len(line[k]) for line in (head, *lines)) for k in range(len(head))]
        texts = [
            "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in (head, *lines)
        ]
        return "\n".join(texts)


def change(state: State, of: str, on: str) -> Array:
    """Return the change of the reaction of `on` caused by `of`, n."""
    if of == on:
        raise LienketError(f"{of!r} has no influence on itself; name two different constraints.")
    return state.reactions[on] - state.release(of).reactions[on]


def table(state: State) -> InfluenceNumbers:
    """Return all changes of the reaction of one constraint by another; NaN if there is no motion without the latter."""
    whole = state.reactions
    changes: dict[tuple[str, str], Array] = {}
    for of in whole:
        try:
            without = state.release(of).reactions
        except LienketError:  # no other constraint binds a massless part, or no drive keeps a program
            without = {on: np.full(len(state.h), np.nan) for on in whole}
        changes |= {(of, on): whole[on] - without[on] for on in whole if on != of}
    return InfluenceNumbers(ByName(changes, "influence"), state.names)
