"""Start of a mechanism: coordinates of any joint may be given, and the assembly begins from the zero position.

The numbers of joints that are no coordinates of the system (cut joints; all joints in absolute coordinates) become
guesses that satisfy them: in absolute coordinates the mechanism is assembled in relative ones first, and for cut joints
with further constraints. The usual start then keeps what the user has given and changes nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...errors import Faults, StartError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import replace
from ...kernels.evaluation import Evaluation
from ...language.engine.engine import Engine
from ...language.names import key_name
from ...mechanism.scalars.engine_algebra import EngineAlgebra
from ...mechanism.state import MechanismState
from ...model.bodies import Place
from ...model.constraint import LEVELS, Constraint
from ...model.input.finite_number import finite_number
from ...model.input.start import read_start
from ...model.input.stated_start import StatedStart
from ..description import numeric_system
from ..numeric_system import NumericSystem
from ..start import solve_start
from .closing import closed_nearby
from .relative import relative_system

Numbers = dict[str | tuple[Place, int], float]
"""Numbers by the name of a coordinate, x' for its rate, or by a place and the index of its component."""
ATTEMPTS = 24  # [attempts] guesses from which a mechanism is assembled, after one with opposite axes
NEAR = 0.7  # [rad or length] change of the coordinates by short steps up to which no other position is looked for
STARTS_KEPT = 256  # [starts] whose assembly is kept
SPREAD = 1.5  # [rad or length] largest change of a guess in these attempts


def stated_start(
    system: NumericSystem, given: Any, guess: Any, t: float, parameters: Array, faults: Faults
) -> StatedStart:
    """Return the start as stated; of a mechanism with guesses from the assembly for what is not given."""
    outline = system.mechanism
    if outline is None or not (given is None or isinstance(given, Mapping)):
        return read_start(given, guess, system.symbols, faults)
    own, foreign = _split(given or {}, system, faults)
    own_guess, foreign_guess = _split(guess, system, faults) if isinstance(guess, Mapping) else (guess, {})
    stated = _with_scalars(read_start(own, own_guess, system.symbols, faults), system)
    if faults or not outline.joints:
        return stated
    return _assembled(system, stated, tuple(foreign.items()), tuple(foreign_guess.items()), t, parameters.tobytes())


@lru_cache(maxsize=STARTS_KEPT)
def _assembled(
    system: NumericSystem,
    stated: StatedStart,
    given: tuple[tuple[str | tuple[Place, int], float], ...],
    guess: tuple[tuple[str | tuple[Place, int], float], ...],
    t: float,
    numbers: bytes,
) -> StatedStart:
    """Return the start with guesses from the assembly, found once for equal starts; `numbers` are the parameters."""
    foreign, foreign_guess, parameters = dict(given), dict(guess), np.frombuffer(numbers)
    outline = system.mechanism
    assert outline is not None  # noqa: S101  # called for mechanisms only
    if outline.absolute:
        stated = _assembled_in_joints(system, stated, foreign, foreign_guess, t, parameters)
    else:
        if foreign_guess:
            stated = _near_guesses(system, stated, {**foreign_guess, **foreign}, t, parameters)
        if foreign:
            stated = _with_cut_joints(system, stated, foreign, t, parameters)
        stated = _closed(system, stated, t, parameters)
    return _with_right_axes(system, stated, t, parameters) if outline.closed and not outline.absolute else stated


