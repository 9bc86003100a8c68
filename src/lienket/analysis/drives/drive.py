"""Drives: the motion that laws of outputs prescribe, and the drives that it requires.

laws of outputs       ->  reactions.hidden_programs, where they leave a freedom  ->  hidden rows
constraints and rows  ->  prescribed_motion        ->  positions, velocities, accelerations: a motion
a motion              ->  inverse_dynamics         ->  multipliers, drives, unsupplied force
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.models import compiled_model
from ...assembly.programs import hidden_of
from ...assembly.programs import passive as _passive
from ...errors import Faults, LienketError
from ...foundation.arrays import Array
from ...language.names import by_name, natural_order
from ...language.symbols import t as time
from ...language.traversal import symbols_in
from ...model.constraint import Constraint
from ...model.contacts import with_contact_modes
from ...model.input.later_values import settled
from ...model.input.numbers import parameter_values
from ...model.input.parameters import symbol_table
from ...model.input.start import read_start
from ...model.statement import Statement
from ...results.run_columns import RunColumns
from .contact_modes import contact_modes, multiplier_signs, only_contacts_switch, parameters_of_run, rows_by_mode
from .request import (
    REQUESTS_CACHED,
    Drives,
    StatedMotion,
    as_programs,
    is_motion,
    read_drive_columns,
    read_laws,
    read_motion,
    read_times,
    read_weights,
)  # fmt: skip

if TYPE_CHECKING:
    from ...assembly.arguments import Numbers
    from ...compiled.model import CompiledModel
    from ...reactions.hidden_programs.result import HiddenPrograms
    from .inverse_dynamics import Balance, DriveSolution
    from .prescribed_motion import Path
    from .result import Drive, DriveAudit


RUN_TOLERANCE = 1e-11  # [1] rtol and atol of the run that determines the motion where laws leave a freedom
MOST_RUN_ROWS = 200_000  # [rows] of that run
CHATTERING_LIMIT = 100  # [events] within a short time that end that run


def drive(
    statement: Statement, motion: Any, drives: object, values: Numbers | None, weights: object, times: object,
    start: Numbers | None,
) -> Drive:  # fmt: skip
    """Return the drives of a motion, or of the motion that laws of outputs prescribe."""
    faults = Faults()
    columns = read_drive_columns(drives, statement, faults)
    W = read_weights(weights, columns, faults)
    with_modes = with_contact_modes(statement)
    if is_motion(motion):
        rows, values = _read_motion(statement, motion, values, times, start, faults)
        symbols = _parameters(with_modes, (), columns)
        with_modes = settled(with_modes, faults, symbols)
        symbol_table(with_modes).report_unused(faults)
        numbers = _read_parameters(values, symbols, with_modes, faults)
        faults.raise_any("The request for drives")
        run = motion if isinstance(motion, RunColumns) else None
        return _drives_along(with_modes, rows, columns, W, (symbols, numbers), None, run)
    laws = read_laws(motion, statement, faults)
    t = read_times(times, faults)
    guess = read_start(start, None, symbol_table(statement), faults).q
    symbols = _parameters(with_modes, laws, columns)
    statement, with_modes = settled(statement, faults, symbols), settled(with_modes, faults, symbols)
    symbol_table(with_modes).report_unused(faults)
    numbers = _read_parameters(values, symbols, with_modes, faults)
    faults.raise_any("The request for drives")
    rows, hidden = _prescribed_motion(statement, laws, columns, (symbols, numbers), t, guess, start)
    return _drives_along(with_modes, rows, columns, W, (symbols, numbers), hidden, None)


def _read_parameters(values: object, symbols: tuple[Any, ...], statement: Statement, faults: Faults) -> Array:
    """Return a number for each of the symbols, which include parameters of laws and drives."""
    names, defaults = _defaults(statement, symbols)
    signs = {p.name for p in statement.signs}
    if values is None or isinstance(values, Mapping) or not signs:
        return parameter_values(values, names, defaults, faults)
    visible = [name for name in names if name not in signs]  # numbers in order do not count the signs of contacts
    numbers = defaults | dict(zip(visible, parameter_values(values, visible, {}, faults), strict=True))
    return np.array([numbers[name] for name in names], dtype=float)


@lru_cache(maxsize=REQUESTS_CACHED)
def _defaults(statement: Statement, symbols: tuple[Any, ...]) -> tuple[list[str], dict[str, Any]]:
    """Return the names of symbols, and their default numbers by name."""
    stated = {p: x for p, x in statement.values if p in symbols}
    return [p.name for p in symbols], {p.name: float(x) if x.is_Number else x for p, x in stated.items()}


@lru_cache(maxsize=REQUESTS_CACHED)
def _parameters(statement: Statement, laws: tuple[Constraint, ...], drives: Drives) -> tuple[Any, ...]:
    """Return the symbols of the system's parameters and of those in laws and drives, in natural order."""
    expressions = [e for law in laws for e in law.expressions] + [e for _, factors in drives for _, e in factors]
    symbols = {*statement.parameters, *(s for e in expressions for s in symbols_in(e))} - {time}
    return tuple(sorted(symbols, key=lambda s: natural_order(s.name)))


