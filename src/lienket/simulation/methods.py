"""The integrators: where each is, and what memory it wants. Nothing here needs numba."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .native.memory import state_size

NATIVE = "lienket.simulation.native."


@dataclass(frozen=True)
class Method:
    """An integrator: its name, its module, the order of its error, the length of its scratch for n and s,
    what it is in words, and whether it asks for the derivatives of the accelerations.
    """

    name: str
    module: str
    order: int
    scratch: Callable[[int, int], int]
    words: str
    derivatives: bool = False


def _radau5(n: int, s: int) -> int:
    """See `radau5_memory.room_of`."""
    derivatives = (n + s) * (2 * n + 2)
    return 16 + 2 * n + 13 * state_size(n) + 3 * s + 5 * n * n + derivatives + 8 * n


def _bdf(n: int, s: int) -> int:
    """See `bdf_memory.room_of`."""
    derivatives = (n + s) * (2 * n + 2)
    return 24 + 4 * n + 13 * (state_size(n) + 1) + s + 3 * n * n + derivatives + n


METHODS = {
    method.name: method
    for method in (
        Method("dop853", NATIVE + "dop853", 8, lambda n, s: 26 * state_size(n), "explicit Runge-Kutta of order 8"),
        Method("radau5", NATIVE + "radau5", 5, _radau5, "implicit Runge-Kutta of order 5, for stiff systems", True),
        Method("bdf", NATIVE + "bdf", 5, _bdf, "Gear's formulas of order 1 to 5, for stiff systems", True),
    )
}
