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
        """The same with every expression as `rewrite` makes it."""
        return Exerted(tuple((x, rewrite(e)) for x, e in self.forces))

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Every expression by its name, with the order of derivatives that may stand in it."""
        return {f"forces[{name_of(x)}]": (e, 1) for x, e in self.forces}
