"""Trajectories in files: data are read back bit for bit; faults of a file are reported."""

import csv
import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import lienket as lk
from lienket import der
from lienket.results.files import metadata as metadata_module
from lienket.simulation.memory import rejections
from lienket.simulation.outcome import stuck
from lienket.simulation.run.result import RankEvent
from lienket.trajectory import trajectory

FORMATS = (".npz", ".csv", ".parquet")
STRANGE = "ràng buộc \"1\", 'a/b' #2"


def needs(suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    return suffix


@pytest.fixture(params=FORMATS)
def suffix(request):
    return needs(request.param)


def pendulum(name="rod", **more):
    """State a mass on a rod that swings in a plane, y up."""
    m, g, L = lk.parameters("m g L")
    x, y = lk.coordinates("x y")
    system = lk.System(
        "pendulum", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y,
        values={m: 1.3, g: 9.81, L: 0.7}, **more,
    )  # fmt: skip
    return system.constrain(name, x**2 + y**2 - L**2)


@pytest.fixture(scope="module")
def run():
    system = pendulum()
    x, y = system.coordinates
    outputs = {"angle": lk.t + x * der(y, 2), "x": 2 * y, "work": der(x) / 3}
    return system.simulate({"g": 1 / 3}, start={"x": 0.7, "x'": 0.0}, guess={"y": -0.1}, until=9, outputs=outputs)


def same_bits(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].tobytes() == other[name].tobytes(), name


# Round trips


def test_a_trajectory_is_loaded_bit_for_bit(run, suffix, tmp_path):
    path = tmp_path / f"run{suffix}"
    lk.save(run, path)
    again = lk.load(path)
    assert again == run and hash(again) == hash(run)
    assert again.system == run.system
    same_bits(again.to_dict(), run.to_dict())
    assert again._run.steps.tobytes() == run._run.steps.tobytes()
    assert again.statistics == run.statistics and again.rank_events == run.rank_events
    assert again.audit.text() == run.audit.text()
    assert again.outcome == run.outcome and again.outcome.reason == run.outcome.reason
    assert again.outcome.time == run.outcome.time
    assert not again.q.flags.writeable


def test_states_between_the_rows_are_the_same(run, suffix, tmp_path):
    path = tmp_path / f"run{suffix}"
    run.save(path)
    again = lk.load(path)
    for time in (0.0, 0.123456789, 4.9, 9.0):
        assert again.at(time).q.tobytes() == run.at(time).q.tobytes()
        assert again.at(time).reactions["rod"].tobytes() == run.at(time).reactions["rod"].tobytes()
    same_bits(again.sampled(7).to_dict(), run.sampled(7).to_dict())


def test_awkward_numbers_survive(suffix):
    """Random bit patterns of finite numbers, the smallest and the largest ones, and both zeros are preserved."""
    from lienket.results.files import formats

    rng = np.random.default_rng(5)
    drawn = rng.integers(0, 2**64, 4000, dtype=np.uint64).view(float)
    special = [0.0, -0.0, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1 / 3, np.nan]
    values = np.concatenate([drawn[np.isfinite(drawn)], special])
    names = ("t", "q", "v", "work", "steps")
    arrays = {name: np.roll(values, k) for k, name in enumerate(names)}
    text = '{"a": 1}'
    data = {
        ".npz": lambda: formats.npz_bytes(text, arrays),
        ".csv": lambda: formats.csv_bytes(text, 1, arrays),
        ".parquet": lambda: formats.parquet_bytes(text, arrays),
    }[suffix]()
    metadata, again = {".npz": formats.from_npz, ".csv": formats.from_csv, ".parquet": formats.from_parquet}[suffix](
        data
    )
    assert metadata == text
    same_bits(again, arrays)


def test_metadata_keep_every_bit(run):
    """JSON has the shortest texts of numbers, which are read back as the same numbers."""
    rng = np.random.default_rng(6)
    drawn = rng.integers(0, 2**64, 2000, dtype=np.uint64).view(float)
    numbers = drawn[np.isfinite(drawn)]
    facts = metadata_module.metadata_of(run.system.statement, run._run, "work", "steps")
    text = metadata_module.metadata_text(replace(facts, parameters={str(k): float(x) for k, x in enumerate(numbers)}))
    again = np.array(list(metadata_module.read_metadata(text).parameters.values()))
    assert again.tobytes() == numbers.tobytes()
    json.loads(text, parse_constant=pytest.fail)  # plain JSON


def test_names_with_blanks_quotes_and_other_alphabets(suffix, tmp_path):
    run = pendulum(STRANGE).simulate(start={"x": 0.7}, until=0.3, outputs={'Höhe, "h" #': lk.coordinates("y")})
    path = tmp_path / f"mit Leerzeichen ü{suffix}"
    run.save(path)
    again = lk.load(path)
    assert again == run and again.constraints == (STRANGE,)
    same_bits(again.to_dict(), run.to_dict())


def test_a_system_without_constraints(suffix, tmp_path):
    x = lk.coordinates("x")
    run = lk.System("mass", [x], kinetic=der(x) ** 2 / 2).simulate(start={"x'": 2.0}, until=3)
    run.save(tmp_path / f"run{suffix}")
    again = lk.load(tmp_path / f"run{suffix}")
    assert again == run and again.multipliers.shape == (len(run), 0) and again.reactions == {}
    assert again.at(1.5).q[0] == run.at(1.5).q[0] == pytest.approx(3.0, rel=1e-12)


def test_tables_in_the_system_and_in_outputs_alone(suffix, tmp_path):
    x, t = lk.coordinates("x"), lk.t
    force = lk.table("force", [0, 1, 2, 4], [0, 1, 1 / 3, -1], kind="pchip", outside="hold")
    shown = lk.table("shown", [-9, 0.1, 9], [1, 2 / 3, 5], outside="extrapolate")
    system = lk.System("pushed", [x], kinetic=der(x) ** 2 / 2, forces={x: force(t)})
    run = system.simulate(until=3, outputs={"a": shown(x) + force(t), "slope": shown(t).diff(t)})
    run.save(tmp_path / f"run{suffix}")
    again = lk.load(tmp_path / f"run{suffix}")
    assert again == run
    same_bits(again.outputs, run.outputs)


def test_slices_and_resampled_runs(run, suffix, tmp_path):
    for part in (run[3:9], run[::4], run.sampled([0.5]), run.sampled(11)):
        part.save(tmp_path / f"part{suffix}")
        again = lk.load(tmp_path / f"part{suffix}")
        assert again == part and again.audit.text() == part.audit.text()


def test_a_run_that_got_stuck_and_passages_through_singular_positions(run, suffix, tmp_path):
    events = (RankEvent(0.1, 0.2, True), RankEvent(1 / 3, 0.4, False))
    outcome = stuck(run.t[-1], 20.0, rejections.RANK_LOST, 1e-14, 'The constraints "ü" are nearly dependent.')
    run = trajectory(run.system, replace(run._run, rank_events=events, outcome=outcome))
    run.save(tmp_path / f"run{suffix}")
    again = lk.load(tmp_path / f"run{suffix}")
    assert again == run and again.rank_events == events and again.outcome == run.outcome
    assert again.outcome.ending == outcome and again.outcome.start.startswith("Start: y")
    assert not again.outcome.complete and again.outcome.time == run.t[-1] and again.outcome.reason == "stuck"


def test_different_runs_are_not_equal(run):
    assert run != run[1:] and run != run.sampled(5) and run != "run"
    other = pendulum().simulate({"g": 1 / 3}, start={"x": 0.7, "x'": 0.0}, guess={"y": -0.1}, until=9)
    assert np.array_equal(other.q, run.q) and other != run  # the other run has no outputs


# Contents of the files


def test_an_archive_is_plain_numpy(run, tmp_path):
    run.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as saved:
        facts = json.loads(str(saved["facts"]))
        assert set(saved.files) == {
            "facts", "t", "q", "v", "accelerations", "multipliers", "work", "steps", "kinetic", "potential",
            "reactions/rod", "outputs/angle", "outputs/x", "outputs/work",
        }  # fmt: skip
        assert saved["reactions/rod"].tobytes() == run.reactions["rod"].tobytes()
        assert saved["accelerations"].tobytes() == run.accelerations.tobytes()
        assert saved["outputs/angle"].tobytes() == run.outputs["angle"].tobytes()
    assert facts["system"] == "pendulum" and facts["parameters"] == {"L": 0.7, "g": 1 / 3, "m": 1.3}
    assert facts["outputs"]["x"] == "2*y" and facts["method"] == "auto" and facts["rtol"] == 1e-8
    assert facts["outcome"]["sentence"] == run.outcome.ending


def test_a_csv_file_is_a_table_after_its_first_line(run, tmp_path):
    run.save(tmp_path / "run.csv")
    first, header, *rows = (tmp_path / "run.csv").read_text("utf-8").splitlines()
    assert first.startswith("# lienket trajectory 1 {")
    names = next(csv.reader([header]))
    assert names == [*run.to_dict(), "steps"] and len(rows) == len(run)
    assert [float(x) for x in rows[3].split(",")][:3] == [run.t[3], *run.q[3]]
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(tmp_path / "run.csv", skiprows=1)
    assert list(frame.columns) == names
    assert np.allclose(frame["reaction of rod on x"], run.reactions["rod"][:, 0], rtol=1e-15, atol=0)


def test_a_parquet_file_is_a_table_for_others(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    run.save(tmp_path / "run.parquet")
    table = parquet.read_table(tmp_path / "run.parquet")
    assert table.column_names == [*run.to_dict(), "steps"]
    assert np.array_equal(table.column("kinetic").to_numpy(), run.energy.kinetic)


def test_columns_of_the_same_name_are_distinguished(run):
    """The outputs x and work are named like a coordinate and an energy."""
    table = run.to_dict()
    assert np.array_equal(table["x"], run.q[:, 0]) and np.array_equal(table["output x"], 2 * run.q[:, 1])
    assert np.array_equal(table["work"], run.energy.work)
    assert np.array_equal(table["output work"], run.outputs["work"])


def test_coordinates_named_like_other_columns(suffix, tmp_path):
    work, steps = lk.coordinates("work steps")
    system = lk.System("names", [work, steps], kinetic=(der(work) ** 2 + der(steps) ** 2) / 2, forces={work: 1})
    run = system.simulate(start={"steps'": 1.0}, until=1, outputs={"steps": work, "output steps": steps})
    run.save(tmp_path / f"run{suffix}")
    again = lk.load(tmp_path / f"run{suffix}")
    assert again == run
    same_bits(again.to_dict(), run.to_dict())
    assert np.allclose(run.to_dict()["energy work"], run.q[:, 0], rtol=1e-7, atol=1e-12)  # W = F x with F = 1


def test_a_frame(run):
    pandas = pytest.importorskip("pandas")
    frame = run.to_frame()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t" and np.array_equal(frame.index, run.t)
    assert [*frame.columns] == [*run.to_dict()][1:]
    assert np.array_equal(frame["x''"], run.accelerations[:, 0])
    assert np.array_equal(frame["rod[0]"], run.multipliers[:, 0])


# Data that a file cannot hold


def spring(x):
    return -4.0 * x


def test_python_functions_are_not_written_but_the_numbers_are(suffix, tmp_path):
    x = lk.coordinates("x")
    law = lk.function("law", spring, derivatives=[lambda x: -4.0])
    run = lk.System("controlled", [x], kinetic=der(x) ** 2 / 2, forces={x: law(x)}).simulate(start={"x": 1.0}, until=1)
    path = tmp_path / f"run{suffix}"
    run.save(path)
    with pytest.raises(
        lk.LienketError, match=r"no model.*function 'law'.*Python function.*Its numbers.*(numpy|pandas)"
    ):
        lk.load(path)


def test_an_output_without_a_formula_is_mentioned(suffix, tmp_path):
    x = lk.coordinates("x")
    law = lk.function("law", spring)
    system = lk.System("mass", [x], kinetic=der(x) ** 2 / 2)
    run = system.simulate(start={"x'": 1.0}, until=1, outputs={"force": law(x), "double": 2 * x})
    run.save(tmp_path / f"run{suffix}")
    again = lk.load(tmp_path / f"run{suffix}")
    assert list(again.outputs) == ["double"] and again.outcome.complete
    assert again.outcome.ending == f"{run.outcome.ending} The file has the numbers but not the formula of 'force'."
    assert again.outcome.start == run.outcome.start == "Start: x assumed 0."


def test_other_endings_are_refused(run, tmp_path):
    with pytest.raises(lk.LienketError, match=r"\.npz, \.csv, \.parquet, not to 'run\.xlsx'"):
        run.save(tmp_path / "run.xlsx")
    with pytest.raises(lk.LienketError, match="cannot be written: No such file"):
        run.save(tmp_path / "nowhere" / "run.npz")
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "old.parquet").write_bytes(b"PAR1")
    for use in (lambda: run.save(tmp_path / "run.parquet"), lambda: lk.load(tmp_path / "old.parquet")):
        with pytest.raises(lk.LienketError, match=r'pip install "lienket\[sweep\]"'):
            use()
    assert not (tmp_path / "run.parquet").exists()


def test_without_pandas(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(lk.LienketError, match="pip install pandas"):
        run.to_frame()


@pytest.mark.parametrize("where", ["os.replace", "os.fsync"])
@pytest.mark.parametrize("error", [OSError("the disk is full"), KeyboardInterrupt()])
def test_an_interrupted_writing_leaves_the_old_file(run, suffix, tmp_path, monkeypatch, where, error):
    path = tmp_path / f"run{suffix}"
    run.save(path)
    before = path.read_bytes()

    def fail(*_):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(os, where.partition(".")[2], fail)
        with pytest.raises((lk.LienketError, KeyboardInterrupt)):
            run[2:5].save(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    assert lk.load(path) == run


# Bad files


def refused(path):
    with pytest.raises(lk.LienketError) as caught:
        lk.load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_no_file(suffix, tmp_path):
    assert "No such file" in refused(tmp_path / f"run{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    assert "cannot be read" in refused(tmp_path / f"folder{suffix}")


@pytest.mark.parametrize("content", [b"", b"t,x\n0,1\n", b"PK\x03\x04", b"PAR1", b"\x93NUMPY", b"\xff" * 99, b"{}"])
def test_foreign_files(suffix, tmp_path, content):
    path = tmp_path / f"run{suffix}"
    path.write_bytes(content)
    assert "cannot be read as a trajectory" in refused(path)


def test_truncated_files(run, suffix, tmp_path):
    """A truncated file is refused, wherever it is cut."""
    path = tmp_path / f"run{suffix}"
    run[:20].save(path)
    whole = path.read_bytes()
    for length in [*np.linspace(1, len(whole) - 2, 40).astype(int), len(whole) - 1]:
        path.write_bytes(whole[:length])
        assert "cannot be read as a trajectory" in refused(path)
    path.write_bytes(whole)
    assert lk.load(path) == run[:20]


def changed(run, path, facts=None, arrays=()):
    """Write a file of the run with some of its metadata or arrays changed; None removes an array."""
    run.save(path)
    with np.load(path) as saved:
        contents = {name: saved[name] for name in saved.files} | dict(arrays)
    if facts is not None:
        text = json.loads(str(contents["facts"]))
        contents["facts"] = np.array(json.dumps({k: v for k, v in (text | facts).items() if v != "absent"}))
    np.savez(path, **{name: values for name, values in contents.items() if values is not None})
    return path


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"format": 2}, "version 2 of the format, this package reads version 1"),
        ({"format": "absent"}, "metadata are not those of a trajectory"),
        ({"statistics": {"steps": 3}}, r"wrong or missing: statistics\.rejected"),
        ({"rtol": "1e-8"}, "wrong or missing: rtol"),
        ({"rtol": -1.0}, "tolerances"),
        ({"atol": [1e-10]}, "atol has 1 numbers for 2 coordinates"),
        ({"rows": 3}, "shape"),
        ({"coordinates": ["x", "z"]}, "the coordinates or parameters of its model differ"),
        ({"parameters": {"m": 1.0}}, "the coordinates or parameters of its model differ"),
        ({"parameters": {"m": 1.0, "g": float("inf"), "L": 1.0}}, "a parameter is not a finite number"),
        ({"phases": [{"method": "magic", "begin": 0.0, "end": 1.0, "steps": 1}]}, "no method 'magic'"),
        ({"model": "lienket = 1\nname ="}, "its model or its outputs have faults"),
        ({"outputs": {"bad": "__import__('os')"}}, "its model or its outputs have faults"),
        ({"outputs": {"bad": "unknown + 1"}}, "unknown name"),
        ({"tables": {"f": {"x": [1.0], "y": [1.0], "kind": "cubic", "outside": "hold"}}}, "2 points"),
    ],
)
def test_wrong_metadata_are_reported(run, tmp_path, facts, message):
    path = changed(run, tmp_path / "run.npz", facts)
    with pytest.raises(lk.LienketError, match=message):
        lk.load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: {"work": None}, "no array 'work'"),
        (lambda r: {"facts": None}, "no array 'facts'"),
        (lambda r: {"facts": np.array([1.0])}, "array 'facts' does not hold a text"),
        (lambda r: {"q": r.q[:-1]}, r"q has the shape \(\d+, 2\) instead of \(\d+, 2\)"),
        (lambda r: {"v": r.v[:, 0]}, "v has the shape"),
        (lambda r: {"q": np.where(np.arange(len(r))[:, None] == 3, np.nan, r.q)}, "q has entries"),
        (lambda r: {"t": r.t[::-1]}, "times do not increase"),
        (lambda r: {"t": r.t.astype(str)}, "array 't' does not hold float64 numbers"),
        (lambda r: {"steps": r._run.steps.astype(object)}, "pickle"),
    ],
)
def test_wrong_arrays_are_reported(run, tmp_path, change, message):
    path = changed(run, tmp_path / "run.npz", arrays=change(run))
    with pytest.raises(lk.LienketError, match=message):
        lk.load(path)


