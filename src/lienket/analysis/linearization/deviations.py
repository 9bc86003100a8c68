"""Inputs and parameters whose deviations are u in x' = A x + B u."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import Faults
from ...language.names import name_among
from ...language.short_text import short_text
from ...language.symbols import is_coordinate_like, name_of
from ...model.checks.inputs import constraint_with_derivative, formula_with_derivative
from ...model.closed_inputs import is_number
from ...model.statement import Statement


def deviating(statement: Statement, inputs: object) -> object:
    """Return the parameters whose deviations are u: those named, by default all inputs that have a column of B.

    An input has one if it is a number and its derivatives do not enter the accelerations.
    """
    stated = {name_of(F): e for F, e in statement.inputs}
    users = {name_of(F): formula_with_derivative(F, statement) for F, _ in statement.inputs}
    if inputs is None or isinstance(inputs, Mapping):
        guides = {name_of(F) for F, _ in statement.inputs if constraint_with_derivative(F, statement)}
        return [name for name, e in stated.items() if is_number(e) and not users[name] and name not in guides]
    if isinstance(inputs, str) or not isinstance(inputs, Iterable):
        return inputs  # reported where it is read
    names = [name_among(key, list(stated)) if is_coordinate_like(key) else key for key in inputs]
    faults = Faults()
    for name in names:
        if isinstance(name, str) and not is_number(stated.get(name)):
            what = f"the input {name} is {short_text(stated[name])}, so it has no deviation of its own"
            faults.add("inputs", what, f"Leave it out, or state a number: system.with_inputs({{{name!r}: 0}}).")
        elif isinstance(name, str) and users.get(name):
            what = f"{users[name]} needs derivatives of the input {name}, which x' = A x + B u does not contain"
            faults.add("inputs", what, f"Make {name} a coordinate whose acceleration an input prescribes.")
    faults.raise_any("The linearization")
    return names
