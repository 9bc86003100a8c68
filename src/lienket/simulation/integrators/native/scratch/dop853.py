"""Scratch memory of DOP853."""

from __future__ import annotations

from typing import Any, NamedTuple

STAGES = 16  # [stages] twelve of the step, one at its end, three of the dense output
POWERS = 8  # [1] coefficients of the dense output


class Dop853Scratch(NamedTuple):
    """Blocks of the scratch memory; m = 2 n + 1."""

    rates: Any  # (STAGES, m) rates of all stages
    stage: Any  # (m) state of a stage
    stage_before: Any  # (m) state of the last stage but one, later the error for the check of stiffness
    polynomial: Any  # (POWERS, m) coefficients of the dense output


def dop853_scratch(n: int, s: int) -> Dop853Scratch:
    """Return the shapes of the blocks of `Dop853Scratch`."""
    m = 2 * n + 1
    return Dop853Scratch(rates=(STAGES, m), stage=(m,), stage_before=(m,), polynomial=(POWERS, m))