def test_a_damaged_archive(run, tmp_path):
    """A changed byte of q violates the checksum of the archive."""
    path = tmp_path / "run.npz"
    run.save(path)
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("q.npy").header_offset + 300
    data = bytearray(path.read_bytes())
    data[start] ^= 1
    path.write_bytes(data)
    assert "damaged" in refused(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# lienket trajectory 1 ", "# some other program ", "first line"),
        ("\nt,x,y,", "\nt,x,z,", "no column 'y'"),
        ("\nt,x,y,", "\nt,x,x,", "columns"),
        ("\nt,x,", "\nt,", "columns"),
        ("\n0,", "\nzero,", "rows cannot be read: could not convert string 'zero'"),
        ("\n0,", "\nnan,", "t has entries"),
        ("\n0,", "\n0,0,", "rows cannot be read"),
    ],
)
def test_wrong_csv_files_are_reported(run, tmp_path, old, new, message):
    path = tmp_path / "run.csv"
    run.save(path)
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")
    assert message in refused(path)


def test_a_csv_file_with_rows_taken_out_or_other_line_ends(run, tmp_path):
    path = tmp_path / "run.csv"
    run.save(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"\xef\xbb\xbf" + b"".join(lines).replace(b"\n", b"\r\n"))
    assert lk.load(path) == run
    path.write_bytes(b"".join(lines[:5] + lines[6:]))
    assert "the file is incomplete" in refused(path)


