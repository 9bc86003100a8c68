"""Runs of bodies that bounce, slide, rock and rest do not depend on the factors of their gaps."""

from functools import cache

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases

import lienket as lk
from lienket import der

WIDTH = {1: 12, 2: 2}  # powers of ten; forces of several contacts are compared with each other as multipliers
x, y, phi = lk.coordinates("x y phi")


@cache
def body(count):
    """Return a plane body with corners above a floor, each gap times a parameter c."""
    T = (der(x) ** 2 + der(y) ** 2) / 2 + der(phi) ** 2 / 8
    system = lk.System("body", [x, y, phi], kinetic=T, potential=9.81 * y)
    for k in range(count):
        px, py, mu, e, c = lk.parameters(f"px{k} py{k} mu{k} e{k} c{k}")
        point = (x + px * sp.cos(phi) - py * sp.sin(phi), y + px * sp.sin(phi) + py * sp.cos(phi))
        law = lk.Coulomb(mu, slip=sp.diff(point[0], lk.t), unilateral=True, restitution=e, point=point)
        system = system.constrain(f"corner {k}", c * point[1], law=law)
    return system


# 2080: the contact begins to slide shortly before the end; the first steps after it show rounding as slip.
@pytest.mark.parametrize("seed", sorted({*attack_cases(3), 2080}))
def test_factors_of_gaps_change_nothing(seed):
    rng = np.random.default_rng([23, seed])
    count = 1 + seed % 2
    arms = np.array([[0.0, -0.5]]) if count == 1 else np.array([[-0.6, -0.4], [0.6, -0.4]])
    values = {f"px{k}": a for k, (a, _) in enumerate(arms)} | {f"py{k}": b for k, (_, b) in enumerate(arms)}
    values |= {f"mu{k}": float(rng.uniform(0.1, 0.6)) for k in range(count)}
    values |= {f"e{k}": float(rng.choice([0.0, 0.3])) for k in range(count)}
    start = {"x": 0.0, "y": -arms[0, 1] + float(rng.choice([0.0, 0.2])), "phi": 0.0, "x'": float(rng.normal())}
    runs = []
    for factors in (np.ones(count), 10 ** rng.uniform(-WIDTH[count], WIDTH[count], count)):
        numbers = values | {f"c{k}": float(c) for k, c in enumerate(factors)}
        runs.append(body(count).simulate(numbers, start=start, until=0.6))
    plain, scaled = runs
    assert scaled.outcome.reason == plain.outcome.reason
    size = np.abs(plain.v).max()
    happened, expected = ([(s.event, s.t) for s in run.switches if np.ptp(s.v - s.v_before) > 1e-3 * size] for run in
                          (scaled, plain))  # fmt: skip
    assert [name for name, _ in happened] == [name for name, _ in expected]
    assert [t for _, t in happened] == pytest.approx([t for _, t in expected], abs=1e-6)
    assert scaled.q[-1] == pytest.approx(plain.q[-1], abs=1e-5)
    for k in range(count):
        one, other = (run.contacts[f"corner {k}"] for run in (plain, scaled))
        assert other.mode[-1] == one.mode[-1]
        assert other.normal[-1] == pytest.approx(one.normal[-1], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("factor", [1e-12, 1e-6, 1.0, 1e9])
def test_a_start_within_a_contact_is_refused_whatever_the_factor(factor):
    with pytest.raises(lk.LienketError, match="on the wrong side of the contact"):
        body(1).simulate(
            {"px0": 0, "py0": -0.5, "mu0": 0.1, "e0": 0, "c0": factor}, start={"y": 0.4, "x": 0, "phi": 0}, until=1
        )
