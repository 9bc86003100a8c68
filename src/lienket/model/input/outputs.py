"""Reader of outputs: expressions evaluated along the motion, such as the position of a point."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from ...errors import Faults, did_you_mean
from ...language.as_expression import as_expression
from ...language.expression import Expression, Symbol
from ...language.short_text import short_text
from ...language.symbols import t
from ...language.traversal import find, symbols_in
from ..checks.statement import check_motion
from ..reaction_symbols import check_reactions, is_reaction, row_multipliers
from ..statement import Statement

# Letters for multipliers, in order of preference: the first one that no symbol of the system uses is taken.
MULTIPLIER_LETTERS = ("lambda", "mu", "Lambda")


def multiplier_symbols(statement: Statement) -> tuple[Symbol, ...]:
    """Return the symbols lambda_1, lambda_2, ... of the multipliers, one for each row of each constraint, in order.

    They are those of `system.equations("multipliers")`.
    """
    count = sum(len(c.expressions) for c in statement.constraints)
    taken = {p.name for p in statement.parameters} | set(statement.names) | set(statement.aliases.values())
    for letter in MULTIPLIER_LETTERS:
        names = [f"{letter}_{k}" for k in range(1, count + 1)]
        if taken.isdisjoint(names):
            return tuple(sp.Symbol(name) for name in names)
    return tuple(sp.Symbol(f"{MULTIPLIER_LETTERS[0]}_{k}_") for k in range(1, count + 1))


def read_output_expressions(
    outputs: object, statement: Statement, faults: Faults, multipliers: tuple[Symbol, ...] = ()
) -> tuple[tuple[str, Expression], ...]:
    """Return the outputs (name, expression of q, q', q'', t, parameters and reactions) of a mapping by name.

    If `multipliers` are passed, their symbols may appear in the expressions for `lk.multiplier(...)` of each row.
    """
    if outputs is None:
        return ()
    if not isinstance(outputs, Mapping):
        faults.add("outputs", f"a mapping from names to expressions is expected, not {short_text(repr(outputs))}")
        return ()
    parameter_names = {p.name for p in statement.parameters}
    rows = dict(zip(multipliers, row_multipliers(statement.constraints), strict=True)) if multipliers else {}
    expressions = []
    for name, entry in outputs.items():
        where = f"output {name!r}"
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            faults.add(where, "the name of an output must be a printable text")
        expression = as_expression(entry, where, faults)
        check_motion(where, expression, 2, statement, faults)
        if any(d.derivative_count > 2 for d in find(expression, sp.Derivative)):
            faults.add(where, "it contains a derivative above the acceleration")
        check_reactions(where, expression, statement.every_constraint, statement.names, faults)
        for symbol in sorted(symbols_in(expression) - {t, *statement.parameters, *multipliers}, key=str):
            if is_reaction(symbol):
                continue
            faults.add(where, f"{symbol} is not a parameter of this system{did_you_mean(str(symbol), parameter_names)}")
        expressions.append((str(name), expression.xreplace(rows)))
    return tuple(expressions)
