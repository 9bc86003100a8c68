"""The compiled solution near a guess and the plain version agree: on the solution, and on which cases are certain."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import sympy as sp
from random_cases import share_of
from starting import four_bar, model, point

import lienket as lk
from lienket import der
from lienket.assembly.models import compiled_model
from lienket.errors import StartError
from lienket.model.input.stated_start import StatedStart
from lienket.simulation.start import assembly
from lienket.simulation.start.level_constraints import POSITIONS, VELOCITIES, LevelConstraints
from lienket.simulation.start.near_guess import near_solution

ROUNDING = 1e-12
DISTURBANCES = (0.0, 1e-15, 1e-12, 1e-8, 1e-4, 0.03, 0.3, 3.0)
CASES = 240


def rods(redundant=False):
    """State four particles in a plane, of very different masses, in a chain of rods; with `redundant`, rows repeat."""
    system, q = point("rods", "x1 y1 x2 y2 x3 y3 x4 y4", x2=1e3, y2=1e3, x3=1e-3, y3=2e-3)
    points = [(0, 0), *zip(q[::2], q[1::2], strict=True)]
    rows = [(a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 - 1 for a, b in pairwise(points)]
    system = system.constrain("chain", rows)
    if not redundant:
        return system
    return (
        system.constrain("again", 3 * rows[1]).constrain("sum", rows[0] - 2 * rows[3]).constrain("level", q[1] - q[5])
    )


def moved_by_time():
    """State a particle on a rod of changing length about a moving point, and one that is carried along."""
    system, (x, y, z) = point()
    t = lk.t
    carried = system.constrain("rod", (x - sp.sin(t)) ** 2 + y**2 - (2 + sp.cos(3 * t)) ** 2)
    return carried.constrain("carried", z - x * (1 + t))


def with_massless_coordinates():
    """State a light pulley: coordinates without inertia that the rows bind, or not."""
    system, (x, y, u, w) = point("light", "x y u w", u=0, w=0)
    return system.constrain("rope", [x + y - 2 * u, u**2 + w**2 - 4])


def sled():
    """State a knife edge on a plane whose point stays on a curve: rows on positions and velocities together."""
    system, (x, y, phi, s) = point("sled", "x y phi s")
    edge = system.constrain("edge", der(x) * sp.sin(phi) - der(y) * sp.cos(phi))
    return edge.constrain("curve", s - x**2).constrain("speed", lk.Velocity(der(s) - (1 + y) * der(x) - sp.cos(lk.t)))


def nonlinear_in_velocities():
    """State the equation of Appell and Hamel, of second degree in the velocities, and a holonomic one."""
    system, (x, y, z, w) = point("hamel", "x y z w")
    cone = system.constrain("cone", lk.Velocity(der(x) ** 2 + der(y) ** 2 - der(z) ** 2 - 0.25))
    return cone.constrain("ball", x**2 + y**2 + w**2 - 3)


def pushed():
    """State a row on accelerations, which restricts no state, beside a rod."""
    system, (x, y) = point("pushed", "x y")
    return system.constrain("rod", x**2 + y**2 - 1).constrain("push", lk.Acceleration(der(x, 2) - 2))


SYSTEMS = {
    "four-bar": four_bar,
    "parallelogram": lambda: four_bar(1.0, 2.0, 1.0, 2.0),  # singular where all links lie in a line
    "rods": rods,
    "redundant rods": lambda: rods(True),
    "moved by time": moved_by_time,
    "massless": with_massless_coordinates,
    "sled": sled,
    "nonlinear in velocities": nonlinear_in_velocities,
    "pushed": pushed,
    "free": lambda: point()[0],
    "disc": lambda: model("rolling_disc"),
    "slider-crank": lambda: model("slider_crank"),
    "squeezer": lambda: model("andrews_squeezer"),
}


def parts_of(system):
    """Return the compiled model, the names and the default numbers of the parameters."""
    statement = system.statement
    compiled = compiled_model(statement.free, statement.constraints, statement.parameters)
    numbers = np.array([float(system.values[p]) for p in statement.parameters])
    return compiled, statement.names, numbers


def plain_solution(monkeypatch, compiled, names, numbers, stated, t):
    """Return q, v by the plain version; None where it fails, searches from several points or turns angles."""
    hard = []

    def watched(function):
        return lambda *arguments: hard.append(function) or function(*arguments)

    with monkeypatch.context() as patch:
        for name in ("_multistart", "turned_to"):
            patch.setattr(assembly, name, watched(getattr(assembly, name)))
        try:
            on_positions = LevelConstraints(compiled, t, numbers, POSITIONS, names, stated.q)
            q = assembly.assemble(on_positions, stated.q, stated.fixed_q, False).x
            on_velocities = LevelConstraints(compiled, t, numbers, VELOCITIES, names, q)
            v = assembly.assemble(on_velocities, stated.v, stated.fixed_v, False).x
        except StartError:
            return None
    return None if hard else (q, v)


def stated_at_random(rng, solution, n):
    """Return a start: near a solution or anywhere, numbers fixed or guessed, some of them typed with few digits."""
    disturbance = float(rng.choice(DISTURBANCES))
    q, v = (x + disturbance * rng.normal(size=n) for x in solution)
    fixed = rng.random((2, n)) < rng.choice([0.0, 0.2, 0.5, 1.0])
    q, v = np.where(fixed[0], solution[0], q), np.where(fixed[1], solution[1], v)
    if rng.random() < 0.3:
        digits = int(rng.choice([3, 5, 7, 9, 12]))
        q, v = np.round(q, digits), np.round(v, digits)
    if rng.random() < 0.1:
        q[rng.random(n) < rng.choice([0.5, 1.0])] = 0.0  # singular in some of the systems
    none = np.zeros(n, dtype=bool)
    return StatedStart(q, v, fixed[0], fixed[1], none, none)


SLOW = ("redundant rods", "massless")


@pytest.mark.cases
@pytest.mark.parametrize("name", [pytest.param(k, marks=pytest.mark.slow) if k in SLOW else k for k in SYSTEMS])
def test_the_compiled_and_the_plain_version_agree(name, monkeypatch):
    """Wherever the plain version is certain, the compiled one has the same numbers; elsewhere it has none."""
    system = SYSTEMS[name]()
    compiled, names, numbers = parts_of(system)
    rng, n, certain = np.random.default_rng(len(name)), len(names), 0
    solution = None
    for _ in range(share_of(CASES)):
        t = float(rng.choice([0.0, rng.normal()]))
        if solution is None or rng.random() < 0.2:
            try:
                solution = tuple(system.consistent(None, guess=dict(zip(names, rng.normal(size=n), strict=True)), t=t))
            except StartError:
                continue
        stated = stated_at_random(rng, solution, n)
        before = [x.copy() for x in (stated.q, stated.v)]
        near = near_solution(compiled, stated, t, numbers)
        assert all(map(np.array_equal, before, (stated.q, stated.v)))
        expected = plain_solution(monkeypatch, compiled, names, numbers, stated, t)
        certain += near is not None
        if distance(near, expected) > ROUNDING:
            # A long way of Newton's method along nearly dependent rows magnifies rounding, of the plain version too.
            again = [plain_solution(monkeypatch, compiled, names, numbers, rounded(rng, stated), t) for _ in range(5)]
            assert distance(near, expected) <= 10 * max(distance(each, expected) for each in again), (stated, t)
    assert certain >= share_of(CASES) // 3


def distance(one, other):
    """Return the largest difference of positions and velocities, relative to 1 and to the largest of them.

    It is 0 where both have no solution, and infinite where one of them has none.
    """
    if one is None or other is None:
        return 0.0 if one is other else np.inf
    return max(np.max(np.abs(x - y)) / (1 + np.max(np.abs(y))) for x, y in zip(one[:2], other[:2], strict=True))


def rounded(rng, stated):
    """Return the start with its guesses changed by a rounding."""
    change = np.finfo(float).eps * (1 + np.abs(stated.q)) * rng.choice([-1, 1], len(stated.q))
    return replace(stated, q=np.where(stated.fixed_q, stated.q, stated.q + change))


def test_velocities_that_the_rows_let_vanish_are_found_from_any_guess():
    """Three rows, of which one is given, let nothing move: v = 0, to underflow, whatever the guess."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        guess = {"beta": 0.6, "gamma": 1.6, "beta'": rng.normal(), "gamma'": rng.normal()}
        start = four_bar().consistent({"alpha": rng.uniform(0.2, 1.0), "alpha'": 0.0}, guess=guess, others=False)
        assert np.max(np.abs(start.v)) <= 1e-289


def test_errors_of_python_functions_are_raised():
    def failing(t):
        raise ZeroDivisionError("no number")

    length = lk.function("length", failing, derivatives=[failing])
    system, (x, y) = point("guided", "x y")
    guided = system.constrain("rod", x**2 + y**2 - length(lk.t))
    with pytest.raises(lk.LienketError, match="'length' failed: ZeroDivisionError: no number"):
        guided.consistent({"x": 1.0})


def test_threads_do_not_share_memory():
    """As many threads as one likes compute different starts of one model."""
    crank = model("slider_crank")
    phis = np.linspace(0.1, 1.5, 400)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda phi: crank.consistent({"phi": phi}, others=False)["theta"], phis))
    assert np.allclose(found, np.arcsin(0.21 * np.sin(phis) / 0.58), rtol=0, atol=1e-14)
