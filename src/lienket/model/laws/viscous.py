"""Viscous: a force against the sliding velocity, independent of the reaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class Viscous:
    """The constraint also exerts c = -coefficient slip (d slip/d q')^T; `slip` is linear in q'."""

    coefficient: Any
    slip: Any = None

    def mapped(self, rewrite: Callable[[Any], Any]) -> Viscous:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return replace(self, coefficient=rewrite(self.coefficient), slip=rewrite(self.slip))

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Return every expression by name with the highest derivative order allowed in it."""
        return {"coefficient": (self.coefficient, 1), "slip": (self.slip, 1)}
