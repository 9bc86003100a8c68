"""The audit of a run checks the energy of every impact."""

from dataclasses import replace

import numpy as np
import pytest

import lienket as lk
from lienket import der
from lienket.results.audit.impact_energy import impact_warnings, supplied_energies

GRAVITY = 9.81


def test_the_audit_finds_an_impact_that_supplies_energy():
    """A ball that falls from 1 m, with velocities after the impact that do not belong to its law."""
    y0 = lk.coordinates("y")
    ball = lk.System("ball", [y0], kinetic=der(y0) ** 2 / 2, potential=GRAVITY * y0)
    ball = ball.constrain("floor", y0, law=lk.laws.Unilateral(0.5))
    run = ball.simulate(start={"y": 1.0}, until=0.5)._run
    history, speed = run.history, np.sqrt(2 * GRAVITY)
    assert supplied_energies(run)[1] == pytest.approx(-0.75 * GRAVITY, rel=1e-9)
    assert impact_warnings(run) == []
    y, struck = history.y.copy(), (history.struck[0], ((0, 3 * speed),))
    y[1, 1] = 2 * speed
    (warning,) = impact_warnings(replace(run, history=replace(history, y=y, struck=struck)))
    assert warning.startswith("The impact 'floor touches' at t = 0.4515")
    assert "supplies energy, 29.4" in warning  # (4 - 1) m g
