"""Runs with contacts and programs in files: equal runs are read back, with their modes, impulses and drives."""

import csv
import pickle

import numpy as np
import pytest
from conftest import MODELS

import lienket as lk
from lienket import der
from lienket.errors import LienketError

RUNS = {
    "belt": {"until": 1.5},
    "thrown_body": {"start": {"y": 0.3, "x'": 3.0}, "until": 1.5},
    "crane": {"start": {"s": 0.1, "l": 4.0}, "guess": {"z": 4.0}, "until": 3.0},
}


def digging():
    """Return a run with a program that is kept exactly by two drives."""
    machine = lk.load(MODELS / "digging_machine.toml")
    return machine.simulate(start={"phi1": 0.3}, guess={"phi2": 1.0}, until=0.2)


def oiled():
    """Return a run with laws without contacts, one of them added by an event."""
    x, y = lk.coordinates("x y")
    k = lk.parameters("k")
    free = lk.System("plate", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * y, values={k: 0.7})
    held = free.constrain("rail", y, law=lk.laws.Viscous(k, slip=der(x)))
    wind = lk.Event(
        "wind", when=x - 1, add={"gate": (der(y) + der(x) - 1, lk.laws.Exerted({x: -k * der(x)}))}, release="rail"
    )
    return held.simulate(start={"x'": 3.0}, until=1.0, events=[wind])


def made(name):
    if name in ("digging", "oiled"):
        return digging() if name == "digging" else oiled()
    return lk.load(MODELS / f"{name}.toml").simulate(**RUNS[name])


@pytest.fixture(scope="module", params=[*RUNS, "digging", "oiled"])
def run(request):
    return made(request.param)


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".parquet"])
def test_a_saved_run_is_loaded_equal(run, suffix, tmp_path):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    run.save(tmp_path / f"run{suffix}")
    again = lk.load(tmp_path / f"run{suffix}")
    assert again == run and again.system == run.system and again.outcome == run.outcome
    one, other = run.to_dict(), again.to_dict()
    assert one.keys() == other.keys()
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)
    assert again.audit.text() == run.audit.text()
    assert [str(x) for x in again.switches] == [str(x) for x in run.switches]
    assert [x.struck for x in again.switches] == [x.struck for x in run.switches]
    assert [x.law for x in again.switches] == [x.law for x in run.switches]
    assert {name: list(times) for name, times in again.events.items()} == {n: list(x) for n, x in run.events.items()}
    assert again.drives.keys() == run.drives.keys()
    for name, contact in run.contacts.items():
        assert list(again.contacts[name].mode) == list(contact.mode)
        assert again.contacts[name].friction.tobytes() == contact.friction.tobytes()
    middle = 0.4 * run.t[-1]
    assert again.at(middle).q.tobytes() == run.at(middle).q.tobytes()
    for name, reaction in run.at(middle).reactions.items():
        assert again.at(middle).reactions[name].tobytes() == reaction.tobytes()


def test_a_run_survives_pickling(run):
    assert pickle.loads(pickle.dumps(run)) == run


def test_different_runs_are_not_equal():
    """The comparison with loaded runs can fail."""
    sliding = made("thrown_body")
    other = sliding.system.simulate({"e": 0.4}, **RUNS["thrown_body"])
    assert sliding != other and len({*sliding.contacts["slope"].mode}) == 3 and sliding.switches[0].struck


def test_drives_are_columns(tmp_path):
    crane = made("crane")
    crane.save(tmp_path / "crane.csv")
    with open(tmp_path / "crane.csv", newline="") as file:
        file.readline()
        rows = list(csv.DictReader(file))
    np.testing.assert_array_equal([float(row["drive F"]) for row in rows], crane.drives["F"])
    crane.save(tmp_path / "crane.npz")
    with np.load(tmp_path / "crane.npz") as arrays:
        np.testing.assert_array_equal(arrays["drives/winch"], crane.drives["winch"])


def test_the_audit_reports_contacts_drives_and_programs():
    lines = made("thrown_body").audit.acting
    assert len(lines) == 1
    label, modes = lines[0]
    assert label == "contact slope" and modes.startswith("open for 0.") and modes.count(" for ") == 3
    durations = dict(
        zip(("slope", "sliding", "sticking"), [float(x.split(" for ")[1]) for x in modes.split(",")], strict=True)
    )
    assert sum(durations.values()) == pytest.approx(1.5, abs=1e-5)
    labels = [label for label, _ in made("crane").audit.acting]
    assert labels == ["drive F", "drive winch", "program path", "program lift"]


def test_a_file_of_another_model_is_refused(tmp_path):
    """Modes of contacts are data of the run: without them, or with the law removed, the file is incomplete."""
    made("belt").save(tmp_path / "belt.csv")
    text = (tmp_path / "belt.csv").read_text()
    for old, new in (("direction(belt)", "direction(bell)"), ('"active":[[', '"active":[[7,')):
        assert old in text
        (tmp_path / "other.csv").write_text(text.replace(old, new))
        with pytest.raises(LienketError, match="cannot be read as a trajectory"):
            lk.load(tmp_path / "other.csv")
