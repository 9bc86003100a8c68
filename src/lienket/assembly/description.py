"""Description of a statement in numbers: the NumericSystem that follows from it, and its machine code."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..compiled.constraint_facts import constraint_facts
from ..language.symbols import name_of
from ..model.input.parameters import symbol_table
from ..model.statement import Statement
from ..model.time_tables import record_times, shortest_table_interval
from .bodies.parts import mechanism_outline
from .contacts.formulas import contact_conditions, contact_indices, contact_quantities
from .inputs import inputs_left_open, sampled_calls, with_input_columns, with_sampled_numbers
from .known_times.momenta import momenta_with_known_times
from .known_times.time_functions import of_time_alone, time_functions
from .models import StatedCode
from .numeric_system import COLUMNS, CONDITIONS, PLAIN, QUANTITIES, NumericEvent, NumericSystem, Outputs
from .programs import with_hidden_programs
from .table_ends import reads_to_an_end

SYSTEMS_CACHED = 128  # [statements] cached with their descriptions
LONGEST_STEP_IN_SAMPLES = 8.0  # [samples] longest step over a recorded table, so that short signals are not missed


@lru_cache(maxsize=SYSTEMS_CACHED)
def numeric_system(statement: Statement) -> NumericSystem:
    """Return a statement in numbers."""
    machine = with_hidden_programs(statement)
    every, events = machine.every_constraint, machine.events
    contacts = contact_indices(machine)
    conditions, ratios = contact_conditions(machine, contacts)
    expressions = [event.condition for event in events] + conditions
    first_value = len(expressions)
    expressions += [e for event in events for _, e in (*event.sets, *event.jumps)] + ratios
    columns = with_input_columns((), statement)
    purposes: dict[str, Outputs] = {
        PLAIN: (),
        COLUMNS: columns,
        QUANTITIES: contact_quantities(machine),
        CONDITIONS: tuple((f"{k}", e) for k, e in enumerate(expressions)),
    }
    inputs = tuple(name_of(F) for F, _ in statement.inputs)
    symbols = replace(symbol_table(machine), inputs=inputs)
    return NumericSystem(
        statement.name,
        symbols,
        tuple(map(constraint_facts, every)),
        len(machine.constraints),
        contacts,
        _events(machine, first_value),
        len(expressions),
        tuple(name for name, _ in columns),
        inputs_left_open(statement),
        LONGEST_STEP_IN_SAMPLES * shortest_table_interval(machine),
        tuple(map(float, record_times(machine))),
        time_functions(machine),
        momenta_with_known_times(machine),
        reads_to_an_end(machine),
        tuple(data.name for data in statement.data_functions),
        sampled_calls(statement, symbols.parameters),
        StatedCode(statement, machine, purposes, {}),
        mechanism_outline(statement),
    )


def at_samples(statement: Statement, q: object, v: object, t: object) -> NumericSystem:
    """Return a statement in numbers, with sampled functions replaced by their numbers at one state."""
    return numeric_system(with_sampled_numbers(statement, q, v, t))


def _events(statement: Statement, value: int) -> tuple[NumericEvent, ...]:
    """Return the events of a statement by indices; the values that they set begin at the index `value`."""
    every = [c.name for c in statement.every_constraint]
    parameters, coordinates = list(statement.parameters), list(statement.coordinates)
    numeric = []
    for event in statement.events:
        sets = tuple((parameters.index(x), value + k) for k, (x, _) in enumerate(event.sets))
        value += len(sets)
        jumps = tuple((coordinates.index(x), value + k) for k, (x, _) in enumerate(event.jumps))
        value += len(jumps)
        release, add = (tuple(every.index(name) for name in names) for names in (event.release, event.add))
        of_time = of_time_alone(event.condition, parameters)
        numeric.append(
            NumericEvent(event.name, event.direction, event.terminal, release, sets, jumps, add, event.do, of_time)
        )
    return tuple(numeric)
