"""A table read beyond its points is named, with its end and with what to do; so are rows that were left out."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.errors import StartError

x, y = lk.coordinates("x y")
TIMES = [0.0, 1.0, 2.0, 3.0]


def road(outside="error", name="road"):
    return lk.table(name, TIMES, [0.0, 1.0, 0.0, 1.0], outside=outside)


def pushed(force):
    return lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: force})


@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf", "rattle", "rattle4"])
def test_a_run_beyond_a_record_over_time_names_the_table_and_its_end(method):
    motion = pushed(road()(lk.t)).simulate(until=5, method=method, step=1e-3 if "rattle" in method else None)
    assert motion.outcome.reason == "stuck"
    assert motion.outcome.time == pytest.approx(3, abs=2e-3)
    assert "The table 'road' ends there: it is read at t and has points from 0 to 3." in motion.outcome
    assert "hold or extrapolate" in motion.outcome


def test_a_table_over_a_position():
    """x = t, and the force road(x) - road(t) is 0 until x = 3."""
    motion = pushed(road()(2 * x) - road("hold", "other")(2 * lk.t)).simulate(start={"x'": 1.0}, until=5)
    assert motion.outcome.time == pytest.approx(1.5, abs=1e-6)
    assert "The table 'road' ends there: it is read at 2*x" in motion.outcome
    assert "'other'" not in motion.outcome


def test_only_the_table_that_ends_is_named():
    late = lk.table("late", [0.0, 4.0], [0.0, 0.0])
    motion = pushed(road()(lk.t) + late(lk.t)).simulate(until=5)
    assert "The table 'road' ends there" in motion.outcome
    assert "'late'" not in motion.outcome


@pytest.mark.parametrize("outside", ["hold", "extrapolate"])
def test_a_table_with_values_beyond_its_points_is_not_mentioned(outside):
    motion = pushed(road(outside)(lk.t)).simulate(until=5)
    assert motion.outcome.complete
    assert "table" not in motion.outcome


def test_a_formula_that_leaves_its_domain_is_not_blamed_on_a_table():
    """x = t leaves the domain of sqrt(1 - x) at 1, within the table."""
    force = sp.sqrt(1 - x) - sp.sqrt(1 - lk.t) + 1e-300 * road()(lk.t)
    motion = pushed(force).simulate(start={"x'": 1.0}, until=2.5)
    assert motion.outcome.reason == "stuck"
    assert "table" not in motion.outcome


def test_a_run_with_events_and_a_constraint_along_a_table():
    cam = lk.System("cam", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2).constrain("cam", y - road()(x))
    event = lk.Event("half", x - 0.5)
    motion = cam.simulate(start={"x": 0.1, "x'": 1.0}, until=5, events=[event])
    assert motion.outcome.reason == "stuck"
    assert motion.q[-1, 0] == pytest.approx(3, abs=1e-6)
    assert "The table 'road' ends there: it is read at x" in motion.outcome


def test_a_start_beyond_a_table():
    cam = lk.System("cam", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2).constrain("cam", y - road()(x))
    with pytest.raises(StartError, match="The table 'road' ends there: it is read at x and has points from 0 to 3"):
        cam.consistent({"x": 4.0})


def test_events_and_outputs_that_silently_have_no_number_are_told():
    system = lk.System("mass", [x], kinetic=der(x) ** 2 / 2)
    arguments = {"start": {"x'": 1.0}, "times": np.linspace(0, 5, 11)}
    motion = system.simulate(**arguments, events=[lk.Event("half", road()(lk.t) - 0.5)])
    assert motion.outcome.complete
    assert "the event 'half' has no number at t = 3.5" in motion.outcome
    motion = system.simulate(**arguments, outputs={"height": road()(x)})
    assert np.isnan(motion.outputs["height"]).tolist() == [False] * 7 + [True] * 4
    assert "the output 'height' has no number at t = 3.5" in motion.outcome
    motion = system.simulate(**arguments, outputs={"height": road("hold")(x)})
    assert "height" not in motion.outcome


@pytest.mark.parametrize("events", [(), [lk.Event("half", x - 0.5)]])
def test_an_outcome_says_how_many_rows_were_left_out(events):
    system = lk.System("spring", [x], kinetic=der(x) ** 2 / 2, potential=50 * x**2)
    whole = system.simulate(start={"x": 1.0}, until=10, events=events)
    assert "became a row" not in whole.outcome
    thin = system.simulate(start={"x": 1.0}, until=10, events=events, most_rows=20)
    every = thin.statistics.every
    assert every > 1
    assert f"One of {every} steps became a row, to keep at most 20 (`most_rows`)" in thin.outcome