def _read_motion(
    statement: Statement, motion: Any, values: Numbers | None, times: object, start: object, faults: Faults
) -> tuple[StatedMotion, Any]:
    """Return the rows of a motion, and the parameter values, by default those of its run."""
    from .spline_derivatives import FEWEST_SPLINE_ROWS

    for name, argument in (("times", times), ("start", start)):
        if argument is not None:
            faults.add(name, f"a motion is given, which has its own {name}", "Leave it out.")
    if not hasattr(motion, "accelerations"):
        return read_motion(motion, statement.names, FEWEST_SPLINE_ROWS, faults), values
    if tuple(motion.coordinate_names) != statement.names:
        names = f"{', '.join(motion.coordinate_names)}; those of this system are {', '.join(statement.names)}"
        faults.add("motion", f"its coordinates are {names}")
        return StatedMotion(np.zeros(1), np.zeros((1, len(statement.names))), None, None), values
    if getattr(motion, "switches", ()) and not only_contacts_switch(motion):
        advice = "Request the drives of each part, with the system that acts there."
        faults.add("motion", "its constraints change during the run", advice)
    simulated = isinstance(motion, RunColumns)
    if simulated and (values is None or isinstance(values, Mapping)):
        own = {p.name for p in statement.parameters}
        of_run = {name: x for name, x in parameters_of_run(motion).items() if name in own}
        values = of_run | by_name(values or {}, list(own))
    if not simulated:
        return read_motion((motion.t, motion.q, motion.v, motion.accelerations), statement.names, 1, faults), values
    # A run has been checked; where contacts switch it has two rows at one time.
    rows = (np.array(x, dtype=float) for x in (motion.t, motion.q, motion.v, motion.accelerations))
    return StatedMotion(*rows), values


def _drives_along(
    statement: Statement, motion: StatedMotion, drives: Drives, weights: Array,
    parameters: tuple[tuple[Any, ...], Array], hidden: HiddenPrograms | None, run: RunColumns | None,
) -> Drive:  # fmt: skip
    """Return the drives along a motion.

    The statement comes from `with_contact_modes`; `parameters` are (symbols, values).
    """
    from .inverse_dynamics import balance, solve_drives
    from .result import Drive
    from .spline_derivatives import derivatives

    symbols, numbers = parameters
    outputs = tuple((f"{name} on {k}", e) for name, factors in drives for k, (_, e) in enumerate(factors))
    model = compiled_model(statement.free, _passive(statement), symbols, outputs)
    t, q = motion.t, motion.q
    v, a = map(np.ascontiguousarray, derivatives(t, q, motion.v, motion.a))
    E = _columns(model, statement, drives, (t, q, v, numbers))
    modes = contact_modes(statement, model, (t, q, v, a), numbers, run)
    needed = balance(model, t, q, v, a, rows_by_mode(statement, model, modes, symbols, numbers))
    solution = solve_drives(needed, E, weights, *multiplier_signs(statement, model, modes))
    rows = model.rows
    names = [name for name, _ in drives]
    power = np.einsum("tip,ti->tp", E, v) * solution.drives
    audit = _audit(model, (t, q, v, a, numbers), needed, E, solution, rows, statement.names)
    holds = {c.name: c.holds for c in model.constraints if c.holds is not None}
    stated = [k for name, part in rows.items() if name not in holds for k in range(part.start, part.stop)]
    return Drive(
        t, statement.names, q, v, a,
        {name: solution.drives[:, k] for k, name in enumerate(names)},
        {name: power[:, k] for k, name in enumerate(names)},
        np.ascontiguousarray(solution.multipliers[:, stated]), _reactions(needed, solution, rows, holds),
        solution.residual, audit, hidden,
    )  # fmt: skip


def _reactions(
    needed: Balance, solution: DriveSolution, rows: Mapping[str, slice], holds: Mapping[str, str]
) -> dict[str, Array]:
    """Return the reaction (N x n) of each constraint, B lambda plus the force of its law.

    `holds` is the contact of each sticking row, to whose reaction that of the row is added.
    """
    by_name = {
        name: np.einsum("tis,ts->ti", solution.columns[:, :, part], solution.multipliers[:, part]) + needed.pushes[:, k]
        for k, (name, part) in enumerate(rows.items())
    }
    for name, contact in holds.items():
        by_name[contact] += by_name.pop(name)
    return by_name


