"""Model files: a saved system is loaded as an equal one, and all faults of a file are reported."""

import json
import os
import stat
import tomllib
from fractions import Fraction

import pytest
import sympy as sp
from conftest import MODELS
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket import der
from lienket.errors import ModelFileError
from lienket.model.file import read_text
from lienket.model.file.json_schema import json_schema
from lienket.model.file.writing import write_text

x, y = lk.coordinates("x y")
m, g, k = lk.parameters("m g k")
MODEL_FILES = sorted(MODELS.glob("*.toml"))

DISC = """
lienket = 1
name = "disc"
coordinates = ["x", "y", "phi"]
kinetic = "m*(der(x)^2 + der(y)^2)/2 + J*der(phi)^2/2"
potential = "m*g*y"

[parameters]
m = 2.3
J = {value = 0.41, unit = "kg m^2"}
g = {}
r = "37/100"

[forces]
phi = "m*g*r"

[[constraints]]
name = "contact"
equation = "y - r"
"""


def faults_of(text):
    with pytest.raises(ModelFileError) as caught:
        read_text(text, "disc.toml")
    assert str(caught.value).startswith("The model file disc.toml has ")
    return str(caught.value)


@pytest.mark.parametrize("path", MODEL_FILES, ids=lambda path: path.stem)
def test_every_example_is_loaded_saved_and_loaded_again_unchanged(path, tmp_path):
    system = lk.load(path)
    lk.save(system, tmp_path / "again.toml")
    assert lk.load(tmp_path / "again.toml") == system
    assert system.free.A.shape == (len(system.coordinates),) * 2
    assert {p.name for p in system.parameters} == {s.name for s in system.values}  # every example has numbers


def test_a_file_states_what_python_states():
    J, r = lk.parameters("J r")
    phi = lk.coordinates("phi")
    stated = lk.System(
        "disc",
        [x, y, phi],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2,
        potential=m * g * y,
        forces={phi: m * g * r},
        values={m: 2.3, J: 0.41, r: Fraction(37, 100)},
        units={J: "kg m^2"},
    ).constrain("contact", y - r)
    assert lk.System.from_statement(read_text(DISC)) == stated


def everything():
    """State a system that uses every part of the format."""
    q = lk.coordinates("q", real=True)
    l, mu = sp.symbols("l mu", positive=True)
    return (
        lk.System(
            'all "parts"',
            [x, y, q],
            inertia=[[m + l**2, sp.sin(q), 0], [sp.sin(q), m * sp.exp(-lk.t), k], [0, k, sp.sqrt(l)]],
            potential=k * sp.Max(x - l, 0) ** 2 / 2 + sp.Piecewise((x, x > y), (y, sp.Ge(x, 2 * y)), (0, True)),
            forces={x: -mu * sp.sign(der(x)), q: sp.atan2(y, x) + sp.Rational(1, 3)},
            loads=[lk.Force((x, y, l * q), (1, 0.1, der(y)), "push"), lk.Force([q], [m])],
            dissipation=mu * der(x) ** 2 / 2 + 1e-9 * der(y) ** 2,
            values={l: sp.pi / 4, m: 0.1, k: 10**30, mu: Fraction(1, 3), sp.Symbol("later"): 2},
            units={l: "m", q: "rad", mu: "furlong"},
        )
        .constrain("rows", [x - l, y + q])
        .constrain("rolling", lk.Velocity(der(x) - l * der(q)))
        .constrain("nonlinear", der(x) ** 2 + der(y) ** 2 - 1)
        .constrain("given acceleration", der(q, 2) - sp.cos(lk.t))
        .constrain("program", lk.Program(x - lk.t, drives={"motor": {x: 1, q: l}, "winch": {y: 2}}))
    )


def test_the_round_trip_is_exact(tmp_path):
    system = everything()
    lk.save(system, tmp_path / "all.toml")
    loaded = lk.load(tmp_path / "all.toml")
    assert loaded == system and hash(loaded) == hash(system)
    assert loaded.values == system.values and loaded.units == system.units
    assert write_text(loaded.statement) == write_text(system.statement)


@random_cases(80)
@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(), st.fractions(max_denominator=10**6))
def test_numbers_survive_the_round_trip_exactly(number, whole, fraction):
    values = {m: number, k: whole, g: fraction}
    system = lk.System("numbers", [x], kinetic=m * der(x) ** 2, potential=k * g * x, values=values)
    assert read_text(write_text(system.statement)) == system.statement


@pytest.mark.parametrize(
    "potential",
    [
        sp.Piecewise((x**2, x < 0), (sp.Piecewise((y, y < k), (2, True)), True)),
        sp.Piecewise((0, x < m), (k * (x - m) ** 2 / 2, True)),
        k / (x - y) ** 2 + sp.sqrt(1 / (2 * m)),
        sp.Abs(x - y) * sp.Max(x, y, 0) * sp.sign(y),
    ],
)
def test_cases_and_kinks_survive_the_round_trip(potential):
    system = lk.System("cases", [x, y], kinetic=m * der(x) ** 2, potential=potential)
    assert read_text(write_text(system.statement)) == system.statement


