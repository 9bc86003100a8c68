"""Consistent starts and simulation runs."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..errors import LienketError, StartError
from ..foundation.frozen_dataclass import dataclass, replace
from ..language.faults import Faults
from ..model.closed_inputs import closed
from ..model.contact import contacts
from ..model.input.numbers import parameter_numbers, time
from ..model.input.run import read_run
from ..model.input.start import read_start
from ..model.input.stated_start import StatedStart
from ..model.statement import Statement
from ..model.time_tables import shortest_table_interval
from ..simulation.methods import CHOOSE_THEIR_STEP, FIXED, NAMES
from ..simulation.run.loop import integrate
from ..simulation.run.progress import progress_bar
from ..simulation.run.result import Run
from ..simulation.settings import Settings
from ..simulation.start.start import Start, consistent_start
from .contacts import active_constraints, constraints_of_a_start
from .inputs import inputs_left_open, run_outputs, sampled_calls
from .models import MODELS_CACHED, compiled_model, problem
from .programs import unrealisable, with_hidden_programs
from .state import state
from .table_ends import tables_beyond, with_table_ends

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
    solution = _consistent(statement, stated, begin, parameters, others)
    return replace(solution, of=(statement, parameters.tobytes()))


def _consistent(statement: Statement, stated: StatedStart, t: float, parameters: Any, others: bool) -> Start:
    """Return the start nearest to the stated numbers; an error names tables that are read beyond their points."""
    try:
        return _solve_start(statement, stated, t, parameters, others)
    except StartError as error:
        if all(map(isfinite, error.residuals.values())) and error.residuals:
            raise
        beyond = " ".join([error.message, *tables_beyond(statement, t, stated.q, stated.v, parameters)])
        raise StartError(beyond, error.residuals, error.given, error.advice) from None


def _solve_start(statement: Statement, stated: StatedStart, t: float, parameters: Any, others: bool) -> Start:
    """Return the start nearest to the stated numbers, which penetrates no unilateral contact."""
    if any(contact.unilateral for contact in contacts(statement.constraints)):
        from .contact_starts import ContactStart

        return ContactStart(statement, stated, t, parameters).solve(others)
    return consistent_start(_model_of_start(statement), statement.names, stated, t, parameters, others)


@lru_cache(maxsize=MODELS_CACHED)
def _model_of_start(statement: Statement) -> CompiledModel:
    """Return the machine code of the constraints that a start must satisfy."""
    return compiled_model(statement.free, constraints_of_a_start(statement).constraints, statement.parameters)


def with_other_assemblies(statement: Statement, start: Start, parameters: Any) -> Start:
    """Return the start of a run with the other assemblies for the same stated numbers."""
    if start.stated is None:
        return start
    solution = _solve_start(with_hidden_programs(statement), start.stated, start.t, parameters, others=True)
    return replace(start, others=solution.others, other_velocities=solution.other_velocities)


def simulate(
    statement: Statement, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any], outputs: Any, progress: Any
) -> Run:
    """Simulate a system; `run` has until, times, method, rtol, atol, step, most_rows and chattering."""
    facts = _run_facts(statement)
    stated_system, statement = statement, facts.machine
    faults = Faults()
    expressions = run_outputs(outputs, stated_system, statement, faults)
    parameters = parameter_numbers(statement, values, faults)
    begin = time(t, faults)
    solved = None
    if isinstance(start, Start):  # a result of `consistent`, possibly for other parameters
        solved = start if start.of == (statement, parameters.tobytes()) else None
        begin, start = _start_of(start, begin, statement, faults)
    stated_start: Any = None
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
        begun = _consistent(statement, stated_start, begin, parameters, others=False)
    else:
        begun = replace(solved, of=None, others=(), other_velocities=())
    q, v = begun
    settings = Settings(stated.method, stated.rtol, stated.atol, stated.step, facts.longest_step, stated.most_rows)

    if facts.has_programs:
        _check_drives(closed(stated_system), statement, (begin, q, v), parameters)
    plan = active = None
    if facts.has_contacts:
        active, parameters = active_constraints(statement, begin, q, v, parameters)
    sampled = sampled_calls(stated_system, [p.name for p in statement.parameters])
    if statement.events or active is not None or sampled:
        from .events import event_plan

        plan = event_plan(statement, parameters, expressions, stated.chattering, active)
    system = problem(statement, parameters, expressions, active)
    with progress_bar(progress, begin, stated.end, statement.name) as report:
        run_result = integrate(
            system, (begin, q, v), stated.end, settings, stated.times, report,
            lambda t, q, v: explain(statement, t, q, v, parameters), plan=plan, sampled=sampled,
        )  # fmt: skip
    left_open = inputs_left_open(stated_system)
    outcome = run_result.outcome.adding(left_open) if left_open else run_result.outcome
    return with_table_ends(replace(run_result, start=begun, outcome=outcome), statement, expressions, stated.end)


def explain(statement: Statement, t: float, q: Any, v: Any, parameters: Any) -> str:
    """Return why a run stopped at a state."""
    from ..results.stop_diagnosis import diagnosis

    try:
        return diagnosis(state(statement, q, v, t, parameters, None))
    except LienketError as error:
        return str(error)


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
