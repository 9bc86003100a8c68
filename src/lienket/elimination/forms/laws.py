"""What laws of constraints put into the equations: A q'' = h + G^T lambda + c (theory 9).

A contact follows the multiplier of its own constraint. Forms without multipliers therefore need the equations that
determine it: those of the eliminated coordinates, as many as there are multipliers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import sympy as sp

from ...foundation.frozen_dataclass import dataclass
from ..chain import Chain
from ..null_space_step import ZERO, Vector
from ..with_forces import with_forces
from .equations import added, column, combination, matrix
from .remarks import Remark


@dataclass(frozen=True, eq=False)
class Laws:
    """What is not ideal, as SymPy writes it.

    pushes       constraint -> c, n entries, in which a friction stands as a symbol
    frictions    that symbol -> the force along the slip, with the multiplier of its constraint in it
    multipliers  the multipliers of all rows but those of programs, in order
    followed     those of contacts, on which frictions and conditions depend
    remarks      what is said below the equations
    names        of all parameters, so that new symbols are other ones
    """

    pushes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    frictions: Mapping[sp.Symbol, Any] = field(default_factory=dict)
    multipliers: tuple[sp.Symbol, ...] = ()
    followed: tuple[sp.Symbol, ...] = ()
    remarks: tuple[Remark, ...] = ()
    names: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.pushes)

    def load(self, chain: Chain) -> tuple[Chain, Vector]:
        """The chain with c beside its h, and c (n) in its engine's symbols."""
        n = len(chain.h)
        c = [sp.Add(*(push[i] for push in self.pushes.values())) for i in range(n)]
        under = with_forces(chain, c)
        return under, [under.engine.inward(e) for e in c]

    def column(self, chain: Chain, entries: Vector) -> sp.ImmutableMatrix:
        """The engine's entries as a SymPy column with frictions, which stand in them linearly, written out."""
        symbols = [chain.engine.inward(symbol) for symbol in self.frictions]
        rest = column(chain, [e.subs(dict.fromkeys(symbols, ZERO)) for e in entries] if symbols else entries)
        for symbol, friction in zip(symbols, self.frictions.values(), strict=True):
            factors = column(chain, [e.diff(symbol) for e in entries])
            rest = sp.ImmutableMatrix([added(x, factor * friction) for x, factor in zip(rest, factors, strict=True)])
        return rest

    def determining(self, chain: Chain) -> list[int]:
        """The eliminated coordinates whose equations determine the multipliers that contacts follow."""
        G = _passive(chain)
        wanted = {k for k, symbol in enumerate(self.multipliers) if symbol in self.followed}
        free = set(chain.free_coordinates)
        bound = [i for i in range(len(chain.h)) if i not in free]
        found: set[int] = set()
        while True:
            lines = {i for i in bound if any(G[k][i] != 0 for k in wanted)}
            if lines == found:
                return sorted(found)
            found = lines
            wanted |= {k for k, J in enumerate(G) if any(J[i] != 0 for i in found)}

    def reactions(self, chain: Chain, places: Sequence[int]) -> list[Any]:
        """(G^T lambda)_i of these coordinates, written."""
        G = matrix(chain, [[J[i] for i in places] for J in _passive(chain)], len(places))
        return [combination(G.col(k), self.multipliers) for k in range(len(places))]


def _passive(chain: Chain) -> list[Any]:
    """The rows of all constraints but programs."""
    return [J for row in chain.rows if not row.drives for J in row.inside_G]
