"""The start of a run: which numbers were given, what was assumed, other assemblies; kept in files and pickles."""

import pickle

import numpy as np
import pytest
from conftest import MODELS

import lienket as lk
from lienket.results.files.start_metadata import StartMetadata, start_of


@pytest.fixture(scope="module")
def crank():
    return lk.load(MODELS / "slider_crank.toml")


def test_origins_assumptions_and_other_assemblies(crank):
    motion = crank.simulate(start={"phi": 0.7, "phi'": 2.0}, until=0.1)
    start = motion.start
    assert start.origins == {"phi": "given", "theta": "open", "phi'": "given", "theta'": "open"}
    assert np.array_equal(start.q, motion.q[0])
    assert np.array_equal(start.v, motion.v[0])
    (other,) = start.others
    assert other == pytest.approx([0.7, np.pi - start.q[1]])
    positions, velocities = start.assumptions
    assert "nearest to the guess (0 where none is given), in the metric of A" in positions
    assert "least kinetic energy" in velocities
    assert "theta = 0.23542, theta' = 0.569562 not given" in motion.audit.text()


def test_guesses_are_told_apart_from_what_was_left_open(crank):
    start = crank.consistent({"phi": 0.7}, guess={"theta": 3.0, "theta'": 1.0})
    assert start.origins == {"phi": "given", "theta": "guess", "phi'": "open", "theta'": "guess"}
    assert [sentence.split()[1] for sentence in start.assumptions] == ["positions", "velocities"]
    assert "least" not in " ".join(start.assumptions)
    assert "0 where none is given" not in start.assumptions[0]


def test_a_whole_state_leaves_nothing_to_be_assumed(crank):
    q, v = crank.consistent({"phi": 0.7})
    motion = crank.simulate(start=(q, v), until=0.1)
    assert set(motion.start.origins.values()) == {"given"}
    assert motion.start.assumptions == ()
    assert motion.start.others == ()
    assert "not given" not in motion.audit.text()


def test_a_start_that_was_computed_before_keeps_its_origins(crank):
    start = crank.consistent({"phi": 0.7})
    motion = crank.simulate(start=start, until=0.1)
    assert motion.start.origins == start.origins
    assert len(motion.start.others) == len(start.others) == 1


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
def test_files_and_pickles_keep_the_start(crank, tmp_path, suffix):
    motion = crank.simulate(start={"phi": 0.7}, guess={"theta": 3.0}, until=0.1)
    motion.save(tmp_path / f"run{suffix}")
    for again in (lk.load(tmp_path / f"run{suffix}"), pickle.loads(pickle.dumps(motion))):
        assert again == motion
        assert again.start.origins == motion.start.origins
        assert again.start.assumptions == motion.start.assumptions
        assert np.array_equal(again.start.q, motion.start.q)
        assert [q.tolist() for q in again.start.others] == [q.tolist() for q in motion.start.others]


def test_rows_of_a_run_keep_its_start(crank):
    motion = crank.simulate(start={"phi": 0.7}, until=0.1)
    for part in (motion[2:], motion.sampled([0.05, 0.1])):
        assert np.array_equal(part.start.q, motion.q[0])


def test_a_file_without_a_start_has_none_and_a_damaged_one_is_refused():
    assert start_of(None, ("x",)) is None
    damaged = StartMetadata(0.0, [1.0], [1.0], [1.0], [True], [False], [])
    with pytest.raises(ValueError, match="numbers of 1 coordinates"):
        start_of(damaged, ("x",))
