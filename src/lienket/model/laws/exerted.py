"""Exerted: a generalized force that a constraint exerts besides its ideal reaction, given or measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...foundation.frozen_dataclass import dataclass
from ...language.symbols import name_of


@dataclass(frozen=True)
class Exerted:
    """The constraint also exerts c(q, q', t): `forces` maps coordinates to expressions.

    It may also be an lk.Force at a point r(q), or a list of them: c = (dr/dq)^T F; lk.laws.record reads such a force
    from a file. Only the part along the motions that the constraints leave acts; the other only changes lambda.
    """

    forces: Any

    def mapped(self, rewrite: Callable[[Any], Any]) -> Exerted:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return Exerted(tuple((x, rewrite(e)) for x, e in self.forces))

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Return every expression by name with the highest derivative order allowed in it."""
        return {f"forces[{name_of(x)}]": (e, 1) for x, e in self.forces}
