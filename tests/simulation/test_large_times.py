"""Runs at large times, such as seconds since 1970: as accurate as at t = 0, or as accurate as the clock."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der, t

x = lk.coordinates("x")
OSCILLATOR = lk.System("oscillator", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2)
LIMITS = {"dop853": 1e-8, "radau5": 1e-7, "bdf": 1e-5, "rattle": 1e-4, "rattle4": 1e-6}


@pytest.mark.parametrize("begin", [1.7e9, 1e12, -1e12])
@pytest.mark.parametrize("method", LIMITS)
def test_every_row_is_on_the_motion(method, begin):
    """x = cos(t - t0) at every row of a run of 20 s, although two times near 1e12 differ by 1.2e-4."""
    run = OSCILLATOR.simulate(start={"x": 1}, t=begin, until=begin + 20, method=method)
    assert run.outcome.complete
    assert np.all(np.diff(run.t) > 0)
    np.testing.assert_allclose(run["x"], np.cos(run.t - begin), rtol=0, atol=LIMITS[method])
    assert run.audit.ok


def test_the_audit_says_what_the_clock_is_worth():
    """A force sin(1000 t) changes by 2.4e-4 between two times near 1.7e9; counted from the start it does not."""
    begin = 1.7e9
    late = lk.System("late", [x], kinetic=der(x) ** 2 / 2, forces={x: sp.sin(1000 * (t - begin))})
    run = late.simulate(t=begin, until=begin + 1)
    assert not run.audit.ok and "known to 2.4e-07" in run.audit.warnings[0]
    assert run.v[-1, 0] == pytest.approx((1 - np.cos(1000)) / 1000, abs=1e-6)
    assert "clock" in str(OSCILLATOR.simulate(start={"x": 1}, t=begin, until=begin + 1).audit)
