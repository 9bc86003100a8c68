"""Sampled inputs: numbers that a function of the user sets at sample times and that hold until the next one.

A linear system under held forces follows the recursion x_{k+1} = Ad x_k + Bd u_k exactly; its matrices come from the
matrix exponential.
"""

import pickle
import re

import numpy as np
import pytest
import sympy as sp
from scipy.linalg import expm

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
F, u = lk.inputs("F u")
k, c = lk.parameters("k c")
EVERY = 0.05
FINE = {"rtol": 1e-11, "atol": 1e-13}
START = {"x": 0.3, "y": -0.2, "x'": 0.5}
RECURSION = 1e-9  # [m, m/s] the integrators run with tolerances of 1e-11

PAIR = lk.System(
    "pair", [x, y], kinetic=der(x)**2/2 + der(y)**2, potential=k*x**2/2 + k*(y - x)**2/2,
    dissipation=c*(der(y) - der(x))**2/2, forces={x: F, y: 2*u}, inputs=[F, u], values={"k": 5, "c": 0.4},
)  # fmt: skip
A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-10, 5, -0.4, 0.4], [2.5, -2.5, 0.2, -0.2]])
B = np.array([[0, 0], [0, 0], [1, 0], [0, 1.0]])


def control(t, q, v):
    """Return the numbers of both inputs: a feedback and a reference."""
    return {"F": -6 * q[0] - 2 * v[0] + np.sin(3 * t), "u": -v[1] + 0.5}


def force(t, q, v):
    return control(t, q, v)["F"]


def held(span, numbers, state):
    """Return the state after a time under held inputs: the first rows of exp of the block matrix [A B; 0 0]."""
    block = np.zeros((6, 6))
    block[:4, :4], block[:4, 4:] = A, B
    return (expm(block * span) @ np.concatenate([state, numbers]))[:4]


def recursion(end, periods, call=control):
    """Return (t, state) at all sample times and the end; `periods` are those of F and u, infinite for 0."""
    numbers, counts = np.zeros(2), [0, 0]
    state, t, states = np.array([0.3, -0.2, 0.5, 0]), 0.0, []
    while t < end:
        states.append((t, state))
        for i, name in enumerate("Fu"):
            if counts[i] * periods[i] <= t:
                numbers[i] = call(t, state[:2], state[2:])[name]
                counts[i] += 1
        following = min(end, *(n * period for n, period in zip(counts, periods, strict=True)))
        state, t = held(following - t, numbers, state), following
    return [*states, (end, state)]


def both(every=EVERY, call=control):
    """Return the inputs of the pair, both by one sampled function."""
    return dict.fromkeys(["F", "u"], lk.Sampled(call, every=every))


# --- The motion -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "dop853", "radau5", "bdf"])
def test_a_sampled_controller_follows_the_discrete_recursion(method):
    expected = recursion(1.0, [EVERY, EVERY])
    times = [t for t, _ in expected]
    motion = PAIR.simulate(start=START, times=times, inputs=both(), method=method, **FINE)
    assert motion.outcome.complete
    assert np.array_equal(motion.t, times)
    reference = np.array([state for _, state in expected])
    np.testing.assert_allclose(np.hstack([motion.q, motion.v]), reference, rtol=0, atol=RECURSION)


@pytest.mark.parametrize(("method", "order"), [("rattle", 2), ("rattle4", 4)])
def test_symplectic_methods_keep_their_order_between_samples(method, order):
    oscillator = lk.System("one", [x], kinetic=der(x)**2/2, potential=5*x**2, forces={x: F}, inputs=[F])  # fmt: skip
    sampled = {"F": lk.Sampled(lambda t, q, v: np.cos(2 * t) - 3 * q[0], every=0.1)}
    exact = oscillator.simulate(start={"x": 0.3}, until=1.0, inputs=sampled, rtol=1e-13, atol=1e-14)["x"][-1]

    def error(step):
        motion = oscillator.simulate(start={"x": 0.3}, until=1.0, inputs=sampled, method=method, step=step)
        return abs(motion["x"][-1] - exact)

    assert abs(np.log2(error(0.025) / error(0.0125)) - order) < 0.1
    assert error(0.03) < error(0.05)  # 0.03 does not divide the time between samples


