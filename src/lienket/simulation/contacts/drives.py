"""Drive forces of programs in a system with contacts, for fixed contact modes (theory 9 and 10).

    y = S lambda + y0 + Y u,        effects u + coupling lambda = required        as far as the bounds of u permit

In fixed modes the contact forces are affine in the drives, lambda = lambda_0 + L u, so that u follows from
(effects + coupling L) u = required - coupling lambda_0, solved as in kernels/reactions/drive_allocation.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...kernels.reactions.drive_allocation import PROGRAM_CONFLICT_TOLERANCE, clip_to_bounds, weighted_bounds

DRIVE_EFFECT_ROUNDING = 1e-11  # [1] entry of a program's row, relative to its terms, below which no drive affects it
DRIVE_RANK_TOLERANCE = 1e-9  # [1] singular value of the drives' effects, relative to the largest, that counts as zero


@dataclass(frozen=True, eq=False)
class ContactDrives:
    """Matrices of p drives, c contact rows and m program rows.

    Y (c x p), effects (m x p), coupling (m x c) and required (m) are those of the equations above. `weights`, `least`
    and `most` (p each) belong to the drives. The first `exact` program rows must be satisfied exactly; the others may
    deviate. With `effective` they may do so for the bounds alone, not because no drive affects them in these modes.
    """

    Y: Array
    effects: Array
    coupling: Array
    required: Array
    weights: Array
    least: Array
    most: Array
    exact: int
    effective: bool = False

    def response_with_drives(self, S: Array) -> Array:
        """Return S (c x c) including the drives' reaction to contact forces, while no drive is at a bound."""
        root = np.sqrt(self.weights)
        return S - (self.Y / root) @ np.linalg.pinv(self.effects / root, rcond=DRIVE_RANK_TOLERANCE) @ self.coupling

    def rates_with_drives(self, y0: Array) -> Array:
        """Return y0 (c) including the drives without contact forces, while no drive is at a bound."""
        root = np.sqrt(self.weights)
        return y0 + (self.Y / root) @ (np.linalg.pinv(self.effects / root, rcond=DRIVE_RANK_TOLERANCE) @ self.required)

    def solve(self, forces: Array, responses: Array) -> Array | None:
        """Return the drives u (p); the contact forces are forces + responses u, with shapes (c) and (c x p).

        None where a row that may not deviate cannot be satisfied, for example because a contact sticks.
        """
        M = self.effects + self.coupling @ responses
        terms = np.abs(self.effects) + np.abs(self.coupling) @ np.abs(responses)
        size = np.max(np.abs(M), axis=1, initial=0.0)
        rows = size > DRIVE_EFFECT_ROUNDING * np.max(terms, axis=1, initial=0.0)
        u = self._allocate(M[rows] / size[rows, None], (self.required - self.coupling @ forces)[rows] / size[rows])
        residual = np.abs(M @ u + self.coupling @ forces - self.required)
        scale = np.abs(M) @ np.abs(u) + np.abs(self.coupling) @ np.abs(forces) + np.abs(self.required)
        satisfied = residual <= PROGRAM_CONFLICT_TOLERANCE * scale
        needed = ~rows if self.effective else np.zeros(len(rows), dtype=bool)
        needed[: self.exact] = True
        return u if np.all(satisfied[needed]) else None

    def _allocate(self, M: Array, b: Array) -> Array:
        """Solve M u = b for the drives within their bounds; the largest entry of each row of M is 1."""
        root = np.sqrt(self.weights)
        u = np.linalg.lstsq(M / root, b, rcond=DRIVE_RANK_TOLERANCE)[0] / root
        if np.all((self.least <= u) & (u <= self.most)):
            return u
        bounds = weighted_bounds(self.least, self.most, root)
        return np.clip(clip_to_bounds(M / root, b, bounds) / root, self.least, self.most)
