"""The linear system beside a state as formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from ... import derivation
from ...errors import LienketError, did_you_mean
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.faults import Faults
from ...language.names import by_name
from ...model.input.outputs import multiplier_symbols, read_output_expressions
from ...model.laws import Coulomb, Unilateral
from ...model.reaction_symbols import row_multipliers, with_multipliers
from ...model.statement import Statement
from ...reactions.laws import law_force
from .request import read_inputs, read_states
from .symbolic_system import AtState, LinearFormulas, linearized


def linear_formulas(
    statement: Statement, q: Any, v: Any, t: Any, values: Any, inputs: Any, outputs: Any, independent: Any
) -> LinearFormulas:
    """The linear system beside a state given by expressions, 0 where nothing is said."""
    _refuse_contacts(statement)
    faults = Faults()
    names, parameters = statement.names, [p.name for p in statement.parameters]
    given = read_inputs(inputs, statement, faults)
    wanted = read_output_expressions(outputs, statement, faults, multiplier_symbols(statement))
    places = read_states(independent, statement, faults)
    state = [_expressions(x, names, word, faults) for x, word in ((q, "q"), (v, "v"))]
    numbers = _expressions(values, parameters, "values", faults, partly=True)
    moment = as_expression(t, "t", faults)
    faults.raise_any("The linearization")
    free = derivation.free_system(statement.free)
    rows = [derivation.rows(statement.free, c) for c in statement.constraints]
    engine = free.engine.fork()
    for row in rows:
        engine = engine.joined(row.engine)
    inside = {engine.t: moment, **dict(zip(engine.q, state[0].values(), strict=True))}
    inside |= dict(zip(engine.v, state[1].values(), strict=True))
    inside |= {engine.inward(p): numbers[p.name] for p in statement.parameters if p.name in numbers}
    # A state may be written with parameters that have been given values: these go in first.
    known = {p: numbers[p.name] for p in statement.parameters if p.name in numbers}
    at = AtState(engine, {s: engine.inward(x.xreplace(known)) for s, x in inside.items()})
    multipliers = [engine.inward(s) for s in row_multipliers(statement.constraints)]
    pushed = [engine.inward(statement.parameters[k]) for k in given]
    found = linearized(free, rows, at, multipliers, pushed, places, _forces(statement, free.inside_h, engine))
    n = len(names)
    A = sp.Matrix.vstack(found.T[n:, :], found.by_state[:n, :]).extract(found.places, range(found.T.cols))
    B = sp.Matrix.vstack(sp.zeros(n, len(given)), found.by_inputs[:n, :]).extract(found.places, range(len(given)))
    C, D = sp.eye(len(found.places)), sp.zeros(len(found.places), len(given))
    if wanted:
        shown = [engine.inward(with_multipliers(e, statement.constraints, statement.coordinates)) for _, e in wanted]
        by_state = found.at.jacobian(shown, [*engine.q, *engine.v])
        by_solution = found.at.jacobian(shown, [*engine.a, *multipliers])
        if found.redundant and not by_solution[:, n:].is_zero_matrix:
            raise LienketError("Multipliers of redundant constraints are not unique, and no outputs; release some.")
        C = by_state * found.T + by_solution * found.by_state
        D = found.at.jacobian(shown, pushed) + by_solution * found.by_inputs
    states = tuple(names[place % n] + "'" * (place // n) for place in found.places)
    listed = (states, tuple(parameters[k] for k in given), tuple(name for name, _ in wanted) or states)
    matrices = (sp.ImmutableMatrix(M.applyfunc(sp.simplify)) for M in (A, B, C, D, found.T))
    return LinearFormulas(names, *listed, *matrices)


def _refuse_contacts(statement: Statement) -> None:
    for c in statement.constraints:
        if isinstance(c.law, Coulomb | Unilateral):
            raise LienketError(
                f"{c.name!r} is a contact, which slides, sticks or opens; there are no formulas of the linear system."
            )


def _forces(statement: Statement, h: Sequence[Any], engine: Engine) -> list[Any]:
    """The forces h + c with what laws exert, n."""
    laws = [dict(law_force(c, statement.coordinates).push) for c in statement.constraints]
    c = [sp.Add(*(law.get(x, sp.S.Zero) for law in laws)) for x in statement.coordinates]
    return [force + engine.inward(push) for force, push in zip(h, c, strict=True)]


def _expressions(given: Any, names: Any, where: str, faults: Faults, partly: bool = False) -> dict[str, Any]:
    """Expressions by name, 0 for those that are not given (or none at all, with `partly`)."""
    found = {} if partly else dict.fromkeys(names, sp.S.Zero)
    if given is None:
        return found
    if not isinstance(given, Mapping):
        given = dict(zip(names, given, strict=False))
    for key, value in by_name(given).items():
        name = key.rstrip("'") if where == "v" else key
        if name not in names:
            faults.add(where, f"{key} is not known{did_you_mean(key, names)}")
        else:
            found[name] = as_expression(value, f"{where}[{name}]", faults)
    return found
