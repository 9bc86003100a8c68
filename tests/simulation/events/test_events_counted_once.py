"""An event is counted once: shortly before the end of a run, and together with another event of the same root."""

import numpy as np
import pytest

import lienket as lk
from lienket import der

x = lk.coordinates("x")
SWING = lk.System("swing", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2)
EVENTS = [lk.Event("any", when=x), lk.Event("same", when=2 * x), lk.Event("falling", when=x, direction="falling")]


@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf", "auto"])
@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
def test_events_shortly_before_the_end_are_counted_once(method, rtol):
    """x = cos t vanishes at pi/2, 3 pi/2, ...; the last step of the run, after the event, has any length."""
    for k, rest in enumerate(np.logspace(-12, -5, 15)):
        passages = 1 + k % 3
        until = (passages - 0.5) * np.pi + rest
        options = {"method": method, "rtol": rtol, "atol": rtol / 10}
        motion = SWING.simulate(start={"x": 1.0}, until=until, events=EVENTS, **options)
        for name, each in (("any", 1), ("same", 1), ("falling", 2)):
            times = motion.events[name]
            exact = np.pi * np.arange(0.5, passages, each)
            assert np.all(np.diff(times) > 1), (rest, name, times)
            # the last root may lie beyond the end by the error of the method
            assert len(exact) - (rest < 1e3 * rtol) <= len(times) <= len(exact)
            np.testing.assert_allclose(times, exact[: len(times)], rtol=0, atol=1e3 * rtol)
