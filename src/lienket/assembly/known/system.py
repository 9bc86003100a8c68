"""What is to be known of a system in later processes, from its statement; see `known.run`."""

from __future__ import annotations

import math

from ...language.data_functions import PythonFunction
from ...language.faults import Faults
from ...model.contact import contacts
from ...model.input.numbers import parameter_values
from ...model.statement import Statement
from ...model.time_tables import record_times, shortest_table_interval
from ..models import compiled_model
from ..motion import LONGEST_STEP_IN_SAMPLES
from .run import KnownConstraint, KnownSystem


def known_system(statement: Statement) -> KnownSystem | None:
    """Return what later processes need to run the system without formulas; None if they need formulas.

    These are contacts, laws, programs, events, inputs, Python functions, names in LaTeX and values of later parameters.
    """
    ideal = all(c.law is None and c.kind != "program" for c in statement.constraints)
    plain = not (statement.events or statement.inputs or statement.later or statement.aliases)
    if not ideal or not plain or contacts(statement.constraints):
        return None
    if any(isinstance(data, PythonFunction) for data in statement.data_functions):
        return None
    defaults = dict(statement.values)
    numbers = tuple(
        float(parameter_values({p: defaults[p]}, [p], {}, Faults())[0]) if p in defaults else None
        for p in statement.parameters
    )
    longest = LONGEST_STEP_IN_SAMPLES * shortest_table_interval(statement)
    return KnownSystem(
        statement.name,
        statement.names,
        tuple(p.name for p in statement.parameters),
        numbers,
        tuple(KnownConstraint(c.name, c.kind, c.level, len(c.expressions)) for c in statement.constraints),
        compiled_model(statement.free, statement.constraints, statement.parameters).digest,
        None if math.isinf(longest) else longest,
        tuple(map(float, record_times(statement))),
    )
