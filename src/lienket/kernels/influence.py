"""What one constraint does to the reaction of another, at a state (theory 7).

The change is the reaction of `on` in the whole system less its reaction in the system without `of`. The second
comes from the chain released of `of`; the lemma r1 = r1_0 + C r2 says the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .chain import Chain
from .metric import Array
from .release import release
from .shares import shares


@dataclass(frozen=True)
class InfluenceNumbers(Mapping[tuple[str, str], Array]):
    """(of, on) -> change of the reaction of `on` made by the constraint `of`, n numbers."""

    changes: Mapping[tuple[str, str], Array]
    coordinates: tuple[str, ...]

    def __getitem__(self, pair: tuple[str, str]) -> Array:
        return self.changes[pair]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __str__(self) -> str:
        head = ["of", "on", *self.coordinates]
        lines = [[of, on, *(f"{x:.6g}" for x in change)] for (of, on), change in self.changes.items()]
        widths = [max(len(line[k]) for line in (head, *lines)) for k in range(len(head))]
        texts = [
            "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in (head, *lines)
        ]
        return "\n".join(texts)


def change(chain: Chain, names: tuple[str, ...], of: str, on: str) -> Array:
    """The change of the reaction of `on` that `of` makes, n."""
    if of == on:
        return shares(chain, names).reactions[on]
    return shares(chain, names).reactions[on] - _without(chain, names, of)[on]


def table(chain: Chain, names: tuple[str, ...], coordinates: tuple[str, ...]) -> InfluenceNumbers:
    """Every change of the reaction of one constraint by another."""
    whole = shares(chain, names).reactions
    changes: dict[tuple[str, str], Array] = {}
    for of in names:
        without = _without(chain, names, of)
        changes |= {(of, on): whole[on] - without[on] for on in names if on != of}
    return InfluenceNumbers(changes, coordinates)


def _without(chain: Chain, names: tuple[str, ...], of: str) -> Mapping[str, Array]:
    released = release(chain, of)
    rest = tuple(name for name in names if name != of)
    if released.massless:
        return {name: np.full(len(chain.a), np.nan) for name in rest}  # nothing else holds a massless part
    return shares(released, rest).reactions
