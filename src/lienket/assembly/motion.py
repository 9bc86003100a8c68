"""Motion: consistent starts and runs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.faults import Faults
from ..model.contacts import contacts
from ..model.input.numbers import parameter_numbers, time
from ..model.input.outputs import read_output_expressions
from ..model.input.run import read_run
from ..model.input.start import read_start
from ..model.statement import Statement
from ..model.time_tables import shortest_table_interval
from ..simulation.methods import CHOOSE_THEIR_STEP, FIXED, NAMES
from ..simulation.run.loop import integrate
from ..simulation.run.progress import progress_bar
from ..simulation.run.result import Run
from ..simulation.settings import Settings
from ..simulation.start.start import Start, consistent_start
from .contacts import active_constraints, check_gaps, constraints_of_a_start
from .models import compiled_model, problem
from .programs import unrealisable, with_hidden_programs
from .state import state

BETWEEN = 8.0
"""The longest step, in intervals of a record that is read over time: what stands in it may be short."""


@dataclass(frozen=True, eq=False)
class _RunFacts:
    """What a run must know of a system: as machines see it, its programs and contacts, the longest step."""

    machine: Statement
    programs: bool
    touching: bool
    longest: float


@lru_cache(maxsize=128)
def _known(statement: Statement) -> _RunFacts:
    machine = with_hidden_programs(statement)
    programs = any(c.kind == "program" for c in machine.constraints)
    return _RunFacts(machine, programs, bool(contacts(machine.constraints)), BETWEEN * shortest_table_interval(machine))


def consistent(statement: Statement, given: Any, values: Any, guess: Any, t: Any, others: bool) -> Start:
    """Positions and velocities that satisfy the constraints, as near as can be to what is given."""
    statement = with_hidden_programs(statement)
    faults = Faults()
    stated = read_start(given, guess, statement.coordinates, statement.parameters, faults)
    parameters = parameter_numbers(statement, values, faults)
    moment = time(t, faults)
    faults.raise_any("The start")
    model = compiled_model(statement.free, constraints_of_a_start(statement).constraints, statement.parameters)
    found = consistent_start(model, statement.names, stated, moment, parameters, others)
    return replace(found, of=(statement, parameters.tobytes()))


def simulate(
    statement: Statement, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any], outputs: Any, progress: Any
) -> Run:
    """The run of a system from its start; `run` are until, times, method, rtol, atol, step, most_rows, chattering."""
    known = _known(statement)
    stated_system, statement = statement, known.machine
    faults = Faults()
    wanted = read_output_expressions(outputs, statement, faults)
    parameters = parameter_numbers(statement, values, faults)
    begin = time(t, faults)
    sure = None
    if isinstance(start, Start):  # one that `consistent` has made, perhaps with other numbers
        sure = (start.q, start.v) if start.of == (statement, parameters.tobytes()) else None
        begin, start = _start_of(start, begin, statement, faults)
    if sure is None or guess is not None:
        read_start(start, guess, statement.coordinates, statement.parameters, faults)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        faults.add("progress", f"a function of the time, True or False is needed, not {progress!r}")
    stated = read_run(len(statement.coordinates), begin, **run, methods=NAMES, faults=faults)
    if stated.step and stated.method in CHOOSE_THEIR_STEP:
        advice = f"Leave it out, or choose {' or '.join(map(repr, FIXED))}."
        faults.add("step", f"{stated.method!r} chooses its steps by the tolerances", advice)
    faults.raise_any("The run")
    q, v = sure or consistent(statement, start, parameters, guess, begin, others=False)
    settings = Settings(stated.method, stated.rtol, stated.atol, stated.step, known.longest, stated.most_rows)

    def explain(t: float, q: Any, v: Any) -> str:
        from ..results.stop_diagnosis import diagnosis

        try:
            return diagnosis(state(statement, q, v, t, parameters, None))
        except LienketError as error:
            return str(error)

    if known.programs:
        _check_drives(stated_system, statement, (begin, q, v), parameters)
    watch = active = None
    if known.touching:
        check_gaps(statement, begin, q, v, parameters)
        active, parameters = active_constraints(statement, begin, q, v, parameters)
    if statement.events or active is not None:
        from .events import watch_of

        watch = watch_of(statement, parameters, wanted, stated.chattering, active)
    with progress_bar(progress, begin, stated.end, statement.name) as told:
        given = (problem(statement, parameters, wanted, active), (begin, q, v), stated.end, settings, stated.times)
        return integrate(*given, told, explain, watch=watch)


def _check_drives(stated: Statement, statement: Statement, start: tuple[float, Any, Any], parameters: Any) -> None:
    """Raise an error if drives cannot keep the programs at the start."""
    t, q, v = start
    values = {p: x for p, x in zip(statement.parameters, parameters, strict=True) if p in stated.parameters}
    try:
        _ = state(stated, q, v, t, values, None).drives
    except LienketError as error:
        raise LienketError(unrealisable(stated) or str(error)) from None


def _start_of(start: Start, t: float, statement: Statement, faults: Faults) -> tuple[float, Any]:
    """The time and the pair (q, v) of a Start."""
    names = statement.names
    if start.names != names:
        faults.add("start", f"it is one of {', '.join(start.names)}, and this system has {', '.join(names)}")
        return start.t, None
    if t not in (0.0, start.t):
        faults.add("t", f"it is {t:g}, and the start is one at t = {start.t:g}", "Leave t out.")
    return start.t, (start.q, start.v)
