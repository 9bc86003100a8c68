"""Compilation of a statement, with or without contacts, to the user's CompiledSystem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import Faults
from ...model.contact import contacts
from ...model.input.outputs import read_output_expressions
from ...model.input.parameters import symbol_table
from ...model.statement import Statement
from ..description import numeric_system
from ..models import compiled_model
from ..programs import with_hidden_programs
from .compiled_contacts import CompiledContactSystem
from .compiled_system import CompiledSystem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...language.expression import ExpressionLike


def compiled_system(statement: Statement, outputs: Mapping[str, ExpressionLike] | None) -> CompiledSystem:
    """Return the system as machine code, with the user's outputs."""
    switching = bool(contacts(statement.constraints))
    machine = with_hidden_programs(statement) if switching else statement
    faults = Faults()
    expressions = read_output_expressions(outputs, machine, faults)
    symbol_table(statement).report_unused(faults)
    faults.raise_any("The compilation")
    model = compiled_model(machine.free, statement.constraints, machine.parameters, expressions)
    symbols = (statement.coordinates, statement.parameters, dict(statement.values))
    if switching:
        return CompiledContactSystem(model, *symbols, numeric_system(statement), expressions, False, {})
    return CompiledSystem(model, *symbols)
