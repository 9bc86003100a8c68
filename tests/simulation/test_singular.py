"""Through singular positions: N four-bars in a row, whose rockers all lie flat again and again.

A run may be 100 times its tolerance off at any time, in any position or velocity, or it says why it is not.
"""

from functools import cache

import mpmath
import numpy as np
import pytest
from problems.four_bars import four_bars, four_bars_start, reduced

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


def bottom_speed(count, speed):
    """W of the tips, and the parameter m of the elliptic functions; see `reduced`."""
    k = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    W = np.sqrt(speed**2 + 4 * k)
    return W, 4 * k / W**2


def passages(count, speed):
    """The times at which all rockers lie flat: am(K - W t/2) = pi/4 - j pi/2."""
    W, m = bottom_speed(count, speed)
    found = []
    while not found or found[-1] <= END:
        found.append(2 * float(mpmath.ellipk(m) - mpmath.ellipf(np.pi / 4 - len(found) * np.pi / 2, m)) / W)
    return np.array(found[:-1])


def exact(count, speed, t):
    """Positions and velocities of all rods, angles from -pi to pi."""
    x, y, vx, vy = reduced(count, speed, t)
    rockers = [(i + x / 2, y / 2, np.arctan2(y, x)) for i in range(count + 1)]
    couplers = [(i + 0.5 + x, y, 0.0) for i in range(count)]
    rates = [(vx / 2, vy / 2, x * vy - y * vx)] * (count + 1) + [(vx, vy, 0.0)] * count
    return np.ravel(rockers + couplers), np.ravel(rates)


def off(count, speed, t, q, v):
    """The largest errors of positions and velocities at a time."""
    there, rate = exact(count, speed, t)
    distance = q - there
    distance[2::3] = (distance[2::3] + np.pi) % (2 * np.pi) - np.pi
    return np.abs(distance).max(), np.abs(v - rate).max()


def worst(count, speed, motion):
    return np.max([off(count, speed, *row) for row in zip(motion.t, motion.q, motion.v, strict=True)], axis=0)


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("count", COUNTS)
def test_a_run_is_accurate_or_says_why_not(count, speed, tol):
    motion = simulate(count, speed, tol, times=TIMES)
    if motion.outcome.complete and motion.audit.ok:
        np.testing.assert_array_equal(motion.t, TIMES)
        assert max(worst(count, speed, motion)) <= MOST * tol
        return
    assert tol < 1e-8, "only rounding may stop a run"
    assert not motion.outcome.complete
    assert f"t = {motion.outcome.time:.9g}" in motion.outcome
    assert "'joint " in motion.outcome
    assert "dependent" in motion.outcome
    assert np.abs(passages(count, speed) - motion.outcome.time).min() < 1e-4
    position, velocity = worst(count, speed, motion[:-1])  # the last row is where it stopped
    assert position <= MOST * 2 * tol  # what atol + rtol |q| is, and with velocities up to W
    assert velocity <= MOST * (1 + bottom_speed(count, speed)[0]) * tol


@pytest.mark.parametrize(("count", "speed", "tol"), [(1, 1, 1e-8), (5, 1, 1e-8), (5, 3, 1e-5), (5, 8, 1e-6)])
def test_every_rank_event_is_at_a_passage(count, speed, tol):
    motion, flat = simulate(count, speed, tol), passages(count, speed)
    assert np.abs([reduced(count, speed, t)[1] for t in flat]).max() < 1e-12
    assert len(motion.rank_events) >= len(flat) / 2
    for event in motion.rank_events:
        assert np.count_nonzero((flat >= event.begin) & (flat <= event.end)) == 1
        assert event.end - event.begin < 0.3
    assert sum(event.bridged for event in motion.rank_events) == motion.statistics.bridges


def test_all_passages_are_reported_where_tolerances_are_small():
    motion, flat = simulate(5, 1, 1e-8), passages(5, 1)
    assert len(motion.rank_events) == len(flat) == 10
    for event, time in zip(motion.rank_events, flat, strict=True):
        assert event.begin <= time <= event.end


@pytest.mark.parametrize(("count", "speed", "tol"), [(1, 0.5, 1e-4), (5, 1, 1e-8), (5, 3, 1e-5), (5, 8, 1e-4)])
def test_the_rockers_stay_parallel(count, speed, tol):
    """On the other branches some couplers would turn."""
    motion = simulate(count, speed, tol)
    rockers, couplers = (motion.q[:, 2::3][:, part] for part in (slice(count + 1), slice(count + 1, None)))
    assert motion.outcome.complete
    assert np.ptp(rockers, axis=1).max() < 1e-6
    assert np.abs(couplers).max() < 1e-6
    assert np.ptp(rockers) > 4 * np.pi


BRIDGED = [(1, 3, 1e-6), (5, 3, 1e-5), (5, 5, 1e-7), (5, 8, 1e-8)]


def within_bridges(motion):
    """Times in the steps over singular positions."""
    events = [event for event in motion.rank_events if event.bridged]
    assert events
    return np.concatenate([e.begin + (e.end - e.begin) * np.array([0.1, 0.3, 0.5, 0.6, 0.9]) for e in events])


@pytest.mark.parametrize(("count", "speed", "tol"), [*BRIDGED, (5, 1, 1e-8)])
def test_rows_within_a_step_over_a_position_are_as_accurate_as_others(count, speed, tol):
    times = within_bridges(simulate(count, speed, tol))
    motion = simulate(count, speed, tol, times=times)
    np.testing.assert_array_equal(motion.t, times)
    assert max(worst(count, speed, motion)) <= MOST * tol


@pytest.mark.parametrize(("count", "speed", "tol"), [*BRIDGED, (5, 1, 1e-8)])
def test_any_time_within_a_step_over_a_position(count, speed, tol):
    motion = simulate(count, speed, tol)
    for time in within_bridges(motion):  # the run has no row there: the step is made again
        state = motion.at(time)
        assert max(off(count, speed, time, state.q, state.v)) <= MOST * tol
