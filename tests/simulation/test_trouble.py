"""Runs that fail: each ends with an outcome or an error that names time, state and cause, and keeps its rows."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

METHODS = ["auto", "dop853", "radau5"]


def mass(force=0, **more):
    x = lk.coordinates("x")
    return lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: force}, **more)


def point(**more):
    x, y = lk.coordinates("x y")
    return lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, **more)


def pendulum():
    x, y = lk.coordinates("x y")
    l = lk.parameters("l")
    return point(potential=9.81 * y, values={l: 1}).constrain("rod", x**2 + y**2 - l**2)


def two_bars(slider):
    """Return two bars of length 1 from the origin over (x, y) to a slider at s, which a motor moves."""
    x, y, s = lk.coordinates("x y s")
    system = lk.System("two bars", [x, y, s], kinetic=(der(x) ** 2 + der(y) ** 2 + der(s) ** 2) / 2)
    system = system.constrain("bar 1", x**2 + y**2 - 1).constrain("bar 2", (x - s) ** 2 + y**2 - 1)
    return system.constrain("motor", s - slider)


x = lk.coordinates("x")
oscillator = mass(-x)


class TestStarts:
    def test_a_state_off_its_constraints_is_refused_by_name(self):
        with pytest.raises(lk.LienketError, match=r"'rod' is off by 3"):
            pendulum().simulate(start=([2, 0], [0, 0]), until=1)

    @pytest.mark.parametrize("large", [1e150, 1e160, 1e200, 1e308])
    def test_a_start_so_far_out_that_numbers_overflow_ends_with_its_state(self, large):
        motion = oscillator.simulate(start={"x": large}, until=1)
        assert not motion.outcome.complete
        assert f"x = {large:g}" in motion.outcome

    def test_a_start_made_with_other_numbers_is_refused(self):
        system = pendulum()
        start = system.consistent({"x": 0.6}, guess={"y": -1})
        with pytest.raises(lk.LienketError, match="'rod' is off by 3"):
            system.simulate({"l": 2}, start=start, until=1)

    def test_a_start_of_another_system_is_refused(self):
        with pytest.raises(lk.ModelError, match="it has the coordinates x, but this system has x, y"):
            pendulum().simulate(start=oscillator.consistent({"x": 1}), until=1)

    def test_velocities_of_a_driven_start_are_found(self):
        # Rows whose terms vanish at the guess have rounding residuals, which are not contradictions.
        start = two_bars(1 + lk.t).consistent(guess={"x": 0.5, "y": 1, "s": 1})
        np.testing.assert_allclose(start.q, [0.5, np.sqrt(0.75), 1], atol=1e-14)
        np.testing.assert_allclose(start.v, [0.5, -0.5 / np.sqrt(3), 1], atol=1e-14)

    def test_mapping_pair_and_start_give_equal_runs(self):
        runs = [
            pendulum().simulate(start=start, until=1)
            for start in ({"x": 1, "y": 0}, ([1, 0], [0, 0]), pendulum().consistent({"x": 1, "y": 0}))
        ]
        assert runs[0] == runs[1] == runs[2]

    def test_a_run_may_begin_at_any_time(self):
        driven = mass(sp.cos(lk.t))  # x = -cos(t) + c
        motion = driven.simulate(start={"x": 0, "x'": np.sin(3)}, t=3, until=5)
        assert motion.t[0] == 3
        assert motion.q[-1, 0] == pytest.approx(np.cos(3) - np.cos(5), abs=1e-8)
        again = driven.simulate(start=driven.consistent({"x": 0, "x'": np.sin(3)}, t=3), until=5)
        assert again == motion
        with pytest.raises(lk.ModelError, match=r"t: it is 4, but the start was computed for t = 3"):
            driven.simulate(start=driven.consistent({"x": 0}, t=3), t=4, until=5)


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"until": -1}, "until: the run would end at -1, but it starts at 0"),
            ({"until": 1, "t": 2}, "until: the run would end at 1, but it starts at 2"),
            ({}, "until: the end of the run is missing"),
            ({"until": np.nan}, "until: it is nan"),
            ({"until": 1, "rtol": 0}, "rtol: it must be positive, but is 0"),
            ({"until": 1, "rtol": -1e-3}, "rtol: it must be positive"),
            ({"until": 1, "rtol": [1e-3, 1e-3]}, "rtol: it must be a real number"),
            ({"until": 1, "rtol": 1e-20}, "rtol: 1e-20 is smaller than rounding errors permit"),
            ({"until": 1, "atol": 0}, "atol: it must be positive, but is 0"),
            ({"until": 1, "atol": [1e-3]}, "atol: 1 numbers are given"),
            ({"until": 1, "atol": [1e-3, -1]}, "atol: every number must be positive"),
            ({"until": 1, "atol": [1e-3, np.inf]}, "atol: every number must be positive and finite"),
            ({"until": 1, "atol": [[1e-3, 1e-3]]}, r"atol: an array of shape \(1, 2\) is given"),
            ({"until": 1, "atol": ["a", "b"]}, "atol: positive numbers are expected"),
            ({"until": 1, "times": 0.5}, "times: a sequence of increasing numbers is expected"),
            ({"until": 1, "times": []}, "times: a sequence of increasing numbers is expected"),
            ({"until": 1, "times": [0, 0.5, 0.5]}, "times: they must increase"),
            ({"until": 1, "times": [0.5, 0.2]}, "times: they must increase, but 0.2 follows 0.5"),
            ({"until": 1, "times": [-1, 0.2]}, "times: -1 is before the start at 0"),
            ({"until": 1, "times": [0, 2]}, "times: 2 is after the end of the run, 1"),
            ({"times": [0.0]}, "times: the last time, 0, is not after the start, 0"),
            ({"until": 1, "method": "dop85"}, "there is no 'dop85', did you mean 'dop853'"),
            ({"until": 1, "progress": "yes"}, "progress: it must be a function of the time"),
            ({"until": 1, "most_rows": 1}, "most_rows: 1 are too few"),
            ({"until": 1, "events": 5}, "events: an lk.Event is expected, not 5"),
            ({"until": 1, "start": 5}, "start: a mapping such as"),
            ({"until": 1, "step": 0.1, "method": "auto"}, "step: 'auto' chooses its steps by the tolerances"),
        ],
    )
    def test_invalid_options_are_reported(self, options, words):
        with pytest.raises(lk.LienketError, match=words):
            oscillator.simulate(**{"start": {"x": 1}, **options})

    def test_all_faults_are_reported_together(self):
        with pytest.raises(lk.ModelError) as caught:
            oscillator.simulate(
                {"m": 1}, {"z": 1}, -1, "dop", 0, -1, [1, 0], step=-1, outputs={"a": lk.parameters("b")}, progress=3
            )
        parts = {fault.where for fault in caught.value.faults}
        assert {"values", "start", "until", "method", "rtol", "atol", "times", "step", "progress"} <= parts

    def test_one_absolute_tolerance_for_each_number(self):
        coarse = oscillator.simulate(start={"x": 1}, until=10, rtol=1e-12, atol=[1e-3, 1e-3])
        fine = oscillator.simulate(start={"x": 1}, until=10, rtol=1e-12, atol=[1e-3, 1e-12])
        assert fine.statistics.steps > 2 * coarse.statistics.steps


class TestEndsBeforeTheEnd:
    @pytest.mark.parametrize("method", METHODS)
    def test_a_motion_that_blows_up(self, method):
        # x'' = 6 x^3 has x = 1/(1/sqrt(3) - t)/sqrt(3)... with x(0) = 1, x' = sqrt(3) x^2: x = 1/(1 - sqrt(3) t)
        motion = mass(6 * x**3).simulate(start={"x": 1, "x'": np.sqrt(3)}, until=1, method=method)
        assert motion.outcome.reason == "stuck"
        assert not motion.outcome.complete
        assert motion.outcome.time == pytest.approx(1 / np.sqrt(3), abs=1e-7)
        assert "t = 0.57735" in motion.outcome
        assert "x = " in motion.outcome
        assert "x'' = " in motion.outcome
        early = motion.t < 0.5
        np.testing.assert_allclose(motion.q[early, 0], 1 / (1 - np.sqrt(3) * motion.t[early]), rtol=1e-6)
        assert early.sum() > 5

    @pytest.mark.parametrize("method", METHODS)
    def test_a_mechanism_that_locks_names_its_constraints(self, method):
        motion = two_bars(1 + lk.t).simulate(guess={"x": 0.5, "y": 1, "s": 1}, until=3, method=method)
        assert motion.outcome.reason == "stuck"
        assert motion.outcome.time == pytest.approx(1, abs=1e-6)
        for word in ("'bar 1'", "'bar 2'", "'motor'", "nearly dependent", "s = 2"):
            assert word in motion.outcome
        assert motion.rank_events[-1].end == pytest.approx(1, abs=1e-3)
        np.testing.assert_allclose(motion.q[:, 2], 1 + motion.t, atol=1e-9)
        np.testing.assert_allclose(motion.q[:, 0], (1 + motion.t) / 2, atol=1e-7)

    def test_a_dead_point_at_the_start_that_allows_no_velocity(self):
        with pytest.raises(lk.LienketError, match=r"'motor' is off by 1, together with 'bar 1' and 'bar 2'"):
            two_bars(2 - lk.t).simulate(start={"x": 1, "y": 0, "s": 2}, until=0.1)

    def test_dead_point_at_the_start_is_passed_or_reported(self):
        # y = +-sin(t) both satisfy all equations, which do not determine the accelerations at the start
        motion = two_bars(2 * sp.cos(lk.t)).simulate(start=([1, 0, 2], [0, 1, 0]), until=0.5)
        if motion.outcome.complete:
            np.testing.assert_allclose(motion.q[:, 1], np.sin(motion.t), atol=1e-6)
        else:
            assert "'motor'" in motion.outcome
            assert len(motion) >= 1

    @pytest.mark.parametrize("method", METHODS)
    def test_a_force_that_leaves_its_domain(self, method):
        # x = t until x = 1, where sqrt(1 - x) ends
        system = mass(0 * x + sp.sqrt(1 - x) - sp.sqrt(1 - lk.t))
        motion = system.simulate(start={"x": 0, "x'": 1.0}, until=5, method=method)
        assert motion.outcome.reason == "stuck"
        assert motion.outcome.time == pytest.approx(1, abs=1e-4)
        assert "no finite number for the force or inertia of 'x'" in motion.outcome
        assert "leaves its domain" in motion.outcome
        np.testing.assert_allclose(motion.q[:, 0], motion.t, atol=1e-6)

    def test_a_force_that_is_nan_at_the_start(self):
        motion = mass(sp.sqrt(x)).simulate(start={"x": -1}, until=5)
        assert motion.outcome.reason == "stuck"
        assert motion.outcome.time == 0
        assert list(motion.t) == [0]
        assert "leaves its domain" in motion.outcome

    @pytest.mark.parametrize("wrapped", [False, True])
    def test_a_python_function_that_raises(self, wrapped):
        def push(z):
            if z > 0.5:
                raise ValueError("too far")
            return -1.0

        u = lk.function("u", (lambda z: push(z)) if wrapped else push)  # with and without numba
        motion = mass(u(x)).simulate(start={"x'": 2.0}, until=5)
        assert motion.outcome.reason == "failed"
        assert "'u' failed: ValueError: too far" in motion.outcome
        assert motion.outcome.time == pytest.approx(2 - np.sqrt(3), abs=1e-3)  # 2 t - t^2/2 = 1/2
        np.testing.assert_allclose(motion.q[:, 0], 2 * motion.t - motion.t**2 / 2, atol=1e-9)
        assert len(motion) > 3
        assert len(mass(u(x)).simulate(start={"x'": 0.5}, until=0.5)) > 1  # the error does not persist

    def test_constraints_that_contradict_each_other(self):
        x, _ = lk.coordinates("x y")
        with pytest.raises(lk.LienketError, match=r"'two' is off by 1, together with 'one'"):
            point().constrain("one", x - 1).constrain("two", x - 2).simulate(until=1)
        motion = point().constrain("one", der(x, 2) - 1).constrain("two", der(x, 2) - 2).simulate(until=1)
        assert motion.outcome.reason == "stuck"
        assert "'two' contradicts 'one'" in motion.outcome

    @pytest.mark.parametrize("names", [("one", "two"), ("two", "one"), ("one", "two", "three", "four")])
    def test_constraints_that_begin_to_contradict_each_other(self, names):
        x, _ = lk.coordinates("x y")
        first, *others = names
        later = point().constrain(first, x - 1)
        for name in others:
            later = later.constrain(name, x - 1 - sp.Max(0, lk.t - 1) ** 3)
        motion = later.simulate(start={"x": 1}, until=3)
        assert motion.outcome.reason == "stuck"
        assert motion.outcome.time == pytest.approx(1, abs=1e-3)
        for name in others:
            assert f"{name!r} contradicts {first!r}" in motion.outcome

    def test_a_coordinate_without_inertia(self):
        y = lk.coordinates("y")
        motion = lk.System("light", [x, y], kinetic=der(x) ** 2 / 2, potential=y**2 / 2).simulate(
            start={"y": 1}, until=1
        )
        assert motion.outcome.reason == "stuck"
        assert "y can move without any mass moving" in motion.outcome