def _split(entries: Mapping[Any, Any], system: NumericSystem, faults: Faults) -> tuple[dict[Any, Any], Numbers]:
    """Return the entries of coordinates of the system, and those of other joints as numbers by name."""
    assert system.mechanism is not None  # noqa: S101  # called for mechanisms only
    assembled = system.mechanism.absolute  # the joints' own coordinates among those of the system too
    every = {x for _, names in system.mechanism.joints for x in names}
    others = every if assembled else every - set(system.names)
    called = {name: names[0] for name, names in system.mechanism.joints if len(names) == 1}
    own: dict[Any, Any] = {}
    foreign: Numbers = {}
    for key, entry in entries.items():
        if isinstance(key, (Place, tuple)):
            foreign |= _read_place(key, entry, system, faults) if isinstance(key, Place) else {key: entry}
            continue
        text = key if isinstance(key, str) else key_name(key)
        joint = text.rstrip("'")
        if joint in called and isinstance(key, str):  # the name of a joint means its coordinate
            key = text = called[joint] + text[len(joint) :]
        if text.rstrip("'") in others and len(text) - len(text.rstrip("'")) <= 1:
            foreign[text] = finite_number(entry, "start", text, faults)
        if text.rstrip("'") in system.names or text not in foreign:
            own[key] = entry
    return own, foreign


def _read_place(place: Place, entry: Any, system: NumericSystem, faults: Faults) -> Numbers:
    """Return the components at which a place is to be at the start."""
    assert system.mechanism is not None  # noqa: S101  # called for mechanisms only
    size = 2 if system.mechanism.planar else 3
    listed = list(entry) if isinstance(entry, (list, tuple, np.ndarray)) else []
    where = f"a place on {place.body!r}"
    if place.body not in system.mechanism.bodies:
        faults.add("start", f"{where}: this system has no such body")
    elif len(listed) != size:
        faults.add("start", f"{where}: {size} coordinates in the axes of the ground were expected, not {entry!r}")
    else:
        return {(place, k): finite_number(x, "start", where, faults) for k, x in enumerate(listed)}
    return {}


def _of_positions(numbers: Numbers) -> Numbers:
    """Return the numbers that are no rates."""
    return {key: x for key, x in numbers.items() if not (isinstance(key, str) and key.endswith("'"))}


def _with_scalars(stated: StatedStart, system: NumericSystem) -> StatedStart:
    """Return the start with e0 = 1 where Euler parameters are not given."""
    q = stated.q.copy()
    for name in system.mechanism.scalars if system.mechanism is not None else ():
        k = system.names.index(name)
        if not (stated.fixed_q[k] or stated.guessed_q[k]):
            q[k] = 1.0
    return replace(stated, q=q)


def _near_guesses(
    system: NumericSystem, stated: StatedStart, guess: Numbers, t: float, parameters: Array
) -> StatedStart:
    """Return the start with guesses at which cut joints have these coordinates, if there are such positions.

    Where there are none with what is given, since guesses are not exact, that is only guessed meanwhile.
    """
    none = np.zeros(len(stated.q), dtype=bool)
    positions = _of_positions(guess)
    for begin in (stated, replace(stated, fixed_q=none)):
        try:
            solved = _solved_with(system, begin, positions, 0, t, parameters)
        except StartError:
            continue
        return replace(stated, q=np.where(stated.fixed_q, stated.q, solved.q))
    return stated


def _with_cut_joints(
    system: NumericSystem, stated: StatedStart, foreign: Numbers, t: float, parameters: Array
) -> StatedStart:
    """Return the start with guesses at which cut joints have these coordinates and rates."""
    positions = _of_positions(foreign)
    rates: Numbers = {str(key)[:-1]: x for key, x in foreign.items() if key not in positions}
    if positions:
        solved = _solved_with(system, stated, positions, 0, t, parameters)
        stated = replace(stated, q=np.where(stated.fixed_q, stated.q, solved.q))
    if rates:
        every = np.ones(len(stated.q), dtype=bool)
        base = solve_start(system, stated, t, parameters, others=False)
        held = replace(stated, q=base.q, fixed_q=every)
        solved = _solved_with(system, held, rates, 1, t, parameters)
        stated = replace(stated, q=base.q, v=np.where(stated.fixed_v, stated.v, solved.v))
    return stated


