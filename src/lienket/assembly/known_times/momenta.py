"""Momenta dT/dq' that jump at a known time, because a mass or a transmission in the kinetic energy does.

No finite force changes velocities in no time; what they are after such a jump does not follow from the equations of
motion, which hold between jumps only. A run over such a time is refused by name.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from ...errors import LienketError
from ...foundation.arrays import Array
from ...language.expression import Expression
from ...language.symbols import t
from ...language.traversal import subexpressions
from ...model.statement import Statement
from ...simulation.known_times.known_times import all_known_times, numbers_of
from ...simulation.known_times.time_function import TimeFunction
from ..numeric_system import NumericSystem
from .time_functions import crossings_at, of_time_alone, steps_of

MOMENTUM_JUMP = 1e-6  # [1] difference of a momentum across a known time, relative to it, that counts as a jump
FIRST_NUMBER, NEXT_NUMBER = 0.7390851, 0.6180339  # [1] numbers of the state at which momenta are compared


def momenta_with_known_times(statement: Statement) -> tuple[TimeFunction, ...]:
    """Return the momenta as functions of time at one state, named by coordinate, if known times stand in them."""
    free, parameters = statement.free, {symbol: k for k, symbol in enumerate(statement.parameters)}
    kinetic = [e for e in (free.kinetic, *(free.inertia or ())) if e is not None and e.has(t)]
    if not any(
        of_time_alone(crossing[0], parameters)
        for node in subexpressions(sp.Tuple(*kinetic))
        for crossing in crossings_at(node)
    ):
        return ()
    numbers: dict[Expression, Expression] = {}
    for k, x in enumerate(statement.coordinates):
        numbers[x], numbers[sp.Derivative(x, t)] = (
            sp.Float(FIRST_NUMBER + NEXT_NUMBER * (2 * k + shift)) for shift in (0, 1)
        )
    found = []
    for name, momentum in zip(statement.names, _momenta(statement), strict=True):
        at_state = momentum.xreplace(numbers)
        if of_time_alone(at_state, parameters):
            found.append(TimeFunction(steps_of(at_state, parameters), name))
    return tuple(found)


def _momenta(statement: Statement) -> list[Expression]:
    """Return dT/dq' (n), or A q' if the inertia matrix is stated."""
    free, velocities = statement.free, [sp.Derivative(x, t) for x in statement.coordinates]
    if free.inertia is not None:
        return list(free.inertia * sp.Matrix(velocities))
    plain = [sp.Dummy() for _ in velocities]
    kinetic = free.kinetic.xreplace(dict(zip(velocities, plain, strict=True)))  # type: ignore[union-attr]
    back = dict(zip(plain, velocities, strict=True))
    return [kinetic.diff(v).xreplace(back) for v in plain]


def refuse_momentum_jumps(system: NumericSystem, parameters: Array, begin: float, end: float) -> None:
    """Raise LienketError if a momentum jumps within a run."""
    if not system.momenta:
        return
    functions = system.time_functions
    known = all_known_times(functions, numbers_of(functions, parameters), begin, end)
    known = known[(known[:, 1] > begin) & (known[:, 2] < end)]
    jumps = {}
    for momentum in system.momenta:
        before, after = (momentum.values(known[:, side], parameters) for side in (1, 2))
        times = known[np.abs(after - before) > MOMENTUM_JUMP * (np.abs(after) + np.abs(before)), 0]
        if len(times):
            jumps[momentum.formula] = float(times[0])
    if jumps:
        named = ", ".join(f"that of {name!r} at t = {time:.9g}" for name, time in jumps.items())
        raise LienketError(
            f"The kinetic energy jumps during this run, and with it momenta: {named}. No force determines the "
            "velocities after that. State a transition without a jump, or an event at that time that sets a parameter "
            "of the kinetic energy and the velocities."
        )
