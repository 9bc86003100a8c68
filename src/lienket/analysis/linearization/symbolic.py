"""Linearization at a state, as formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from ... import derivation
from ...errors import Faults, LienketError, did_you_mean
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.names import by_name
from ...model.input.outputs import multiplier_symbols, read_output_expressions
from ...model.laws.law_force import law_force
from ...model.reaction_symbols import row_multipliers, with_multipliers
from ...model.statement import Statement
from .request import read_inputs, read_states
from .symbolic_system import AtState, LinearFormulas, linearized

if TYPE_CHECKING:
    pass


def linear_formulas(
    statement: Statement,
    q: object,
    v: object,
    t: object,
    values: object,
    inputs: object,
    outputs: object,
    independent: object,
) -> LinearFormulas:
    """Return the linear system at a state given by expressions, 0 by default."""
    _refuse_contacts(statement)
    faults = Faults()
    names, parameters = statement.names, [p.name for p in statement.parameters]
    chosen = read_inputs(inputs, statement, faults)
    shown = read_output_expressions(outputs, statement, faults, multiplier_symbols(statement))
    independent_states = read_states(independent, statement, faults)
    state = [_expressions(x, names, word, faults) for x, word in ((q, "q"), (v, "v"))]
    numbers = _expressions(values, parameters, "values", faults, partly=True)
    at_time = as_expression(t, "t", faults)
    faults.raise_any("The linearization")
    free = derivation.free(statement)
    rows = [derivation.rows(statement, c) for c in statement.constraints]
    engine = free.engine.fork()
    for row in rows:
        engine = engine.joined(row.engine)
    inside = {engine.t: at_time, **dict(zip(engine.q, state[0].values(), strict=True))}
    inside |= dict(zip(engine.v, state[1].values(), strict=True))
    inside |= {engine.inward(p): numbers[p.name] for p in statement.parameters if p.name in numbers}
    # A state may contain parameters that have values: these are substituted first.
    substitutions = {p: numbers[p.name] for p in statement.parameters if p.name in numbers}
    at = AtState(engine, {s: engine.inward(x.xreplace(substitutions)) for s, x in inside.items()})
    multipliers = [engine.inward(s) for s in row_multipliers(statement.constraints)]
    varied = [engine.inward(statement.parameters[k]) for k in chosen]
    forces = _forces(statement, free.inside_h, engine)
    linear = linearized(free, rows, at, multipliers, varied, independent_states, forces)
    n = len(names)
    A = sp.Matrix.vstack(linear.T[n:, :], linear.by_state[:n, :]).extract(linear.indices, range(linear.T.cols))
    B = sp.Matrix.vstack(sp.zeros(n, len(chosen)), linear.by_inputs[:n, :]).extract(linear.indices, range(len(chosen)))
    C, D = sp.eye(len(linear.indices)), sp.zeros(len(linear.indices), len(chosen))
    if shown:
        y = [engine.inward(with_multipliers(e, statement.constraints, statement.coordinates)) for _, e in shown]
        by_state = linear.at.jacobian(y, [*engine.q, *engine.v])
        by_solution = linear.at.jacobian(y, [*engine.a, *multipliers])
        if linear.redundant and not by_solution[:, n:].is_zero_matrix:
            raise LienketError(
                "Multipliers of redundant constraints are not unique and cannot be outputs. Release the redundant ones."
            )
        C = by_state * linear.T + by_solution * linear.by_state
        D = linear.at.jacobian(y, varied) + by_solution * linear.by_inputs
    states = tuple(names[k % n] + "'" * (k // n) for k in linear.indices)
    listed = (states, tuple(parameters[k] for k in chosen), tuple(name for name, _ in shown) or states)
    matrices = (sp.ImmutableMatrix(M.applyfunc(sp.simplify)) for M in (A, B, C, D, linear.T))
    return LinearFormulas(names, *listed, *matrices)


def _refuse_contacts(statement: Statement) -> None:
    """Raise an error if a contact is among the constraints."""
    for c in statement.constraints:
        if c.law is not None and c.law.is_contact:
            raise LienketError(
                f"{c.name!r} is a contact, whose mode (sticking, sliding, open) may change: there are no formulas."
            )


def _forces(statement: Statement, h: Sequence[Any], engine: Engine) -> list[Any]:
    """Return the forces h + c (n), c those of the laws."""
    laws = [dict(law_force(c, statement.coordinates).push) for c in statement.constraints]
    c = [sp.Add(*(law.get(x, sp.S.Zero) for law in laws)) for x in statement.coordinates]
    return [force + engine.inward(push) for force, push in zip(h, c, strict=True)]


def _expressions(
    values: Any,
    names: Sequence[str],
    where: str,
    faults: Faults,
    partly: bool = False,
) -> dict[str, Any]:
    """Return expressions by name, 0 by default; with `partly`, only those given."""
    expressions = {} if partly else dict.fromkeys(names, sp.S.Zero)
    if values is None:
        return expressions
    if not isinstance(values, Mapping):
        entries = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else None
        if entries is None or len(entries) != len(names):
            given = repr(values) if entries is None else f"{len(entries)} of them"
            what = f"a mapping by name or a sequence of {len(names)} expressions is expected, not {given}"
            faults.add(where, what, f"Their order is {', '.join(names)}.")
            return expressions
        values = dict(zip(names, entries, strict=True))
    for key, value in by_name(values, names).items():
        name = key.rstrip("'") if where == "v" else key
        if name not in names:
            faults.add(where, f"{key} is unknown{did_you_mean(key, names)}")
        else:
            expressions[name] = as_expression(value, f"{where}[{name}]", faults)
    return expressions
