"""IDA as an independent check: closed solutions, our integrators, and constraints kept without projection."""

import sys

import numpy as np
import pytest
from bare import problem_of, ran
from scipy.special import ellipj, ellipk
from small_systems import (
    g,
    knife_edge,
    knife_edge_at,
    pendulum,
    slider_crank,
    slider_crank_start,
    swung_angle,
    swung_pendulum,
)

import lienket as lk
from lienket import der
from lienket.simulation.integrators.ida import ida


def pendulum_at(t):
    """Return the pendulum released at the horizontal: sin(angle/2) = k sn(K + sqrt(g) t), k^2 = 1/2."""
    sine = np.sqrt(0.5) * ellipj(ellipk(0.5) + np.sqrt(g) * t, 0.5)[0]
    angle = 2 * np.arcsin(sine)
    return np.column_stack([np.sin(angle), -np.cos(angle)])


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sksundae.ida", None)
    with pytest.raises(lk.LienketError, match=r"pip install \"lienket\[oracle\]\""):
        ida(problem_of(pendulum()), 0.0, [1, 0], [0, 0], [1.0])


class TestMotions:
    @pytest.fixture(autouse=True)
    def installed(self):
        pytest.importorskip("sksundae")

    def test_pendulum_is_the_elliptic_function(self):
        times = np.linspace(0, 5, 21)
        rows = ida(problem_of(pendulum()), 0.0, [1, 0], [0, 0], times, 1e-9, 1e-11).rows
        assert rows.shape == (21, 4)
        np.testing.assert_allclose(rows[:, :2], pendulum_at(times), atol=2e-6)

    def test_constraints_are_kept_at_both_levels_without_projection(self):
        problem = problem_of(slider_crank())
        q, v = slider_crank_start(1.0, 2.0)
        rows = ida(problem, 0.0, q, v, [1.0, 2.0, 7.0], 1e-8, 1e-10).rows
        assert len(rows) == 3
        for t, y in zip([1.0, 2.0, 7.0], rows, strict=True):
            surface = problem.model.function("surface")
            parts = surface.named(surface(t, y[:3].copy(), y[3:].copy(), problem.parameters, np.zeros(5))[1])
            assert np.abs(parts["position"]).max() < 1e-8
            assert np.abs(parts["velocity"]).max() < 1e-7

    def test_slider_crank_agrees_with_dop853(self):
        problem, times = problem_of(slider_crank()), [0.5, 1.0, 2.0]
        q, v = slider_crank_start(1.0, 2.0)
        ours = ran(problem, q, v, 2.0, method="dop853", rtol=1e-11, times=times)
        theirs = ida(problem, 0.0, q, v, times, 1e-9, 1e-11).rows
        np.testing.assert_allclose(theirs, np.hstack([ours.q, ours.v]), atol=2e-6)

    def test_one_time_alone(self):
        problem = problem_of(knife_edge())
        rows = ida(problem, 0.0, [0, 0, 0], [0, 0, 2], [2.0], 1e-9, 1e-11).rows
        np.testing.assert_allclose(rows[:, :3], [knife_edge_at(2.0)], atol=2e-6)

    def test_a_constraint_that_depends_on_time(self):
        start = [np.sin(0.5), -np.cos(0.5)], [0.6, 0.0]
        end = ida(problem_of(swung_pendulum()), 0.0, *start, [3.0], 1e-9, 1e-11).rows[0]
        angle = ida(problem_of(swung_angle()), 0.0, [0.5], [0.0], [3.0], 1e-10, 1e-12).rows[0]
        assert end[0] - np.sin(9) / 5 == pytest.approx(np.sin(angle[0]), abs=2e-6)

    def test_a_doubled_constraint_changes_nothing(self):
        system = pendulum()
        x, y = system.coordinates
        twice = system.constrain("again", 3 * (x**2 + y**2 - 1))
        rows = ida(problem_of(twice), 0.0, [1, 0], [0, 0], [1.0], 1e-9, 1e-11).rows
        np.testing.assert_allclose(rows[:, :2], pendulum_at(np.array([1.0])), atol=2e-6)

    def test_a_constraint_on_accelerations(self):
        x, y = lk.coordinates("x y")
        system = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
        problem = problem_of(system.constrain("push", der(x, 2) + der(y, 2) - 2))  # both accelerate by 1
        rows = ida(problem, 0.0, [0, 0], [1, 0], [2.0], 1e-9, 1e-11).rows
        np.testing.assert_allclose(rows, [[4.0, 2.0, 3.0, 2.0]], atol=1e-6)

    def test_a_program_is_refused_by_name(self):
        x, y = lk.coordinates("x y")
        system = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
        driven = system.constrain("track", lk.Program(x - y, drives={"u": {x: 1}}))
        with pytest.raises(lk.LienketError, match="'track'"):
            ida(problem_of(driven), 0.0, [0, 0], [0, 0], [1.0])
