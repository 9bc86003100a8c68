"""The whole theory as one list of calls, from what a user states to what a user asks for.

    statement.free         ->  free_system.derive     ->  A q'' = h
    statement.constraints  ->  constraints.lower      ->  G q'' + g0 = 0
    one after another      ->  elimination.add        ->  stages: D, C, f, verdicts
    the last stage         ->  reactions              ->  the reaction of each constraint, influence
    both at a state        ->  compiled, kernels      ->  accelerations, reactions, verdicts in numbers
    a start                ->  simulation             ->  positions and velocities on the constraints

Results are kept by what they follow from: a statement that says the same is never derived twice, in
however many systems, stages or values it appears.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from .constraints import ConstraintRows, lower
from .elimination.chain import Chain, add, start
from .elimination.condition import condition
from .elimination.forms import Equations, equations
from .elimination.step import COLUMNS
from .elimination.verdict import Verdict
from .errors import LienketError, UnknownName
from .free_system import FreeSystem, derive
from .model.constraint import Constraint
from .model.faults import Faults
from .model.given import numbers_of, parameter_values, positions, share, time, velocities
from .model.names import key_name
from .model.outputs import state_outputs
from .model.start import state_start
from .model.stated_run import state_run
from .model.statement import FreeStatement, Statement
from .reactions.accelerations import accelerations
from .reactions.derive import Reactions, reactions
from .reactions.influence import influence, influence_table
from .reactions.setting import setting

if TYPE_CHECKING:
    from .compiled.evaluator import Evaluator
    from .compiled.model import CompiledModel
    from .kernels.compiled_system import CompiledSystem
    from .kernels.state import State
    from .simulation.problem import Problem
    from .simulation.rows import Run
    from .simulation.start import Start

KEPT = 128  # different results of each kind kept at a time
DEEP = 100  # constraints stepped through in one recursion


@lru_cache(maxsize=KEPT)
def free_system(statement: FreeStatement) -> FreeSystem:
    """A q'' = h of the system without its constraints."""
    return derive(statement)


@lru_cache(maxsize=8 * KEPT)
def rows(statement: FreeStatement, constraint: Constraint) -> ConstraintRows:
    """One constraint as G q'' + g0 = 0."""
    # A fork, since other systems on the same free system may have another symbol of the same name.
    return lower(constraint, free_system(statement).engine.fork())


@lru_cache(maxsize=8 * KEPT)
def chain(
    statement: FreeStatement,
    constraints: tuple[Constraint, ...],
    independent: frozenset[int] = frozenset(),
    choice: str = "pivot",
) -> Chain:
    """The stages of the constraints: the stages of all but the last, and one step more."""
    free = free_system(statement)
    if not constraints:
        return start(free.engine, free.kinetic.A, free.inside_h, independent, choice)
    for known in range(DEEP, len(constraints), DEEP):  # in portions, for the sake of Python's stack
        chain(statement, constraints[:known], independent, choice)
    before = chain(statement, constraints[:-1], independent, choice)
    return add(before, rows(statement, constraints[-1]))


def places(statement: Statement, independent: Iterable[Any] | None, choice: str) -> frozenset[int]:
    """The places of the coordinates that are to stay independent."""
    if choice not in COLUMNS:
        raise LienketError(f"H is chosen by 'pivot' or 'orthogonal', not by {choice!r}.")
    if independent is None:
        return frozenset()
    if choice != "pivot":
        raise LienketError("Independent coordinates can be named with choice='pivot' only.")
    given = [independent] if isinstance(independent, str) or not isinstance(independent, Iterable) else independent
    names = statement.names
    found = set()
    for key in given:
        name = key_name(key)
        if name not in names:
            raise UnknownName("coordinate", name, names)
        found.add(names.index(name))
    return frozenset(found)


def forms(
    statement: Statement, form: str, pseudovelocities: Any, independent: frozenset[int], choice: str
) -> Equations:
    """The equations of motion in one of their forms."""
    last = chain(statement.free, statement.constraints, independent, choice)
    return equations(last, statement.constraints, form, pseudovelocities)


@lru_cache(maxsize=KEPT)
def explicit(statement: FreeStatement, constraints: tuple[Constraint, ...]) -> tuple[Any, ...]:
    """The accelerations as formulas."""
    last = chain(statement, constraints)
    return tuple(last.engine.column(accelerations(setting(last))))


@lru_cache(maxsize=KEPT)
def influence_of(statement: FreeStatement, constraints: tuple[Constraint, ...], of: str | None, on: str | None) -> Any:
    """What a constraint does to the reaction of another, or the table of all pairs."""
    given = setting(chain(statement, constraints))
    if of is None and on is None:
        return influence_table(given)
    if of is None or on is None:
        raise LienketError("Name two constraints, of=... and on=..., or none for the whole table.")
    return influence(given, of, on)


@lru_cache(maxsize=KEPT)
def reactions_of(statement: FreeStatement, constraints: tuple[Constraint, ...], method: str) -> Reactions:
    """The reaction of every constraint as formulas."""
    return reactions(chain(statement, constraints), method)


@lru_cache(maxsize=KEPT)
def evaluator(statement: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...]) -> Evaluator:
    """The function that gives the numbers of the system at a state."""
    from .compiled.evaluator import Evaluator

    return Evaluator(compiled_model(statement, constraints, parameters))


@lru_cache(maxsize=KEPT)
def compiled_model(
    statement: FreeStatement,
    constraints: tuple[Constraint, ...],
    parameters: tuple[Any, ...],
    outputs: tuple[tuple[str, Any], ...] = (),
) -> CompiledModel:
    """The machine code of the system; each function is made when it is first needed."""
    from .compiled.model import CompiledModel

    return CompiledModel(statement, constraints, parameters, dict(outputs))


def compiled_system(statement: Statement, outputs: Any) -> CompiledSystem:
    """The system as machine code, with the user's outputs."""
    from .kernels.compiled_system import CompiledSystem

    faults = Faults()
    wanted = state_outputs(outputs, statement, faults)
    faults.raise_any("The compilation")
    model = compiled_model(statement.free, statement.constraints, statement.parameters, wanted)
    return CompiledSystem(model, statement.coordinates, statement.parameters, dict(statement.values))


