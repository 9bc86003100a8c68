"""Events at one instant, and at the end of a run: all happen, each once, in the order in which they are stated."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

x, a, b = lk.coordinates("x a b")
c, k = lk.parameters("c k")
POINT = lk.System("point", [x], kinetic=der(x) ** 2 / 2, potential=c + k, values={"c": 0, "k": 0})
BALLS = lk.System("two balls", [a, b], kinetic=(der(a) ** 2 + der(b) ** 2) / 2, potential=9.81 * (a + b))


def order(motion):
    return [name for name, _ in motion._run.history.happened]


@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf"])
def test_two_balls_touch_the_floor_together(method):
    """Two balls from equal height bounce 7 times each: h = 0.6 m, T = 2 sqrt(2 h/g) between bounces."""
    events = [lk.Event(n, when=x, direction="falling", velocities={f"{n}'": -der(x)}) for n, x in (("a", a), ("b", b))]
    motion = BALLS.simulate(start={"a": 0.6, "b": 0.6}, until=5, events=events, method=method)
    fall = np.sqrt(2 * 0.6 / 9.81)
    rest = (5 - fall) % (2 * fall)
    height = 9.81 * (fall * rest - rest**2 / 2)
    np.testing.assert_allclose(motion.q[-1], height, rtol=0, atol=1e-5)
    for name in ("a", "b"):
        np.testing.assert_allclose(motion.events[name], fall * np.arange(1, 15, 2), rtol=0, atol=1e-6)
    assert order(motion) == ["a", "b"] * 7


def test_a_watched_motion_by_bdf_is_the_motion():
    """A free rotor turns by phi = t, whatever is watched; dead points are at the multiples of pi."""
    rotor = lk.System("rotor", [x], kinetic=der(x) ** 2 / 2)
    dead = lk.Event("dead point", when=sp.sin(x))
    motion = rotor.simulate(start={"x'": 1.0}, until=10, method="bdf", events=[dead])
    np.testing.assert_allclose(motion.events["dead point"], np.pi * np.arange(1, 4), rtol=0, atol=1e-7)
    assert motion.q[-1, 0] == pytest.approx(10, abs=1e-7)


class TestOrder:
    def test_a_counter_stated_after_a_bounce_counts_it(self):
        """The bounce reverses the velocity; the second event of the same place happens although x rises then."""
        bounce = lk.Event("bounce", when=x - 1, velocities={"x'": -der(x)})
        count = lk.Event("count", when=2 * x - 2, direction="rising", set={c: c + 1})
        for events in ([bounce, count], [count, bounce]):
            motion = POINT.simulate(start={"x'": 1.0}, until=1.5, events=events)
            assert order(motion) == [e.name for e in events]
            assert motion.q[-1, 0] == pytest.approx(0.5)

    def test_an_action_may_prevent_an_event_stated_later(self):
        """At t = 1 the first event moves the condition of the second back to the side from which it came."""
        first = lk.Event("first", when=lk.t - 1, set={c: 5})
        second = lk.Event("second", when=x - 1 - c)
        motion = POINT.simulate(start={"x'": 1.0}, until=3, events=[first, second])
        assert order(motion) == ["first"]
        motion = POINT.simulate(start={"x'": 1.0}, until=7, events=[first, second])
        np.testing.assert_allclose(motion.events["second"], [6.0], rtol=0, atol=1e-9)

    def test_an_action_may_cause_an_event_stated_earlier(self):
        caused = lk.Event("caused", when=c > sp.Rational(1, 2), set={k: 1})
        motion = POINT.simulate(start={"x'": 1.0}, until=3, events=[caused, lk.Event("cause", when=x - 1, set={c: 1})])
        assert order(motion) == ["cause", "caused"]

    def test_150_events_at_one_instant_are_no_chattering(self):
        events = [lk.Event(f"e{i}", when=(1 + i) * (x - 1)) for i in range(150)]
        motion = POINT.simulate(start={"x'": 1.0}, until=2, events=events)
        assert order(motion) == [e.name for e in events]
        assert motion.outcome.reason == "finished"

    def test_a_terminal_event_does_not_hide_others_of_its_instant(self):
        events = [lk.Event("stop", when=x - 1, terminal=True), lk.Event("set", when=lk.t - 1, set={c: 3})]
        motion = POINT.simulate(start={"x'": 1.0}, until=2, events=events)
        assert order(motion) == ["stop", "set"]
        assert motion.switches[-1].parameters[0] == 3
        assert (motion.outcome.reason, motion.outcome.time) == ("event", pytest.approx(1))
        assert motion.t[-1] == pytest.approx(1)


class TestEnd:
    @pytest.mark.parametrize("method", ["dop853", "radau5", "bdf", "rattle4"])
    @pytest.mark.parametrize("when", [lk.t - 1, sp.sin(sp.pi * lk.t), x - 1, x + lk.t - 2, (x - 1) ** 3])
    def test_an_event_at_the_end_happens(self, method, when):
        """A free point with x = t reaches its mark at the end of the run."""
        events = [lk.Event("end", when=when), lk.Event("later", when=lk.t - 1 - sp.Rational(1, 10**6))]
        motion = POINT.simulate(start={"x'": 1.0}, until=1, events=events, method=method)
        np.testing.assert_allclose(motion.events["end"], [1.0], rtol=0, atol=1e-6)
        assert order(motion) == ["end"]

    @pytest.mark.parametrize("when", [lk.t - 1, x - 1])
    def test_a_terminal_event_at_the_end(self, when):
        motion = POINT.simulate(start={"x'": 1.0}, until=1, events=[lk.Event("end", when=when, terminal=True)])
        assert motion.outcome.reason == "event"

    def test_all_events_at_the_end_happen(self):
        """Two clocks set parameters at the end, with one row for each change; `times` ends there too."""
        events = [lk.Event("one", when=lk.t - 1, set={c: 1}), lk.Event("two", when=2 * lk.t - 2, set={k: 2})]
        for times in (None, np.array([0.0, 0.5, 1.0])):
            motion = POINT.simulate(start={"x'": 1.0}, until=1, times=times, events=events)
            assert order(motion) == ["one", "two"]
            assert motion.switches[-1].parameters.tolist() == [1, 2]

    def test_a_motion_that_only_approaches_zero_is_no_event(self):
        """x = exp(-t) comes to 5e-14 of its mark at the end of the run and does not reach it."""
        drag = lk.System("drag", [x], kinetic=der(x) ** 2 / 2, forces={x: -der(x)})
        motion = drag.simulate(start={"x": 1.0, "x'": -1.0}, until=30, events=[lk.Event("zero", when=x)])
        assert len(motion.events["zero"]) == 0


def test_a_side_reached_in_a_step_that_another_event_cuts_short():
    """(x - 1)(x - 2) falls at 1 and rises at 2; an event at 2.1 ends the step in between."""
    condition = -(x - 1) * (x - sp.Rational(11, 5))
    events = [lk.Event("falls", when=condition, direction="falling"), lk.Event("cut", when=x - sp.Rational(21, 10))]
    motion = POINT.simulate(start={"x'": 1.0}, until=40, events=events)
    np.testing.assert_allclose(motion.events["falls"], [2.2], rtol=0, atol=1e-9)
