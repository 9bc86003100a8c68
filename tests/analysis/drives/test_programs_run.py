"""Runs with programs: drives that keep them, follow them from a start off the program, or reach their bounds."""

import numpy as np
import pytest
import sympy as sp
from servo import X, Z, crane, l, s, x, z

import lienket as lk
from lienket import der, t
from lienket.errors import LienketError, StartError

y, w = lk.coordinates("y w")
M, k = lk.parameters("M k")


def mass(**more):
    return lk.System("mass", [y], kinetic=M * der(y) ** 2 / 2, potential=k * y**2 / 2, values={M: 2, k: 3}, **more)


def followed(law, **how):
    return mass().constrain("law", lk.Program(y - law, drives={"F": {y: 1}}, **how))


def test_exact_program_needs_a_start_on_it_and_does_not_drift():
    kept = followed(sp.sin(t))
    run = kept.simulate(until=100, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(run["y"], np.sin(run.t), atol=1e-13)
    np.testing.assert_allclose(run.drives["F"], (3 - 2) * np.sin(run.t), atol=1e-11)
    assert run.audit.ok, run.outcome
    with pytest.raises(StartError, match="law"):
        kept.simulate(start={"y": 0.5, "y'": 0.0}, until=1)


@pytest.mark.parametrize("feedback", [4, (16, 8), (5, 1.2), (3, 4)])
def test_error_of_a_program_decays_by_its_gains(feedback):
    k_p, k_d = (feedback**2, 2 * feedback) if isinstance(feedback, int) else feedback
    run = followed(sp.sin(t), feedback=feedback).simulate(start={"y": 0.5, "y'": 0.2}, until=4, rtol=1e-10, atol=1e-12)
    e = sp.Function("e")
    time = sp.Symbol("time")
    start = {e(0): 0.5, e(time).diff(time).subs(time, 0): 0.2 - 1}
    exact = sp.dsolve(e(time).diff(time, 2) + k_d * e(time).diff(time) + k_p * e(time), e(time), ics=start).rhs
    errors = np.array([complex(exact.subs(time, x)).real for x in run.t])
    np.testing.assert_allclose(run["y"] - np.sin(run.t), errors, atol=1e-9)
    np.testing.assert_allclose(run.program_errors["law"][:, 0], errors, atol=1e-9)
    forward = 3 * run["y"] - 2 * np.sin(run.t)  # force for y'' = -sin t at this position
    np.testing.assert_allclose(run.drives["F"] - run.feedback["F"], forward, atol=1e-10)
    answer = -2 * (k_d * (run["y'"] - np.cos(run.t)) + k_p * (run["y"] - np.sin(run.t)))
    np.testing.assert_allclose(run.feedback["F"], answer, atol=1e-9)
    middle = run.at(1.0)
    assert middle.drives["F"] - middle.feedback["F"] == pytest.approx(3 * middle.q[0] - 2 * np.sin(1.0), abs=1e-10)
    assert run.audit.ok, run.outcome


def test_a_program_on_velocities_has_one_gain():
    run = (
        mass()
        .constrain("speed", lk.Program(der(y) - 1, drives={"F": {y: 1}}, feedback=3))
        .simulate(start={"y": 0, "y'": 0}, until=2, rtol=1e-10, atol=1e-12)
    )
    np.testing.assert_allclose(run["y'"], 1 - np.exp(-3 * run.t), atol=1e-9)


def test_a_drive_at_its_bound_misses_the_program():
    """A free mass with |F| <= 1 is driven to 2, critically damped with w = 5: it is pushed by 1, then braked by -1."""
    free = lk.System("mass", [y], kinetic=der(y) ** 2 / 2)
    pushed = free.constrain("there", lk.Program(y - 2, drives={"F": {y: 1}}, feedback=5, bounds={"F": (-1, 1)}))
    run = pushed.simulate(until=8, rtol=1e-10, atol=1e-12)
    asked = -10 * run["y'"] - 25 * (run["y"] - 2)
    np.testing.assert_allclose(run.drives["F"], np.clip(asked, -1, 1), atol=1e-8)
    first = run.t < run.t[np.argmax(asked < 1)]
    np.testing.assert_allclose(run["y"][first], run.t[first] ** 2 / 2, atol=1e-9)
    assert run.drives["F"].max() == pytest.approx(1, abs=1e-12)
    assert run.drives["F"].min() == pytest.approx(-1, abs=1e-12)
    assert abs(run["y"][-1] - 2) < 1e-6
    assert run.audit.ok, run.outcome


def test_bounds_may_be_one_sided_and_contain_parameters():
    F_max = lk.parameters("F_max")
    program = lk.Program(y - 2, drives={"F": {y: 1}}, feedback=5, bounds={"F": (None, F_max)})
    pushed = lk.System("mass", [y], kinetic=der(y) ** 2 / 2).constrain("there", program)
    run = pushed.simulate({"F_max": 0.5}, until=6)
    assert run.drives["F"].max() == pytest.approx(0.5, abs=1e-12)
    assert run.drives["F"].min() < -0.5


def test_redundant_drives_share_by_weights_and_within_bounds():
    drives = {"F": {y: 1}, "G": {y: 2}, "H": {y: -1}}
    weights = {"F": 1, "G": 3, "H": 0.5}
    asked = 3 * 0.4 - 2 * np.sin(0.7)  # E u at y = 0.4, t = 0.7
    column, cost = np.array([1.0, 2.0, -1.0]), np.array([1.0, 3.0, 0.5])
    exact = column / cost * asked / (column**2 / cost).sum()
    state = mass().constrain("law", lk.Program(y - sp.sin(t), drives=drives, weights=weights)).at([0.4], [0.0], 0.7)
    np.testing.assert_allclose([state.drives[name] for name in drives], exact, rtol=1e-12)
    program = lk.Program(y - sp.sin(t), drives=drives, weights=weights, bounds={"H": (-0.01, 0.01)})
    state = mass().constrain("law", program).at([0.4], [0.0], 0.7)
    u = np.array([state.drives[name] for name in drives])
    assert abs(u[2]) == pytest.approx(0.01)
    assert column @ u == pytest.approx(asked, rel=1e-9)
    np.testing.assert_allclose(
        u[0] * cost[0] / column[0], u[1] * cost[1] / column[1], rtol=1e-6
    )  # the other drives share the load


@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf"])
def test_the_crane_is_driven_along_its_path(method):
    """Relative degree 4 (benchmark overhead_crane_servo): positions, drives and rope equal the closed form."""
    driven = crane().constrain(
        "path", lk.Program([x - X, z - Z], drives={"F": {s: 1}, "M": {l: -1 / lk.parameters("r")}})
    )
    times = [0.0, 1.0, 1.5, 2.0]
    run = driven.simulate(guess={"l": 4, "z": 4}, times=times, rtol=1e-9, atol=1e-9, method=method)
    assert run.outcome.complete, run.outcome
    expected = {
        1.0: (2.141582432606541, 3.836849500647029, 473.5304616967731, 144.7397752596213),
        1.5: (2.5, 2.5, 6.870073585085708, 92.57521223555634),
        2.0: (3.185347012820957, 1.801921754675693, -454.221140470821, 88.56185801824161),
    }
    for row, (cart, rope, force, moment) in enumerate(expected.values(), start=1):
        assert run["s"][row] == pytest.approx(cart, rel=1e-11)
        assert run["l"][row] == pytest.approx(rope, rel=1e-11)
        assert run.drives["F"][row] == pytest.approx(force, rel=1e-9)
        assert run.drives["M"][row] == pytest.approx(moment, rel=1e-9)
    assert run.at(1.2).drives.keys() == {"F", "M"}


def test_drives_that_cannot_keep_a_program_are_refused_with_the_reason():
    apart = lk.System("apart", [y, w], kinetic=(der(y) ** 2 + der(w) ** 2) / 2)
    with pytest.raises(LienketError, match="not appear in the first 2 derivatives of 'law'"):
        apart.constrain("law", lk.Program(w - t**2, drives={"F": {y: 1}})).simulate(until=1)
    two = apart.constrain("law", lk.Program([y - t**2, w - t**2], drives={"F": {y: 1}}))
    with pytest.raises(LienketError, match="cannot keep 2 programs"):
        two.simulate(until=1)


def test_a_program_beside_friction():
    """A block driven over a rough floor takes m a + mu m g, with friction reversing as the motion does."""
    mu, g, m, b = lk.parameters("mu g m b")
    block = lk.System("block", [y, w], kinetic=m * (der(y) ** 2 + der(w) ** 2) / 2, potential=m * g * w,
                      values={m: 2, g: 10, mu: 0.3, b: 0.1})  # fmt: skip
    rough = block.constrain("floor", w, law=lk.Coulomb(mu, slip=der(y), viscous=b))
    run = rough.constrain("law", lk.Program(y - sp.sin(t), drives={"F": {y: 1}})).simulate(until=6, rtol=1e-9)
    assert run.outcome.complete, run.outcome
    turns = np.concatenate([run.events["floor stops"], run.events["floor slips"], run.events["floor slips back"]])
    assert np.abs(np.cos(turns)).max() < 1e-8
    sliding = np.abs(np.cos(run.t)) > 1e-6
    exact = -2 * np.sin(run.t) + 0.3 * 20 * np.sign(np.cos(run.t)) + 0.1 * np.cos(run.t)
    np.testing.assert_allclose(run.drives["F"][sliding], exact[sliding], atol=1e-8)
