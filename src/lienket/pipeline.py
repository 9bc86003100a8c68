"""From a Statement and a request to numbers: one function a stage, as `derivation` has them for formulas.

    numeric_system   names, constraints, contacts and events in numbers, machine code     assembly/description
    state            everything at one t, q, v                                            assembly/state, kernels
    start            positions and velocities on the constraints                          simulation/start
    motion           a run                                                                simulation/run

Requests are read once, in `assembly/run_request.py`; what follows takes numbers and raises no fault of arguments.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from .assembly.numeric_system import NumericSystem
from .assembly.run_request import numbers_of_parameters, read_stated_start
from .assembly.start import active_at_start, explained, solve_start
from .errors import Faults, StartError
from .foundation.arrays import Array
from .foundation.frozen_dataclass import replace
from .model.input.numbers import fraction, positions, time, velocities
from .model.input.start import read_start
from .results.row_values import RowValues
from .simulation.outcome import STUCK
from .simulation.request import RunRequest
from .simulation.run.loop import integrate
from .simulation.run.progress import ProgressReport
from .simulation.run.result import Run
from .simulation.start.start import Start, consistent_start

if TYPE_CHECKING:
    from .kernels.state import State


def state(system: NumericSystem, q: object, v: object, t: object, values: object, tolerance: float | None) -> State:
    """Return all quantities of the system at one state, in the modes of its contacts there."""
    from .assembly.state import RANK_TOLERANCE, state_under

    faults = Faults()
    at_time = time(t, faults)
    state_q, state_v = positions(q, system.names, faults), velocities(v, system.names, faults)
    parameters = numbers_of_parameters(system, values, faults)
    limit = RANK_TOLERANCE if tolerance is None else fraction(tolerance, "tolerance", faults)
    faults.raise_any("The state")
    active = system.all_stated
    if system.contacts:
        from .assembly.contacts.modes import active_constraints

        active, parameters = active_constraints(system, at_time, state_q, state_v, parameters)
    return state_under(system, active, at_time, state_q, state_v, parameters, limit)


def start(system: NumericSystem, given: object, values: object, guess: object, t: object, others: bool) -> Start:
    """Return the positions and velocities nearest to what is given and guessed that satisfy the constraints."""
    faults = Faults()
    stated = read_start(given, guess, system.symbols, faults) if system.mechanism is None else None
    parameters = numbers_of_parameters(system, values, faults)
    begin = time(t, faults)
    if stated is None:
        stated = read_stated_start(system, given, guess, begin, parameters, faults)
    faults.raise_any("The start")
    solution = solve_start(system, stated, begin, parameters, others)
    return replace(solution, of=(system, parameters.tobytes()))


def motion(system: NumericSystem, request: RunRequest) -> Run:
    """Return the run: a consistent start, the modes of contacts there, then the integration with its events."""
    begin, parameters, active, plan = request.begin, request.parameters, system.all_stated, None
    if system.momenta:
        from .assembly.known_times.momenta import refuse_momentum_jumps

        refuse_momentum_jumps(system, parameters, begin, request.end)
    begun, problem = request.solved or _begin(system, request), request.problem
    q, v = begun
    if problem is None:
        active, parameters = active_at_start(system, begin, q, v, parameters)
        problem = system.problem(parameters, active, request.outputs)
    if system.events or system.contacts or system.sampled:
        from .assembly.events import event_plan

        plan = event_plan(system, parameters, request.outputs, request.chattering, active)
    with ProgressReport(request.progress, begin, request.end, system.name) as report:
        run = integrate(
            problem, (begin, q, v), request.end, request.settings, request.times, report,
            partial(_explain, system, parameters), plan=plan, sampled=system.sampled, begun=begun.alone,
        )  # fmt: skip
    if system.left_open:
        run = replace(run, outcome=run.outcome.adding(system.left_open))
    return _with_table_ends(run, system, request)


def _begin(system: NumericSystem, request: RunRequest) -> Start:
    """Return the consistent state at which a run starts."""
    stated, t, parameters = request.start, request.begin, request.parameters
    if request.problem is None or request.start_model is None:
        return solve_start(system, stated, t, parameters, others=False)
    try:
        return consistent_start(request.start_model, request.problem.names, stated, t, parameters, False)
    except StartError as error:
        raise explained(error, system, stated, t, parameters) from None


def _explain(system: NumericSystem, parameters: Array, t: float, q: Array, v: Array) -> str:
    """Return why a run stopped at a state."""
    from .assembly.state import explain_stop

    return explain_stop(system, parameters, t, q, v)


def _with_table_ends(run: Run, system: NumericSystem, request: RunRequest) -> Run:
    """Return the run with sentences in its outcome on tables that were read beyond their ends."""
    if not system.data_functions and not request.outputs:
        return run
    if not (system.tables_end or run.outcome.reason == STUCK or RowValues(run).outputs_have_gaps):
        return run
    from .assembly.inputs import columns
    from .assembly.table_ends import with_table_ends

    return with_table_ends(run, system.code.statement(), request.outputs or columns(system), request.end)
