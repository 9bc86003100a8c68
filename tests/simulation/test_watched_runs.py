"""Runs with progress functions, interruptions, bounded rows and audits."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import sympy as sp
from problems import PROBLEMS

import lienket as lk
from lienket import der

x = lk.coordinates("x")


def mass(force=0, **more):
    return lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: force}, **more)


oscillator = mass(-x)
STIFF = mass(-1e6 * (x - sp.cos(lk.t)) - 1e4 * (der(x) + sp.sin(lk.t)) - sp.cos(lk.t))
"""x settles on cos t; eigenvalues -101 and -9899."""


ENDLESS = """
import signal
import lienket as lk
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may be told to ignore it
x = lk.coordinates("x")
system = lk.System("mass", [x], kinetic=lk.der(x) ** 2 / 2, potential=x**2 / 2)
system.simulate(start={"x": 1}, until=1).outcome
print("ready", flush=True)
motion = system.simulate(start={"x": 1}, until=1e12, progress=False)
print(motion.outcome.reason, len(motion), motion.t[-1])
"""


class TestInterrupts:
    def test_a_progress_function_may_stop_a_run(self):
        seen = []

        def watch(t):
            seen.append(t)
            if len(seen) == 3:
                raise KeyboardInterrupt

        motion = oscillator.simulate(start={"x": 1}, until=1e6, progress=watch)
        assert motion.outcome.reason == "interrupted"
        assert not motion.outcome.complete
        assert motion.t[-1] == seen[-1] == motion.outcome.time
        assert motion.audit.phases[-1].end == seen[-1]
        np.testing.assert_allclose(motion.q[:, 0], np.cos(motion.t), atol=1e-6 * (1 + motion.t[-1]))
        assert motion.at(seen[0] / 2).q[0] == pytest.approx(np.cos(seen[0] / 2), abs=1e-4)

    def test_interrupted_with_times_keeps_the_rows_before(self):
        def stop(t):
            raise KeyboardInterrupt

        times = np.linspace(0, 1e6, 10**5)
        motion = oscillator.simulate(start={"x": 1}, until=1e6, times=times, progress=stop)
        rows = len(motion) - 1  # the last row is the state at the interruption
        assert 2 < rows < len(times)
        assert np.array_equal(motion.t[:rows], times[:rows])
        assert motion.t[-1] == motion.outcome.time

    def test_progress_function_receives_increasing_times(self):
        seen = []
        motion = oscillator.simulate(start={"x": 1}, until=2e4, progress=seen.append)
        assert len(seen) > 3
        assert np.all(np.diff(seen) >= 0)
        assert seen[-1] == motion.t[-1] == 2e4

    def test_ctrl_c_keeps_what_was_computed(self):
        """SIGINT to a process that integrates ends the run and keeps its rows."""
        child = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            reason, rows, end = child.communicate(timeout=60)[0].split()
        finally:
            child.kill()
        assert reason == "interrupted"
        assert int(rows) > 1000
        assert float(end) > 100

    def test_error_in_a_progress_function_is_raised(self):
        def broken(t):
            raise RuntimeError("mine")

        with pytest.raises(RuntimeError, match="mine"):
            oscillator.simulate(start={"x": 1}, until=1, progress=broken)


class TestRows:
    def test_rows_are_bounded_and_reported(self):
        motion = oscillator.simulate(start={"x": 1}, until=1000, most_rows=100)
        every = motion.statistics.every
        assert motion.statistics.steps > 1000
        assert 25 <= len(motion) <= 101
        assert every > 1
        assert every & (every - 1) == 0
        assert f"One of {every} steps became a row" in motion.outcome
        assert "to keep at most 100 " in motion.outcome
        assert (motion.t[0], motion.t[-1]) == (0, 1000)
        whole = oscillator.simulate(start={"x": 1}, until=1000)
        assert "became a row" not in whole.outcome
        assert len(whole) == whole.statistics.steps + 1
        assert set(motion.t) <= set(whole.t)
        for t in (0.3, 123.4, 999.9):
            assert motion.at(t).q[0] == pytest.approx(whole.at(t).q[0], abs=1e-7)
            assert motion.at(t).q[0] == pytest.approx(np.cos(t), abs=1e-5)

    @pytest.mark.parametrize("steps", [9, 10, 19, 20, 21, 40, 4096, 9000])
    @pytest.mark.parametrize("limit", [10, 11, 20, 4096, 9001])
    def test_rows_are_left_out_only_above_the_limit(self, steps, limit):
        """Steps of 1/64: the rows are all steps, or the first and the last and every 2^k-th between, and it is said."""
        motion = oscillator.simulate(start={"x": 1}, until=steps / 64, method="rattle", step=1 / 64, most_rows=limit)
        every, taken = motion.statistics.every, np.diff(motion.t) * 64
        assert len(motion) <= limit and (motion.t[0], motion.t[-1]) == (0, steps / 64)
        assert (every == 1) == ("became a row" not in motion.outcome) == (len(motion) == steps + 1)
        assert (every == 1) == (steps + 1 <= limit)
        assert np.all(taken[:-1] == every) and taken[-1] <= 2 * every

    def test_times_are_the_rows_whatever_the_cap(self):
        times = np.array([0.0, 0.1, 0.25, 1 / 3, 2.0, np.pi])
        motion = oscillator.simulate(start={"x": 1}, times=times)
        assert np.array_equal(motion.t, times)
        np.testing.assert_allclose(motion.q[:, 0], np.cos(times), atol=1e-8)
        many = np.linspace(0, 1, 1001)
        assert np.array_equal(oscillator.simulate(start={"x": 1}, until=2, times=many, most_rows=10).t, many)

    def test_times_outside_the_run_are_refused(self):
        motion = oscillator.simulate(start={"x": 1}, until=1)
        for t in (-0.1, 1.1, np.nan):
            with pytest.raises(lk.LienketError, match=r"outside the run, which goes from 0 to 1"):
                motion.at(t)

    def test_outputs_are_columns(self):
        wanted = {"energy": (der(x) ** 2 + x**2) / 2, "pull": der(x, 2)}
        motion = oscillator.simulate(start={"x": 1}, until=5, outputs=wanted)
        np.testing.assert_allclose(motion.outputs["energy"], 0.5, atol=1e-8)
        np.testing.assert_allclose(motion.outputs["pull"], -motion.q[:, 0], atol=1e-14)


class TestStiffness:
    def test_auto_continues_with_an_implicit_method_and_reports_it(self):
        motion = STIFF.simulate(start={"x": 1.5}, until=10, rtol=1e-3, atol=1e-5)
        assert [phase.method for phase in motion.audit.phases] == ["dop853", "radau5"]
        first, second = motion.audit.phases
        assert (first.begin, first.end, second.end) == (0, second.begin, 10)
        assert first.steps + second.steps == motion.statistics.steps < 20_000
        assert f"after dop853 had met stiffness at t = {first.end:.6g}" in motion.outcome
        assert "radau5" in motion.audit.text()

    @pytest.mark.parametrize("tol", [1e-5, 1e-8, 1e-10])
    def test_stiffness_is_seen_at_all_tolerances(self, tol):
        motion = STIFF.simulate(start={"x": 1.5}, until=1, rtol=tol, atol=tol / 100)
        assert motion.audit.phases[-1].method == "radau5"
        assert motion.statistics.steps < 2000
        late = motion.t > 0.5
        np.testing.assert_allclose(motion.q[late, 0], np.cos(motion.t[late]), rtol=0, atol=100 * tol)

    def test_a_motion_that_is_only_damped_stays_with_the_explicit_method(self):
        """The eigenvalue -1 is no faster than the driving force."""
        motion = mass(-der(x) + sp.cos(lk.t)).simulate(until=200)
        assert motion.audit.phases[-1].method == "dop853"
        exact = (np.sin(motion.t) + np.cos(motion.t) - np.exp(-motion.t)) / 2  # the velocity
        np.testing.assert_allclose(motion.v[:, 0], exact, rtol=0, atol=1e-6)

    def test_an_oscillation_is_not_stiff(self):
        motion = mass(-1e6 * x).simulate(start={"x": 1}, until=1)
        assert [phase.method for phase in motion.audit.phases] == ["dop853"]


class TestAudit:
    def test_energy_balance_with_a_damper(self):
        motion = mass(potential=x**2 / 2, dissipation=der(x) ** 2 / 10).simulate(
            start={"x": 1}, until=10, rtol=1e-11, atol=1e-12
        )
        assert np.abs(motion.energy.imbalance).max() < 1e-9
        assert motion.energy.total[-1] < 0.3 * motion.energy.total[0]
        assert motion.audit.imbalance == np.abs(motion.energy.imbalance).max()

    def test_rounding_of_a_system_at_rest_is_no_imbalance(self):
        """For a pendulum of 7 J that hangs still within 1e-7, changes of the energy are rounding."""
        y = lk.coordinates("y")
        free = lk.System("hanging", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=10 * (y + 0.3))
        motion = free.constrain("rod", x**2 + y**2 - 1).simulate(start={"x": 1e-7}, guess={"y": -1}, until=10)
        assert motion.audit.energy < 1e-12
        assert motion.audit.imbalance < 1e-13
        assert not motion.audit.warnings

    def test_energy_balance_of_a_swung_pendulum(self):
        y, s = lk.coordinates("y s")
        free = lk.System("swung", [x, y, s], kinetic=(der(x) ** 2 + der(y) ** 2 + der(s) ** 2) / 2, potential=9.81 * y)
        system = free.constrain("rod", (x - s) ** 2 + y**2 - 1).constrain("shaker", s - sp.sin(3 * lk.t) / 5)
        motion = system.simulate(guess={"y": -1, "x": 0.3}, until=10, rtol=1e-11, atol=1e-12)
        assert np.abs(motion.energy.imbalance).max() < 1e-9
        assert np.ptp(motion.energy.total) > 0.1

    def test_audit_covers_every_level_of_every_constraint(self):
        motion = PROBLEMS["four_bar"]()
        motion = motion.system.simulate(start=motion.start, until=1)
        checks = motion.audit
        assert set(checks.residuals) == {"position", "velocity", "acceleration"}
        for by_name in checks.residuals.values():
            assert set(by_name) == {"loop"}
            assert by_name["loop"] < 1e-8
        assert checks.ok
        assert 1 <= checks.conditioning < 1e6
        assert "condition of D^T A D" in checks.text()

    def test_audit_warnings_are_in_the_outcome(self, monkeypatch):
        from lienket.results.audit import run_warnings  # here, since the other tests need the public interface alone

        monkeypatch.setattr(run_warnings, "RUN_ENERGY_LIMIT", 1e-9)
        y = lk.coordinates("y")
        point = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * y)
        motion = point.constrain("rod", x**2 + y**2 - 1).simulate(start={"x": 1, "y": 0}, until=50)
        assert not motion.audit.ok
        assert any("The energy balance is off by" in warning for warning in motion.audit.warnings)
        assert all(warning in motion.outcome for warning in motion.audit.warnings)
        assert motion.outcome.complete

    def test_audit_reports_steps_that_are_too_long(self):
        motion = oscillator.simulate(start={"x": 1}, until=100, method="rattle", step=1.0)
        assert not motion.audit.ok
        assert "The energy balance is off by" in motion.outcome
        assert oscillator.simulate(start={"x": 1}, until=100, method="rattle", step=0.01).audit.ok