def test_two_controllers_with_different_periods():
    periods = [0.05, 0.08]
    inputs = {"F": lk.Sampled(force, every=0.05), "u": lk.Sampled(lambda t, q, v: control(t, q, v)["u"], every=0.08)}
    motion = PAIR.simulate(start=START, until=1.0, inputs=inputs, **FINE)
    expected = recursion(1.0, periods)
    for t, state in expected:
        row = np.flatnonzero(motion.t == t)[-1]
        np.testing.assert_allclose(np.concatenate([motion.q[row], motion.v[row]]), state, rtol=0, atol=RECURSION)


def test_sample_times_that_differ_by_rounding_only():
    """3*0.1 and 0.3 are different numbers: a step of 5e-17 lies between two samples."""
    inputs = {"F": lk.Sampled(force, every=0.1), "u": lk.Sampled(lambda t, q, v: control(t, q, v)["u"], every=0.3)}
    motion = PAIR.simulate(start=START, until=0.95, inputs=inputs, **FINE)
    assert motion.outcome.complete
    final = recursion(0.95, [0.1, 0.3])[-1][1]
    np.testing.assert_allclose([*motion.q[-1], *motion.v[-1]], final, rtol=0, atol=RECURSION)


def test_a_number_for_one_input_beside_a_sampled_one():
    motion = PAIR.simulate(start=START, until=1, inputs={"F": lk.Sampled(force, every=EVERY), "u": 0.7}, **FINE)

    def call(t, q, v):
        return {"F": force(t, q, v), "u": 0.7}

    final = recursion(1.0, [EVERY, EVERY], call)[-1][1]
    np.testing.assert_allclose([*motion.q[-1], *motion.v[-1]], final, rtol=0, atol=RECURSION)


# --- The calls --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("begin", "every", "until"), [(0, 0.1, 1), (0.1, 0.1, 1.1), (-2, 0.3, 1), (0, 0.7 / 3, 0.7)])
@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_the_function_is_called_once_at_each_sample_before_the_end(begin, every, until, method):
    calls = []

    def record(t, q, v):
        calls.append((t, *q, *v))
        return 1.0

    motion = PAIR.simulate(t=begin, until=until, inputs={"F": lk.Sampled(record, every=every)}, method=method)
    assert motion.outcome.complete
    times = [call[0] for call in calls]
    samples = [begin + n * every for n in range(1000)]
    assert times == [t for t in samples if t < until]
    for t, *state in calls:
        row = np.flatnonzero(motion.t == t)[0]
        assert state == [*motion.q[row], *motion.v[row]]


def test_prescribed_rows_change_neither_calls_nor_motion():
    calls = []

    def record(t, q, v):
        calls.append(t)
        return -q[0]

    inputs = {"F": lk.Sampled(record, every=0.1)}
    steps = PAIR.simulate(start=START, until=1, inputs=inputs)
    first, calls[:] = list(calls), []
    rows = PAIR.simulate(start=START, times=[0, 0.05, 0.1, 0.33, 1.0], inputs=inputs)
    assert calls == first
    assert np.array_equal(rows.q[-1], steps.q[-1])
    assert np.array_equal(rows.inputs["F"], [-rows.q[k, 0] for k in (0, 0, 2)] + list(rows.inputs["F"][3:]))


def test_rows_between_samples_hold_the_number_and_rows_at_samples_have_the_new_one():
    motion = PAIR.simulate(times=0.1 * np.arange(21) / 2, inputs={"F": lk.Sampled(lambda t, q, v: t, every=0.1)})
    held_numbers = 0.1 * np.repeat(np.arange(11), 2)[:21]
    held_numbers[-1] = 0.9  # the end is no sample
    np.testing.assert_allclose(motion.inputs["F"], held_numbers, rtol=1e-15)


def test_the_function_cannot_change_the_state():
    def meddle(t, q, v):
        q[:], v[:] = 99, 99
        return 0.0

    plain = PAIR.simulate(start=START, until=0.3, inputs={"F": lk.Sampled(lambda t, q, v: 0.0, every=0.1)})
    meddled = PAIR.simulate(start=START, until=0.3, inputs={"F": lk.Sampled(meddle, every=0.1)})
    assert np.array_equal(plain.q, meddled.q)


def test_one_number_serves_all_inputs_of_a_sampled_function():
    motion = PAIR.simulate(until=0.3, inputs=both(0.1, lambda t, q, v: 2.0))
    assert set(motion.inputs["F"]) == set(motion.inputs["u"]) == {2.0}