def test_a_parquet_file_of_others(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"t": [0.0, 1.0]}), tmp_path / "run.parquet")
    assert "its schema has no metadata 'lienket trajectory'" in refused(tmp_path / "run.parquet")


# Rows and columns


def test_some_of_the_rows(run):
    part = run[10:20]
    assert len(part) == 10 and np.array_equal(part.q, run.q[10:20])
    assert np.array_equal(part.reactions["rod"], run.reactions["rod"][10:20])
    assert np.array_equal(part["y'"], run["y'"][10:20]) and np.array_equal(part["x''"], run.accelerations[10:20, 0])
    middle = 0.5 * (part.t[3] + part.t[4])
    assert part.at(middle).q.tobytes() == run.at(middle).q.tobytes()
    assert part.audit.ok and part.energy.imbalance[0] == 0
    with pytest.raises(lk.LienketError, match="outside the run"):
        part.at(run.t[0])


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (slice(20, 10), "no rows"),
        (slice(10_000, None), "no rows"),
        (slice(None, None, -1), "step of a slice must be positive"),
        (3, "Index a trajectory by a column name"),
        ((0, 1), "Index a trajectory by a column name"),
        ("z", "no column named 'z'"),
        ("x'''", "no column named"),
    ],
)
def test_missing_rows_and_columns_are_reported(run, key, message):
    with pytest.raises(lk.LienketError, match=message):
        run[key]


