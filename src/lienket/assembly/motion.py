"""Consistent starts and simulation runs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.faults import Faults
from ..model.contacts import contacts
from ..model.input.numbers import parameter_numbers, time
from ..model.input.outputs import read_output_expressions
from ..model.input.run import read_run
from ..model.input.start import StatedStart, read_start
from ..model.statement import Statement
from ..model.time_tables import shortest_table_interval
from ..simulation.methods import CHOOSE_THEIR_STEP, FIXED, NAMES
from ..simulation.run.loop import integrate
from ..simulation.run.progress import progress_bar
from ..simulation.run.result import Run
from ..simulation.settings import Settings
from ..simulation.start.start import Start, consistent_start
from .contacts import active_constraints, check_gaps, constraints_of_a_start
from .models import MODELS_CACHED, compiled_model, problem
from .programs import unrealisable, with_hidden_programs
from .state import state

if TYPE_CHECKING:
    from ..compiled.model import CompiledModel

LONGEST_STEP_IN_SAMPLES = 8.0  # [samples] longest step over a recorded table, so that short signals are not missed


@dataclass(frozen=True, eq=False)
class _RunFacts:
    """Facts about a system that a run needs: the statement to integrate, programs, contacts, the longest step."""

    machine: Statement
    has_programs: bool
    has_contacts: bool
    longest_step: float


@lru_cache(maxsize=MODELS_CACHED)
def _run_facts(statement: Statement) -> _RunFacts:
    """Return the facts of a statement, with its contact modes and hidden programs added."""
    machine = with_hidden_programs(statement)
    programs = any(c.kind == "program" for c in machine.constraints)
    return _RunFacts(
        machine,
        programs,
        bool(contacts(machine.constraints)),
        LONGEST_STEP_IN_SAMPLES * shortest_table_interval(machine),
    )


def consistent(statement: Statement, start: Any, values: Any, guess: Any, t: Any, others: bool) -> Start:
    """Return the positions and velocities nearest to `start` and `guess` that satisfy the constraints."""
    statement = with_hidden_programs(statement)
    faults = Faults()
    stated = read_start(start, guess, statement.coordinates, statement.parameters, faults)
    parameters = parameter_numbers(statement, values, faults)
    begin = time(t, faults)
    faults.raise_any("The start")
    solution = _solved_start(statement, stated, begin, parameters, others)
    return replace(solution, of=(statement, parameters.tobytes()))


def _solved_start(statement: Statement, stated: StatedStart, t: float, parameters: Any, others: bool) -> Start:
    """Return the consistent start nearest to the stated one; the statement has contact modes and hidden programs."""
    return consistent_start(_model_of_start(statement), statement.names, stated, t, parameters, others)


@lru_cache(maxsize=MODELS_CACHED)
def _model_of_start(statement: Statement) -> CompiledModel:
    """Return the machine code of the constraints that a start must satisfy."""
    return compiled_model(statement.free, constraints_of_a_start(statement).constraints, statement.parameters)


def simulate(
    statement: Statement, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any], outputs: Any, progress: Any
) -> Run:
    """Simulate a system; `run` has until, times, method, rtol, atol, step, most_rows and chattering."""
    facts = _run_facts(statement)
    stated_system, statement = statement, facts.machine
    faults = Faults()
    expressions = read_output_expressions(outputs, statement, faults)
    parameters = parameter_numbers(statement, values, faults)
    begin = time(t, faults)
    solved = stated_start = None
    if isinstance(start, Start):  # a result of `consistent`, possibly for other parameters
        solved = (start.q, start.v) if start.of == (statement, parameters.tobytes()) else None
        begin, start = _start_of(start, begin, statement, faults)
    if solved is None or guess is not None:
        stated_start = read_start(start, guess, statement.coordinates, statement.parameters, faults)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        faults.add("progress", f"it must be a function of the time, True or False, not {progress!r}")
    stated = read_run(len(statement.coordinates), begin, **run, methods=NAMES, faults=faults)
    if stated.step and stated.method in CHOOSE_THEIR_STEP:
        advice = f"Leave it out, or choose {' or '.join(map(repr, FIXED))}."
        faults.add("step", f"{stated.method!r} chooses its steps by the tolerances", advice)
    faults.raise_any("The run")
    if solved is None:
        assert stated_start is not None  # noqa: S101
        solved = tuple(_solved_start(statement, stated_start, begin, parameters, others=False))
    q, v = solved
    settings = Settings(stated.method, stated.rtol, stated.atol, stated.step, facts.longest_step, stated.most_rows)

    def explain(t: float, q: Any, v: Any) -> str:
        """Return why the run stopped at a state."""
        from ..results.stop_diagnosis import diagnosis

        try:
            return diagnosis(state(statement, q, v, t, parameters, None))
        except LienketError as error:
            return str(error)

    if facts.has_programs:
        _check_drives(stated_system, statement, (begin, q, v), parameters)
    plan = active = None
    if facts.has_contacts:
        check_gaps(statement, begin, q, v, parameters)
        active, parameters = active_constraints(statement, begin, q, v, parameters)
    if statement.events or active is not None:
        from .events import event_plan

        plan = event_plan(statement, parameters, expressions, stated.chattering, active)
    system = problem(statement, parameters, expressions, active)
    with progress_bar(progress, begin, stated.end, statement.name) as report:
        return integrate(system, (begin, q, v), stated.end, settings, stated.times, report, explain, plan=plan)


def _check_drives(stated: Statement, statement: Statement, start: tuple[float, Any, Any], parameters: Any) -> None:
    """Raise an error if the drives cannot keep the programs at the start."""
    t, q, v = start
    values = {p: x for p, x in zip(statement.parameters, parameters, strict=True) if p in stated.parameters}
    try:
        _ = state(stated, q, v, t, values, None).drives
    except LienketError as error:
        raise LienketError(unrealisable(stated) or str(error)) from None


def _start_of(start: Start, t: float, statement: Statement, faults: Faults) -> tuple[float, Any]:
    """Return the time and the pair (q, v) of a Start; note a fault if it belongs to another system or time."""
    names = statement.names
    if start.names != names:
        faults.add("start", f"it has the coordinates {', '.join(start.names)}, but this system has {', '.join(names)}")
        return start.t, None
    if t not in (0.0, start.t):
        faults.add("t", f"it is {t:g}, but the start was computed for t = {start.t:g}", "Leave t out.")
    return start.t, (start.q, start.v)
