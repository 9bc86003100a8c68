"""Events that fail: chattering, positions that do not fit, redundancy and contradictions, wrong statements."""

import re

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.errors import ModelError

g = lk.parameters("g")
x, y = lk.coordinates("x y")
G = 9.81
HALF = sp.Rational(1, 2)


def ball():
    return lk.System("ball", [x], kinetic=der(x) ** 2 / 2, potential=g * x, values={"g": G})


def bounce(e, floor=0):
    return lk.Event("bounce", when=x - floor, direction="falling", velocities={"x'": -e * der(x)})


def bead():
    free = lk.System("bead", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y, values={"g": G})
    return free.constrain("wire", y - x)


def faults(call):
    with pytest.raises(ModelError) as caught:
        call()
    return str(caught.value)


class TestChattering:
    @pytest.mark.parametrize("floor", [0, 1])
    @pytest.mark.parametrize("e", [0.01, 0.1, 0.5, 0.7])
    def test_a_bouncing_ball_ends_where_its_bounces_converge(self, e, floor):
        """After t1 = sqrt(2/g) infinitely many bounces take 2 t1 e/(1 - e); the ball stays above the floor."""
        until = 4.0
        motion = ball().simulate(
            start={"x": 1.0 + floor}, until=until, events=[bounce(e, floor)], rtol=1e-12, atol=1e-13
        )
        t1 = np.sqrt(2 / G)
        together = t1 + 2 * t1 * e / (1 - e)
        assert motion.outcome.reason == "chattering"
        assert not motion.outcome.complete
        assert "'bounce'" in motion.outcome
        limit = float(re.search(r"times converge to t = ([\d.]+)\. ", motion.outcome)[1])
        assert limit == pytest.approx(
            together, abs=1e-9 if floor == 0 else 1e-8
        )  # rounding of x perturbs small bounces
        assert motion.t[-1] == pytest.approx(together, abs=1e-6)
        assert motion.q.min() > floor - 1e-12

    @pytest.mark.parametrize("method", ["radau5", "bdf"])
    def test_wide_tolerances(self, method):
        """Bounces below the tolerance cannot be resolved; the run ends before them."""
        motion = ball().simulate(start={"x": 1.0}, until=4, method=method, events=[bounce(HALF)], rtol=1e-6, atol=1e-8)
        assert motion.outcome.reason == "chattering"
        assert motion.t[-1] == pytest.approx(3 * np.sqrt(2 / G), abs=1e-3)
        assert motion.q.min() > -1e-7

    def test_chattering_limit_can_be_set(self):
        """Events 3e-7 of the run apart end it at `chattering`; 64 events spread over a run do not."""
        tick = lk.Event("tick", when=sp.sin(sp.Integer(10) ** 4 * lk.t))
        system = lk.System("point", [x], kinetic=der(x) ** 2 / 2, forces={x: sp.sin(sp.Integer(10) ** 4 * lk.t)})
        few = system.simulate(until=0.02, events=[tick], times=[0.02], t=0.0)
        assert few.outcome.complete  # 64 events in all
        long = system.simulate(until=1000.0, times=[1000.0], events=[tick], chattering=3)
        assert long.outcome.reason == "chattering"
        assert "3 events" in long.outcome
        assert "`chattering`" in long.outcome

    @pytest.mark.parametrize("until", [3.0, 1e5])
    def test_ball_is_held_once_it_is_slow(self, until):
        """With the advice of the outcome the floor holds the slow ball and carries its weight."""

        def act(moment):
            if abs(moment.v["x"]) < 1e-3:
                return {"add": "floor"}
            return {"velocities": {"x'": -0.5 * moment.v["x"]}}

        land = lk.Event("land", when=x, direction="falling", add={"floor": x}, do=act)
        motion = ball().simulate(start={"x": 1.0}, until=until, events=[land])
        assert motion.outcome.complete, motion.outcome
        assert motion.structure(3.0) == ("floor",)
        assert motion.reactions["floor"][-1, 0] == pytest.approx(G)
        assert np.abs(motion.energy.imbalance).max() < 1e-7