def test_mappings_may_be_by_symbol():
    motion = PAIR.simulate(until=0.3, inputs=both(0.1, lambda t, q, v: {F: 2.0, u: 3.0}))
    assert (motion.inputs["F"][-1], motion.inputs["u"][-1]) == (2, 3)


def test_one_sampled_function_is_called_once_for_all_its_inputs():
    calls = []
    PAIR.simulate(until=0.35, inputs=both(0.1, lambda t, q, v: calls.append(t) or {"F": 1, "u": 2}))
    assert len(calls) == 4


def test_the_state_at_one_time_uses_the_number_of_that_time():
    state = PAIR.at([0.3, -0.2], [0.5, 0], t=0.4, inputs=both())
    expected = A[2:] @ [0.3, -0.2, 0.5, 0] + list(control(0.4, [0.3, -0.2], [0.5, 0]).values())
    np.testing.assert_allclose(state.accelerations, expected, rtol=1e-14)


def test_the_same_run_again_has_the_same_bits():
    first, second = (PAIR.simulate(start=START, until=1, inputs=both()) for _ in range(2))
    for name in ("t", "q", "v"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


# --- Events and contacts ----------------------------------------------------------------------------------


def test_an_event_between_samples_changes_nothing_else():
    """A cart under the held forces 1, 3, 1, 3, ... passes x = 1 at the time of the closed solution."""
    cart = lk.System("cart", [x], kinetic=der(x)**2/2, forces={x: F}, inputs=[F])  # fmt: skip
    passes = lk.Event("passes", when=x - 1, direction="rising")
    sampled = {"F": lk.Sampled(lambda t, q, v: 1.0 + 2 * (round(t / 0.5) % 2), every=0.5)}
    motion = cart.simulate(until=2, inputs=sampled, events=[passes])
    q, v = 0.125 + 0.25 + 0.375, 2.0  # at t = 1
    passing = 1 + (-v + np.sqrt(v * v + 2 * (1 - q)))
    np.testing.assert_allclose(motion.events["passes"], [passing], rtol=1e-9)
    np.testing.assert_allclose(motion["x"][-1], q + v + 0.125 + 0.25 + 0.375, rtol=1e-12)


def test_an_event_of_an_input_happens_at_the_sample_that_fulfils_it():
    cart = lk.System("cart", [x], kinetic=der(x)**2/2, forces={x: F}, inputs=[F])  # fmt: skip
    strong = lk.Event("strong", when=F - 1.5, terminal=True)
    sampled = {"F": lk.Sampled(lambda t, q, v: 1.0 if t < 0.95 else 2.0, every=0.1)}
    motion = cart.simulate(until=2, inputs=sampled, events=[strong])
    assert motion.t[-1] == 1.0


def block_on_floor(numbers):
    """Return the position of a block of mass 1 at the end of each second, friction 5; held forces; no rounding."""
    position, speed, ends = sp.S(0), sp.S(0), []
    for number in map(sp.Integer, numbers):
        left = sp.S(1)
        while left:
            if speed == 0 and abs(number) <= 5:
                break
            acceleration = number - 5 * sp.sign(speed if speed else number)
            span = min(left, -speed / acceleration) if speed * acceleration < 0 else left
            position += speed * span + acceleration * span**2 / 2
            speed, left = speed + acceleration * span, left - span
        ends.append(float(position))
    return ends


@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_a_block_sticks_and_slips_as_the_sampled_force_changes(method):
    numbers = [1, 8, 0, -3, -9, 0, 5, -5, 7, 0]
    kinetic = (der(x) ** 2 + der(y) ** 2) / 2
    block = lk.System("block", [x, y], kinetic=kinetic, forces={x: F, y: -10}, inputs=[F])
    floor = block.constrain("floor", y, law=lk.Coulomb(0.5, slip=der(x)))
    sampled = {"F": lk.Sampled(lambda t, q, v: numbers[round(t)], every=1.0)}
    motion = floor.simulate(times=np.arange(11.0), inputs=sampled, method=method)
    assert motion.outcome.complete
    np.testing.assert_allclose(motion["x"][1:], block_on_floor(numbers), rtol=0, atol=1e-12)
    assert motion.audit.ok
    assert "sticking" in str(motion.structure(0.5)) and "sticking" not in str(motion.structure(1.5))


def test_a_sampled_force_lifts_a_mass_from_a_table():
    mass = lk.System("mass", [y], kinetic=der(y)**2/2, forces={y: F - 10}, inputs=[F])  # fmt: skip
    table = mass.constrain("table", y, law=lk.laws.Unilateral(0))
    motion = table.simulate(until=4, inputs={"F": lk.Sampled(lambda t, q, v: 12.0 * (1 <= t < 2), every=0.5)})
    assert motion.events["table lifts off"] == [1]
    np.testing.assert_allclose(motion.events["table touches"], [2 + (2 + np.sqrt(24)) / 10], rtol=1e-9)
    assert motion["y"][-1] == 0


# --- Energy -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dop853", "radau5"])
@pytest.mark.parametrize("times", [None, np.linspace(0, 2, 12)])
def test_the_energy_balance_closes_when_a_sampled_input_is_in_the_potential(method, times):
    sampled = {"u": lk.Sampled(lambda t, q, v: 0.5 + np.sin(3 * t) - 0.3 * v[0], every=0.07)}
    run = {"until": 2} if times is None else {"times": times}
    spring = lk.System("spring", [x], kinetic=der(x)**2/2, potential=2*(x - u)**2, inputs=[u])  # fmt: skip
    motion = spring.simulate(start={"x": 1}, inputs=sampled, method=method, rtol=1e-10, **run)
    energy = motion.v[:, 0] ** 2 / 2 + 2 * (motion["x"] - motion.inputs["u"]) ** 2
    np.testing.assert_allclose(energy - energy[0], motion.energy.work, rtol=0, atol=1e-8)
    assert abs(motion.energy.work[-1]) > 0.1
    assert motion.audit.ok and not motion.audit.warnings


def test_the_energy_balance_closes_when_a_sampled_speed_turns_a_hoop():
    """T = (x'^2 + F^2 x^2)/2: setting F changes the energy T2 - T0 + V, but no momentum."""
    hoop = lk.System("hoop", [x], kinetic=(der(x)**2 + F**2*x**2)/2, potential=2*x**2, inputs=[F])  # fmt: skip
    motion = hoop.simulate(start={"x": 1}, until=2, inputs={"F": lk.Sampled(lambda t, q, v: 1 + t, every=0.1)})
    assert motion.audit.ok and not motion.audit.warnings


def test_the_work_of_sampled_forces_is_that_of_the_held_numbers():
    motion = PAIR.simulate(start=START, until=1, inputs=both(), rtol=1e-11, atol=1e-13)
    moved = np.diff(motion.q, axis=0)
    for name, shift in (("F", moved[:, 0]), ("u", 2 * moved[:, 1])):
        np.testing.assert_allclose(motion.work[name][1:], np.cumsum(motion.inputs[name][1:] * shift), atol=1e-10)


# --- Faults -----------------------------------------------------------------------------------------------


def after(limit, bad):
    """Return a sampled function that is 1 until a time, then what `bad` returns or raises."""
    return lambda t, q, v: {"F": 1.0, "u": 0.0} if t < limit else bad()


def fail():
    raise ValueError("sensor lost")


def look_up():
    return {}["gain"]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (fail, "'F', 'u' failed at t = 0.3: ValueError: sensor lost"),
        (look_up, "'F', 'u' failed at t = 0.3: KeyError: 'gain'"),
        (lambda: float("nan"), "returned nan at t = 0.3, which is not finite"),
        (lambda: {"F": 1.0, "u": float("inf")}, "returned .* at t = 0.3, which is not finite"),
        (lambda: {"F": 1.0}, "'F', 'u' returned no number for 'u' at t = 0.3"),
        (lambda: None, "returned None at t = 0.3, which is no number"),
        (lambda: [1.0, 2.0], r"returned \[1.0, 2.0\] at t = 0.3, which is no number"),
    ],
)
def test_a_fault_at_a_sample_ends_the_run_and_keeps_its_rows(bad, words):
    motion = PAIR.simulate(start=START, until=1, inputs=both(0.1, after(0.25, bad)))
    assert not motion.outcome.complete
    assert re.search(words, str(motion.outcome))
    assert motion.t[-1] == 3 * 0.1
    whole = PAIR.simulate(start=START, until=3 * 0.1, inputs=both(0.1, after(1, bad)))
    assert np.array_equal(motion.q, whole.q)
    assert set(motion.inputs["F"]) == {1.0}


