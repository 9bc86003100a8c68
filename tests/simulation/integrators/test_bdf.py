"""BDF: stability of the corrected formulas, accuracy through singular positions, steps after a bridge."""

from functools import cache
from math import comb

import numpy as np
import pytest
from problems.four_bars import four_bars, four_bars_start, reduced

from lienket.simulation.integrators.native.bdf.differences import HARMONIC, KAPPA
from lienket.simulation.integrators.native.bdf.step import SMOOTHINGS

UNCORRECTED = {1: 90, 2: 90, 3: 86, 4: 73, 5: 51}
"""Angles alpha of A(alpha)-stability of BDF in degrees: Hairer and Wanner II, V.2."""


def amplification(z, order, corrected):
    """Return the spectral radius of a step of y' = lambda y with z = h lambda."""
    G = (1 - KAPPA[order]) * HARMONIC[order] if corrected else HARMONIC[order]
    C = KAPPA[order] * HARMONIC[order] + 1 / (order + 1)
    D = np.array([[(-1.0) ** j * comb(k, j) for j in range(order + 1)] for k in range(order + 1)])
    p, psi = D.sum(axis=0), HARMONIC[1 : order + 1] @ D[1:] / G
    d = (z / G * p - psi) / (1 - z / G)
    if corrected:
        d = d - C / HARMONIC[order + 1] * d / (1 - z / G) ** SMOOTHINGS
    step = np.eye(order + 1, k=-1, dtype=complex)
    step[0] = p + d
    return np.abs(np.linalg.eigvals(step)).max()


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_the_correction_does_not_cost_stability(order):
    angle = UNCORRECTED[order] - (order == 2)  # order 2 has kappa, and loses one degree
    for z in np.logspace(-2, 4, 60) * np.exp(1j * np.radians(180 - angle)):
        assert amplification(z, order, corrected=True) < 1 + 1e-9
        assert amplification(z, order, corrected=False) < 1 + 1e-9
    assert amplification(-1e8, order, corrected=True) < 1e-1  # stiff components vanish


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_the_correction_raises_the_order_by_one(order):
    """One step from exact values of exp(lambda t) has an error of z^(order + 2)."""
    errors = []
    for h in (0.05, 0.025):
        z, G = 1j * h, (1 - KAPPA[order]) * HARMONIC[order]
        past = np.exp(-z * np.arange(order + 1))
        D = np.array([sum((-1.0) ** j * comb(k, j) * past[j] for j in range(k + 1)) for k in range(order + 1)])
        d = (z / G * D.sum() - HARMONIC[1 : order + 1] @ D[1:] / G) / (1 - z / G)
        C = KAPPA[order] * HARMONIC[order] + 1 / (order + 1)
        d -= C / HARMONIC[order + 1] * d / (1 - z / G) ** SMOOTHINGS
        errors.append(abs(D.sum() + d - np.exp(z)))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order + 2, abs=0.3)


@cache
def system(count):
    return four_bars(count, times=(10.0,)).system


def simulate(count, speed, tol, **options):
    start = four_bars_start(count, speed)
    return system(count).simulate(start=start, until=10.0, rtol=tol, atol=tol, method="bdf", **options)


@pytest.mark.parametrize(
    ("count", "speed", "tol"), [(1, 0.5, 1e-7), (1, 8, 1e-8), (1, 2, 1e-10), (5, 2, 1e-6), (5, 8, 1e-6)]
)
def test_errors_through_singular_positions_stay_near_the_tolerance(count, speed, tol):
    """Without the correction and the history after bridges the errors are 861 to 8651 tolerances."""
    times = np.arange(1, 21) / 2
    motion = simulate(count, speed, tol, times=times)
    assert motion.outcome.complete
    for t, q, v in zip(motion.t, motion.q, motion.v, strict=True):
        x, y, vx, vy = reduced(count, speed, t)
        assert np.abs(np.array([q[0], q[1], v[0], v[1]]) * 2 - [x, y, vx, vy]).max() < 600 * tol


@pytest.mark.parametrize(
    ("count", "speed", "tol"),
    [(2, 7.6788333, 3.951678770e-9), (1, 3.8799068, 3.362074406e-10), (2, 5.9953407, 6.816949468e-10)],
)
def test_a_disturbance_after_a_bridge_lowers_the_order(count, speed, tol):
    """With the order kept in rejected steps, these became ever shorter after a bridge, up to the end of the run."""
    motion = simulate(count, speed, tol, times=[10.0])
    assert motion.outcome.complete, motion.outcome
    x, y, vx, vy = reduced(count, speed, 10.0)
    q, v = motion.q[-1], motion.v[-1]
    assert np.abs(np.array([q[0], q[1], v[0], v[1]]) * 2 - [x, y, vx, vy]).max() < 2000 * tol


def test_no_start_with_short_steps_follows_a_bridge():
    """The bridge tells the states before its end. A start with order 2 has steps 250 times as short as those before."""
    motion = simulate(1, 8, 1e-8)
    steps = np.diff(motion.t)
    passages = [event for event in motion.rank_events if event.bridged]
    assert len(passages) > 10
    for passage in passages:  # ordinary steps near the position, before the bridge, belong to a passage too
        before, after = (int(np.searchsorted(motion.t, t - 1e-12)) for t in (passage.begin, passage.end))
        assert steps[after : after + 9].min() > 0.02 * steps[before - 5 : before].min()
