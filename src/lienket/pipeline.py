"""From a Statement and a request to numbers: one function a stage, as `derivation` has them for formulas.

    numeric_system   names, constraints, contacts and events in numbers, machine code     assembly/description
    state            everything at one t, q, v                                            assembly/state, kernels
    start            positions and velocities on the constraints                          simulation/start
    motion           a run                                                                simulation/run

Requests are read once, in `assembly/run_request.py`; what follows takes numbers and raises no fault of arguments.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from .assembly.contacts.modes import active_constraints
from .assembly.numeric_system import NumericSystem
from .assembly.run_request import numbers_of_parameters
from .errors import LienketError, StartError
from .language.faults import Faults
from .model.input.numbers import fraction, positions, time, velocities
from .model.input.start import read_start
from .model.input.stated_start import StatedStart
from .simulation.outcome import STUCK
from .simulation.request import RunRequest
from .simulation.run.loop import integrate
from .simulation.run.progress import progress_bar
from .simulation.run.result import Run
from .simulation.start.start import Start, consistent_start

if TYPE_CHECKING:
    from .kernels.state import State

Array = Any


def state(system: NumericSystem, q: Any, v: Any, t: Any, values: Any, tolerance: float | None) -> State:
    """Return all quantities of the system at one state, in the modes of its contacts there."""
    from .assembly.state import state_under
    from .kernels.elimination.chain import RANK_TOLERANCE

    faults = Faults()
    at_time = time(t, faults)
    state_q, state_v = positions(q, system.names, faults), velocities(v, system.names, faults)
    parameters = numbers_of_parameters(system, values, faults)
    limit = RANK_TOLERANCE if tolerance is None else fraction(tolerance, "tolerance", faults)
    faults.raise_any("The state")
    active = system.all_stated
    if system.contacts:
        active, parameters = active_constraints(system, at_time, state_q, state_v, parameters)
    return state_under(system, active, at_time, state_q, state_v, parameters, limit)


def start(system: NumericSystem, given: Any, values: Any, guess: Any, t: Any, others: bool) -> Start:
    """Return the positions and velocities nearest to what is given and guessed that satisfy the constraints."""
    faults = Faults()
    stated = read_start(given, guess, system.symbols, faults)
    parameters = numbers_of_parameters(system, values, faults)
    begin = time(t, faults)
    faults.raise_any("The start")
    solution = solve_start(system, stated, begin, parameters, others)
    return replace(solution, of=(system, parameters.tobytes()))


def solve_start(system: NumericSystem, stated: StatedStart, t: float, parameters: Array, others: bool) -> Start:
    """Return the start nearest to the stated numbers, which penetrates no unilateral contact."""
    try:
        if any(contact.unilateral for contact in system.contacts):
            from .assembly.contacts.starts import ContactStart

            return ContactStart(system, stated, t, parameters).solve(others)
        return consistent_start(system.model(system.of_a_start), system.names, stated, t, parameters, others)
    except StartError as error:
        if error.residuals and all(map(isfinite, error.residuals.values())):
            raise
        from .assembly.table_ends import tables_beyond

        beyond = tables_beyond(system.code.statement(), t, stated.q, stated.v, parameters)
        message = " ".join([error.message, *beyond])
        raise StartError(message, error.residuals, error.given, error.advice) from None


def motion(system: NumericSystem, request: RunRequest) -> Run:
    """Return the run: a consistent start, the modes of contacts there, then the integration with its events."""
    begin, parameters = request.begin, request.parameters
    begun = request.solved or solve_start(system, request.start, begin, parameters, others=False)
    q, v = begun
    active, parameters = _modes_at_start(system, begin, q, v, parameters)
    plan = None
    if system.events or system.contacts or system.sampled:
        from .assembly.events import event_plan

        plan = event_plan(system, parameters, request.outputs, request.chattering, active)
    problem = system.problem(parameters, active, request.outputs)
    explain = partial(explain_stop, system, parameters)
    with progress_bar(request.progress, begin, request.end, system.name) as report:
        run = integrate(
            problem, (begin, q, v), request.end, request.settings, request.times, report, explain,
            plan=plan, sampled=system.sampled,
        )  # fmt: skip
    run = replace(run, start=replace(begun, of=None, others=(), other_velocities=()))
    if system.left_open:
        run = replace(run, outcome=run.outcome.adding(system.left_open))
    reads_tables = system.data_functions or request.outputs
    if reads_tables and (system.tables_end or run.outcome.reason == STUCK or _outputs_end(run)):
        from .assembly.inputs import columns
        from .assembly.table_ends import with_table_ends

        run = with_table_ends(run, system.code.statement(), request.outputs or columns(system), request.end)
    return run


def _outputs_end(run: Run) -> bool:
    """Return whether an output has no number at some row, possibly since a table ends."""
    if not run.problem.model.outputs:
        return False
    from .results.row_values import RowValues

    return any(bool(np.isnan(values).any()) for values in RowValues(run).outputs.values())


def _modes_at_start(
    system: NumericSystem, t: float, q: Array, v: Array, parameters: Array
) -> tuple[tuple[int, ...], Array]:
    """Return the active constraints at the start and the parameters with the signs of contacts.

    Raises LienketError where the laws of friction or the drives of programs admit no motion.
    """
    active = system.all_stated
    try:
        if system.contacts:
            active, parameters = active_constraints(system, t, q, v, parameters)
        if system.has_programs:
            from .assembly.state import state_under

            _ = state_under(system, active, t, q, v, parameters).drives
    except LienketError as error:
        if not system.has_programs:
            raise
        from .assembly.programs import unrealisable

        raise LienketError(unrealisable(system.code.stated()) or str(error)) from None
    return active, parameters


def explain_stop(system: NumericSystem, parameters: Array, t: float, q: Array, v: Array) -> str:
    """Return why a run stopped at a state."""
    from .results.stop_diagnosis import diagnosis

    try:
        return diagnosis(state(system, q, v, t, parameters, None))
    except LienketError as error:
        return str(error)