def test_a_fault_at_the_first_sample_is_raised():
    with pytest.raises(lk.LienketError, match="input 'F' failed at t = 0: ValueError: sensor lost"):
        PAIR.simulate(until=1, inputs={"F": lk.Sampled(lambda t, q, v: fail(), every=0.1)})


def test_what_sampled_refuses():
    with pytest.raises(lk.LienketError, match="function of"):
        lk.Sampled(3, every=0.1)
    with pytest.raises(lk.LienketError, match=r"must take \(t, q, v\)"):
        lk.Sampled(lambda t: 0, every=0.1)
    for every in (0, -1, float("nan"), float("inf"), "often", None):
        with pytest.raises(lk.LienketError, match="`every`, must be a positive number"):
            lk.Sampled(control, every=every)


def test_methods_and_questions_without_samples_say_so():
    sampled = {"F": lk.Sampled(force, every=0.1)}
    with pytest.raises(lk.LienketError, match="'ida' cannot stop at sample times"):
        PAIR.simulate(until=1, inputs=sampled, method="ida")
    for question in (
        lambda: PAIR.sensitivity(until=1, by=["k"], inputs=sampled),
        lambda: PAIR.linearize(inputs=sampled),
        lambda: PAIR.equilibrium(inputs=sampled),
        lambda: PAIR.drive({"x": lk.t, "y": lk.t}, {"a": {x: 1}, "b": {y: 1}}, times=[0, 1], inputs=sampled),
    ):
        with pytest.raises(lk.LienketError, match=r"The input 'F' is sampled, and .* takes no sampled functions"):
            question()


