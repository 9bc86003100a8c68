"""Tables and Python functions in a statement need usable names that mean one thing only."""

from __future__ import annotations

from .faults import Faults
from .given_functions import GivenData
from .names import name_problem
from .statement import Statement
from .symbols import name_of


def check_given(statement: Statement, faults: Faults) -> None:
    """Note every table and Python function whose name is taken, and different ones of the same name."""
    if not statement.given:
        return
    taken = {name_of(x): "a coordinate" for x in statement.coordinates}
    taken |= {p.name: "a parameter" for p in statement.parameters if getattr(p, "is_Symbol", False)}
    taken |= {drive: "a drive" for constraint in statement.constraints for drive, _ in constraint.drives}
    seen: dict[str, GivenData] = {}
    for data in statement.given:
        where = f"function {data.name!r}"
        if data.name in taken:
            faults.add(where, f"it is named like {taken[data.name]}", "Give it another name.")
        if name_problem(data.name):
            faults.add(where, name_problem(data.name))
        if seen.setdefault(data.name, data) != data:
            what = "two different tables or Python functions have this name"
            faults.add(where, what, "Make each once and use it everywhere, or give one of them another name.")