def _solved_with(
    system: NumericSystem, stated: StatedStart, numbers: Numbers, level: int, t: float, parameters: Array
) -> Any:
    """Return the start that also has these coordinates (level 0) or rates (level 1) of cut joints."""
    statement = system.code.statement()
    description, symbols = statement.free.mechanism, statement.coordinates
    assert description is not None  # noqa: S101  # called for mechanisms only
    engine = Engine(symbols)
    state = MechanismState(description, EngineAlgebra(engine))
    added = []
    for number, (key, x) in enumerate(numbers.items(), 1):
        name = key if isinstance(key, str) else f"component {number} of a place on {key[0].body!r}"
        measure = state.coordinate(key) if isinstance(key, str) else state.place(state.frames.place(key[0]))[key[1]]
        value = engine.inward(_number(x))
        row = measure - value if level == 0 else state.algebra.total_rate(measure) - value
        added.append(Constraint(f"{name} at the start", LEVELS[level], level, (engine.outward(row),)))
    if level == 0:  # the rates are free where only positions are given
        stated = replace(stated, fixed_v=np.zeros_like(stated.fixed_v), v=np.zeros_like(stated.v))
    extended = numeric_system(statement.with_constraints((*statement.constraints, *added)).with_events(()))
    stated = _closed(extended, stated, t, parameters)
    return solve_start(extended, stated, t, parameters, others=False)


def _closed(system: NumericSystem, stated: StatedStart, t: float, parameters: Array) -> StatedStart:
    """Return the start with closed loops, near the guess: by short steps, or by the usual search if that is nearer."""
    q = closed_nearby(system, stated, t, parameters)
    moved = np.inf if q is None else np.abs(q - stated.q).max(initial=0.0)
    if q is not None and moved <= NEAR:
        return replace(stated, q=q)
    try:
        found = solve_start(system, stated, t, parameters, others=False).q
    except StartError:
        return stated if q is None else replace(stated, q=q)
    if q is None or np.abs(found - stated.q).max(initial=0.0) <= moved:
        q = found
    return replace(stated, q=np.where(stated.fixed_q, stated.q, q))


def _number(x: float) -> Any:
    import sympy as sp

    return sp.Float(x)


def _assembled_in_joints(
    system: NumericSystem, stated: StatedStart, given: Numbers, guess: Numbers, t: float, parameters: Array
) -> StatedStart:
    """Return the start in absolute coordinates, with guesses from the mechanism assembled in its joints."""
    relative = relative_system(system)
    by_name = dict(zip(system.symbols.parameters, parameters.tolist(), strict=True))
    numbers = np.array([by_name.get(name, 0.0) for name in relative.symbols.parameters])
    faults = Faults()
    begun = stated_start(relative, given, guess or None, t, numbers, faults)
    faults.raise_any("The start")
    try:
        solved = solve_start(relative, begun, t, numbers, others=False)
    except StartError:
        if given:
            raise
        return stated
    q, v = _absolute(system, relative, t, solved.q, solved.v, numbers)
    q_known, v_known = stated.fixed_q | stated.guessed_q, stated.fixed_v | stated.guessed_v
    return replace(stated, q=np.where(q_known, stated.q, q), v=np.where(v_known, stated.v, v))


def _absolute(
    system: NumericSystem, relative: NumericSystem, t: float, q: Array, v: Array, parameters: Array
) -> tuple[Array, Array]:
    """Return the absolute coordinates and velocities of a state in relative ones."""
    assert system.mechanism is not None  # noqa: S101  # called for mechanisms only
    one = Evaluation(relative.model(), (1,), np.array([t]), q[None].copy(), v[None].copy(), parameters)
    found = {name: values[0] for name, values in one.geometry.items()}
    assert relative.mechanism is not None  # noqa: S101
    names = [x for _, of_joint in relative.mechanism.joints for x in of_joint]
    positions, rates = [], []
    for k in range(len(system.mechanism.bodies)):
        centre, om = found["centre"][k], found["angular_velocity"][k]
        if system.mechanism.planar:
            positions.append([*centre[:2], found["angle"][k, 0]])
            rates.append([*centre[3:5], om[2]])
            continue
        p = euler_parameters(found["rotation"][k].reshape(3, 3))
        e0, e = p[0], p[1:]
        rate = np.concatenate([[-(e @ om)], e0 * om + np.cross(om, e)]) / 2  # G^T om/2
        positions.append([*centre[:3], *p])
        rates.append([*centre[3:], *rate])
    counted = [x for x in system.names if x in names]  # angles that count turns
    index = [names.index(x) for x in counted]
    measures = found["measures"]
    return np.concatenate([*positions, measures[index, 0]]), np.concatenate([*rates, measures[index, 1]])