@pytest.mark.parametrize(
    "potential",
    [
        sp.Rational(2, 3) / (sp.cos(x) + 2), -m * x / (7 * (y - sp.Rational(1, 2))), sp.pi / (3 * (x + sp.pi)),
        sp.sqrt(7) / (7 * (sp.Min(x, y) + sp.pi)), x / (2 + 10 / (3 * (y + sp.pi))), -sp.Rational(5, 4) / (x + y) ** 2,
        m / (6 * (x + 1) * (y + 2)), -2.5 / (sp.exp(sp.Rational(2, 3)) + sp.pi) * x,
    ],
    ids=str,
)  # fmt: skip
def test_fractions_over_sums_survive_the_round_trip(potential):
    """x/(3*(y + 1)) is not x/(3*y + 3): SymPy keeps the number outside of the sum."""
    stated = lk.System("test", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2), potential=potential)
    assert read_text(write_text(stated.statement), "(test)") == stated.statement


@pytest.mark.parametrize("potential", [x**100, (x + y) ** 70, 2**3000 * x, x ** sp.Rational(200, 3)])
def test_a_system_that_could_not_be_read_back_is_not_written(potential, tmp_path):
    system = lk.System("limits", [x, y], kinetic=m * der(x) ** 2, potential=potential)
    with pytest.raises(ModelFileError, match="it cannot be written"):
        lk.save(system, tmp_path / "model.toml")
    assert list(tmp_path.iterdir()) == []


def test_an_unevaluated_expression_survives_the_round_trip():
    factored = sp.Mul(2, x + y, evaluate=False) * m + sp.Mul(3, x - y, evaluate=False)
    system = lk.System("factored", [x, y], kinetic=m * der(x) ** 2, potential=factored)
    assert read_text(write_text(system.statement)) == system.statement


def test_an_energy_too_long_for_one_formula_is_written_as_a_list():
    n = 20
    q = [lk.coordinates(f"q{i}") for i in range(n)]
    px, T = sp.S.Zero, sp.S.Zero
    for i in range(n):
        px += sp.Symbol(f"length_{i}") * sp.sin(sum(q[: i + 1]))
        T += sp.Symbol(f"mass_{i}") * der(px) ** 2 / 2
    system = lk.System("long", q, kinetic=T)
    text = write_text(system.statement)
    assert isinstance(tomllib.loads(text)["kinetic"], list)
    assert read_text(text) == system.statement


# Faults


@pytest.mark.parametrize(
    ("old", "new", "messages"),
    [
        ("lienket = 1", "lienket = 2", ["lienket: version 2 of the format is not known"]),
        ("lienket = 1", "", ["lienket: this key is missing"]),
        ('name = "disc"', "name = 3", ["name: a text in quotes was expected, not 3"]),
        ("potential =", "potental =", ["potental: there is no such key, did you mean 'potential'?"]),
        ("[forces]", "[force]", ["force: there is no such key, did you mean 'forces'?"]),
        ("value = 0.41", "vlaue = 0.41", ["[parameters] J, vlaue: there is no such key, did you mean 'value'?"]),
        ("equation =", "equations =", ["[[constraints]] 'contact', equation: this key is missing",
                                       "[[constraints]] 'contact', equations: there is no such key"]),
        ('coordinates = ["x", "y", "phi"]', 'coordinates = "x"', ["coordinates: a list in square brackets"]),
        ('"m*g*y"', '"m*g*z"', ["potential: unknown name 'z'", "m*g*z", "    ^"]),
        ('"m*g*y"', '"m*g*(y"', ["potential: expected a closing parenthesis", "column 7"]),
        ('"y - r"', '"y - rr"', ["[[constraints]] 'contact', equation: unknown name 'rr', did you mean 'r'?"]),
        ('"y - r"', '"r - 2"', ["[[constraints]] 'contact': r - 2 = 0 contains no coordinate"]),
        ('"y - r"', '["y - r", "der(x)"]', ["[[constraints]] 'contact': its rows are of different kinds"]),
        ("phi = ", "psi = ", ["forces: psi is not a coordinate, did you mean 'phi'?"]),
        ('"m*g*r"', '"der(phi, 2)"', ["[forces] phi: it contains phi''"]),
        ("m = 2.3", 'm = "two"', ["[parameters] m: unknown name 'two'"]),
        ("m = 2.3", "m = true", ["[parameters] m: "]),
        ("m = 2.3", "m = nan", ["[parameters] m: nan is not a finite number"]),
        ("m = 2.3", "m = 2.3\nx = 1", ["[parameters] x: the name x is already in use"]),
        ("m = 2.3", "m = 2.3\nsin = 1", ["[parameters] sin: 'sin' is a reserved word of the formula language"]),
        ('"x", "y"', '"x", "x", "y"', ["coordinates: the name x is already in use"]),
        ('unit = "kg m^2"', "assume = {positive = true, negative = true}", ["its assumptions contradict each other"]),
        ('unit = "kg m^2"', "assume = {nonsense = true}", ["[parameters] J: there is no assumption 'nonsense'"]),
        ('name = "contact"', 'name = "contact"\nkind = "velocity"', ["is stated as velocity"]),
        ('name = "contact"', 'name = "contact"\nkind = "rolling"', ["'contact', kind: one of the allowed"]),
        ('name = "contact"', 'name = "contact"\ndrives = {a = {x = 1}}', ["only a program has drives"]),
        ('name = "contact"', 'name = "contact"\nkind = "program"', ["a program needs drives"]),
        ("kinetic =", "kinetic = = ", ["TOML: "]),
    ],
)  # fmt: skip
def test_each_fault_is_reported_with_its_table_and_key(old, new, messages):
    assert old in DISC
    text = faults_of(DISC.replace(old, new, 1))
    for message in messages:
        assert message in text