def state(statement: Statement, q: Any, v: Any, t: Any, values: Any, tolerance: float | None) -> State:
    """Everything in numbers at one state."""
    from .kernels.chain import RANK_TOLERANCE
    from .kernels.solve import solve

    faults = Faults()
    numbers = (
        time(t, faults),
        positions(q, statement.coordinates, faults),
        velocities(v, statement.coordinates, faults),
        parameter_values(values, statement.parameters, dict(statement.values), faults),
    )
    limit = RANK_TOLERANCE if tolerance is None else share(tolerance, "tolerance", faults)
    faults.raise_any("The state")
    evaluate = evaluator(statement.free, statement.constraints, statement.parameters)

    def without(name: str) -> State:
        kept = tuple(c for c in statement.constraints if c.name != name)
        return state(
            replace(statement, constraints=kept),
            q,
            v,
            t,
            dict(zip(statement.parameters, numbers[3], strict=True)),
            limit,
        )

    judge = partial(_everywhere, statement, *numbers)
    return solve(evaluate, *numbers, statement.names, judge, without if evaluate.nonlinear else None, limit)


def consistent(statement: Statement, given: Any, values: Any, guess: Any, t: Any, others: bool) -> Start:
    """Positions and velocities that satisfy the constraints, as near as can be to what is given."""
    from .simulation.start import consistent_start

    faults = Faults()
    stated = state_start(given, guess, statement.coordinates, statement.parameters, faults)
    parameters = numbers_of(statement, values, faults)
    moment = time(t, faults)
    faults.raise_any("The start")
    model = compiled_model(statement.free, statement.constraints, statement.parameters)
    found = consistent_start(model, statement.names, stated, moment, parameters, others)
    return replace(found, of=(statement, parameters.tobytes()))


def problem(statement: Statement, parameters: Any, outputs: tuple[tuple[str, Any], ...]) -> Problem:
    """The system as integrators see it, with numbers for its parameters, in their order."""
    from .simulation.problem import Problem

    model = compiled_model(statement.free, statement.constraints, statement.parameters, outputs)
    return Problem(model, parameters, statement.names)


def simulate(
    statement: Statement, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any], outputs: Any, progress: Any
) -> Run:
    """The run of a system from its start; `run` are until, times, method, rtol, atol, step, most_rows."""
    from .results.diagnosis import diagnosis
    from .simulation.integrate import integrate
    from .simulation.methods import NAMES
    from .simulation.progress import shown
    from .simulation.rows import Settings

    faults = Faults()
    wanted = state_outputs(outputs, statement, faults)
    parameters = numbers_of(statement, values, faults)
    begin = time(t, faults)
    sure = None
    if hasattr(start, "other_velocities"):  # a Start that `consistent` has made, perhaps with other numbers
        sure = (start.q, start.v) if start.of == (statement, parameters.tobytes()) else None
        begin, start = _start_of(start, begin, statement, faults)
    if sure is None or guess is not None:
        state_start(start, guess, statement.coordinates, statement.parameters, faults)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        faults.add("progress", f"a function of the time, True or False is needed, not {progress!r}")
    stated = state_run(len(statement.coordinates), begin, **run, methods=NAMES, faults=faults)
    faults.raise_any("The run")
    q, v = sure or consistent(statement, start, parameters, guess, begin, others=False)
    settings = Settings(stated.method, stated.rtol, stated.atol, stated.step, most_rows=stated.most_rows)

    def explain(t: float, q: Any, v: Any) -> str:
        try:
            return diagnosis(state(statement, q, v, t, parameters, None))
        except LienketError as error:
            return str(error)

    with shown(progress, begin, stated.end, statement.name) as told:
        return integrate(
            problem(statement, parameters, wanted), (begin, q, v), stated.end, settings, stated.times, told, explain
        )


def _start_of(start: Start, t: float, statement: Statement, faults: Faults) -> tuple[float, Any]:
    """The time and the pair (q, v) of a Start."""
    names = statement.names
    if start.names != names:
        faults.add("start", f"it is one of {', '.join(start.names)}, and this system has {', '.join(names)}")
        return start.t, None
    if t not in (0.0, start.t):
        faults.add("t", f"it is {t:g}, and the start is one at t = {start.t:g}", "Leave t out.")
    return start.t, (start.q, start.v)


def _everywhere(statement: Statement, t: float, q: Any, v: Any, parameters: Any, here: Verdict) -> Verdict:
    """A verdict at a state with whether it holds always, or only in this configuration and under which condition."""
    place = [c.name for c in statement.constraints].index(here.name)
    try:
        stage = chain(statement.free, statement.constraints[: place + 1]).stages[-1]
    except LienketError:
        return here  # what cannot be told in general can be told here
    if stage.verdict.status == here.status and stage.verdict.rows == here.rows:
        return replace(stage.verdict, always=True)
    engine = stage.engine
    symbols = [engine.t, *engine.q, *engine.v, *map(engine.inward, statement.parameters)]
    values = dict(zip(map(engine.outward, symbols), [t, *q, *v, *parameters], strict=True))
    return replace(here, always=False, condition=condition(stage, here.rows, values))
