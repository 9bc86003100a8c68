"""Numbers and units stated by name before anything uses the name: a later constraint or event may bring it.

They wait in `Statement.later`. `settled` gives them to the symbol as soon as one has the name; a name that nothing
uses when numbers are needed is reported by `SymbolTable.report_unused`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...errors import Faults
from ...language.expression import Expression, Symbol
from ...language.short_text import short_text
from ...language.symbols import name_of
from ...language.written_names import full_name
from ..statement import Statement


def settled(statement: Statement, faults: Faults, more: Iterable[Symbol] = ()) -> Statement:
    """Return the statement with the waiting entries moved to those of its parameters, or of `more`, that they name."""
    if not statement.later:
        return statement
    symbols = {p.name: p for p in (*statement.parameters, *more)}
    tables = {"values": dict(statement.values), "units": dict(statement.units)}
    waiting = []
    for table, text, entry in statement.later:
        symbol = symbols.get(full_name(text, list(symbols)))
        if symbol is None:
            waiting.append((table, text, entry))
        elif symbol in tables[table]:
            faults.add(table, f"{symbol.name} has two entries")
        else:
            tables[table][symbol] = entry
            if table == "values":
                check_sign(symbol, entry, faults)
    ordered = {
        table: tuple(sorted(entries.items(), key=lambda pair: name_of(pair[0]))) for table, entries in tables.items()
    }
    return replace(statement, values=ordered["values"], units=ordered["units"], later=tuple(waiting))


def check_sign(symbol: Symbol, number: Expression, faults: Faults) -> None:
    """Report a number that contradicts the assumption on the sign of its symbol."""
    if (symbol.is_positive and not number.is_positive) or (symbol.is_negative and not number.is_negative):
        what = f"{short_text(number)} contradicts the assumption on the sign of {symbol}"
        faults.add(f"values[{name_of(symbol)}]", what)
