"""Blocks in a row, each on a rough floor of its own, and a bounded drive: more contacts than patterns are tried for.

Block 0 follows x = c t^2 by a drive u within its bounds, the others are pushed by given forces. Each block has a closed
solution: it rests as long as its push is at most mu m g, and otherwise m a = push - mu m g.
"""

from functools import cache

import numpy as np
import pytest
from attack_cases import attack_cases

import lienket as lk
from lienket import der

GRAVITY = 10.0


@cache
def blocks(count):
    """Return blocks with unilateral floors; u acts on the first, within (-b, b)."""
    x, y = ([lk.coordinates(f"{letter}{k}") for k in range(count)] for letter in "xy")
    mass, mu, push = ([lk.parameters(f"{letter}{k}") for k in range(count)] for letter in ("m", "mu", "F"))
    kinetic = sum(m * (der(a) ** 2 + der(b) ** 2) for m, a, b in zip(mass, x, y, strict=True)) / 2
    weight = GRAVITY * sum(m * b for m, b in zip(mass, y, strict=True))
    system = lk.System("blocks", [*x, *y], kinetic=kinetic, potential=weight, forces=dict(zip(x, push, strict=True)))
    for k in range(count):
        law = lk.Coulomb(mu[k], slip=der(x[k]), unilateral=True)
        system = system.constrain(f"floor {k}", y[k], law=law)
    c, b = lk.parameters("c b")
    program = lk.Program(x[0] - c * lk.t**2, drives={"u": {x[0]: 1}}, bounds={"u": (-b, b)}, feedback=1)
    return system.constrain("path", program)


def accelerations(mass, mu, push):
    """Return the accelerations of blocks from rest under pushes."""
    limit = mu * mass * GRAVITY
    return np.where(np.abs(push) <= limit, 0.0, (push - np.sign(push) * limit) / mass)


# 10040: all other blocks stick, and with the drive at zero the first one would as well.
@pytest.mark.parametrize("seed", sorted({*attack_cases(4), 10040}))
def test_bounded_drives_beside_many_contacts(seed):
    rng = np.random.default_rng([6, seed])
    count = 4 + seed % 2
    mass, mu, push = rng.uniform(0.5, 2, count), rng.uniform(0.1, 0.6, count), rng.normal(size=count) * 8
    push[0], c, bound = 0.0, float(rng.uniform(0.5, 2)), float(rng.uniform(0.5, 12))
    wanted = 2 * c * mass[0] + mu[0] * mass[0] * GRAVITY  # e'' + 2 e' + e = 0 with e = e' = 0 at the start
    numbers = (("m", mass), ("mu", mu), ("F", push))
    values = {f"{name}{k}": float(x) for name, each in numbers for k, x in enumerate(each)} | {"c": c, "b": bound}
    system = blocks(count)
    u = min(wanted, bound)
    if u < wanted and u <= mu[0] * mass[0] * GRAVITY:
        return  # the program is refused by name where its drive cannot move a block that sticks
    expected = accelerations(mass, mu, np.append(u, push[1:]))
    state = system.at(np.zeros(2 * count), np.zeros(2 * count), values=values)
    assert state.accelerations[:count] == pytest.approx(expected, abs=1e-9)
    assert state.accelerations[count:] == pytest.approx(np.zeros(count), abs=1e-9)
    assert state.drives["u"] == pytest.approx(u, rel=1e-9)
    modes = [state.contacts[f"floor {k}"].mode for k in range(count)]
    assert modes == ["slides" if a else "sticks" for a in expected]
    motion = system.simulate(values, start={"x0": 0.0}, until=0.05)
    if u == bound:  # constant forces as long as the bound holds
        assert motion.q[-1, :count] == pytest.approx(expected * 0.05**2 / 2, rel=1e-7, abs=1e-10)
    assert motion.q[-1, 1:count] == pytest.approx(expected[1:] * 0.05**2 / 2, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("bound", [5.5, 20.0])
def test_a_bounded_drive_sets_a_block_in_motion(count, bound):
    """A block of 1 kg with friction up to 5 N at rest: u = min(7, bound) moves it, though u = 0 would let it stick."""
    values = {f"{name}{k}": x for k in range(count) for name, x in (("m", 1.0), ("mu", 0.5), ("F", 0.0))}
    state = blocks(count).at(np.zeros(2 * count), np.zeros(2 * count), values=values | {"c": 1.0, "b": bound})
    u = min(7.0, bound)
    assert state.drives["u"] == pytest.approx(u, rel=1e-12)
    assert state.accelerations[:count] == pytest.approx([u - 5.0, *[0.0] * (count - 1)], abs=1e-12)
