"""Motion through singular positions: N four-bars in a row, whose rockers all lie flat repeatedly.

A run is within 100 times its tolerance at any time, in every position and velocity.
"""

from functools import cache

import numpy as np
import pytest
from problems.four_bars import flat_times, four_bars, four_bars_start, reduced

SPEEDS = [0.5, 1, 2, 3, 5, 8]
TOLERANCES = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10]
TIMES = np.arange(21) / 2
END = TIMES[-1]
MOST = 100
COUNTS = [1, 5, pytest.param(20, marks=pytest.mark.slow)]


@cache
def system(count):
    return four_bars(count, times=(END,)).system


def simulate(count, speed, tol, **options):
    return system(count).simulate(start=four_bars_start(count, speed), until=END, rtol=tol, atol=tol, **options)


def passages(count, speed):
    """Return the times of the run at which all rockers lie flat."""
    return flat_times(count, speed, END)


def exact(count, speed, t):
    """Return positions and velocities of all rods, angles from -pi to pi."""
    x, y, vx, vy = reduced(count, speed, t)
    rockers = [(i + x / 2, y / 2, np.arctan2(y, x)) for i in range(count + 1)]
    couplers = [(i + 0.5 + x, y, 0.0) for i in range(count)]
    rates = [(vx / 2, vy / 2, x * vy - y * vx)] * (count + 1) + [(vx, vy, 0.0)] * count
    return np.ravel(rockers + couplers), np.ravel(rates)


def off(count, speed, t, q, v):
    """Return the largest errors of positions and velocities at a time."""
    there, rate = exact(count, speed, t)
    distance = q - there
    distance[2::3] = (distance[2::3] + np.pi) % (2 * np.pi) - np.pi
    return np.abs(distance).max(), np.abs(v - rate).max()


def worst(count, speed, motion):
    return np.max([off(count, speed, *row) for row in zip(motion.t, motion.q, motion.v, strict=True)], axis=0)


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("count", COUNTS)
def test_every_run_is_accurate(count, speed, tol):
    motion = simulate(count, speed, tol, times=TIMES)
    assert motion.outcome.complete
    assert motion.audit.ok
    np.testing.assert_array_equal(motion.t, TIMES)
    assert max(worst(count, speed, motion)) <= MOST * tol


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("count", [1, 2])
def test_run_at_the_limit_of_the_arithmetic_is_accurate_or_names_its_accuracy(count, speed):
    tol = 1e-12
    motion = simulate(count, speed, tol, times=TIMES)
    if motion.outcome.complete:
        assert max(worst(count, speed, motion)) <= MOST * tol
        return
    assert f"t = {motion.outcome.time:.9g}" in motion.outcome
    assert "'joint " in motion.outcome
    assert "dependent" in motion.outcome
    assert np.abs(passages(count, speed) - motion.outcome.time).min() < 1e-2


@pytest.mark.parametrize("tol", [1e-4, 1e-8, 1e-10])
@pytest.mark.parametrize("offset", [-1e-2, -1e-6, 0.0, 1e-9, 1e-4])
def test_run_starts_at_or_near_a_singular_position(offset, tol):
    count, speed = 2, 3.0
    begin = passages(count, speed)[1] + offset
    motion = system(count).simulate(start=exact(count, speed, begin), until=1.0, rtol=tol, atol=tol)
    assert motion.outcome.complete
    assert max(off(count, speed, begin + 1.0, motion.q[-1], motion.v[-1])) <= MOST * tol


@pytest.mark.parametrize("method", ["radau5", "bdf"])
@pytest.mark.parametrize("tol", [1e-4, 1e-8])
@pytest.mark.parametrize("offset", [-1e-2, -1e-6, 0.0, 1e-9, 1e-4])
def test_implicit_methods_start_at_or_near_a_singular_position(offset, tol, method):
    """The first step may be a bridge; at the position itself there is no Jacobian."""
    begin = passages(2, 3.0)[1] + offset
    motion = system(2).simulate(start=exact(2, 3.0, begin), until=0.5, rtol=tol, atol=tol, method=method)
    assert motion.outcome.complete
    assert max(off(2, 3.0, begin + 0.5, motion.q[-1], motion.v[-1])) <= MOST * tol


@pytest.mark.parametrize("tol", [1e-4, 1e-8, 1e-10])
@pytest.mark.parametrize("offset", [-1e-4, -1e-9, 0.0, 1e-6, 1e-2])
def test_run_ends_at_or_near_a_singular_position(offset, tol):
    count, speed = 2, 3.0
    end = passages(count, speed)[1] + offset
    motion = system(count).simulate(start=four_bars_start(count, speed), until=end, rtol=tol, atol=tol)
    assert motion.outcome.complete
    assert max(off(count, speed, end, motion.q[-1], motion.v[-1])) <= MOST * tol


