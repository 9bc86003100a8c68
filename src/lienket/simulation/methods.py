"""The integrators: where each is, and what memory it wants. Nothing here needs numba."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .native.memory import state_size

NATIVE = "lienket.simulation.native."


@dataclass(frozen=True)
class Method:
    """An integrator: its name, its module, the order of its error, and the length of its scratch for n and s."""

    name: str
    module: str
    order: int
    scratch: Callable[[int, int], int]
    words: str


AUTO, STIFF = "dop853", "radau5"
"""What "auto" begins with, and what it goes on with where the motion is stiff."""
METHODS = {
    method.name: method
    for method in (
        Method("dop853", NATIVE + "dop853", 8, lambda n, s: 26 * state_size(n), "explicit Runge-Kutta of order 8"),
    )
}
NAMES = ["auto", *METHODS, "ida"]
