"""Audits judge the motion, not the formula: factors of constraints and units of coordinates change no judgement.

A constraint g = 0 and c g = 0 with c != 0 are the same constraint. Residuals as written are multiplied by c; what an
audit compares with its limits is not.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from random_cases import share_of
from starting import four_bar

import lienket as lk
from lienket import der
from lienket.kernels.audit_limits import RUN_RESIDUAL_LIMIT, STATE_RESIDUAL_LIMIT
from lienket.results.audit.run_audit import audit
from lienket.results.row_values import RowValues

FACTORS = [10.0**k for k in (-12, -9, -3, 3, 9, 12)]
x, y, z = lk.coordinates("x y z")


def multiplied(system, factors):
    """Return the system with every row of its constraints multiplied by the next of the factors."""
    factors = iter(factors)
    constraints = [
        replace(c, expressions=tuple(next(factors) * e for e in c.expressions)) for c in system.statement.constraints
    ]
    return lk.System.from_statement(system.statement.with_constraints(tuple(constraints)))


def wording(warnings):
    """Return the warnings without their numbers."""
    return [re.sub(r"[-+]?\d+(\.\d+)?(e[-+]\d+)?", "#", w) for w in warnings]


def chain(seed):
    """State a chain of particles joined by rods, random masses and lengths; return it and its start."""
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 4))
    names = [(f"x{k}", f"y{k}") for k in range(count)]
    q = [lk.coordinates(" ".join(pair)) for pair in names]
    masses, lengths = 10.0 ** random.uniform(-2, 2, count), 10.0 ** random.uniform(-1, 1, count)
    angles = random.uniform(0, 2 * np.pi, count)
    kinetic = sum(m * (der(a) ** 2 + der(b) ** 2) / 2 for m, (a, b) in zip(masses, q, strict=True))
    system = lk.System("chain", [e for pair in q for e in pair], kinetic=kinetic,
                       potential=sum(9.81 * m * b for m, (_, b) in zip(masses, q, strict=True)))  # fmt: skip
    start, before, at = {}, (0, 0), np.zeros(2)
    for k, ((a, b), length, angle) in enumerate(zip(q, lengths, angles, strict=True)):
        at = at + length * np.array([np.cos(angle), np.sin(angle)])
        start |= dict(zip(names[k], at, strict=True))
        system = system.constrain(f"rod{k}", (a - before[0]) ** 2 + (b - before[1]) ** 2 - length**2)
        before = (a, b)
    return system, start


def particle(*statements, forces=None):
    """State a particle in space with constraints."""
    system = lk.System("particle", [x, y, z], kinetic=(der(x) ** 2 + 2 * der(y) ** 2 + 3 * der(z) ** 2) / 2,
                       potential=9.81 * z, forces=forces)  # fmt: skip
    for k, statement in enumerate(statements):
        system = system.constrain(f"row{k}", statement)
    return system


SYSTEMS = {  # system, start, options of the run
    "pendulum": (particle(x**2 + y**2 + z**2 - 1), {"x": 0.6, "y": 0.0, "z": -0.8}, {}),
    "four-bar": (four_bar(), {"alpha": 0.7}, {"guess": {"beta": 0.5, "gamma": 1.5}}),
    "skate": (particle(sp.sin(z) * der(x) - sp.cos(z) * der(y)), {"z": 0.3, "x'": 1.0, "z'": 0.5}, {}),
    "speed": (particle(der(x) ** 2 + der(y) ** 2 + der(z) ** 2 - 4), {"x'": 1.0, "y'": 1.0}, {"guess": {"z'": 1.0}}),
    "acceleration": (particle(lk.Acceleration(der(x, 2) + 2 * der(x) - der(y, 2))), {"x'": 1.0, "y'": -0.3}, {}),
    "moving": (particle(x - sp.sin(3 * lk.t) / 5, x + y + z - 1), {"y": 0.5, "y'": 0.1}, {}),
    "program": (
        particle(x + y - 1, lk.Program(z - sp.sin(lk.t), drives={"u": {z: 1}}, feedback=5.0)),
        {"x": 0.2, "z": 0.3, "x'": 0.1, "z'": 0.0},
        {},
    ),
    "fixed steps": (
        particle(x**2 + y**2 + z**2 - 1),
        {"x": 0.6, "y": 0.0, "z": -0.8, "y'": 0.4},
        {"method": "rattle", "step": 0.01},
    ),
}


def factors_of(system, seed, function=False):
    """Return a random power of ten for each row, times a positive function of the coordinates."""
    random = np.random.default_rng(seed)
    q = system.statement.coordinates
    rows = sum(len(c.expressions) for c in system.statement.constraints)
    wave = [2 + sp.sin(q[int(random.integers(len(q)))]) if function else 1 for _ in range(rows)]
    return [sp.Float(10.0 ** int(random.integers(-12, 13))) * w for w in wave]


def assert_same_judgement(found, expected, limit, rounding=1e-5):
    """Assert that two audits agree; changes that are rounding, below `rounding` of the limit, need not."""
    assert found.ok == expected.ok, found.warnings
    assert wording(found.warnings) == wording(expected.warnings)
    for level, by_name in expected.needed.items():
        for name, change in by_name.items():
            assert found.needed[level][name] == pytest.approx(change, rel=1e-6, abs=rounding * limit, nan_ok=True)


@pytest.mark.parametrize("function", [False, True])
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_run_is_judged_alike_whatever_the_factor_of_its_rows(name, function):
    system, start, options = SYSTEMS[name]
    expected = system.simulate(start=start, until=1.0, **options).audit
    assert expected.ok, expected.warnings
    for seed in range(4):
        other = multiplied(system, factors_of(system, seed, function))
        assert_same_judgement(other.simulate(start=start, until=1.0, **options).audit, expected, RUN_RESIDUAL_LIMIT)


@pytest.mark.parametrize("seed", range(share_of(40)))
def test_random_chains_are_judged_alike(seed):
    system, start = chain(seed)
    expected = system.simulate(start=start, until=0.5)
    assert expected.audit.ok, expected.audit.warnings
    other = multiplied(system, factors_of(system, seed, bool(seed % 2)))
    assert_same_judgement(other.simulate(start=start, until=0.5).audit, expected.audit, RUN_RESIDUAL_LIMIT)


@pytest.mark.parametrize("name", ["pendulum", "four-bar", "skate", "speed", "moving"])
@pytest.mark.parametrize("factor", FACTORS)
def test_a_violated_run_is_found_with_every_factor(name, factor):
    """Rows moved off by 1e-4 need thousands of tolerances, the same number for every factor, to 1e-6."""
    system, start, options = SYSTEMS[name]
    run = system.simulate(start=start, until=1.0, **options)._run
    off = replace(run, q=run.q * (1 + 1e-4), v=run.v * (1 + 1e-4))
    expected = audit(RowValues(off))
    assert not expected.ok
    rows = sum(len(c.expressions) for c in system.statement.constraints)
    other = multiplied(system, [sp.Float(factor)] * rows).simulate(start=start, until=1.0, **options)._run
    found = audit(RowValues(replace(off, problem=other.problem)))
    assert wording(found.warnings) == wording(expected.warnings)
    for level, by_name in expected.needed.items():
        for constraint, change in by_name.items():
            assert found.needed[level][constraint] == pytest.approx(change, rel=1e-6, abs=1e-5)


def off_by(system, start, amount, factor=None):
    """Return the audit of the system at a consistent start moved by a relative amount."""
    at = system.consistent(start)
    other = system if factor is None else multiplied(system, factor)
    return other.at(at.q * (1 + amount), at.v * (1 + amount)).audit


@pytest.mark.parametrize("seed", range(share_of(60)))
def test_a_state_is_judged_alike_whatever_the_factor_of_its_rows(seed):
    system, start = chain(seed)
    start |= {f"{name}'": 1.0 for name in list(start)[:1]}
    for amount in (0.0, 1e-4):
        expected = off_by(system, start, amount)
        found = off_by(system, start, amount, factors_of(system, seed))
        assert (found.ok, wording(found.warnings)) == (expected.ok, wording(expected.warnings))
        assert expected.ok == (amount == 0.0)
        for level in ("position", "velocity"):
            for name, share in getattr(expected, level).items():
                assert getattr(found, level)[name] == pytest.approx(share, rel=1e-6, abs=1e-6 * STATE_RESIDUAL_LIMIT)
    assert off_by(system, start, 0.0, factors_of(system, seed, function=True)).ok
    found = off_by(system, start, 1e-4, factors_of(system, seed, function=True))
    assert not found.ok
    # Off the constraint a function c changes the gradient of c g by g dc, here by 1e-4 of it.
    for name, share in off_by(system, start, 1e-4).position.items():
        assert found.position[name] == pytest.approx(share, rel=1e-2)


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("mass", [1e-9, 1.0, 1e9])
def test_units_change_no_judgement(length, mass):
    """A pendulum in other units of length and mass, with `atol` in these units, needs the same changes."""

    def audits(length, mass):
        kinetic = mass * (der(x) ** 2 + der(y) ** 2) / 2
        system = lk.System("pendulum", [x, y], kinetic=kinetic, potential=9.81 * length * mass * y)
        system = system.constrain("rod", x**2 + y**2 - length**2)
        run = system.simulate(start={"x": 0.6 * length, "y": -0.8 * length}, until=1.0, atol=1e-10 * length)._run
        off = audit(RowValues(replace(run, q=run.q * (1 + 1e-4))))
        return off, system.at([0.6001 * length, -0.8 * length], [length, 0.1 * length]).audit

    (run, state), (run1, state1) = audits(length, mass), audits(1.0, 1.0)
    assert wording(run.warnings) == wording(run1.warnings) and wording(state.warnings) == wording(state1.warnings)
    assert run.needed["position"]["rod"] == pytest.approx(run1.needed["position"]["rod"], rel=1e-6)
    assert state.position["rod"] == pytest.approx(state1.position["rod"], rel=1e-6)
    assert state.velocity["rod"] == pytest.approx(state1.velocity["rod"], rel=1e-6)


@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_row_whose_gradient_vanishes_is_judged_by_the_same_displacement(power):
    """(x^2 + y^2 + z^2 - 1)^p off by 1e-4 needs about a p-th of the displacement of p = 1, the Newton step."""

    def at(power, radius):
        rod = (x**2 + y**2 + z**2 - 1) ** power
        return particle(rod).at([0.6 * radius, 0, -0.8 * radius], [0, 0, 0]).audit

    assert at(power, 1.0).position["row0"] <= 1e-12
    moved = at(power, 1 + 1e-4)
    assert not moved.consistent
    assert moved.position["row0"] == pytest.approx(at(1, 1 + 1e-4).position["row0"] / power, rel=0.7)


@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e9])
def test_contacts_are_judged_alike(factor):
    """A block falls on a rough plane, slides and sticks; a factor c of the gap changes nothing."""
    floor = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * y)
    law = lk.Coulomb(0.3, slip=der(x), unilateral=True)
    motion = floor.constrain("floor", factor * y, law=law).simulate(start={"y": 0.2, "x'": 1.0}, until=1.5)
    assert motion.outcome.complete and motion.audit.ok, motion.outcome
    assert motion.v[-1] == pytest.approx([0.0, 0.0], abs=1e-7)
    off = audit(RowValues(replace(motion._run, q=motion.q + np.array([0.0, -1e-4]))))
    assert any("'floor' is violated" in w for w in off.warnings)


def test_a_block_that_hardly_moves_has_no_warnings():
    """On an incline just below the angle of friction, with rounding as its only motion, there is nothing to warn of."""
    for speed in (0.0, 1e-27, 1e-14):
        block = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, forces={x: 1.0, y: -9.81})
        floor = block.constrain("floor", y, law=lk.Coulomb(0.3, slip=der(x)))
        motion = floor.simulate(start={"x": 0, "y": 0, "x'": speed}, until=2.0)
        assert motion.audit.ok, motion.audit.warnings
        v = np.where(np.arange(len(motion.t))[:, None] % 2, 1e-27, -1e-27) * np.array([1.0, 0.0])
        assert audit(RowValues(replace(motion._run, v=v))).ok
