"""Drives: what programs ask of a motion, and the drives that make it.

a motion              ->  inverse_dynamics         ->  multipliers, drives, what is missing
laws of outputs       ->  reactions.hidden_programs, where they leave a freedom  ->  hidden rows
constraints and rows  ->  prescribed_motion        ->  positions, velocities, accelerations: a motion
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.models import compiled_model
from ...assembly.programs import hidden_of
from ...assembly.programs import passive as _passive
from ...errors import LienketError
from ...language.faults import Faults
from ...language.names import STICKING, natural_order
from ...language.symbols import t as time
from ...language.traversal import symbols_in
from ...model.constraint import Constraint
from ...model.contacts import with_contact_modes
from ...model.input.numbers import parameter_values
from ...model.input.start import read_start
from ...model.statement import Statement
from .contacts import multiplier_signs, numbers_of_run, only_contacts_switch, rows_by_mode, ways
from .request import (
    Drives,
    StatedMotion,
    as_programs,
    is_motion,
    read_drive_columns,
    state_laws,
    state_motion,
    state_times,
    state_weights,
)  # fmt: skip

if TYPE_CHECKING:
    from ...compiled.model import CompiledModel
    from ...reactions.hidden_programs.result import HiddenPrograms
    from .inverse_dynamics import Balance, DriveSolution
    from .prescribed_motion import Path
    from .result import Drive, DriveAudit

Array = Any

RUN = 1e-11
"""The tolerances of a run to find the motion that laws leave free."""


def drive(
    statement: Statement, asked: Any, drives: Any, values: Any, weights: Any, times: Any, start: Any
) -> Drive:  # fmt: skip
    """The drives of a motion that is given, or that laws of outputs prescribe."""
    faults = Faults()
    stated = read_drive_columns(drives, statement, faults)
    shares = state_weights(weights, stated, faults)
    whole = with_contact_modes(statement)
    if is_motion(asked):
        motion, values = _given(statement, asked, values, times, start, faults)
        parameters = _parameters(whole, (), stated)
        numbers = parameter_values(values, parameters, dict(whole.values), faults)
        faults.raise_any("The question for drives")
        run = asked if getattr(asked, "run", None) is not None else None
        return _along(whole, motion, stated, shares, (parameters, numbers), None, run)
    laws = state_laws(asked, statement, faults)
    rows = state_times(times, faults)
    guess = read_start(start, None, statement.coordinates, statement.parameters, faults).q
    parameters = _parameters(whole, laws, stated)
    numbers = parameter_values(values, parameters, dict(whole.values), faults)
    faults.raise_any("The question for drives")
    motion, hidden = _prescribed(statement, laws, stated, (parameters, numbers), rows, guess, start)
    return _along(whole, motion, stated, shares, (parameters, numbers), hidden, None)


def _parameters(statement: Statement, laws: Sequence[Constraint], drives: Drives) -> tuple[Any, ...]:
    """The parameters of the system, and those that laws and drives bring in."""
    more = [e for law in laws for e in law.expressions] + [e for _, factors in drives for _, e in factors]
    found = {*statement.parameters, *(s for e in more for s in symbols_in(e))} - {time}
    return tuple(sorted(found, key=lambda s: natural_order(s.name)))


def _given(
    statement: Statement, asked: Any, values: Any, times: Any, start: Any, faults: Faults
) -> tuple[StatedMotion, Any]:
    """The motion, and values with the numbers that a run was made with."""
    from .spline_derivatives import FEWEST

    for what, thing in (("times", times), ("start", start)):
        if thing is not None:
            faults.add(what, "the motion is given, with its own", "Leave it out.")
    if not hasattr(asked, "accelerations"):
        return state_motion(asked, statement.names, FEWEST, faults), values
    if tuple(asked.names) != statement.names:
        faults.add("motion", f"it is one of {', '.join(asked.names)}, and this system has {', '.join(statement.names)}")
        return StatedMotion(np.zeros(1), np.zeros((1, len(statement.names))), None, None), values
    if getattr(asked, "switches", ()) and not only_contacts_switch(asked):
        faults.add("motion", "its constraints change on the way", "Ask for each part, with the system that acts there.")
    run = getattr(asked, "run", None)
    if run is not None and (values is None or isinstance(values, Mapping)):
        known = set(statement.parameters)
        own = {s: x for s, x in numbers_of_run(asked).items() if s in known}
        names = {s.name: s for s in known}
        said = {names.get(key, key) if isinstance(key, str) else key: x for key, x in (values or {}).items()}
        values = own | said
    if run is None:
        return state_motion((asked.t, asked.q, asked.v, asked.accelerations), statement.names, 1, faults), values
    # A run has been checked; where contacts switch it has two rows at one time.
    rows = (np.array(x, dtype=float) for x in (asked.t, asked.q, asked.v, asked.accelerations))
    return StatedMotion(*rows), values


def _along(
    statement: Statement, motion: StatedMotion, drives: Drives, weights: Array, known: tuple[tuple[Any, ...], Array],
    hidden: HiddenPrograms | None, run: Any,
) -> Drive:  # fmt: skip
    """The drives along a motion, with everything that goes with them; the statement is spelled out."""
    from .inverse_dynamics import balance, supplied
    from .result import Drive
    from .spline_derivatives import derivatives

    parameters, numbers = known
    entries = tuple((f"{name} on {k}", x, e) for name, factors in drives for k, (x, e) in enumerate(factors))
    wanted = tuple((label, e) for label, _, e in entries)
    model = compiled_model(statement.free, _passive(statement), parameters, wanted)
    t, q = motion.t, motion.q
    v, a = map(np.ascontiguousarray, derivatives(t, q, motion.v, motion.a))
    E = _columns(model, statement, drives, (t, q, v, numbers))
    acting = ways(statement, model, (t, q, v, a), numbers, run)
    needed = balance(model, t, q, v, a, rows_by_mode(statement, model, acting, parameters, numbers))
    found = supplied(needed, E, weights, *multiplier_signs(statement, model, acting))
    places, first = {}, 0
    for c in model.constraints:
        places[c.name] = slice(first, first + len(c.expressions))
        first += len(c.expressions)
    names = [name for name, _ in drives]
    power = np.einsum("tip,ti->tp", E, v) * found.drives
    audit = _audit(model, (t, q, v, a, numbers), needed, E, found, places, statement.names)
    own = [k for name, place in places.items() if not name.endswith(STICKING) for k in range(place.start, place.stop)]
    return Drive(
        t, statement.names, q, v, a,
        {name: found.drives[:, k] for k, name in enumerate(names)},
        {name: power[:, k] for k, name in enumerate(names)},
        np.ascontiguousarray(found.multipliers[:, own]), _reactions(needed, found, places), found.residual, audit,
        hidden, _figure,
    )  # fmt: skip


def _reactions(needed: Balance, found: DriveSolution, places: Mapping[str, slice]) -> dict[str, Array]:
    """What each constraint exerts, B lambda and the push of its law; what holds a contact is its own doing."""
    by_name = {
        name: np.einsum("tis,ts->ti", found.columns[:, :, place], found.multipliers[:, place]) + needed.pushes[:, k]
        for k, (name, place) in enumerate(places.items())
    }
    for name in [name for name in by_name if name.endswith(STICKING)]:
        by_name[name.removesuffix(STICKING)] += by_name.pop(name)
    return by_name


def _figure(answer: Drive) -> Any:
    from ...plots.drives import drives

    return drives(answer)


def _columns(model: CompiledModel, statement: Statement, drives: Drives, state: tuple[Array, ...]) -> Array:
    """E along the motion, N x n x p."""
    t, q, v, numbers = state
    _, out = model.function("outputs").many(t, q, v, numbers, np.zeros((len(t), model.inputs)))
    E, column = np.zeros((len(t), model.n, len(drives))), 0
    for p, (_, factors) in enumerate(drives):
        for x, _ in factors:
            E[:, statement.coordinates.index(x), p] = out[:, column]
            column += 1
    return E


def _audit(
    model: CompiledModel, motion: tuple[Array, ...], needed: Balance, E: Array, found: DriveSolution,
    places: Mapping[str, slice], names: tuple[str, ...],
) -> DriveAudit:  # fmt: skip
    from .result import KEPT, DriveAudit, warnings_of_drive

    t, q, v, a, numbers = motion
    pushed = np.einsum("tip,tp->ti", E, found.drives) + np.einsum("tis,ts->ti", found.columns, found.multipliers)
    left = np.abs(needed.force - pushed - found.residual)
    terms = needed.sizes + np.abs(pushed)
    residuals = model.function("residuals")
    _, out = residuals.many(t, q, v, numbers, np.hstack([a, np.zeros((len(t), model.inputs - model.n))]))
    off: dict[str, dict[str, tuple[float, float]]] = {}
    for (level, every), x in zip(residuals.named(out).items(), (q, v, a), strict=True):
        values = every * needed.acts
        sizes = np.abs(x) + KEPT * np.max(np.abs(x), initial=0.0)  # what should be 0 is measured by the others
        reach = np.einsum("tsi,ti->ts", np.abs(needed.G), sizes) + np.abs(values)
        largest = {name: float(np.max(np.abs(values[:, place]), initial=0.0)) for name, place in places.items()}
        whole = {name: float(np.max(reach[:, place], initial=0.0)) for name, place in places.items()}
        off[level] = {name: (size, size / (whole[name] or 1.0)) for name, size in largest.items()}
    where, warnings = warnings_of_drive(found.share, t, found.residual, names, off)
    for name, place in places.items():
        against = np.flatnonzero(~found.obeyed[:, place].all(axis=1))
        if len(against):
            warnings += (f"Friction at {name!r} does not obey its law at t = {t[against[0]]:.6g}: no sign of its "
                         "multiplier agrees with the motion.",)  # fmt: skip
    return DriveAudit(
        float(np.max(found.share)), where, float(np.max(left) / (np.max(terms) or 1.0)),
        {level: {name: size for name, (size, _) in by_name.items()} for level, by_name in off.items()},
        bool(np.all(found.rank == E.shape[2])), warnings,
    )  # fmt: skip


def _prescribed(
    statement: Statement, laws: tuple[Constraint, ...], drives: Drives, known: tuple[tuple[Any, ...], Array],
    times: Array, guess: Array, start: Any,
) -> tuple[StatedMotion, HiddenPrograms | None]:  # fmt: skip
    """The motion that the constraints, the system's own programs and the laws determine; and what they hide."""
    from dataclasses import replace

    from ...model.constraint import LEVELS
    from .prescribed_motion import Path, follow

    own = tuple(replace(c, kind=LEVELS[c.level], drives=()) for c in statement.constraints if c.kind == "program")
    rows = (*(replace(c, law=None) for c in _passive(statement)), *own, *laws)
    parameters, numbers = known

    def path(constraints: tuple[Constraint, ...]) -> Path:
        return Path(compiled_model(statement.free, constraints, parameters), statement.names, numbers)

    way, hidden = path(rows), None
    first = way.first(float(times[0]), guess)
    left = way.freedom(float(times[0]), first)
    if left:
        programs = as_programs((*own, *laws), drives)
        hidden = hidden_of(statement.with_constraints((*_passive(statement), *programs)))
        if not hidden.realisable:
            raise LienketError(hidden.reason)
        if hidden.rows:
            way = path((*rows, *(row.constraint for row in hidden.rows)))
            first = way.first(float(times[0]), guess)
            left = way.freedom(float(times[0]), first)
    if left:
        programs = (*as_programs((*own, *laws), drives), *(hidden.rows_as_programs() if hidden else ()))
        moving = statement.with_constraints((*_passive(statement), *programs))
        return _run(moving, dict(zip(parameters, numbers, strict=True)), times, start), hidden
    return StatedMotion(times, *follow(way, times, first)), hidden


def _run(statement: Statement, values: Mapping[Any, Any], times: Array, start: Any) -> StatedMotion:
    """The motion that follows from a start where laws leave a freedom: a run with the laws as programs."""
    from ...assembly.motion import simulate
    from ...results.row_values import RowValues

    if len(times) < 2:
        raise LienketError("The laws leave a freedom, and the motion follows from its start: give times to run to.")
    known = {p: x for p, x in values.items() if p in statement.parameters}
    how = {"until": None, "times": times, "method": "auto", "rtol": RUN, "atol": RUN, "step": None}
    how |= {"most_rows": 200_000, "chattering": 100}
    run = simulate(statement, known, None, start, float(times[0]), how, None, False)
    if not run.outcome.complete:
        raise LienketError(f"The motion under the laws could not be followed. {run.outcome}")
    numbers = RowValues(run)
    return StatedMotion(run.t, run.q, run.v, np.ascontiguousarray(numbers.solved[0]))
