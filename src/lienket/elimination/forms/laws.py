"""Non-ideal laws in the equations: A q'' = h + G^T lambda + c (theory 9).

The friction of a contact depends on the multiplier of its constraint. Forms without multipliers therefore also need the
equations that determine it: those of the eliminated coordinates, one for each multiplier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import sympy as sp

from ...foundation.frozen_dataclass import dataclass
from ...language.expression import EngineExpression, Expression
from ..chain import Chain
from ..null_space_step import ZERO, Vector
from ..with_forces import with_forces
from .equations import column, combination, matrix, unevaluated_sum
from .remarks import Remark


@dataclass(frozen=True, eq=False)
class Laws:
    """Non-ideal forces as SymPy expressions.

    forces               constraint -> c, n entries, in which each friction force is a symbol
    frictions            that symbol -> friction force along the slip, a function of the multiplier of its constraint
    multipliers          multipliers of all rows except those of programs, in order
    contact_multipliers  those of contacts, on which friction forces and conditions depend
    remarks              sentences below the equations
    parameter_names      names of all parameters, which new symbols must avoid
    """

    forces: Mapping[str, tuple[Expression, ...]] = field(default_factory=dict)
    frictions: Mapping[sp.Symbol, Expression] = field(default_factory=dict)
    multipliers: tuple[sp.Symbol, ...] = ()
    contact_multipliers: tuple[sp.Symbol, ...] = ()
    remarks: tuple[Remark, ...] = ()
    parameter_names: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.forces)

    def with_forces(self, chain: Chain) -> tuple[Chain, Vector]:
        """Return the chain with h + c in place of h, and c (n) in the symbols of its engine."""
        n = len(chain.h)
        c = [sp.Add(*(force[i] for force in self.forces.values())) for i in range(n)]
        loaded = with_forces(chain, c)
        return loaded, [loaded.engine.inward(e) for e in c]

    def column(self, chain: Chain, entries: Vector) -> sp.ImmutableMatrix:
        """Return the engine's entries as a SymPy column with the friction forces, linear in them, written out."""
        symbols = [chain.engine.inward(symbol) for symbol in self.frictions]
        rest = column(chain, [e.subs(dict.fromkeys(symbols, ZERO)) for e in entries] if symbols else entries)
        for symbol, friction in zip(symbols, self.frictions.values(), strict=True):
            factors = column(chain, [e.diff(symbol) for e in entries])
            rest = sp.ImmutableMatrix(
                [unevaluated_sum(x, factor * friction) for x, factor in zip(rest, factors, strict=True)]
            )
        return rest

    def determining_coordinates(self, chain: Chain) -> list[int]:
        """Return the eliminated coordinates whose equations determine the multipliers of contacts."""
        G = _passive_rows(chain)
        unknown = {k for k, symbol in enumerate(self.multipliers) if symbol in self.contact_multipliers}
        free = set(chain.free_coordinates)
        bound = [i for i in range(len(chain.h)) if i not in free]
        coordinates: set[int] = set()
        while True:
            needed = {i for i in bound if any(G[k][i] != 0 for k in unknown)}
            if needed == coordinates:
                return sorted(coordinates)
            coordinates = needed
            unknown |= {k for k, J in enumerate(G) if any(J[i] != 0 for i in coordinates)}

    def ideal_reactions(self, chain: Chain, coordinates: Sequence[int]) -> list[Expression]:
        """Return (G^T lambda)_i of the coordinates i as unevaluated sums."""
        G = matrix(chain, [[J[i] for i in coordinates] for J in _passive_rows(chain)], len(coordinates))
        return [combination(G.col(k), self.multipliers) for k in range(len(coordinates))]


def _passive_rows(chain: Chain) -> list[tuple[EngineExpression, ...]]:
    """Return the rows of all constraints except programs."""
    return [J for row in chain.rows if not row.drives for J in row.inside_G]
