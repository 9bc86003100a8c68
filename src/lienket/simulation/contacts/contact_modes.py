"""Mode of a contact (open, sticking, sliding), a closed contact in the search for modes, and the pattern found."""

from __future__ import annotations

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass

OPEN, STICK, SLIDE = "open", "stick", "slide"
# [1] violation of an inequality of accelerations, relative to their terms; the accuracy of events
ACCELERATION_SLACK = 1e-9
# [1] violation of an inequality of forces, relative to these; rounding only, or a contact at its limit would stick
FORCE_SLACK = 1e-11
DISTINCT_MOTIONS = 1e-7  # [1] difference of accelerations, relative to their terms, above which two patterns differ


@dataclass(frozen=True)
class Mode:
    """Mode of one contact: its kind, direction of sliding (0 unless it slides) and sign `sense` of the normal force."""

    kind: str
    direction: int = 0
    sense: int = 1


@dataclass(frozen=True)
class ClosedContact:
    """Closed contact in the search for modes: its rows in y (`tangential` -1 without friction) and coefficients.

    `pushes`: unilateral, its normal force cannot be negative. `moving` is the direction in which it slides already,
    otherwise 0. `may_stick` is False where its static friction has just been exceeded; it then slides in the direction
    `must_slide`, in any if that is 0. `smooth`: its coefficients are constant and zero; it slides without a direction.
    """

    name: str
    normal: int
    tangential: int
    mu: float
    mu_static: float
    pushes: bool
    moving: int = 0
    may_stick: bool = True
    must_slide: int = 0
    smooth: bool = False

    def modes(self) -> list[Mode]:
        """Return all modes that the contact may take, sticking first."""
        senses = (1,) if self.pushes else (1, -1)
        modes = []
        if self.tangential < 0 or (self.moving == 0 and self.may_stick and not self.smooth):
            modes.append(Mode(STICK))
        if self.tangential >= 0:
            known = self.moving or self.must_slide
            directions = (0,) if self.smooth else (known,) if known else (1, -1)
            modes += [Mode(SLIDE, d, s) for d in directions for s in senses]
        return [*modes, Mode(OPEN)] if self.pushes else modes


@dataclass(frozen=True)
class ModePattern:
    """Modes of all contacts and the forces of their rows; `others` is the number of further valid patterns."""

    modes: tuple[Mode, ...]
    forces: Array
    others: int = 0
