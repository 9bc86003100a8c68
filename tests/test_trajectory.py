"""The trajectory: states between rows, other rows, columns by name, forces and energies of its rows."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.errors import LienketError

g = 9.81
UNTIL = 4.0


def double_pendulum():
    """State two particles on two rods, the upper pivot moved along x, the lower joint damped, so that work is done."""
    x1, y1, x2, y2 = q = lk.coordinates("x1 y1 x2 y2")
    m = lk.parameters("m")
    kinetic = m * sum(der(e) ** 2 for e in q) / 2
    damping = ((der(x2) - der(x1)) ** 2 + (der(y2) - der(y1)) ** 2) / 20
    system = lk.System("double pendulum", q, kinetic=kinetic, potential=m * g * (y1 + y2), dissipation=damping,
                       values={"m": 0.5})  # fmt: skip
    system = system.constrain("upper rod", (x1 - sp.sin(lk.t) / 5) ** 2 + y1**2 - 1)
    return system.constrain("lower rod", (x2 - x1) ** 2 + (y2 - y1) ** 2 - 1)


START = {"x1": 0.6, "x2": 1.4, "x1'": 0.5, "x2'": 0.3}
GUESS = {"y1": -0.8, "y2": -1.4}
SPEED = "speed of the lower particle"


@pytest.fixture(scope="module")
def system():
    return double_pendulum()


@pytest.fixture(scope="module")
def outputs(system):
    _, _, x2, y2 = system.coordinates
    return {SPEED: sp.sqrt(der(x2) ** 2 + der(y2) ** 2), "height": y2}


@pytest.fixture(scope="module")
def motion(system, outputs):
    return system.simulate({"m": 0.8}, START, UNTIL, guess=GUESS, outputs=outputs, rtol=1e-10, atol=1e-11)


@pytest.fixture(scope="module")
def times():
    return np.sort(np.random.default_rng(3).uniform(0, UNTIL, 60))


@pytest.fixture(scope="module")
def tight(system, times):
    return system.simulate({"m": 0.8}, START, UNTIL, guess=GUESS, times=times, rtol=1e-13, atol=1e-14)


# Between rows


def test_states_between_rows_are_as_accurate_as_the_rows(motion, tight, times):
    for k, time in enumerate(times):
        state = motion.at(time)
        np.testing.assert_allclose(state.q, tight.q[k], atol=1e-10)
        np.testing.assert_allclose(state.v, tight.v[k], atol=1e-9)
        np.testing.assert_allclose(state.multipliers, tight.multipliers[k], atol=3e-9)


def test_states_between_rows_satisfy_the_constraints(motion, times):
    for time in times[::6]:
        residuals = motion.at(time).audit.residuals
        assert max(*residuals["position"].values(), *residuals["velocity"].values()) < 1e-13


@pytest.mark.parametrize(("method", "atol"), [("radau5", 1e-8), ("bdf", 3e-8), ("rattle", 1e-3), ("rattle4", 5e-8)])
def test_states_between_rows_with_other_methods(system, tight, times, method, atol):
    step = {"step": 0.01} if method.startswith("rattle") else {}
    motion = system.simulate({"m": 0.8}, START, UNTIL, method, guess=GUESS, **step)
    for k, time in list(enumerate(times))[::6]:
        np.testing.assert_allclose(motion.at(time).q, tight.q[k], atol=atol)


def test_the_state_at_the_time_of_a_row_is_the_row(motion):
    for k in (0, 5, len(motion) - 1):
        state = motion.at(motion.t[k])
        np.testing.assert_array_equal(state.q, motion.q[k])
        np.testing.assert_array_equal(state.v, motion.v[k])


@pytest.mark.parametrize("time", [-1e-9, UNTIL + 1e-9, np.nan])
def test_a_time_outside_is_refused(motion, time):
    with pytest.raises(LienketError, match="outside the run"):
        motion.at(time)


def test_what_is_no_time_is_refused(motion):
    for wrong in ("a", "0.1", True, None, [0.1, 0.2]):
        with pytest.raises(LienketError, match="time must be a number"):
            motion.at(wrong)
    with pytest.raises(LienketError, match="number of rows or a sequence of times"):
        motion.sampled("a")
    with pytest.raises(LienketError, match="strictly increasing"):
        motion.sampled(-3)


def test_sparse_rows_lose_no_accuracy_between_them(system, tight, times):
    """Dense output between rows far apart repeats the steps and loses no accuracy."""
    sparse = system.simulate({"m": 0.8}, START, UNTIL, guess=GUESS, times=[0, 2, UNTIL], rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(sparse.sampled(times).q, tight.q, atol=1e-10)


def test_samples(motion, tight, times):
    sampled = motion.sampled(times)
    np.testing.assert_array_equal(sampled.t, times)
    np.testing.assert_allclose(sampled.q, tight.q, atol=1e-10)
    np.testing.assert_allclose(sampled.multipliers, tight.multipliers, atol=3e-9)
    np.testing.assert_allclose(sampled.energy.work - sampled.energy.work[0], tight.energy.work - tight.energy.work[0],
                               atol=1e-8)  # fmt: skip
    assert sampled.audit.ok
    assert len(motion.sampled(11)) == 11
    np.testing.assert_allclose(motion.sampled(11).t, np.linspace(0, UNTIL, 11), rtol=1e-15)


@pytest.mark.parametrize("wanted", [[], [1.0, 1.0], [2.0, 1.0], [[1.0]]])
def test_samples_must_be_in_order(motion, wanted):
    with pytest.raises(LienketError, match="strictly increasing"):
        motion.sampled(wanted)


# Rows


def test_rows_are_at_exactly_the_requested_times(tight, times):
    assert tight.t.tobytes() == times.tobytes()
    assert tight.q.shape == tight.v.shape == (60, 4)


def test_the_first_and_last_rows_are_the_start_and_the_end(system, motion):
    q, v = system.consistent(START, {"m": 0.8}, guess=GUESS)
    assert (motion.t[0], motion.t[-1]) == (0, UNTIL)
    np.testing.assert_array_equal(motion.q[0], q)
    np.testing.assert_array_equal(motion.v[0], v)
    assert np.all(np.diff(motion.t) > 0)


def test_slices(motion):
    for key in (slice(3, 9), slice(None, None, 4), slice(-5, None)):
        part = motion[key]
        np.testing.assert_array_equal(part.t, motion.t[key])
        np.testing.assert_array_equal(part.v, motion.v[key])
        np.testing.assert_allclose(part.multipliers, motion.multipliers[key], rtol=1e-12)
        np.testing.assert_array_equal(part.energy.work, motion.energy.work[key])
        assert part.audit.ok


def test_a_time_between_rows_of_a_slice(motion, tight, times):
    part = motion[::4]
    k = np.searchsorted(times, part.t[-1]) // 2
    np.testing.assert_allclose(part.at(times[k]).q, tight.q[k], atol=1e-10)


@pytest.mark.parametrize("key", [slice(None, None, -1), slice(5, 5), 3, (1, 2)])
def test_other_keys_are_refused(motion, key):
    with pytest.raises(LienketError):
        motion[key]


def test_rows_never_change(motion):
    with pytest.raises(ValueError, match="read-only"):
        motion.q[0, 0] = 1.0


# Columns


def test_columns_by_name(motion):
    assert motion.coordinate_names == ("x1", "y1", "x2", "y2")
    for k, name in enumerate(motion.coordinate_names):
        np.testing.assert_array_equal(motion[name], motion.q[:, k])
        np.testing.assert_array_equal(motion[name + "'"], motion.v[:, k])
        np.testing.assert_array_equal(motion[name + "''"], motion.accelerations[:, k])


@pytest.mark.parametrize("name", ["x3", "x1'''", "", "'"])
def test_unknown_columns(motion, name):
    with pytest.raises(LienketError, match="x1"):
        motion[name]


# Forces and energies


def test_rows_agree_with_system_at_their_states(system, motion):
    for k in range(0, len(motion), 7):
        state = system.at(motion.q[k], motion.v[k], motion.t[k], {"m": 0.8})
        np.testing.assert_allclose(motion.accelerations[k], state.accelerations, atol=1e-11)
        np.testing.assert_allclose(motion.multipliers[k], state.multipliers, atol=1e-11)
        for name in motion.constraints:
            np.testing.assert_allclose(motion.reactions[name][k], state.reactions[name], atol=1e-11)


def test_reactions_pull_along_the_rods(motion):
    """Each reaction is parallel to its rod and equal and opposite at the ends of the lower one; Newton's law holds."""
    x1, y1, x2, y2 = motion.q.T
    upper, lower = motion.reactions["upper rod"], motion.reactions["lower rod"]
    pivot = np.sin(motion.t) / 5
    assert motion.constraints == ("upper rod", "lower rod")
    np.testing.assert_allclose(upper[:, 0] * y1 - upper[:, 1] * (x1 - pivot), 0, atol=1e-12)
    np.testing.assert_array_equal(upper[:, 2:], 0)
    np.testing.assert_allclose(lower[:, :2], -lower[:, 2:], atol=1e-12)
    np.testing.assert_allclose(lower[:, 2] * (y2 - y1) - lower[:, 3] * (x2 - x1), 0, atol=1e-12)
    drag = (motion.v[:, 2:] - motion.v[:, :2]) / 10
    force = upper + lower + np.hstack([drag, -drag]) - 0.8 * g * np.array([0, 1, 0, 1])
    np.testing.assert_allclose(0.8 * motion.accelerations, force, atol=1e-11)


