"""Times and order of events, and their actions."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.errors import LienketError

t = lk.t
x = lk.coordinates("x")
c, e = lk.parameters("c e")
HALF = sp.Rational(1, 2)
STRICT = {"rtol": 1e-11, "atol": 1e-12}


def point(**more):
    """Return a free point, whose motion takes a single step."""
    return lk.System("point", [x], kinetic=der(x) ** 2 / 2, **more)


def swing():
    """Return an oscillator, which moves by x = cos t."""
    return lk.System("swing", [x], kinetic=der(x) ** 2 / 2, potential=c * x**2 / 2, values={"c": 1})


def happened(motion):
    return list(motion._run.history.happened)


class TestInstants:
    def test_several_events_in_one_step_come_in_order(self):
        """A free point passes marks stated in another order: each event occurs once, at its own time."""
        marks = [7, 3, 9, 1, 5, 2, 8, 4, 6]
        events = [lk.Event(f"mark {k}", when=x - sp.Rational(k, 10)) for k in marks]
        motion = point().simulate(start={"x": 0.0, "x'": 1.0}, until=1, events=events)
        assert [name for name, _ in happened(motion)] == [f"mark {k}" for k in range(1, 10)]
        np.testing.assert_allclose([time for _, time in happened(motion)], np.arange(1, 10) / 10, rtol=0, atol=1e-13)

    def test_two_events_at_one_time_both_happen(self):
        """Two events at one time each set a parameter, and both values hold afterwards."""
        a, b = lk.parameters("a b")
        system = point(forces={x: a + b}, values={"a": 0, "b": 0})
        events = [lk.Event("one", when=t - HALF, set={a: 1}), lk.Event("two", when=2 * t - 1, set={b: 2})]
        motion = system.simulate(start={"x'": 0.0}, until=1, events=events)
        assert [len(motion.events[name]) for name in ("one", "two")] == [1, 1]
        assert motion.v[-1, 0] == pytest.approx(1.5, abs=1e-11)
        assert motion.at(0.75).accelerations[0] == pytest.approx(3)

    def test_start_on_a_zero_is_no_event(self):
        """x' = -sin t is zero at the start, which is no crossing; it crosses zero at pi and 2 pi."""
        on = lk.Event("on", when=der(x))
        motion = swing().simulate(start={"x": 1.0}, until=7, events=[on], **STRICT)
        np.testing.assert_allclose(motion.events["on"], [np.pi, 2 * np.pi], rtol=0, atol=1e-9)

    @pytest.mark.parametrize("method", ["dop853", "radau5", "bdf", "auto", "rattle4"])
    def test_directions(self, method):
        """x = cos t falls through 0 at pi/2 and rises through it at 3 pi/2."""
        events = [lk.Event(d, when=x, direction=d) for d in ("falling", "rising", "any")]
        events += [lk.Event("below", when=x < -HALF), lk.Event("above", when=x > -HALF)]
        options = {"step": 0.01} if method == "rattle4" else {"rtol": 1e-9, "atol": 1e-10}
        motion = swing().simulate(start={"x": 1.0}, until=10, events=events, method=method, **options)
        zeros = np.pi * np.array([0.5, 1.5, 2.5])
        exact = {
            "falling": zeros[::2],
            "rising": zeros[1::2],
            "any": zeros,
            "below": np.pi * np.array([2 / 3, 8 / 3]),
            "above": np.pi * np.array([4 / 3]),
        }
        error = 1e-6 if method in ("bdf", "rattle4") else 1e-8
        for name, times in exact.items():
            np.testing.assert_allclose(motion.events[name], times, rtol=0, atol=error)
        assert motion.switches == ()
        assert motion.q[-1, 0] == pytest.approx(np.cos(10), abs=10 * error)

    def test_a_dip_inside_a_long_step_is_found(self):
        """Within the single step of a free point the condition is negative for a third of the time."""
        dip = (x - HALF) ** 2 - sp.Rational(1, 36)
        motion = point().simulate(start={"x": 0.0, "x'": 1.0}, until=1, events=[lk.Event("dip", when=dip)])
        np.testing.assert_allclose(motion.events["dip"], [1 / 3, 2 / 3], rtol=0, atol=1e-12)

    def test_time_alone(self):
        motion = swing().simulate(
            start={"x": 1.0}, until=10, events=[lk.Event("clock", when=sp.sin(sp.pi * t), direction="rising")]
        )
        np.testing.assert_allclose(motion.events["clock"], [2, 4, 6, 8, 10], rtol=0, atol=1e-12)

    def test_reactions_and_multipliers(self):
        """A bead on the wire y = 0 under the force -2 - 3 t has reaction and multiplier 2 + 3 t."""
        y = lk.coordinates("y")
        system = lk.System("bead", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, forces={y: -2 - 3 * t, x: 1})
        wire = system.constrain("wire", y)
        events = [
            lk.Event("size", when=lk.reaction("wire") > 5),
            lk.Event("on y", when=lk.reaction("wire", y) > 8),
            lk.Event("on x", when=lk.reaction("wire", x) - HALF),
            lk.Event("lambda", when=lk.multiplier("wire") > 11),
            lk.Event("speeds up", when=der(x, 2) + der(x) - 3),
        ]
        motion = wire.simulate(until=4, events=events)
        for name, times in {"size": [1], "on y": [2], "on x": [], "lambda": [3], "speeds up": [2]}.items():
            np.testing.assert_allclose(motion.events[name], times, rtol=0, atol=1e-11)

    @pytest.mark.parametrize("method", ["dop853", "radau5", "bdf", "auto", "rattle", "rattle4"])
    def test_an_impact_by_every_method(self, method):
        """A ball falls from 1, bounces to e^2 and falls again; all arcs are parabolas."""
        ball = lk.System("ball", [x], kinetic=der(x) ** 2 / 2, potential=2 * x)
        bounce = lk.Event("bounce", when=x, direction="falling", velocities={"x'": -HALF * der(x)})
        options = {"step": 0.01} if method.startswith("rattle") else {"rtol": 1e-10, "atol": 1e-11}
        motion = ball.simulate(start={"x": 1.0}, until=2.4, method=method, events=[bounce], **options)
        np.testing.assert_allclose(motion.events["bounce"], [1, 2], rtol=0, atol=1e-8)
        assert motion.v[-1, 0] == pytest.approx(0.5 - 2 * 0.4, abs=1e-7)
        assert np.abs(motion.energy.imbalance).max() < 1e-7
        assert motion.outcome.complete

    def test_ida_refuses_events(self):
        with pytest.raises(LienketError, match="'ida' does not support events"):
            swing().simulate(until=1, method="ida", events=[lk.Event("zero", when=x)])


