"""The last sentence of an outcome names the numbers of the start that were not given, and where they come from."""

import pickle

import numpy as np
import pytest
from starting import model, point

import lienket as lk
from lienket import der
from lienket.simulation.outcome import Outcome


def told(system, **options):
    """Return the sentence on the start of a run."""
    outcome = system.simulate(until=0.01, **options).outcome
    assert str(outcome) == (f"{outcome.ending} {outcome.start}" if outcome.start else outcome.ending)
    assert outcome.ending.startswith("The run reached its end at t = 0.01, by dop853 in ")
    return outcome.start


@pytest.mark.parametrize(
    ("start", "guess", "sentence"),
    [
        ({"phi": 0.7, "phi'": 2.0}, None, "Start: theta and theta' computed from the constraints."),
        ({"phi": 0.7}, None, "Start: theta computed from the constraints; all velocities assumed 0."),
        (None, None, "Start: all positions and velocities assumed 0."),
        ({"phi'": 1.0}, None, "Start: theta' computed from the constraints; all positions assumed 0."),
        ({"phi": 0.7, "phi'": 0}, {"theta": 0.2}, "Start: theta computed from the constraints; theta' assumed 0."),
        ({"phi": 0, "phi'": 0}, {"theta": 0.0}, "Start: theta as guessed; theta' assumed 0."),
        ({"phi": 0, "phi'": 0, "theta": 0.0, "theta'": 0.0}, None, ""),
        (([0.0, 0.0], [0.0, 0.0]), None, ""),
        (([0.0, 0.0], None), None, "Start: all velocities assumed 0."),
    ],
)
def test_the_sentence_on_a_start(start, guess, sentence):
    assert told(model("slider_crank"), start=start, guess=guess) == sentence


def test_a_result_of_consistent_is_told_as_it_was_stated():
    crank = model("slider_crank")
    start = crank.consistent({"phi": 0.7, "phi'": 2.0})
    assert told(crank, start=start) == told(crank, start={"phi": 0.7, "phi'": 2.0})


def test_long_lists_are_shortened():
    system, _ = point("many", "a b c d e f g h")
    assert told(system, start={"h": 1.0, "h'": 1.0}) == ("Start: a, b, c, d, e, f and 8 more assumed 0.")
    assert told(system, start={"h": 1.0}) == "Start: a, b, c, d, e, f and 2 more assumed 0."


def test_a_single_coordinate_is_named():
    system, _ = point("one", "x")
    assert told(system) == "Start: x and x' assumed 0."


def test_a_start_that_is_known_from_a_file_is_told_alike(tmp_path):
    """The first run of a model file has the formulas, a later one only numbers."""
    crank, path = model("slider_crank"), tmp_path / "crank.toml"
    lk.save(crank, path)
    runs = [lk.load(path).simulate(start={"phi": 0.7}, until=0.01) for _ in range(2)]
    assert runs[0].outcome == runs[1].outcome and runs[0] == runs[1]
    assert runs[0].outcome.start == "Start: theta computed from the constraints; all velocities assumed 0."


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
def test_files_and_pickles_keep_the_sentence(suffix, tmp_path):
    motion = model("slider_crank").simulate(start={"phi": 0.7}, until=0.01)
    motion.save(tmp_path / f"motion{suffix}")
    for again in (lk.load(tmp_path / f"motion{suffix}"), pickle.loads(pickle.dumps(motion)), motion[:1]):
        assert again.outcome == motion.outcome
        assert again.outcome.start == motion.outcome.start != ""


def test_runs_from_the_same_state_are_equal_however_it_was_stated():
    crank = model("slider_crank")
    part = crank.simulate(start={"phi": 0.7}, until=0.1)
    whole = crank.simulate(start=(part.start.q, part.start.v), until=0.1)
    assert part == whole and part.outcome.start and not whole.outcome.start
    assert part.outcome.ending == whole.outcome.ending == whole.outcome


def test_the_sentence_stays_the_last_one():
    outcome = Outcome("The run ended.", "finished", 2.0).beginning("Start: x assumed 0.").adding("One more.")
    assert str(outcome) == "The run ended. One more. Start: x assumed 0."
    assert (outcome.ending, outcome.reason, outcome.time) == ("The run ended. One more.", "finished", 2.0)
    assert outcome.beginning("") == "The run ended. One more."
    again = pickle.loads(pickle.dumps(outcome))
    assert again == outcome and again.start == outcome.start and again.ending == outcome.ending


def test_a_run_that_stops_is_told_from_where_it_started():
    x = lk.coordinates("x")
    system = lk.System("falling", [x], kinetic=der(x) ** 2 / 2, forces={x: -1 / x**2})
    outcome = system.simulate(start={"x": 1.0}, until=5).outcome
    assert not outcome.complete
    assert outcome.endswith(" Start: x' assumed 0.") and "Start" not in outcome.ending
    assert np.isclose(outcome.time, np.pi / (2 * np.sqrt(2)), rtol=1e-6)
