"""Model files that were run before: run again without formulas, bit for bit, and with the same messages."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import MODELS

import lienket as lk
from lienket import der
from lienket.assembly import description, models
from lienket.assembly.contacts.modes import contacts_of

FORMULAS_NEEDED = {"slider_crank_friction"}
"""Models whose run meets dependent constraints: whether they are so everywhere is a question for formulas."""
STARTS = {"four_bar": {"guess": {"b": 0.5, "c": 1.5}}, "carriage": {"until": 0.1}}
NO_SYMPY = """
import sys, lienket
motion = lienket.load(sys.argv[1]).simulate(until=0.2, start={"x": 0.5})
assert motion.outcome.complete, motion.outcome
motion["x"], motion.energy, motion.reactions, motion.audit.text()
print(sorted({"sympy", "symengine", "scipy", "numba", "matplotlib"} & set(sys.modules)))
"""


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    """Return an empty cache directory of its own; code that this process has loaded before is forgotten."""
    for cached in (models._compiled_model, description.numeric_system, contacts_of):
        cached.cache_clear()
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def path(tmp_path, cache_folder):
    """Return a model file of a pendulum in Cartesian coordinates."""
    x, y = lk.coordinates("x y")
    m, g, l = lk.parameters("m g l")
    free = lk.System("pendulum", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y)
    file = tmp_path / "pendulum.toml"
    lk.save(free.constrain("rod", x**2 + y**2 - l**2), file)
    text = file.read_text().replace("l = {}", "l = 1.0").replace("g = {}", "g = 9.81").replace("m = {}", "m = 2")
    file.write_text(text)
    return file


def formulas_read(system):
    return system.formulas_are_read


def in_another_process(path, code=NO_SYMPY):
    """Run the code in a process with the cache directory of the test; return what it prints."""
    settings = os.environ | {"PYTHONPATH": os.path.dirname(os.path.dirname(lk.__file__))}
    command = [sys.executable, "-c", code, str(path)]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=True).stdout  # noqa: S603


@pytest.mark.parametrize("name", sorted(p.stem for p in MODELS.glob("*.toml")))
def test_a_run_without_formulas_has_the_same_bits(name):
    options = {"until": 0.5} | STARTS.get(name, {})
    statement = lk.load(MODELS / f"{name}.toml").statement
    expected = lk.System.from_statement(statement).simulate(**options)
    lk.load(MODELS / f"{name}.toml").simulate(**options)
    again = lk.load(MODELS / f"{name}.toml")
    assert not formulas_read(again)
    motion = again.simulate(**options)
    assert formulas_read(again) == (name in FORMULAS_NEEDED)
    assert motion._run.same(expected._run)
    assert motion == expected  # reads the formulas


def test_a_later_process_imports_no_symbolic_library(path):
    first, second = in_another_process(path), in_another_process(path)
    assert "sympy" in first
    assert second == "[]\n"


def test_other_numbers_and_names_take_the_same_way(path):
    lk.load(path).simulate(start={"x": 0.6}, until=0.1)
    known = lk.load(path)
    motion = known.simulate({"m": 3, "g": 1.5}, start={"x": 0.6, "x'": 0.0}, guess={"y": -1.0}, until=1.0, rtol=1e-10)
    assert not formulas_read(known)
    fresh = lk.System.from_statement(known.statement)
    again = fresh.simulate({"m": 3, "g": 1.5}, start={"x": 0.6, "x'": 0.0}, guess={"y": -1.0}, until=1.0, rtol=1e-10)
    assert motion == again
    assert motion.start.origins == again.start.origins
    assert motion.at(0.5).reactions["rod"] == pytest.approx(again.at(0.5).reactions["rod"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"values": {"mm": 1}}, "mm"),
        ({"start": {"z": 1}}, "z is neither a coordinate nor a velocity"),
        ({"start": {"x": "far"}}, "must be a real number"),
        ({"start": {"x": 3.0}}, "rod"),
        ({"start": {"x": 0.5}, "guess": {"x": 0.4}}, "also given in start"),
        ({"until": -1}, "starts at 0"),
        ({"method": "euler"}, "there is no 'euler'"),
        ({"values": {"l": float("nan")}}, "not a finite number"),
        ({"values": {"l": 10**400}}, "must be a real number"),
        ({"start": {"x": 10**400}}, "must be a real number"),
        ({"times": [0.1, 10**400], "until": None}, "increasing numbers are expected"),
    ],
)
def test_faults_are_those_of_a_file_read_for_the_first_time(path, options, message):
    lk.load(path).simulate(until=0.1, start={"x": 0.5})
    known, messages = lk.load(path), []
    for system in (known, lk.System.from_statement(lk.load(path).statement)):
        with pytest.raises(lk.LienketError, match=message) as caught:
            system.simulate(**{"until": 1.0} | options)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_another_text_is_another_file(path):
    lk.load(path).simulate(until=0.1, start={"x": 0.5})
    path.write_text(path.read_text().replace("l = 1.0", "l = 2.0"))
    changed = lk.load(path)
    assert formulas_read(changed)
    q = changed.simulate(until=0.1, start={"x": 0.5}).q[0]
    assert q @ q == pytest.approx(4.0, abs=1e-12)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"level": 0', '"level": 1'),
        ("9.81", "9.91"),
        ('"rows": 1', '"rows": 0'),
        ('["x", "y"]', '["y", "x"]'),
        ("{", ""),
    ],
)
def test_a_damaged_record_is_ignored(path, cache_folder, old, new):
    expected = lk.load(path).simulate(until=0.1, start={"x": 0.5})
    (record,) = (cache_folder / "files").iterdir()
    assert old in record.read_text()
    record.write_text(record.read_text().replace(old, new))
    system = lk.load(path)
    assert formulas_read(system)
    assert system.simulate(until=0.1, start={"x": 0.5}) == expected


def test_the_record_of_another_file_is_ignored(path, cache_folder):
    lk.load(path).simulate(until=0.1, start={"x": 0.5})
    (record,) = (cache_folder / "files").iterdir()
    path.write_text(path.read_text().replace("l = 1.0", "l = 2.0"))
    record.rename(lk.load(path)._file._record)
    assert formulas_read(lk.load(path))


def test_a_record_of_another_shape_than_the_code_ends_the_run(path, cache_folder):
    """Machine code is not called with arguments shorter than those it was made for, even if the record says so."""
    lk.load(path).simulate(until=0.1, start={"x": 0.5})
    system = lk.load(path)
    code = system.numeric_system.code
    coordinates, parameters = code.size
    shorter = replace(code, size=(coordinates, parameters - 1))
    with pytest.raises(lk.LienketError, match="does not fit the file"):
        shorter.model((0,), "plain").function("terms")


@pytest.mark.parametrize("argument", ["x", "t"])
@pytest.mark.parametrize("end", [{"until": 5}, {"times": [0, 1, 5]}])
def test_a_run_beyond_a_table_ends_with_the_same_words(tmp_path, cache_folder, argument, end):
    x = lk.coordinates("x")
    slope = lk.table("slope", [0, 0.5, 1], [0, 1, 0.5])
    force = slope({"x": x, "t": lk.t}[argument]) + 1
    lk.save(lk.System("slide", [x], kinetic=der(x) ** 2 / 2, forces={x: force}), tmp_path / "slide.toml")
    first = lk.load(tmp_path / "slide.toml").simulate(**end)
    known = lk.load(tmp_path / "slide.toml")
    assert not formulas_read(known)
    outcome = str(known.simulate(**end).outcome)
    assert outcome == str(first.outcome) and "The table 'slope' ends" in outcome


def test_missing_code_is_made_from_the_formulas(path, cache_folder):
    in_another_process(path)
    shutil.rmtree(cache_folder / "code")
    system = lk.load(path)
    assert not formulas_read(system)
    motion = system.simulate(until=0.1, start={"x": 0.5})
    assert formulas_read(system)
    assert motion == lk.System.from_statement(system.statement).simulate(until=0.1, start={"x": 0.5})


def test_events_outputs_and_inputs_are_questions_for_the_formulas(path):
    lk.load(path).simulate(until=0.1, start={"x": 0.5})
    x = lk.coordinates("x")
    for options in ({"outputs": {"twice": 2 * x}}, {"events": [lk.Event("passes", when=x - 0.4)]}):
        system = lk.load(path)
        motion = system.simulate(until=0.2, start={"x": 0.5}, **options)
        assert formulas_read(system) and motion.outcome.complete


def test_a_known_system_is_a_system_like_any_other(path):
    lk.load(path).simulate(until=0.1, start={"x": 0.5})
    known, fresh = lk.load(path), lk.System.from_statement(lk.load(path).statement)
    assert known == fresh and hash(known) == hash(fresh)
    assert repr(lk.load(path)) == repr(fresh)
    x = lk.coordinates("x")
    assert lk.load(path).constrain("wall", x - 1) == fresh.constrain("wall", x - 1)
    with pytest.raises(AttributeError, match="never changes"):
        lk.load(path).name = "other"


COMMAND = """
import sys
sys.argv = ["lienket", "simulate", sys.argv[1], "--start", "x=0.5", "--until", "0.2"]
from lienket.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
print(sorted({"sympy", "symengine", "scipy", "numba", "matplotlib"} & set(sys.modules)))
"""


def test_the_command_line_runs_a_known_file_without_formulas(path):
    """Its output, with the start and its other assemblies, is that of the first time, except for the seconds."""
    first, second = in_another_process(path, COMMAND), in_another_process(path, COMMAND)
    assert "sympy" in first.splitlines()[-1] and second.splitlines()[-1] == "[]"
    without_seconds = [
        [line for line in text.splitlines()[:-1] if "evaluations" not in line] for text in (first, second)
    ]
    assert without_seconds[0] == without_seconds[1]


def _ball():
    """Return a ball that bounces, with an event of the file at the top of its path."""
    x, y = lk.coordinates("x y")
    m, g, e = lk.parameters("m g e")
    free = lk.System(
        "ball", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y,
        values={"m": 2, "g": 9.81, "e": 0.7},
    )  # fmt: skip
    floor = free.constrain("floor", y, law=lk.laws.Unilateral(restitution=e))
    top = lk.Event("top", when=der(y), direction="falling", set={g: 9.7})
    return floor.watch([top]), {"y": 0.5, "x'": 1.0}


def _block(weight=20):
    """Return a block that slides until it sticks, pulled by a spring; the coefficients are parameters.

    Blocks of another weight have other machine code, which no other test has loaded.
    """
    x, y = lk.coordinates("x y")
    mu, k = lk.parameters("mu k")
    free = lk.System(
        "block", [x, y], kinetic=der(x) ** 2 + der(y) ** 2, potential=weight * y + k * x**2,
        values={"mu": 0.3, "k": 5, "mu_s": 0.4},
    )  # fmt: skip
    mu_s = lk.parameters("mu_s")
    return free.constrain("floor, sticking", y, law=lk.Coulomb(mu, slip=der(x), mu_static=mu_s)), {"x'": 2.0}


def _program():
    """Return a mass on a program with feedback and bounds, beside one that holds exactly."""
    x, y = lk.coordinates("x y")
    free = lk.System("driven", [x, y], kinetic=der(x) ** 2 + der(y) ** 2 + der(x) * der(y) / 2)
    plan = lk.Program(x - lk.t**2, drives={"F": {x: 1}}, bounds={"F": (-3, 3)}, feedback=4)
    return free.constrain("plan", plan).constrain("path", lk.Program(y - lk.t, drives={"G": {y: 1}})), {"x": 0.2}


def _inputs():
    """Return a cart with inputs: a number, a formula with a table, and nothing; names in LaTeX."""
    x, theta = lk.coordinates(r"x \theta_{1}")
    F, G, H = lk.inputs("F G H")
    m = lk.parameters("m_{1}")
    force = lk.table("force", [0, 1, 3], [0, 1, 0.5])
    free = lk.System(
        "cart", [x, theta], kinetic=m * (der(x) ** 2 + der(theta) ** 2) / 2, forces={x: F + H, theta: G},
        inputs=[F, G, H], values={"m_{1}": 2},
    )  # fmt: skip
    return free.with_inputs({"F": 3, "G": force(lk.t) - der(theta)}), {"theta_1": 0.1, "x'": 1}


KINDS = {"ball": _ball, "block": _block, "program": _program, "inputs": _inputs}
SAME_NUMBERS = """
import json, sys, lienket
system = lienket.load(sys.argv[1])
motion = system.simulate(start=json.loads(sys.argv[2]), until=1.5)
numbers = [motion.t[-1], *motion.q[-1], *motion.v[-1], *motion.energy.total[[0, -1]], *motion.multipliers[-1]]
numbers += [sum(x.sum() for x in part.values()) for part in (motion.events, motion.drives, motion.inputs)]
print([float(x).hex() for x in numbers], motion.outcome, [(s.event, s.t) for s in motion.switches])
motion.audit.warnings, system.at(motion.q[0], motion.v[0]).accelerations, motion.start.others
print(sorted({"sympy", "symengine", "numba", "matplotlib"} & set(sys.modules)))
"""


QUICK = ("ball",)  # each starts processes of its own


@pytest.mark.parametrize("kind", [k if k in QUICK else pytest.param(k, marks=pytest.mark.slow) for k in KINDS])
def test_contacts_laws_programs_events_and_inputs_need_no_formulas(tmp_path, cache_folder, kind):
    """A second process has the numbers of the first, bit for bit, without a symbolic library."""
    system, start = KINDS[kind]()
    file = tmp_path / f"{kind}.toml"
    lk.save(system, file)
    settings = os.environ | {"PYTHONPATH": os.path.dirname(os.path.dirname(lk.__file__))}
    command = [sys.executable, "-c", SAME_NUMBERS, str(file), json.dumps(start)]
    texts = [subprocess.run(command, env=settings, capture_output=True, text=True, check=True).stdout for _ in "12"]  # noqa: S603
    (first, imported), (second, again) = (text.strip().rsplit("\n", 1) for text in texts)
    assert first == second
    assert "sympy" in imported and again == "[]"
    fresh = system.simulate(start=start, until=1.5)
    assert f"{float(fresh.q[-1][0]).hex()}" in first


def test_a_law_that_other_numbers_make_invalid_is_reported(tmp_path, cache_folder):
    system, start = _block(21)
    lk.save(system, tmp_path / "block.toml")
    assert lk.load(tmp_path / "block.toml").simulate(start=start, until=0.1).outcome.complete
    known = lk.load(tmp_path / "block.toml")
    assert not formulas_read(known)
    assert known.simulate({"k": 3}, start=start, until=0.1).outcome.complete
    assert not formulas_read(known)
    with pytest.raises(lk.ModelError, match=r"mu must not be negative, but is -1"):
        known.simulate({"mu": -1}, start=start, until=0.1)


def test_inputs_among_the_values_are_refused_without_formulas(tmp_path, cache_folder):
    system, start = _inputs()
    lk.save(system, tmp_path / "cart.toml")
    lk.load(tmp_path / "cart.toml").simulate(start=start, until=0.1)
    known = lk.load(tmp_path / "cart.toml")
    with pytest.raises(lk.ModelError, match="it is an input"):
        known.simulate({"F": 1}, until=0.1)
    assert not formulas_read(known)
    assert known.simulate([2.0], start=start, until=0.1).outcome.complete


def test_the_record_grows_with_the_modes_that_are_met(tmp_path, cache_folder):
    """A mode that no earlier run has met is compiled from the formulas, and known from then on."""
    system, _ = _block(22)
    lk.save(system, tmp_path / "block.toml")
    slides = {"start": {"x'": 2.0}, "until": 0.05}
    sticks = {"start": {"x": 0.01}, "until": 0.05}
    lk.load(tmp_path / "block.toml").simulate(**slides)
    other = lk.load(tmp_path / "block.toml")
    motion = other.simulate(**sticks)
    assert formulas_read(other) and motion.contacts["floor, sticking"].mode[-1] == "sticks"
    for options in (slides, sticks):
        known = lk.load(tmp_path / "block.toml")
        known.simulate(**options)
        assert not formulas_read(known)