@pytest.mark.parametrize(
    "arguments",
    [
        {"kinetic": (1 + F) * der(x) ** 2},
        {"kinetic": (der(x) + der(F)) ** 2},
        {"inertia": [[1 + F]]},
        {"kinetic": der(x) ** 2, "forces": {x: der(F)}},
    ],
)
def test_samples_are_refused_where_their_jumps_would_be_impulses(arguments):
    system = lk.System("jump", [x], inputs=[F], **arguments)
    with pytest.raises(lk.ModelError, match=r"a sampled function jumps, but .* needs its derivatives"):
        system.with_inputs({"F": lk.Sampled(lambda t, q, v: t, every=0.1)})


# --- Results ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["npz", "csv"])
def test_a_saved_run_has_the_numbers_of_its_samples(tmp_path, ending):
    motion = PAIR.simulate(start=START, until=0.5, inputs=both())
    path = tmp_path / f"run.{ending}"
    lk.save(motion, path)
    loaded = lk.load(path)
    for name in ("t", "q", "v"):
        assert np.array_equal(getattr(loaded, name), getattr(motion, name))
    for name in ("F", "u"):
        assert np.array_equal(loaded.inputs[name], motion.inputs[name])
        np.testing.assert_allclose(loaded.work[name], motion.work[name], rtol=1e-12, atol=1e-14)
    for t in (0.0, 0.12, 2 * EVERY, 0.5):
        assert np.array_equal(loaded.at(t).accelerations, motion.at(t).accelerations)


def test_a_run_survives_pickling():
    motion = PAIR.simulate(start=START, until=0.5, inputs=both())
    again = pickle.loads(pickle.dumps(motion))
    assert np.array_equal(again.inputs["F"], motion.inputs["F"])
    assert np.array_equal(again.at(0.12).accelerations, motion.at(0.12).accelerations)
    repeated = again.system.simulate(start=START, until=0.5)
    assert np.array_equal(repeated.q, motion.q)


def test_states_between_and_at_samples():
    motion = PAIR.simulate(start=START, until=0.5, inputs=both(), **FINE)
    states = dict(recursion(0.5, [EVERY, EVERY]))
    for at in (0.0, 3 * EVERY, 3 * EVERY + 0.02, 0.49):
        sample = EVERY * np.floor(at / EVERY + 1e-9)
        state = states[sample]
        numbers = np.array(list(control(sample, state[:2], state[2:]).values()))
        now = held(at - sample, numbers, state)
        np.testing.assert_allclose([*motion.at(at).q, *motion.at(at).v], now, rtol=0, atol=RECURSION)
        np.testing.assert_allclose(motion.at(at).accelerations, (A @ now + B @ numbers)[2:], rtol=0, atol=1e-8)


def test_the_audit_counts_samples_and_reports_no_events():
    motion = PAIR.simulate(start=START, until=0.5, inputs=both())
    assert motion.audit.ok
    assert "samples of inputs        10" in str(motion.audit)
    assert motion.switches == ()
