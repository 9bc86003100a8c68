"""Unilateral: a contact that opens and closes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass

IMPACTS = ("newton", "poisson")


@dataclass(frozen=True)
class Unilateral:
    """The constraint g(q, t) = 0 becomes g >= 0: it pushes towards growing g, lambda >= 0, and does not pull.

    restitution  e, the coefficient of restitution: a number from 0 to 1 or a parameter
    impact       "newton": the velocity g' after an impact is at least -e times that before;
                 "poisson": the impulse of the expansion is e times that of the compression
    """

    restitution: Any = 0
    impact: str = "newton"

    def mapped(self, rewrite: Callable[[Any], Any]) -> Unilateral:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return replace(self, restitution=rewrite(self.restitution))

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Return every expression by name with the highest derivative order allowed in it; -1 for parameters only."""
        return {"restitution": (self.restitution, -1)}