def test_energies(motion):
    energy = motion.energy
    np.testing.assert_allclose(energy.kinetic, 0.4 * np.sum(motion.v**2, axis=1), rtol=1e-14)
    np.testing.assert_allclose(energy.potential, 0.8 * g * (motion["y1"] + motion["y2"]), rtol=1e-13)
    np.testing.assert_array_equal(energy.total, energy.kinetic + energy.potential)
    assert np.abs(energy.work).max() > 0.1
    assert np.abs(energy.imbalance).max() < 1e-8


def test_work_is_that_of_the_pivot_and_the_damper(motion):
    """dW/dt is R . v of the moved pivot less the power of the damper, integrated by Simpson's rule over the rows."""
    rows = motion.sampled(4001)
    relative = rows.v[:, 2:] - rows.v[:, :2]
    power = np.sum(rows.reactions["upper rod"] * rows.v, axis=1) - np.sum(relative**2, axis=1) / 10
    work = (power[0] + 4 * power[1::2].sum() + 2 * power[2:-1:2].sum() + power[-1]) * UNTIL / 4000 / 3
    assert rows.energy.work[-1] - rows.energy.work[0] == pytest.approx(work, abs=1e-8)


def test_outputs(motion):
    assert list(motion.outputs) == [SPEED, "height"]
    np.testing.assert_allclose(motion.outputs[SPEED], np.hypot(motion["x2'"], motion["y2'"]), rtol=1e-14)
    np.testing.assert_array_equal(motion.outputs["height"], motion["y2"])
    np.testing.assert_array_equal(motion[2:9].outputs["height"], motion["y2"][2:9])


def test_residuals(motion):
    x1, y1 = motion["x1"], motion["y1"]
    residuals = motion.residuals["position"]["upper rod"]
    np.testing.assert_allclose(residuals, np.abs((x1 - np.sin(motion.t) / 5) ** 2 + y1**2 - 1), atol=1e-15)
    assert residuals.max() < 1e-14