def euler_parameters(R: Array) -> Array:
    """Return the Euler parameters of a rotation matrix, by the largest of them; e0 is not negative."""
    trace = np.trace(R)
    k = int(np.argmax([trace, *np.diag(R)]))
    if k == 0:
        vector = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
        p = np.array([1 + trace, *vector])
    else:
        i = k - 1
        j, m = (i + 1) % 3, (i + 2) % 3
        p = np.zeros(4)
        p[0], p[1 + i] = R[m, j] - R[j, m], 1 + R[i, i] - R[j, j] - R[m, m]
        p[1 + j], p[1 + m] = R[j, i] + R[i, j], R[m, i] + R[i, m]
    p = p / np.linalg.norm(p)
    return p if p[0] >= 0 else -p


def _with_right_axes(system: NumericSystem, stated: StatedStart, t: float, parameters: Array) -> StatedStart:
    """Return guesses from which the mechanism is assembled with the axes of cut joints the right way round.

    Rows by the matrix R also hold with opposite axes, or after half a turn.
    """
    try:
        solved = solve_start(system, stated, t, parameters, others=False)
    except StartError:
        return stated  # said by whoever solves it
    if right_axes(system, t, solved.q, parameters):
        return replace(stated, q=np.where(stated.fixed_q, stated.q, solved.q))
    rng, unguessed = np.random.default_rng(0), np.where(stated.fixed_q, stated.q, 0.0)
    stated = replace(stated, guessed_q=np.zeros_like(stated.guessed_q))
    for k in range(ATTEMPTS):
        reach = SPREAD * (1 + k) / ATTEMPTS
        begin = stated.q if k % 2 == 0 else _with_scalars(replace(stated, q=unguessed), system).q
        moved = begin + np.where(stated.fixed_q, 0.0, rng.uniform(-reach, reach, len(stated.q)))
        attempt = replace(stated, q=moved)
        try:
            solved = solve_start(system, attempt, t, parameters, others=False)
        except StartError:
            continue
        if right_axes(system, t, solved.q, parameters):
            return replace(stated, q=np.where(stated.fixed_q, stated.q, solved.q))
    raise StartError(
        "The loops close only with the axes of a joint in opposite directions.",
        {},
        (),
        "Give a guess near the position that is meant, or turn the axes of a place: its rotation.",
    )


def right_axes(system: NumericSystem, t: float, q: Array, parameters: Array) -> bool:
    """Return whether the axes of all cut joints point the same way in both places."""
    outline = system.mechanism
    assert outline is not None  # noqa: S101  # called for mechanisms only
    description = system.code.statement().free.mechanism
    assert description is not None  # noqa: S101
    one = Evaluation(system.model(), (1,), np.array([t]), q[None].copy(), np.zeros((1, len(q))), parameters)
    found = one.geometry
    for k, joint in enumerate(description.joints):
        if joint.name not in outline.closed:
            continue
        R = found["first"][0, k].reshape(3, 3).T @ found["second"][0, k].reshape(3, 3)
        if joint.kind in ("weld", "prismatic"):
            if not np.trace(R) > 0:
                return False
        elif all(e.is_number for e in joint.axis):
            axis = np.array(joint.axis, dtype=float)
            if not axis @ R @ axis > 0:
                return False
    return True
