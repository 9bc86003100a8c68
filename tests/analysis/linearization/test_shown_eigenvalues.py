"""The printed table has every eigenvalue: numbers, complex pairs and multiple ones add up to the number of states."""

import re

import numpy as np
import pytest

import lienket as lk
from lienket import der

TIMES = {"": 1, "(double)": 2, "(triple)": 3}


def shown(linear):
    """Return the eigenvalues in the printed table."""
    values = []
    for line in str(linear).splitlines()[3:]:
        found = re.match(r"(\S+)( \+- (\S+)i)?( \((\d+)-fold\)| \(\w+\))? {2,}", line)
        if found:
            real, imaginary = float(found[1]), float(found[3] or 0)
            times = int(found[5] or TIMES[(found[4] or "").strip()])
            values += times * ([real] if not imaginary else [real + 1j * imaginary, real - 1j * imaginary])
    return np.array(values)


def oscillators(stiffness, damping):
    """Return masses of 1 with these springs and dampers: s^2 + d s + k = 0 each."""
    x = [lk.coordinates(f"x{k}") for k in range(len(stiffness))]
    return lk.System(
        "oscillators",
        x,
        kinetic=sum(der(y) ** 2 for y in x) / 2,
        potential=sum(k * y**2 for k, y in zip(stiffness, x, strict=True)) / 2,
        forces={y: -d * der(y) for d, y in zip(damping, x, strict=True)},
    )


@pytest.mark.parametrize("seed", range(40))
def test_every_eigenvalue_is_shown(seed):
    """Drifting, critically damped, oscillating and unstable masses, several of them equal."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    stiffness, damping = rng.choice([0.0, 0.0, 1.0, 4.0, -1.0], n), rng.choice([0.0, 0.0, 2.0, 0.5], n)
    exact = np.concatenate([np.roots([1, d, k]) for d, k in zip(damping, stiffness, strict=True)])
    linear = oscillators(stiffness, damping).linearize(np.zeros(n))
    given = shown(linear)
    assert len(given) == len(linear.eigenvalues) == 2 * n
    order = [np.lexsort((e.imag.round(5), e.real.round(5))) for e in (given, exact)]
    assert np.allclose(given[order[0]], exact[order[1]], atol=1e-6)
    zeros = np.sum(np.abs(exact) < 1e-7)
    assert ("0 is a multiple eigenvalue" in str(linear)) == (zeros > 1)


def test_a_cart_that_may_drift_has_a_double_zero():
    """Mass m on a rod above a cart of mass M, in Cartesian coordinates: s^2 = g (M + m)/(M l), and 0 twice."""
    x, X, Y = lk.coordinates("x X Y")
    cart = lk.System(
        "cart", [x, X, Y], kinetic=der(x) ** 2 / 2 + 0.1 * (der(X) ** 2 + der(Y) ** 2), potential=1.962 * Y
    )
    linear = cart.constrain("rod", (X - x) ** 2 + Y**2 - 0.25).linearize({"x": 0, "X": 0, "Y": 0.5})
    s = np.sqrt(9.81 * 1.2 / 0.5)
    assert np.sort(shown(linear).real) == pytest.approx([-s, 0, 0, s], rel=1e-6)
    assert "0 (double)" in str(linear)