class TestActions:
    def test_setting_a_parameter_and_the_energy_balance(self):
        """Where x = cos 1 the spring becomes four times as stiff; the potential energy gained counts as work."""
        stiffer = lk.Event("stiffer", when=t - 1, set={c: 3 * c + 1})
        motion = swing().simulate(start={"x": 1.0}, until=3, events=[stiffer], **STRICT)
        exact = np.cos(1) * np.cos(2 * 2) - np.sin(1) / 2 * np.sin(2 * 2)
        assert motion.q[-1, 0] == pytest.approx(exact, abs=1e-9)
        assert motion.energy.work[-1] == pytest.approx(1.5 * np.cos(1) ** 2, abs=1e-9)
        assert np.abs(motion.energy.imbalance).max() < 1e-9
        assert motion.switches[0].parameters[0] == 4

    def test_a_function_with_all_keys(self):
        """An action function receives the moment and may use everything that an event can do."""
        moments = []
        y = lk.coordinates("y")
        system = lk.System("two", [x, y], kinetic=c * (der(x) ** 2 + der(y) ** 2) / 2, values={"c": 2})
        system = system.constrain("held", y)

        def act(moment):
            moments.append(moment)
            return {"release": "held", "set": {"c": 3}, "velocities": {"x'": 5.0, der(y): 1.0}, "add": ["tied"]}

        events = [
            lk.Event("act", when=t - 1, do=act),
            lk.Event("never", when=x + 100, add={"tied": der(x) - der(y)}),
        ]
        motion = system.simulate(start={"x'": 1.0}, until=2, events=events)
        (moment,) = moments
        assert moment.t == pytest.approx(1)
        assert moment.q == {"x": pytest.approx(1), "y": pytest.approx(0)}
        assert moment.v == {"x": pytest.approx(1), "y": pytest.approx(0)}
        assert moment.values == {"c": 2}
        assert moment.constraints == ("held",)
        (switch,) = motion.switches
        assert (switch.released, switch.added) == (("held",), ("tied",))
        np.testing.assert_allclose(switch.v, [3, 3])
        assert switch.energy_lost == pytest.approx(3 * (25 + 1) / 2 - 3 * 9)
        np.testing.assert_allclose(motion.q[-1], [4, 3], rtol=1e-12)
        assert np.abs(motion.energy.imbalance).max() < 1e-9

    def test_a_function_that_does_nothing(self):
        calls = []
        event = lk.Event("look", when=x, do=lambda moment: calls.append(moment.t))
        motion = swing().simulate(start={"x": 1.0}, until=5, events=[event], **STRICT)
        np.testing.assert_allclose(calls, [np.pi / 2, 3 * np.pi / 2], atol=1e-9)
        assert motion.q[-1, 0] == pytest.approx(np.cos(5), abs=1e-8)

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            ({"velocity": {"x'": 1}}, "must return None or a mapping"),
            (3, "must return None or a mapping"),
            ({"velocities": {"y'": 1}}, "y'"),
            ({"set": {"k": 1}}, "'k'"),
            ({"add": "floor"}, "floor"),
            ({"set": {"c": "much"}}, "much"),
            ({"set": {"c": float("nan")}}, "nan"),
            ({"set": 3}, "cannot be applied"),
        ],
    )
    def test_invalid_action_ends_the_run_and_keeps_its_rows(self, answer, words):
        event = lk.Event("act", when=t - 1, do=lambda moment: answer)
        motion = swing().simulate(start={"x": 1.0}, until=5, events=[event])
        assert motion.outcome.reason == "failed"
        assert words in motion.outcome
        assert "'act'" in motion.outcome
        assert motion.t[-1] == pytest.approx(1)

    def test_error_in_an_action_function_is_raised(self):
        def act(moment):
            raise ZeroDivisionError("mine")

        with pytest.raises(ZeroDivisionError, match="mine"):
            swing().simulate(start={"x": 1.0}, until=5, events=[lk.Event("act", when=t - 1, do=act)])

    def test_terminal(self):
        motion = swing().simulate(start={"x": 1.0}, until=5, events=[lk.Event("end", when=x, terminal=True)], **STRICT)
        assert motion.t[-1] == pytest.approx(np.pi / 2, abs=1e-9)
        assert motion.outcome.complete
        assert motion.outcome.reason == "event"
        assert "'end'" in motion.outcome

    def test_terminal_with_an_action(self):
        """The last row is the state after the action."""
        end = lk.Event("end", when=x, terminal=True, velocities={"x'": 2 * der(x)})
        motion = swing().simulate(start={"x": 1.0}, until=5, events=[end], **STRICT)
        np.testing.assert_allclose(motion.v[-2:, 0], [-1, -2], atol=1e-9)
        assert motion.at(motion.t[-1]).v[0] == pytest.approx(-2, abs=1e-9)
        assert len(motion.switches) == 1

    def test_a_cascade(self):
        """Three events at one time, each triggered by the one before; then the run continues."""
        events = [
            lk.Event("third", when=der(x) > 30, set={c: 0}),
            lk.Event("second", when=der(x) > 3, velocities={"x'": 10 * der(x)}),
            lk.Event("first", when=t - 1, velocities={"x'": 2 * der(x)}),
        ]
        motion = swing().simulate({"c": 0.0}, start={"x": 0.0, "x'": 2.0}, until=2, events=events)
        assert [name for name, _ in happened(motion)] == ["first", "second", "third"]
        assert {round(time, 12) for _, time in happened(motion)} == {1.0}
        assert motion.q[-1, 0] == pytest.approx(2 + 40)

    def test_released_and_added_in_turn(self):
        """A constraint is released and added by name; an event is armed only while its action has an effect."""
        y = lk.coordinates("y")
        system = lk.System("two", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2).constrain("tied", der(x) - der(y))
        clock = sp.sin(sp.pi * t)
        off, on = lk.Event("off", when=clock, release="tied"), lk.Event("on", when=clock, add=["tied"])
        motion = system.simulate(start={"x'": 1.0}, until=4.5, events=[off, on])
        assert [s.event for s in motion.switches] == ["off", "on", "off", "on"]
        np.testing.assert_allclose([s.t for s in motion.switches], [1, 2, 3, 4], atol=1e-12)
