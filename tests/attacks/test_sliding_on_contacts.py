"""Random bodies that slide, stop, tip and rock on two to five contacts under loads that vary with time.

Each run ends as asked, or says that friction leaves no motion or several; forces balance, no law supplies energy.
"""

from functools import lru_cache

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases

import lienket as lk
from lienket import der


@lru_cache
def body(count, static):
    """Return a plane body with points on lines of inclination al; `static`: static friction is larger by a third."""
    x, y, phi = lk.coordinates("x y phi")
    X, M = lk.parameters("X M")
    kinetic = (der(x) ** 2 + der(y) ** 2) / 2 + der(phi) ** 2 / 5
    forces = {x: X * sp.cos(3 * lk.t), phi: M * sp.sin(2 * lk.t)}
    system = lk.System("body", [x, y, phi], kinetic=kinetic, potential=9.81 * y, forces=forces)
    for k in range(count):
        px, py, al, mu = lk.parameters(f"px{k} py{k} al{k} mu{k}")
        u, v = x + px * sp.cos(phi) - py * sp.sin(phi), y + px * sp.sin(phi) + py * sp.cos(phi)
        gap, along = -sp.sin(al) * (u - px) + sp.cos(al) * (v - py), sp.cos(al) * u + sp.sin(al) * v
        more = {"mu_static": 1.3 * mu} if static else {}
        law = lk.Coulomb(mu, slip=sp.diff(along, lk.t), unilateral=True, **more)
        system = system.constrain(f"c{k}", gap, law=law)
    return system


def case(seed):
    """Return a system, its numbers and its start."""
    rng = np.random.default_rng(seed)
    count, kind = int(rng.integers(2, 6)), rng.choice(["flat", "incline", "groove"])
    slope = rng.uniform(-0.5, 0.5) if kind == "incline" else 0.0
    equal, mu = rng.random() < 0.7, rng.uniform(0.1, 0.8)
    values = {"X": rng.normal() * 5, "M": rng.normal() * 2}
    angle = rng.uniform(0.3, 1.0)
    for k in range(count):
        arm = rng.uniform(-1, 1)
        place, al = (arm * np.cos(slope), arm * np.sin(slope) - 0.4), slope
        if kind == "groove":
            place, al = (arm, rng.uniform(-1, 0)), angle * rng.choice([-1, 1])
        named = (("px", place[0]), ("py", place[1]), ("al", al), ("mu", mu if equal else rng.uniform(0.1, 0.8)))
        values |= {f"{name}{k}": float(x) for name, x in named}
    speed = 0.0 if kind == "groove" or rng.random() < 0.4 else rng.normal()
    start = {"x": 0.0, "y": 0.0, "phi": 0.0, "x'": speed * np.cos(slope), "y'": speed * np.sin(slope), "phi'": 0.0}
    return body(count, bool(rng.random() < 0.5)), values, start


# 137: contacts that strike in one instant; 10263: velocities that projections have made smaller than 1e-308.
@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted({*attack_cases(4), 137, 10263}))
def test_ends_as_asked(seed):
    system, values, start = case(seed)
    motion, refusal = None, ""
    try:
        motion = system.simulate(values, start=start, until=1.0)
    except lk.LienketError as error:
        refusal = str(error)
    if motion is None or motion.outcome.reason != "finished":
        assert "Painleve" in (refusal or str(motion.outcome)), refusal or str(motion.outcome)
        return
    assert motion.audit.ok, motion.audit.warnings
