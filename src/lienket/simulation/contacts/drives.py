"""Drives of programs beside contacts: what they do while contacts act in given modes (theory 9 and 10).

    y = S lambda + y0 + Y u,        effects u + reach lambda = asked        as well as it can be within bounds

In given modes the forces of contacts are affine in the drives, lambda = lambda_0 + L u, so that u follows from
(effects + reach L) u = asked - reach lambda_0, in the way of kernels/reactions/drive_allocation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...kernels.reactions.drive_allocation import AGAINST, NO_BOUND, clip_to_bounds

Array = Any
UNREACHED = 1e-11
"""A row in which no more than this share of its terms is left asks nothing of the drives."""


@dataclass(frozen=True, eq=False)
class ContactDrives:
    """Y (c x p), effects (m x p), reach (m x c) and asked (m) of p drives, c rows of contacts, m of programs.

    `weights`, `least` and `most` (p each) are those of the drives. The first `kept` rows must be met; the others are
    followed as well as can be.
    """

    Y: Array
    effects: Array
    reach: Array
    asked: Array
    weights: Array
    least: Array
    most: Array
    kept: int

    def stiffened(self, S: Array) -> Array:
        """S as contacts find it while no drive is at a bound: drives answer to forces of contacts as well."""
        root = np.sqrt(self.weights)
        return S - (self.Y / root) @ np.linalg.pinv(self.effects / root, rcond=1e-9) @ self.reach

    def answer(self, forces: Array, responses: Array) -> Array | None:
        """The drives u (p), where contacts exert forces (c) and, for a drive of 1, responses (c x p) more.

        None where they cannot keep a program that must be kept: a contact that sticks would be in its way.
        """
        M = self.effects + self.reach @ responses
        terms = np.abs(self.effects) + np.abs(self.reach) @ np.abs(responses)
        size = np.max(np.abs(M), axis=1, initial=0.0)
        rows = size > UNREACHED * np.max(terms, axis=1, initial=0.0)
        u = self._allotted(M[rows] / size[rows, None], (self.asked - self.reach @ forces)[rows] / size[rows])
        left = np.abs(M @ u + self.reach @ forces - self.asked)
        whole = np.abs(M) @ np.abs(u) + np.abs(self.reach) @ np.abs(forces) + np.abs(self.asked)
        return u if np.all(left[: self.kept] <= AGAINST * whole[: self.kept]) else None

    def _allotted(self, M: Array, b: Array) -> Array:
        """The drives that make M u = b, each row of M measured by its largest entry."""
        root = np.sqrt(self.weights)
        u = np.linalg.lstsq(M / root, b, rcond=1e-9)[0] / root
        if np.all((self.least <= u) & (u <= self.most)):
            return u
        bounds = [np.where(np.abs(x) < NO_BOUND, x * root, np.sign(x) * np.inf) for x in (self.least, self.most)]
        return np.clip(clip_to_bounds(M / root, b, bounds) / root, self.least, self.most)