def test_all_faults_of_a_file_are_reported_together():
    text = faults_of(DISC.replace("m*g*y", "m*gg*y").replace("y - r", "y - +").replace("m*g*r", "m*(g"))
    assert "3 faults" in text
    for key in ("potential:", "[[constraints]] 'contact', equation:", "[forces] phi:"):
        assert key in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "it is not UTF-8 text"),
        (b"", "this key is missing"),
        (b"[" * 5000, "TOML"),
        (b"a = " + b"[" * 3000 + b"]" * 3000, "TOML"),
        (b"x" * (5 * 2**20), "it is larger than 4 MiB"),
        (b"a = " + b"9" * 5000, "TOML"),
        (b"zz" + b".a" * 5000 + b" = 1", "nested too deeply|no such key|TOML"),
        (DISC.replace("[[constraints]]", "[constraints]").encode(), r"Write \[\[constraints\]\] with double brackets"),
    ],
)
def test_a_file_that_is_no_model_is_refused_cleanly(content, message, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=message):
        lk.load(path)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path):
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + DISC.replace("\n", "\r\n").encode())
    assert lk.load(path).statement == read_text(DISC)


def test_a_missing_file_or_a_directory_is_refused_cleanly(tmp_path):
    with pytest.raises(ModelFileError, match="it cannot be read: No such file"):
        lk.load(tmp_path / "missing.toml")
    with pytest.raises(ModelFileError, match="it cannot be read: Is a directory"):
        lk.load(tmp_path)


@random_cases(150)
@given(st.integers(0, len(DISC) - 1), st.integers(0, 12), st.text(max_size=6))
def test_a_damaged_file_gives_a_system_or_a_clean_error(start, cut, insert):
    try:
        read_text(DISC[:start] + insert + DISC[start + cut :])
    except ModelFileError as error:
        assert error.faults and str(error)  # noqa: PT017


# Writing


def test_writing_is_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "model.toml"
    first = lk.System("first", [x], kinetic=m * der(x) ** 2)
    lk.save(first, path)

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(ModelFileError, match="it cannot be written: No space left"):
        lk.save(first.constrain("c", x), path)
    monkeypatch.undo()
    assert lk.load(path) == first
    assert [p.name for p in tmp_path.iterdir()] == ["model.toml"]


def test_permissions_and_links_survive(tmp_path):
    path, link = tmp_path / "model.toml", tmp_path / "link.toml"
    system = lk.System("first", [x], kinetic=m * der(x) ** 2)
    lk.save(system, path)
    path.chmod(0o640)
    link.symlink_to(path)
    lk.save(system.constrain("c", x), link)
    assert link.is_symlink() and len(lk.load(path).constraints) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_pipes_and_broken_links_are_refused(tmp_path):
    system = lk.System("first", [x], kinetic=m * der(x) ** 2)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("pipe", "loop", "nul\0"):
        with pytest.raises(ModelFileError, match=r"it cannot be (written|read)|not a regular file"):
            lk.save(system, tmp_path / name)
        with pytest.raises(ModelFileError, match=r"it cannot be read|not a regular file"):
            lk.load(tmp_path / name)


def test_arguments_of_save_in_the_wrong_order_are_reported():
    with pytest.raises(TypeError, match="the first argument of save must be a System or a Trajectory, not str"):
        lk.save("model.toml", lk.System("first", [x], kinetic=m * der(x) ** 2))


def test_writing_to_a_missing_folder_is_a_clean_error(tmp_path):
    system = lk.System("first", [x], kinetic=m * der(x) ** 2)
    with pytest.raises(ModelFileError, match="it cannot be written"):
        lk.save(system, tmp_path / "no" / "such" / "folder.toml")


# The schema


def test_the_schema_in_the_docs_is_the_one_in_force():
    published = json.loads((MODELS.parent.parent / "docs" / "model.schema.json").read_text())
    assert published == json_schema(), "run `make schema`"


def test_the_schema_names_every_key_of_the_examples():
    schema = json_schema()["$defs"]["ModelFile"]
    used = {key for path in MODEL_FILES for key in tomllib.loads(path.read_text())}
    assert used <= set(schema["properties"]) and {"lienket", "name", "coordinates"} <= set(schema["required"])
