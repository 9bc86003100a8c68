"""Known times: jumps and kinks of formulas of time alone end steps, against closed solutions, by every method."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der, t

P = sp.Piecewise
METHODS = ("dop853", "radau5", "bdf", "rattle", "rattle4")
x, y = lk.coordinates("x y")
a, k = lk.parameters("a k")
LATE_PULSE = P((0, t < a), (1000, t < a + sp.Rational(1, 1000)), (0, True))


def mass(force, **more):
    return lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: force}, **more)


class TestForces:
    @pytest.mark.parametrize("method", METHODS)
    def test_a_short_pulse_between_long_steps(self, method):
        """A force of 1000 N for a millisecond gives 1 kg the velocity 1, whenever it begins."""
        for begin in (5.0, 7.3):
            run = mass(LATE_PULSE).simulate({"a": begin}, until=10, method=method)
            assert run.v[-1, 0] == pytest.approx(1, abs=1e-9)
            assert run.q[-1, 0] == pytest.approx(10 - begin - 0.0005, abs=1e-7)

    @pytest.mark.parametrize("method", ["dop853", "radau5", "bdf"])
    def test_a_peak_of_a_linear_table(self, method):
        peak = lk.table("F", [0, 5, 5.001, 5.002, 10], [0, 0, 1000, 0, 0], kind="linear")
        assert mass(peak(t)).simulate(until=10, method=method).v[-1, 0] == pytest.approx(1, abs=1e-8)

    def test_an_input_and_rows_at_times(self):
        F = lk.inputs("F")
        times = np.linspace(0, 10, 7)
        run = mass(F, inputs=[F]).simulate(until=10, times=times, inputs={"F": LATE_PULSE.subs(a, 5)})
        np.testing.assert_allclose(run["x"], np.maximum(0, times - 5.0005), atol=1e-10)
        assert run.at(5.0005)["x"] == pytest.approx(1000 * 0.0005**2 / 2, abs=1e-12)

    def test_an_event_sets_the_time_of_a_pulse(self):
        """At x = 1 the pulse is set to begin 20 s later."""
        hit = lk.Event("hit", when=x - 1, direction="rising", set={a: t + 20})
        run = mass(LATE_PULSE, values={a: 1e9}).simulate(start={"x'": 1}, until=50, events=[hit])
        assert run.v[-1, 0] == pytest.approx(2, abs=1e-9)
        assert run.q[-1, 0] == pytest.approx(50 + 50 - 21.0005, abs=1e-7)

    def test_very_many_times(self):
        """A square wave of 1 kHz: v is a triangle up to 1/2000 s, so that x = t/4000 after whole periods."""
        periods = 3000
        run = mass(sp.sign(sp.sin(2 * sp.pi * 1000 * t))).simulate(until=periods / 1000, times=[periods / 1000])
        assert run.q[-1, 0] == pytest.approx(periods / 1000 / 4000, rel=1e-9)


class TestEnergy:
    @pytest.mark.parametrize("method", ["dop853", "radau5", "bdf", "rattle4"])
    def test_a_spring_that_becomes_stiffer(self, method):
        """The stiffness jumps from 1 to 4 at t = 1; the jump of V is work, and the balance holds."""
        spring = lk.System("spring", [x], kinetic=der(x) ** 2 / 2, potential=P((1, t < 1), (4, True)) * x**2 / 2)
        run = spring.simulate(start={"x": 1}, until=2, method=method)
        exact = np.cos(1) * np.cos(2) - np.sin(1) * np.sin(2) / 2
        assert run.q[-1, 0] == pytest.approx(exact, abs=1e-7)
        assert run.audit.ok and run.audit.imbalance < 1e-6


class TestConstraints:
    @pytest.mark.parametrize(
        ("motion", "what"),
        [
            (P((0, t < 1), (1, True)), "the constraint 'servo' jumps by 1"),
            (sp.Abs(t - 1), "the rate of the constraint 'servo' jumps by 2"),
            (lk.table("L", [0, 1, 3], [0, 1, 1], kind="linear")(t), "the rate of the constraint 'servo' jumps by 1"),
        ],
    )
    def test_a_prescribed_jump_ends_the_run(self, motion, what):
        plane = lk.System("plane", [x, y], kinetic=der(x) ** 2 / 2 + der(y) ** 2 / 2)
        run = plane.constrain("servo", x - motion).simulate(until=3)
        assert not run.outcome.complete and run.outcome.time == 1
        assert what in run.outcome

    def test_a_jump_of_the_acceleration_is_followed(self):
        plane = lk.System("plane", [x, y], kinetic=der(x) ** 2 / 2 + der(y) ** 2 / 2)
        run = plane.constrain("servo", x - P((0, t < 1), ((t - 1) ** 2 / 2, True))).simulate(until=3)
        assert run.outcome.complete and run.audit.ok
        assert run["x''"][-1] == pytest.approx(1)


class TestEvents:
    @pytest.mark.parametrize("method", ["dop853", "radau5", "bdf", "rattle"])
    def test_a_clock_in_a_system_at_rest(self, method):
        events = [lk.Event("tick", when=sp.sin(2 * sp.pi * t), direction="rising"), lk.Event("end", when=t - 40)]
        run = mass(0).simulate(until=40, events=events, method=method)
        np.testing.assert_allclose(run.events["tick"], np.arange(1, 41), rtol=0, atol=1e-12)
        assert run.events["end"].tolist() == [40]


class TestLongestStep:
    def test_a_python_function_needs_it(self):
        pulse = lk.function("pulse", lambda time: 10.0 if 5 < time < 5.1 else 0.0)
        run = mass(pulse(t)).simulate(until=10, max_step=0.05)
        assert run.v[-1, 0] == pytest.approx(1, abs=1e-6)
        assert np.diff(run.t).max() <= 0.05 * (1 + 1e-12)

    def test_a_wrong_one_is_refused(self):
        for wrong in (0, -1, "x", np.nan, 1e-300, 1e-17):
            with pytest.raises(lk.ModelError, match="max_step"):
                mass(0).simulate(until=1, max_step=wrong)


class TestSensitivity:
    @pytest.mark.parametrize("mode", ["forward", "adjoint"])
    def test_a_time_that_is_a_parameter(self, mode):
        """x'' = -k x + H(t - a): dx/da = -sin(w (T - a))/w with w^2 = k."""
        system = mass(-k * x + P((0, t < a), (1, True)), values={a: 1.0, k: 2.0})
        answer = system.sensitivity(start={"x": 1}, until=3, by=["a", "x"], of=["x"], mode=mode)
        w = np.sqrt(2)
        assert answer["x", "a"] == pytest.approx(-np.sin(2 * w) / w, abs=1e-9)
        assert answer["x", "x"] == pytest.approx(np.cos(3 * w), abs=1e-9)
