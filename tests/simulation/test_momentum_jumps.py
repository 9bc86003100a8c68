"""A kinetic energy that jumps at a known time: no force determines the velocities after it; the run is refused."""

import pytest
import sympy as sp

import lienket as lk
from lienket import der, t

x, y = lk.coordinates("x y")
a = lk.parameters("a")
step = sp.Piecewise((1, t < a), (2, True))
REST = der(y) ** 2 / 2
JUMPING = {
    "mass": step * der(x) ** 2 / 2 + REST,
    "moving frame": (der(x) + step) ** 2 / 2 + REST,
    "sign": (2 + sp.sign(t - a)) * der(x) ** 2 / 2 + REST,
    "coupling": der(x) ** 2 / 2 + der(y) ** 2 + step * der(x) * der(y) / 4,
}
CONTINUOUS = {
    "mass": sp.Piecewise((1, t < a), (1 + t - a, True)) * der(x) ** 2 / 2 + REST,
    "absolute value": (1 + sp.Abs(t - a)) * der(x) ** 2 / 2 + REST,
    "potential alone": der(x) ** 2 / 2 + REST + 0 * step,
}


def system(kinetic, **more):
    return lk.System("masses", [x, y], kinetic=kinetic, forces={x: sp.cos(t)}, values={a: 1}, **more)


@pytest.mark.parametrize("name", JUMPING)
def test_a_run_over_the_jump_is_refused_by_name(name):
    """Runs before and after the jump are made, a run over it is not."""
    masses = system(JUMPING[name])
    with pytest.raises(lk.LienketError, match=r"that of 'x' at t = 1[,.]"):
        masses.simulate(start={"x'": 1.0}, until=2.0)
    assert masses.simulate(start={"x'": 1.0}, until=0.9).outcome.complete
    assert masses.simulate(start={"x'": 1.0}, t=1.0, until=2.0).outcome.complete
    with pytest.raises(lk.LienketError, match=r"at t = 1\.5"):
        masses.simulate({"a": 1.5}, start={"x'": 1.0}, until=2.0)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_kinetic_energies_run(name):
    """With a corner of the mass m(t) the momentum m x' = x'(0) + sin t is continuous; a jump of V is none of T."""
    masses = system(CONTINUOUS[name], potential=step * y)
    motion = masses.simulate(start={"x'": 1.0}, until=2.0, rtol=1e-10, atol=1e-12)
    mass = {"mass": 2.0, "absolute value": 2.0, "potential alone": 1.0}[name]
    first = 2.0 if name == "absolute value" else 1.0
    assert motion.v[-1, 0] == pytest.approx((first + float(sp.sin(2))) / mass, abs=1e-8)


def test_an_inertia_matrix_that_jumps():
    """The same for a matrix that is stated instead of the kinetic energy."""
    masses = lk.System("masses", [x, y], inertia=sp.Matrix([[step, 0], [0, 1]]), values={a: 1})
    with pytest.raises(lk.LienketError, match="that of 'x' at t = 1"):
        masses.simulate(start={"x'": 1.0}, until=2.0)