@pytest.mark.parametrize("times", [[], 0, [1.0, 0.5], [1.0, 1.0], [[0.0, 1.0]]])
def test_other_times_must_increase(run, times):
    with pytest.raises(lk.LienketError, match="strictly increasing"):
        run.sampled(times)


# Pickles


def test_a_pickle_is_equal(run):
    run.at(0.4)
    again = pickle.loads(pickle.dumps(run))
    assert again == run and again.outcome == run.outcome and again.outcome.complete
    assert again.audit.text() == run.audit.text()
    same_bits(again.to_dict(), run.to_dict())
    assert again.at(0.77).q.tobytes() == run.at(0.77).q.tobytes()
    assert again._run.problem.model is run._run.problem.model  # the code is shared, not made again
    assert not again.q.flags.writeable


def test_a_pickle_and_a_file_in_another_process(run, tmp_path):
    """A state between the rows is computed in another process: no address of this process may be stored."""
    (tmp_path / "run.pickle").write_bytes(pickle.dumps((run, run._run.problem)))
    run.save(tmp_path / "run.npz")
    code = (
        "import pickle, pathlib, lienket as lk\n"
        "run, problem = pickle.loads(pathlib.Path('run.pickle').read_bytes())\n"
        "assert 'addresses' not in vars(problem)\n"
        "assert lk.load('run.npz') == run\n"
        "for motion in (run, lk.load('run.npz')):\n"
        "    print(motion.at(0.77).q.tobytes().hex(), motion.sampled(9).q.tobytes().hex())\n"
    )
    source = Path(lk.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(source), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)  # noqa: S603
    assert done.returncode == 0, done.stderr
    expected = f"{run.at(0.77).q.tobytes().hex()} {run.sampled(9).q.tobytes().hex()}"
    assert done.stdout.split("\n") == [expected, expected, ""]


def test_an_archive_is_the_same_bytes_each_time(run, tmp_path):
    first, second = tmp_path / "a.npz", tmp_path / "b.npz"
    run.save(first)
    run.save(second)
    assert first.read_bytes() == second.read_bytes()
    assert zipfile.ZipFile(io.BytesIO(first.read_bytes())).testzip() is None