def _columns(model: CompiledModel, statement: Statement, drives: Drives, state: tuple[Array, ...]) -> Array:
    """Return E along the motion, N x n x p."""
    t, q, v, numbers = state
    _, out = model.function("outputs").many(t, q, v, numbers, np.zeros((len(t), model.inputs)))
    E, column = np.zeros((len(t), model.n, len(drives))), 0
    for p, (_, factors) in enumerate(drives):
        for x, _ in factors:
            E[:, statement.coordinates.index(x), p] = out[:, column]
            column += 1
    return E


def _audit(
    model: CompiledModel, motion: tuple[Array, ...], needed_forces: Balance, E: Array, solution: DriveSolution,
    rows: Mapping[str, slice], names: tuple[str, ...],
) -> DriveAudit:  # fmt: skip
    """Return the audit: balance of forces, residuals of the constraints along the motion, signs in friction."""
    from .needed_changes import needed_changes
    from .result import DriveAudit, warnings_of_drive

    t = motion[0]
    pushed = np.einsum("tip,tp->ti", E, solution.drives)
    pushed += np.einsum("tis,ts->ti", solution.columns, solution.multipliers)
    error = np.abs(needed_forces.force - pushed - solution.residual)
    terms = needed_forces.sizes + np.abs(pushed)
    residuals, needed = needed_changes(model, motion, needed_forces, rows)
    where, warnings = warnings_of_drive(solution.share, t, solution.residual, names, residuals, needed)
    for name, part in rows.items():
        against = np.flatnonzero(~solution.obeyed[:, part].all(axis=1))
        if len(against):
            warnings += (f"Friction at {name!r} does not obey its law at t = {t[against[0]]:.6g}: neither sign of its "
                         "multiplier agrees with the motion.",)  # fmt: skip
    return DriveAudit(
        float(np.max(solution.share)), where, float(np.max(error) / (np.max(terms) or 1.0)),
        residuals, needed, bool(np.all(solution.rank == E.shape[2])), warnings,
    )  # fmt: skip


def _prescribed_motion(
    statement: Statement, laws: tuple[Constraint, ...], drives: Drives, parameters: tuple[tuple[Any, ...], Array],
    times: Array, guess: Array, start: Numbers | None,
) -> tuple[StatedMotion, HiddenPrograms | None]:  # fmt: skip
    """Return the motion that the constraints, the system's programs and the laws determine; and the hidden programs."""
    from dataclasses import replace

    from ...model.constraint import LEVELS, ProgramControl
    from .prescribed_motion import Path, follow

    own = [c for c in statement.constraints if c.kind == "program"]
    plans = tuple(replace(c, kind=LEVELS[c.level], drives=(), following=ProgramControl()) for c in own)
    rows = (*(replace(c, law=None) for c in _passive(statement)), *plans, *laws)
    symbols, numbers = parameters

    def path_of(constraints: tuple[Constraint, ...]) -> Path:
        return Path(compiled_model(statement.free, constraints, symbols), statement.names, numbers)

    path, hidden = path_of(rows), None
    first = path.first(float(times[0]), guess)
    freedom = path.freedom(float(times[0]), first)
    if freedom:
        programs = as_programs((*plans, *laws), drives)
        hidden = hidden_of(statement.with_constraints((*_passive(statement), *programs)))
        if not hidden.realisable:
            raise LienketError(hidden.reason)
        if hidden.rows:
            path = path_of((*rows, *(row.constraint for row in hidden.rows)))
            first = path.first(float(times[0]), guess)
            freedom = path.freedom(float(times[0]), first)
    if freedom:
        programs = (*as_programs((*plans, *laws), drives), *(hidden.rows_as_programs() if hidden else ()))
        controlled = statement.with_constraints((*_passive(statement), *programs))
        return _simulated_motion(controlled, dict(zip(symbols, numbers, strict=True)), times, start), hidden
    return StatedMotion(times, *follow(path, times, first)), hidden


def _simulated_motion(
    statement: Statement, values: Mapping[Any, Any], times: Array, start: Numbers | None
) -> StatedMotion:
    """Return the motion from a start, where laws leave a freedom: a run with the laws as programs."""
    from ...assembly.description import numeric_system
    from ...assembly.run_request import read_run_request
    from ...pipeline import motion
    from ...results.row_values import RowValues

    if len(times) < 2:
        raise LienketError(
            "The laws leave a freedom, so the motion must be simulated from its start: give at least two times."
        )
    parameters = {p: x for p, x in values.items() if p in statement.parameters}
    system = numeric_system(statement)
    request = read_run_request(
        system, parameters, times=times, rtol=RUN_TOLERANCE, atol=RUN_TOLERANCE, progress=False, t=float(times[0]),
        guess=start, most_rows=MOST_RUN_ROWS, chattering=CHATTERING_LIMIT,
    )  # fmt: skip
    run = motion(system, request)
    if not run.outcome.complete:
        raise LienketError(f"The motion under the laws could not be simulated to its end. {run.outcome}")
    numbers = RowValues(run)
    return StatedMotion(run.t, run.q, run.v, np.ascontiguousarray(numbers.solved[0]))
