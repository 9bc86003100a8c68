"""Search for an equilibrium near a guess: damped Newton steps on the constraints.

    D^T h(q) = 0,  g(q, t) = 0:      y = -J^+ r  or  -(J^T J + mu I)^-1 J^T r,      q <- project(q + T y)

r = D^T h and its exact derivative J = -D^T K T are those of `forces_at_rest`; the length of r falls in every step
(Levenberg and Marquardt). Where the steps stop before r vanishes, the search begins again: from a position reached by
moving along the unbalanced forces, then from positions near the guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.projection import project
from ...simulation.start.assembly import assemble
from ...simulation.start.multistart import irregular, turned_to
from .balance import is_balanced
from .forces_at_rest import ForcesAtRest, Statics

NEWTON_STEP_LIMIT = 100  # [steps] of one search
DAMPING_COUNT = 24  # [1] values of mu tried in one step
ANGLE_STEP_LIMIT = 0.5  # [rad] largest change of an angle in a step
STEP_ROUNDING = 1e-15  # [1] relative step at which the iteration ends
NEWTON_RANK_TOLERANCE = 1e-12  # [1] singular value, relative to the largest, that counts as zero
DESCENT_TOLERANCE = 1e-6  # [1] relative decrease of the residual that a step needs
PERIOD_TOLERANCE = 1e-9  # [1] relative change of forces by a turn of 2 pi, or another shift, that counts as zero
BETTER_MISFIT_RATIO = 0.9  # [1] ratio of residuals below which a point is preferred to one nearer the guess
DRIFT_STEP_LIMIT = 300  # [steps] along the unbalanced forces
DRIFT_REACH = 1e3  # [1] longest step along the forces, relative to the size of the position
DRIFT_FIRST_STEP = 0.01  # [1] first step along the forces, relative to the size of the position
DRIFT_GROWTH = 1.3  # [1] factor of the next step along the forces
DRIFT_SHORTEST_STEP = 1e-12  # [1] step along the forces, relative to the size of the position, that ends them
RESTART_DISTANCES = (0.1, -0.1, 1.0, -1.0)  # [1] of further first positions from the guess, relative to its size


@dataclass(frozen=True, eq=False)
class EquilibriumSearch:
    """Last position of a search, and whether it is an equilibrium."""

    rest: ForcesAtRest
    balanced: bool


def search_equilibrium(system: Statics, guess: Array) -> EquilibriumSearch:
    """Return the equilibrium near a guess, or the position of least residual; StartError if no position assembles."""
    n = len(guess)
    conditions = system.conditions()
    q = assemble(conditions, guess, np.zeros(n, dtype=bool), others=False).x
    angles = angles_of(system, q)
    best: EquilibriumSearch | None = None
    for begin in _starts(system, q):
        search = unwound(system, iterate(system, begin, angles), q, angles)
        if search.balanced:
            return search
        if best is None or search.rest.misfit < BETTER_MISFIT_RATIO * best.rest.misfit:
            best = search
    return best or EquilibriumSearch(system.at(q), False)


def unwound(system: Statics, search: EquilibriumSearch, q: Array, angles: BoolArray) -> EquilibriumSearch:
    """Return the position with its angles changed by whole turns to within half a turn of q.

    Where forces fade, far from everything, any coordinate looks like an angle; the forces of an angle stay the same.
    """
    at = turned_to(system.conditions(), search.rest.q, q, np.ones(len(q), dtype=bool), angles)
    if at is None or at is search.rest.q:
        return search
    turned, terms = system.at(at), search.rest.terms
    limit = PERIOD_TOLERANCE * search.rest.size
    same = turned.finite and bool(np.all(system.scale * np.abs(turned.terms["h"] - terms["h"]) <= limit))
    return EquilibriumSearch(turned, search.balanced) if same else search


def iterate(system: Statics, q: Array, angles: BoolArray) -> EquilibriumSearch:
    """Make damped Newton steps on the constraints, from q until none reduces the residual."""
    with np.errstate(over="ignore", invalid="ignore"):  # forces such as exp(-x) exceed all numbers somewhere
        return _iterate(system, q, angles)


def _iterate(system: Statics, q: Array, angles: BoolArray) -> EquilibriumSearch:
    """Return the end of the steps from q."""
    rest = system.at(q)
    if not rest.finite:
        return EquilibriumSearch(rest, False)
    size = rest.size
    for _ in range(NEWTON_STEP_LIMIT):
        size = max(size, rest.size)
        trial = _step(system, rest, angles)
        if trial is None:
            break
        step, reach = (float(np.max(np.abs(x) / system.scale)) for x in (trial.q - rest.q, trial.q))
        rest = trial
        if rest.misfit == 0 or step <= STEP_ROUNDING * reach:
            break
    return EquilibriumSearch(rest, is_balanced(rest, q, size))


def _step(system: Statics, rest: ForcesAtRest, angles: BoolArray) -> ForcesAtRest | None:
    """Return the next position, with a smaller residual; None if no damping gives one."""
    U, values, V = np.linalg.svd(rest.slope, full_matrices=False)
    if not values.size or values[0] == 0:
        return None
    along = U.T @ rest.residual
    surface = system.conditions().surface
    for damping in range(DAMPING_COUNT):
        mu = 0.0 if damping == 0 else values[0] ** 2 * 10.0 ** (damping - 8)
        y = V.T @ (_damped_inverse(values, mu) * along)
        d = -rest.movable @ y
        turned = np.max(np.abs(d[angles]), initial=0.0)
        if turned > ANGLE_STEP_LIMIT:
            d *= ANGLE_STEP_LIMIT / turned
        q, code = project(surface, rest.q + d)
        trial = system.at(q)
        if code >= 0 and trial.misfit < (1 - DESCENT_TOLERANCE) * rest.misfit:
            return trial
    return None


def _damped_inverse(values: Array, mu: float) -> Array:
    """Return s/(s^2 + mu) of the singular values s; with mu = 0, 1/s, or 0 where s counts as zero."""
    if mu > 0:
        return values / (values**2 + mu)
    return np.where(values > NEWTON_RANK_TOLERANCE * values[0], 1 / np.where(values > 0, values, 1.0), 0.0)


def angles_of(system: Statics, q: Array) -> BoolArray:
    """Return which coordinates are angles (n booleans): 2 pi more changes no force."""
    return invariant_coordinates(system, q, 2 * np.pi, ("h", "G"))


def invariant_coordinates(system: Statics, q: Array, shift: float, terms: Sequence[str]) -> BoolArray:
    """Return which coordinates change none of the terms if they are shifted at an irregular position (n booleans)."""
    point = q + irregular(len(q))
    before = system.at(point)
    invariant = np.zeros(len(q), dtype=bool)
    for i in range(len(q)):
        after = system.at(point + shift * (np.arange(len(q)) == i))
        pairs = ((before.terms[name], after.terms[name]) for name in terms)
        invariant[i] = all(
            np.allclose(x, y, rtol=PERIOD_TOLERANCE, atol=PERIOD_TOLERANCE * np.max(np.abs(x), initial=0.0))
            for x, y in pairs
        )
    return invariant


def _starts(system: Statics, q: Array) -> Iterator[Array]:
    """Yield the first positions of the searches: the guess, positions near it, and where forces drive each of them."""
    yield q
    yield _drift(system, q)
    surface = system.conditions().surface
    for size in RESTART_DISTANCES:
        nearby, code = project(surface, q + size * irregular(len(q)) * np.maximum(np.abs(q), 1.0))
        if code >= 0:
            yield nearby
            yield _drift(system, nearby)


def _drift(system: Statics, q: Array) -> Array:
    """Return the position after steps along the unbalanced forces; a step that turns them back is halved."""
    rest, surface = system.at(q), system.conditions().surface
    if not rest.finite or rest.misfit == 0:
        return q
    size = max(float(np.linalg.norm(q / system.scale)), float(np.linalg.norm(1 / system.scale)))
    length = DRIFT_FIRST_STEP * size
    for _ in range(DRIFT_STEP_LIMIT):
        pull = rest.of.scale * rest.force
        strength = float(np.linalg.norm(pull))
        if strength == 0 or not DRIFT_SHORTEST_STEP * size < length < DRIFT_REACH * size:
            break
        moved, code = project(surface, rest.q + length * rest.of.scale * pull / strength)
        trial = system.at(moved)
        if code < 0 or not trial.finite or (trial.of.scale * trial.force) @ pull <= 0:
            length /= 2
            continue
        rest, length = trial, DRIFT_GROWTH * length
    return rest.q
