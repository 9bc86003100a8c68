"""The integrators: where each is, and what memory it wants. Nothing here needs numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..foundation.frozen_dataclass import dataclass
from .integrators.scratch.bdf import bdf_scratch
from .integrators.scratch.dop853 import dop853_scratch
from .integrators.scratch.radau5 import radau5_scratch
from .integrators.scratch.rattle import rattle_scratch
from .memory import addresses
from .problem import Problem

NATIVE = "lienket.simulation.integrators.native."


@dataclass(frozen=True)
class Method:
    """An integrator: its name, its module, the order that its first step is chosen for, the shapes of its scratch.

    `scratch` is a function of n and s. `fixed`: all steps are equally long, see control[FIXED_STEP]. `highest_level`:
    the highest level of rows it can keep. `needs`: functions of the model that it calls beside those that all do, by
    their places in `addresses`. `multistep`: a step follows from those before it, so that it cannot be made again. One
    that is not `native` is a function of Python, in its module and by its name; it knows no events. `entry` is the
    kernel in the module. `strictness`: the estimate of the error is made so many times as large; a step aims at
    1/strictness.
    """

    name: str
    module: str
    order: int
    scratch: Callable[[int, int], Any]
    description: str
    fixed: bool = False
    highest_level: int = 2
    needs: tuple[tuple[int, str], ...] = ()
    native: bool = True
    multistep: bool = False
    entry: str = "method"
    strictness: float = 1.0

    def refusal(self, problem: Problem) -> str:
        """Why it cannot be used for a problem, naming the constraints; empty if it can."""
        model = problem.model
        if model.nonlinear:
            return (
                f"Runs with {', '.join(map(repr, model.nonlinear))} are not there yet: it is nonlinear in the "
                "accelerations. system.at(q, v, t) solves such states one by one."
            )
        if model.non_ideal and self.name in IDEAL_ONLY:
            return f"The method {self.name!r} knows no friction and no drives. Choose another."
        names = [repr(c.name) for c in model.constraints if c.level > self.highest_level]
        if not names:
            return ""
        return (
            f"The method {self.name!r} keeps positions and velocities on their constraints, and {', '.join(names)} "
            "has no equation for either: it is one on accelerations. Choose another method."
        )


DOP853_STRICTNESS = 40.0  # [1] a run of many steps should stay near its tolerances
_STIFF: Any = {"needs": ((addresses.DERIVATIVES, "derivatives"),)}
_GEAR: Any = {**_STIFF, "multistep": True}
_SYMPLECTIC: Any = {
    "fixed": True,
    "highest_level": 1,
    "multistep": True,
    "needs": ((addresses.LAGRANGIAN, "lagrangian"),),
}

AUTO, STIFF = "dop853", "radau5"
"""What "auto" begins with, and what it goes on with where the motion is stiff."""
METHODS = {
    method.name: method
    for method in (
        Method(
            "dop853",
            NATIVE + "dop853",
            7,
            dop853_scratch,
            "explicit Runge-Kutta of order 8",
            strictness=DOP853_STRICTNESS,
        ),
        Method(
            "radau5",
            NATIVE + "radau5.step",
            5,
            radau5_scratch,
            "implicit Runge-Kutta of order 5, for stiff systems",
            **_STIFF,
        ),
        Method(
            "bdf", NATIVE + "bdf.step", 1, bdf_scratch, "Gear's formulas of order 1 to 5, for stiff systems", **_GEAR
        ),
        Method(
            "rattle", NATIVE + "rattle.rattle", 2, rattle_scratch, "symplectic, fixed steps, order 2", **_SYMPLECTIC
        ),
        Method(
            "rattle4",
            NATIVE + "rattle.rattle",
            4,
            rattle_scratch,
            "symplectic, fixed steps, order 4",
            entry="method4",
            **_SYMPLECTIC,
        ),
        Method(
            "ida", "lienket.simulation.integrators.ida", 5, lambda n, s: (), "IDA of SUNDIALS, as a check", native=False
        ),
    )
}
NAMES = ["auto", *METHODS]
IDEAL_ONLY = ("rattle", "rattle4", "ida")
"""Those that know ideal constraints only."""
FIXED = [name for name, method in METHODS.items() if method.fixed]
CHOOSE_THEIR_STEP = ["auto", *(name for name, method in METHODS.items() if not method.native)]
"""Those whose steps are all equally long, and those that cannot be told how long they should be; of the others a fixed
step that the tolerances do not allow ends a run."""
