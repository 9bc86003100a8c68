"""Table of the integrators: module, order, scratch memory, supported constraints. It needs neither numba nor NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..foundation.frozen_dataclass import dataclass
from ..foundation.lazy_import import lazy_module

if TYPE_CHECKING:
    from .problem import Problem

NATIVE = "lienket.simulation.integrators.native."


@dataclass(frozen=True)
class Method:
    """Integrator: name, module, order used for its first step size, shapes of its scratch memory.

    `scratch` is a function of n and s. `fixed`: all steps have equal length, see control[FIXED_STEP]. `highest_level`:
    highest level of constraint rows that it supports. `needs`: functions of the model that only some methods call, by
    their names in `addresses`. `multistep`: a step depends on the previous ones, so that it cannot be repeated.
    `ideal_only`: it supports neither friction nor drives. `native`: it is a kernel, the name of which in the module is
    `entry`; else it is a Python function with the name of the method, and does not support events. `error_factor`:
    factor on its error estimate; a step then aims at an error of 1/error_factor tolerances.
    """

    name: str
    module: str
    order: int
    scratch: Callable[[int, int], Any]
    description: str
    fixed: bool = False
    highest_level: int = 2
    needs: tuple[str, ...] = ()
    native: bool = True
    multistep: bool = False
    ideal_only: bool = False
    entry: str = "method"
    error_factor: float = 1.0

    def refusal(self, problem: Problem) -> str:
        """Return why the method cannot integrate a problem, naming the constraints; empty if it can."""
        model = problem.model
        if model.nonlinear:
            return (
                f"Motions under {', '.join(map(repr, model.nonlinear))} cannot be simulated yet: constraints must be "
                "linear in the accelerations. In Python, system.at(q, v, t) gives the accelerations at single states."
            )
        if model.non_ideal and self.ideal_only:
            return f"The method {self.name!r} supports neither friction nor drives. Choose another method."
        names = [repr(c.name) for c in model.constraints if c.level > self.highest_level]
        if not names:
            return ""
        return (
            f"The method {self.name!r} supports constraints on positions and velocities only, but these constrain "
            f"accelerations: {', '.join(names)}. Choose another method."
        )


def scratch_in(name: str) -> Callable[[int, int], Any]:
    """Return the function of n and s in the module `name` of `native.scratch`, which is imported at the first call."""

    def shapes(n: int, s: int) -> Any:
        return getattr(lazy_module(f"{NATIVE}scratch.{name}"), f"{name}_scratch")(n, s)

    return shapes


DOP853_ERROR_FACTOR = 40.0  # [1] factor on the error estimate; keeps the error of a long run near its tolerances
_STIFF: Any = {"needs": ("derivatives",)}
_MULTISTEP: Any = {**_STIFF, "multistep": True}
_SYMPLECTIC: Any = {
    "fixed": True,
    "highest_level": 1,
    "ideal_only": True,
    "multistep": True,
    "needs": ("lagrangian",),
}

AUTO = "dop853"  # method with which "auto" starts
STIFF = "radau5"  # method with which "auto" continues where the motion is stiff
METHODS = {
    method.name: method
    for method in (
        Method(
            "dop853",
            NATIVE + "dop853",
            7,
            scratch_in("dop853"),
            "explicit Runge-Kutta of order 8",
            error_factor=DOP853_ERROR_FACTOR,
        ),
        Method(
            "radau5",
            NATIVE + "radau5.step",
            5,
            scratch_in("radau5"),
            "implicit Runge-Kutta of order 5, for stiff systems",
            **_STIFF,
        ),
        Method(
            "bdf", NATIVE + "bdf.step", 1, scratch_in("bdf"), "backward differentiation of order 1 to 5", **_MULTISTEP
        ),
        Method(
            "rattle",
            NATIVE + "rattle.rattle",
            2,
            scratch_in("rattle"),
            "symplectic, fixed steps, order 2",
            **_SYMPLECTIC,
        ),
        Method(
            "rattle4",
            NATIVE + "rattle.rattle",
            4,
            scratch_in("rattle"),
            "symplectic, fixed steps, order 4",
            entry="method4",
            **_SYMPLECTIC,
        ),
        Method(
            "ida",
            "lienket.simulation.integrators.ida",
            5,
            lambda n, s: (),
            "IDA of SUNDIALS, an independent check",
            native=False,
            ideal_only=True,
        ),
    )
}
NAMES = ["auto", *METHODS]
# Methods whose steps all have equal length.
FIXED = [name for name, method in METHODS.items() if method.fixed]
# Methods for which no fixed step size can be prescribed. For the others, a run ends if the tolerances reject it.
CHOOSE_THEIR_STEP = ["auto", *(name for name, method in METHODS.items() if not method.native)]