class TestStructures:
    def test_positions_that_do_not_fit(self):
        event = lk.Event("catch", when=x - HALF, add={"floor": x - sp.Rational(2, 5)})
        motion = ball().simulate(start={"x": 1.0}, until=3, events=[event])
        assert motion.outcome.reason == "failed"
        for words in ("'catch'", "'floor'", "off by 0.1", f"t = {np.sqrt(1 / G):.6f}"[:10]):
            assert words in motion.outcome
        assert "nan" not in motion.outcome
        assert motion.t[-1] == pytest.approx(np.sqrt(1 / G))
        assert motion.structure(motion.t[-1]) == ()

    def test_redundant_constraint_is_noted_and_the_run_continues(self):
        event = lk.Event("again", when=lk.t - HALF, add={"same": 2 * y - 2 * x})
        motion = bead().simulate(start={"x": 1.0}, until=1, events=[event])
        assert motion.outcome.complete
        assert "At t = 0.5: 'same' is redundant: it follows from 'wire'." in motion.outcome
        assert motion.q[-1, 0] == pytest.approx(1 - G / 4, abs=1e-9)
        total = motion.reactions["wire"][-1] + motion.reactions["same"][-1]
        np.testing.assert_allclose(total, [-G / 2, G / 2], rtol=1e-9)

    @pytest.mark.parametrize("other", [der(y) - der(x) - 1, der(y, 2) - der(x, 2) - 1])
    def test_contradictory_constraint_ends_the_run(self, other):
        event = lk.Event("again", when=lk.t - HALF, add={"other": other})
        motion = bead().simulate(start={"x": 1.0}, until=1, events=[event])
        assert motion.outcome.reason == "failed"
        assert "'again'" in motion.outcome
        assert "'other' contradicts 'wire'" in motion.outcome
        assert motion.t[-1] == pytest.approx(0.5)


class TestConditions:
    def test_nan_is_no_event(self):
        """The ball rises from below 1/2 through 3/2: log(x - 1/2) has events at 3/2 only."""
        event = lk.Event("log", when=sp.log(x - HALF))
        motion = ball().simulate(start={"x": 0.0, "x'": 8.0}, until=1.6, events=[event], rtol=1e-11, atol=1e-12)
        root = np.sqrt(64 - 2 * G * 1.5)
        np.testing.assert_allclose(motion.events["log"], [(8 - root) / G, (8 + root) / G], rtol=0, atol=1e-9)

    def test_condition_that_is_always_nan(self):
        event = lk.Event("never", when=sp.sqrt(-1 - x**2))
        motion = ball().simulate(start={"x": 1.0}, until=1, events=[event])
        assert motion.outcome.complete
        assert len(motion.events["never"]) == 0


class TestStatements:
    def test_all_faults_are_reported_together(self):
        message = faults(
            lambda: ball().watch(
                lk.Event("a", when=x, direction="up", set={"k": 1}, velocities={"z'": 1}, do=3),
                lk.Event("a", when=x, release=3),
                7,
                lk.Event("", when=x),
                lk.Event("b", when="x", terminal="yes"),
                lk.Event("c", when=sp.Integer(3)),
                lk.Event("d", when=x > 0, direction="falling"),
            )
        )
        for words in (
            "no direction 'up'", "k is not a parameter", "z' is not a velocity", "`do` must be a function",
            "another event with this name", "the name of a constraint is expected, not 3",
            "an lk.Event is expected, not 7", "a printable text, not ''", "the text 'x' is not an expression",
            "`terminal` must be True or False",
            "an event with an inequality happens when it becomes true",
        ):  # fmt: skip
            assert words in message

    def test_unknown_names_are_reported(self):
        message = faults(
            lambda: bead().watch(
                lk.Event("a", when=x, release="wirr", add=["nothing"]),
                lk.Event("b", when=lk.coordinates("z")),
                lk.Event("c", when=lk.reaction("rod") > 1),
                lk.Event("d", when=lk.reaction("wire", "z") > 1),
                lk.Event("e", when=lk.multiplier("wire", 1) > 1),
                lk.Event("f", when=der(x, 3)),
            )
        )
        for words in (
            "no constraint 'wirr', did you mean 'wire'?", "no constraint 'nothing'", "z(t) is not among",
            "no constraint 'rod'", "z is not a coordinate", "'wire' has 1 rows", "event 'f'",
        ):  # fmt: skip
            assert words in message

    def test_a_condition_that_never_changes(self):
        assert "which is constant" in faults(lambda: ball().watch(lk.Event("c", when=sp.Integer(3))))

    def test_duplicate_constraint_name_is_reported(self):
        assert "two constraints 'wire'" in faults(lambda: bead().watch(lk.Event("a", when=x, add={"wire": x})))

    def test_do_beside_other_actions_is_refused(self):
        event = lk.Event("a", when=x, set={g: 1}, do=lambda moment: None)
        assert "it has `do` and also" in faults(lambda: ball().watch(event))

    def test_invalid_chattering_limit_is_reported(self):
        assert "chattering" in faults(lambda: ball().simulate(until=1, events=[bounce(HALF)], chattering=0))