@pytest.mark.parametrize(("count", "speed", "tol"), [(1, 1, 1e-8), (5, 1, 1e-8), (5, 3, 1e-5), (5, 8, 1e-6)])
def test_every_rank_event_is_at_a_passage(count, speed, tol):
    motion, flat = simulate(count, speed, tol), passages(count, speed)
    assert np.abs([reduced(count, speed, t)[1] for t in flat]).max() < 1e-12
    assert len(motion.rank_events) >= len(flat) / 2
    for event in motion.rank_events:
        passed = np.count_nonzero((flat >= event.begin) & (flat <= event.end))
        assert event.end - event.begin < passed * END / len(flat)  # bridges that follow each other are one event
    bridged = sum(event.bridged for event in motion.rank_events)
    assert bridged <= motion.statistics.bridges
    assert (bridged > 0) == (motion.statistics.bridges > 0)


def test_all_passages_are_reported_where_tolerances_are_small():
    motion, flat = simulate(5, 1, 1e-8), passages(5, 1)
    assert len(motion.rank_events) == len(flat) == 10
    for event, time in zip(motion.rank_events, flat, strict=True):
        assert event.begin <= time <= event.end


@pytest.mark.parametrize(("count", "speed", "tol"), [(1, 0.5, 1e-4), (5, 1, 1e-8), (5, 3, 1e-5), (5, 8, 1e-4)])
def test_the_rockers_stay_parallel(count, speed, tol):
    """The run stays on the branch on which the couplers do not turn."""
    motion = simulate(count, speed, tol)
    rockers, couplers = (motion.q[:, 2::3][:, part] for part in (slice(count + 1), slice(count + 1, None)))
    assert motion.outcome.complete
    assert np.ptp(rockers, axis=1).max() < 1e-6
    assert np.abs(couplers).max() < 1e-6
    assert np.ptp(rockers) > 4 * np.pi


BESIDE = np.array([-1e-2, -1e-4, -1e-6, -1e-8, 0, 1e-7, 1e-5, 1e-3])
PROVOKED = [(1, 3, 1e-6), (5, 3, 1e-6), (5, 5, 1e-7), (5, 8, 1e-8), (5, 1, 1e-8)]


def beside(count, speed, offsets=BESIDE):
    """Return times at and near the passages, within the run."""
    times = np.add.outer(passages(count, speed), offsets).ravel()
    return np.unique(times[times < END])


@pytest.mark.parametrize("tol", TOLERANCES[:-1])
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("count", [1, 5])
def test_rows_at_and_near_singular_positions_are_as_accurate_as_others(count, speed, tol):
    """At the distance d, projection turns a position error e into a velocity error |v| e/d."""
    motion = simulate(count, speed, tol, times=beside(count, speed))
    assert motion.outcome.complete
    assert max(worst(count, speed, motion)) <= MOST * tol


@cache
def provoked(count, speed, tol):
    """Return a run that steps over singular positions, and times within those steps.

    Rows 1e-6 from each position are requested. Ordinary steps cannot supply them: their position error e exceeds
    1e-4 tol, and e/1e-6 is more than ten times the tolerance.
    """
    times = np.union1d(beside(count, speed, np.array([-1e-6, 1e-6])), TIMES)
    motion = simulate(count, speed, tol, times=times)
    events = [event for event in motion.rank_events if event.bridged]
    assert motion.statistics.bridges >= len(events) > len(passages(count, speed)) / 4
    inside = [e.begin + (e.end - e.begin) * np.array([0.1, 0.3, 0.5, 0.6, 0.9]) for e in events]
    return motion, np.concatenate(inside)


@pytest.mark.parametrize(("count", "speed", "tol"), PROVOKED)
def test_rows_within_a_step_over_a_position_are_as_accurate_as_others(count, speed, tol):
    run, inside = provoked(count, speed, tol)
    times = np.union1d(run.t, inside)
    motion = simulate(count, speed, tol, times=times)
    np.testing.assert_array_equal(motion.t, times)
    assert motion.statistics.bridges >= run.statistics.bridges / 2
    assert max(worst(count, speed, motion)) <= MOST * tol


@pytest.mark.parametrize(("count", "speed", "tol"), PROVOKED)
def test_any_time_within_a_step_over_a_position(count, speed, tol):
    motion, inside = provoked(count, speed, tol)
    for time in inside:  # no row is stored there: the step is repeated
        state = motion.at(time)
        assert max(off(count, speed, time, state.q, state.v)) <= MOST * tol


@pytest.mark.parametrize("tol", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize(("count", "speed"), [(1, 1), (1, 8), (5, 1), (5, 8)])
def test_any_time_at_and_near_singular_positions(count, speed, tol):
    motion = simulate(count, speed, tol)
    for time in beside(count, speed)[:40]:
        state = motion.at(time)
        assert max(off(count, speed, time, state.q, state.v)) <= MOST * tol
