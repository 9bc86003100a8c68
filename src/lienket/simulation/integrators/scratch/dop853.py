"""The scratch memory of DOP853."""

from __future__ import annotations

from typing import Any, NamedTuple

STAGES = 16  # twelve of the step, one at its end, three more of the dense output
POWERS = 8  # coefficients of the dense output


class Dop853Scratch(NamedTuple):
    """Blocks of the scratch; m = 2 n + 1."""

    rates: Any  # (STAGES, m) rates of all stages
    stage: Any  # (m) state of a stage
    stage_before: Any  # (m) state of the last stage but one, for the test of stiffness
    polynomial: Any  # (POWERS, m) coefficients of the dense output


def dop853_scratch(n: Any, s: Any) -> Any:
    """The shapes of `Dop853Scratch`."""
    m = 2 * n + 1
    return Dop853Scratch(rates=(STAGES, m), stage=(m,), stage_before=(m,), polynomial=(POWERS, m))
