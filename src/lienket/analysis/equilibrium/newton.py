"""A position of equilibrium near a guess: Newton's steps on the constraints, shortened where they do not help.

    D^T h(q) = 0,  g(q, t) = 0:      y = -J^+ r  or  -(J^T J + mu I)^-1 J^T r,      q <- project(q + T y)

r = D^T h and its exact derivative J = -D^T K T are those of `forces_at_rest`; the length of r falls in every step
(Levenberg and Marquardt). Where it comes to a halt elsewhere, the system is let go along its forces for a while, or
started beside.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from ...kernels.projection import project
from ...simulation.start.assembly import assemble
from ...simulation.start.multistart import irregular, turned_to
from .forces_at_rest import ForcesAtRest, Statics

STEPS = 100
DAMPINGS = 24  # mu tried one after another
BALANCED = 1e-10
"""A remaining force that is none, as a share of the largest forces met, or a step that is none."""
FADING = 1e-4
"""A step, as a share of the position, that forces ask for which are small but not balanced."""
TURN = 0.5  # the most that an angle changes in a step
REACHED = 1e-15
COUNTS = 1e-12  # singular values below this share of the largest are none
FAR = 1e3  # how far forces may lead, as a share of where they begin
BETTER = 0.9  # a share of what remains that makes a point better than one nearer the guess
LET_GO = 300  # steps along the forces


@dataclass(frozen=True, eq=False)
class EquilibriumSearch:
    """Where the steps ended, and whether that is an equilibrium."""

    rest: ForcesAtRest
    balanced: bool


def equilibrium(system: Statics, guess: Array) -> EquilibriumSearch:
    """The equilibrium near the guess, or the point that comes nearest to one; StartError if no position assembles."""
    n = len(guess)
    conditions = system.conditions()
    q = assemble(conditions, guess, np.zeros(n, dtype=bool), others=False).x
    angles = _angles(system, q)
    best: EquilibriumSearch | None = None
    for begin in _starts(system, q):
        found = _turned_back(system, settled(system, begin, angles), q, angles)
        if found.balanced:
            return found
        if best is None or found.rest.misfit < BETTER * best.rest.misfit:
            best = found
    return best or EquilibriumSearch(system.at(q), False)


def _turned_back(system: Statics, found: EquilibriumSearch, q: Array, angles: Array) -> EquilibriumSearch:
    """The same position with its angles within half a turn of q."""
    at = turned_to(system.conditions(), found.rest.q, q, np.ones(len(q), dtype=bool), angles)
    return found if at is None or at is found.rest.q else EquilibriumSearch(system.at(at), found.balanced)


def settled(system: Statics, q: Array, angles: Array) -> EquilibriumSearch:
    """Where Newton's steps from q, on the constraints, lead."""
    here = system.at(q)
    if not here.finite:
        return EquilibriumSearch(here, False)
    size = here.size
    for _ in range(STEPS):
        size = max(size, here.size)
        there = _stepped(system, here, angles)
        if there is None:
            break
        step, way = (float(np.max(np.abs(x) / system.scale)) for x in (there.q - here.q, there.q))
        here = there
        if here.misfit == 0 or step <= REACHED * way:
            break
    return EquilibriumSearch(here, _balanced(here, size))


def _stepped(system: Statics, here: ForcesAtRest, angles: Array) -> ForcesAtRest | None:
    """The next point, with a smaller residual; None if there is none."""
    U, values, V = np.linalg.svd(here.slope, full_matrices=False)
    if not values.size or values[0] == 0:
        return None
    along = U.T @ here.residual
    surface = system.conditions().surface
    for damping in range(DAMPINGS):
        mu = 0.0 if damping == 0 else values[0] ** 2 * 10.0 ** (damping - 8)
        y = V.T @ (_divided(values, mu) * along)
        d = -here.movable @ y
        turned = np.max(np.abs(d[angles]), initial=0.0)
        if turned > TURN:
            d *= TURN / turned
        q, code = project(surface, here.q + d)
        there = system.at(q)
        if code >= 0 and there.misfit < (1 - 1e-6) * here.misfit:
            return there
    return None


def _divided(values: Array, mu: float) -> Array:
    """The factors s/(s^2 + mu); without mu, 1/s of the singular values that count."""
    if mu > 0:
        return values / (values**2 + mu)
    return np.where(values > COUNTS * values[0], 1 / np.where(values > 0, values, 1.0), 0.0)


def _balanced(here: ForcesAtRest, size: float) -> bool:
    """Whether what remains is rounding: of the forces, or of the position that a last step would change.

    Forces that only fade, as exp(x) does towards minus infinity, ask for steps that do not.
    """
    n = here.bound.D.shape[1]
    r, asked = here.residual[:n], here.residual[n:]
    small = float(np.linalg.norm(r)) <= BALANCED * size
    small &= float(np.linalg.norm(asked)) <= BALANCED * max(float(np.linalg.norm(here.of.scale)), 1.0)
    U, values, V = np.linalg.svd(here.slope, full_matrices=False)
    if not values.size or values[0] == 0:
        return small
    along = U.T @ here.residual
    counted = values > COUNTS * values[0]
    reachable = np.linalg.norm(here.residual - U[:, counted] @ along[counted]) <= 1e-6 * here.misfit
    step = np.abs(here.movable @ (V.T @ (_divided(values, 0.0) * along))) / np.maximum(np.abs(here.q), 1.0)
    largest = float(np.max(step, initial=0.0))
    return bool((small and largest <= FADING) or (reachable and largest <= BALANCED))


def _angles(system: Statics, q: Array) -> Array:
    """Which coordinates are angles (n booleans): turned by 2 pi, no force changes, at a point without any pattern."""
    point = q + irregular(len(q))
    here = system.at(point)
    found = np.zeros(len(q), dtype=bool)
    for i in range(len(q)):
        there = system.at(point + 2 * np.pi * (np.arange(len(q)) == i))
        pairs = ((here.terms[name], there.terms[name]) for name in ("h", "G"))
        found[i] = all(np.allclose(x, y, rtol=1e-9, atol=1e-9 * np.max(np.abs(x), initial=0.0)) for x, y in pairs)
    return found


def _starts(system: Statics, q: Array) -> Iterator[Array]:
    """The guess, where the forces lead from it, and points beside it."""
    yield q
    yield _let_go(system, q)
    surface = system.conditions().surface
    for size in (0.1, -0.1, 1.0, -1.0):
        beside, code = project(surface, q + size * irregular(len(q)) * np.maximum(np.abs(q), 1.0))
        if code >= 0:
            yield beside
            yield _let_go(system, beside)


def _let_go(system: Statics, q: Array) -> Array:
    """The position after a way along the remaining forces; a step ends where they turn back."""
    here, surface = system.at(q), system.conditions().surface
    if not here.finite or here.misfit == 0:
        return q
    size = max(float(np.linalg.norm(q / system.scale)), float(np.linalg.norm(1 / system.scale)))
    length = 0.01 * size
    for _ in range(LET_GO):
        pull = here.of.scale * here.force
        strength = float(np.linalg.norm(pull))
        if strength == 0 or not 1e-12 * size < length < FAR * size:
            break
        moved, code = project(surface, here.q + length * here.of.scale * pull / strength)
        there = system.at(moved)
        if code < 0 or not there.finite or (there.of.scale * there.force) @ pull <= 0:
            length /= 2
            continue
        here, length = there, 1.3 * length
    return here.q
