"""Checks of what is stated for inputs: the symbols in it, and the places at which the system uses the input."""

from __future__ import annotations

import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import Faults
from ...language.expression import Coordinate, Expression
from ...language.input_functions import Sampled
from ...language.symbols import name_of, t, velocity
from ...language.traversal import find, symbols_in
from ..closed_inputs import closed
from ..statement import Statement
from .statement import check_statement


def check_input_symbols(where: str, expression: Expression, statement: Statement, faults: Faults) -> None:
    """Report symbols in what is stated for an input whose names denote something else in the system."""
    taken = {name_of(F): "an input" for F, _ in statement.inputs} | dict.fromkeys(statement.names, "a coordinate")
    parameters = {p.name: p for p in statement.parameters}
    for symbol in sorted(symbols_in(expression) - {t}, key=str):
        label = symbol.name
        if label == "t":
            faults.add(where, "it contains a symbol t that is not time", "Use lk.t for time.")
        elif label in taken:
            faults.add(where, f"it contains a parameter named {label} like {taken[label]}", "Rename the parameter.")
        elif parameters.get(label, symbol) != symbol:
            faults.add(where, f"two different symbols are both named {label}", "Create each parameter once.")


def check_input_uses(statement: Statement, faults: Faults) -> None:
    """Report inputs that cannot stand where the system uses them."""
    for F in [F for F, stated in statement.inputs if isinstance(stated, Sampled)]:
        user = constraint_with_derivative(F, statement) or formula_with_derivative(F, statement)
        if user:
            what = f"a sampled function jumps, but {user} needs its derivatives"
            faults.add(f"input {name_of(F)!r}", what, "Use an expression of t, a table, or a program with feedback.")
    feedback = {F: e for F, e in statement.inputs if isinstance(e, sp.Basic) and find(e, AppliedUndef)}
    for F, e in feedback.items():
        for user in _differentiated(F, statement, velocities=bool(find(e, sp.Derivative))):
            what = f"it depends on the state, but {user} is differentiated at a given value of the input"
            advice = (
                "State it as a function of time, or let the feedback act through a force, lk.Sampled or lk.Program."
            )
            faults.add(f"input {name_of(F)!r}", what, advice)
    if feedback and not faults:
        check_statement(closed(statement), faults)


def _differentiated(F: Coordinate, statement: Statement, velocities: bool) -> list[str]:
    """Return what is differentiated by q (or by q', if the input depends on `velocities`) and contains an input.

    A force Q(q, q', F) is not differentiated. dV/dq, dT/dq and the gradient of a constraint on positions are taken at
    given F(t): with F = e(q) in its place they would have further terms. A constraint on velocities is differentiated
    by q', and so is Rayleigh's function.
    """
    free = statement.free
    energies = {"the kinetic energy": free.kinetic, "the potential": free.potential, "the inertia": free.inertia}
    energies |= {"the dissipation": free.dissipation} if velocities else {}
    users = [name for name, e in energies.items() if e is not None and e.has(F)]
    users += [f"the point of load {load.name!r}" for load in free.loads if any(e.has(F) for e in load.at)]
    levels = (0, 1) if velocities else (0,)
    rows = [c for c in statement.every_constraint if c.level in levels and any(e.has(F) for e in c.expressions)]
    return users + [f"the constraint {c.name!r}" for c in rows]


def constraint_with_derivative(F: Coordinate, statement: Statement) -> str:
    """Return the constraint on positions or velocities that needs derivatives of an input, or an empty text."""
    users = [c.name for c in statement.every_constraint if c.level < 2 and any(e.has(F) for e in c.expressions)]
    return f"the constraint {users[0]!r}" if users else ""


def formula_with_derivative(F: Coordinate, statement: Statement) -> str:
    """Return what else needs derivatives of an input, in words, or an empty text."""
    kinetic, inertia = statement.free.kinetic, statement.free.inertia
    if inertia is not None and inertia.has(F):
        return "the momentum"
    if kinetic is not None and kinetic.has(F) and any(kinetic.diff(velocity(x)).has(F) for x in statement.coordinates):
        return "the momentum"
    stated = {d for e in statement.expressions() for d in find(e, sp.Derivative) if d.expr == F}
    return f"a formula with {name_of(min(stated, key=str))}" if stated else ""
