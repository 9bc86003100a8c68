"""The audit that every answer at a state carries: how well each law that it must obey is obeyed."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..elimination.verdict import INDEPENDENT, Verdict
from ..records import dataclass

POSITION_LIMIT = 1e-8  # share of the terms of a residual above which a state is not on its constraints
LIMIT = 1e-9  # share above which an answer is called inaccurate


@dataclass(frozen=True)
class Audit:
    """Residuals at one state; all are shares of the terms they are made of, so 1e-16 is perfect and 1 is nonsense.

    position, velocity, acceleration   by constraint: g, g' or phi, G q'' + g0 (a kind without the level is left out)
    equations                          A q'' - h - r
    ideality                           D^T (r - c), c what laws and drives exert
    power                              rate of energy stored in motion less v^T (Q + r)
    methods                            largest difference between the four methods for r; None where A is singular
    residuals                          the residuals themselves, by level and constraint
    verdicts                           on each constraint
    """

    position: Mapping[str, float]
    velocity: Mapping[str, float]
    acceleration: Mapping[str, float]
    equations: float
    ideality: float
    power: float
    methods: float | None
    residuals: Mapping[str, Mapping[str, float]]
    verdicts: Mapping[str, Verdict]
    remark: str = ""  # why there is no answer to audit

    @property
    def consistent(self) -> bool:
        """Whether the state lies on its constraints, in position and velocity."""
        return all(x <= POSITION_LIMIT for x in (*self.position.values(), *self.velocity.values()))

    @property
    def accurate(self) -> bool:
        """Whether the accelerations and reactions satisfy their equations."""
        numbers = [*self.acceleration.values(), self.equations, self.ideality, self.power, self.methods or 0.0]
        return all(x <= LIMIT for x in numbers)

    @property
    def ok(self) -> bool:
        """Consistent and accurate."""
        return self.consistent and self.accurate

    def __str__(self) -> str:
        lines = []
        for level, shares in (("position", self.position), ("velocity", self.velocity)):
            for name, share in shares.items():
                if share > POSITION_LIMIT:
                    value = self.residuals[level][name]
                    lines.append(f"The state is not on {name!r}: its {level} residual is {value:.3g}.")
        if math.isnan(self.equations):
            lines += [self.remark] if self.remark else []
            return "\n".join([*lines, *(v.sentence for v in self.verdicts.values() if v.status != INDEPENDENT)])
        worst = max([*self.acceleration.values(), self.equations, self.ideality, self.power, self.methods or 0.0])
        word = "hold" if self.accurate else "do NOT hold well"
        lines.append(f"Equations, constraints on accelerations, ideality and power {word}: worst share {worst:.1e}.")
        lines += [v.sentence for v in self.verdicts.values() if v.status != INDEPENDENT]
        return "\n".join(lines)
