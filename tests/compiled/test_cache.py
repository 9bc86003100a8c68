"""Machine code on disk: reused for equal statements, replaced when damaged, without effect on the numbers."""

import math
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lienket as lk
from lienket import der
from lienket.compiled.machine import cache
from lienket.compiled.machine.cache import cache_directory
from lienket.compiled.model import CompiledModel
from lienket.language.symbols import t

m, g, k, b, l = lk.parameters("m g k b l")
FUNCTIONS = ("terms", "motion", "surface", "energy", "derivatives", "parameter_derivatives", "numbers")


def pendulum(names="x y", stiffness=3, power=2, function=None):
    """Return a point on a rod with a spring."""
    x, y = lk.coordinates(names)
    spring = stiffness * x**power / 2
    forces = {x: -b * der(x) + (function(t) if function else 0)}
    system = lk.System(
        "any name", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y + spring, forces=forces
    )
    return system.constrain(f"rod of {names}", x**2 + y**2 - l**2)


def model(system):
    """Return a new model, not one kept in memory."""
    return CompiledModel(system.statement.free, system.constraints, system.parameters)


def numbers(made, name):
    """Return the status and the numbers of a function at a fixed state."""
    function = made.function(name)
    q, v = np.array([0.6, -0.8]), np.array([0.4, 0.3])
    return function(0.7, q, v, np.array([0.1, 9.81, 1.0, 2.0]), np.array([0.3, -0.2, 1.7]))


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    """Set and return an empty cache folder for the test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(folder))
    return folder


def kept(cache_folder):
    return sorted(path for path in (cache_folder / "code").rglob("*") if path.is_file())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_equal_statement_reuses_its_code(cache_folder, name):
    first, second = model(pendulum()), model(pendulum())
    status, expected = numbers(first, name)
    assert not first.function(name).from_cache and len(kept(cache_folder)) == 1
    again, out = numbers(second, name)
    assert second.function(name).from_cache and len(kept(cache_folder)) == 1
    assert again == status and out.tobytes() == expected.tobytes()
    assert second.function(name).info == first.function(name).info
    assert second.function(name).bytes == first.function(name).bytes > 0


def test_missing_motion_function_is_cached(cache_folder):
    x, y = lk.coordinates("x y")
    system = lk.System("massless", [x, y], kinetic=m * der(x) ** 2 / 2)
    assert model(system).motion is None
    (path,) = kept(cache_folder)
    written = path.read_bytes()
    assert model(system).motion is None
    assert path.read_bytes() == written and len(kept(cache_folder)) == 1


@pytest.mark.parametrize("names", ["u v", "y x", "alpha beta", "zz a"])
def test_other_names_share_the_code(cache_folder, names):
    first, second = model(pendulum()), model(pendulum(names))
    expected = numbers(first, "terms")[1]
    out = numbers(second, "terms")[1]
    assert second.function("terms").from_cache and len(kept(cache_folder)) == 1
    np.testing.assert_array_equal(out, expected)


def test_different_statements_are_compiled_anew(cache_folder):
    systems = [pendulum(), pendulum(stiffness=4), pendulum(power=4), pendulum().release("rod of x y")]
    systems.append(systems[0].constrain("twice", lk.coordinates("x") - 1))
    made = [model(system) for system in systems]
    assert not any(one.function("terms").from_cache for one in made)
    assert len(kept(cache_folder)) == len(systems)
    forces = [numbers(one, "terms")[1][4] for one in made[:3]]
    assert [f - forces[0] for f in forces] == pytest.approx([0.0, -0.6, 3 * 0.6 - 6 * 0.6**3], abs=1e-14)


def test_numbers_of_parameters_need_no_new_code(cache_folder):
    system = pendulum()
    for value in (1.0, 2.5):
        assert system.at([0.6, -0.8], [0, 0], values={m: value, g: 9.81, b: 0, l: 1}).A[0, 0] == value
    assert len(kept(cache_folder)) == 1


def test_a_table_with_another_number_is_other_code(cache_folder):
    x, y = lk.coordinates("x y")
    for name, height, cached in (("road", 1.0, False), ("way", 1.0, True), ("road", 2.0, False)):
        road = lk.table(name, [0, 1, 2], [0, height, 0])
        system = lk.System("point", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=road(x))
        made = model(system).function("terms")
        _, out = made(0.0, np.array([0.5, 0]), np.zeros(2), np.ones(1), np.zeros(2))
        assert out[4] == pytest.approx(-height)  # the slope of the parabola through the points
        assert made.from_cache == cached


DAMAGE = {
    "truncated": lambda content: content[: len(content) // 2],
    "cut in its head": lambda content: content[:10],
    "empty": lambda content: b"",
    "foreign": lambda content: b"#!/bin/sh\necho hello\n",
    "without its head": lambda content: content[len(cache.MAGIC) :],
    "longer": lambda content: content + b"\0",
    "one bit in the head": lambda content: bytes([content[0] ^ 1]) + content[1:],
    "one bit in the digest": lambda content: content[:20] + bytes([content[20] ^ 4]) + content[21:],
    "one bit in the facts": lambda content: content[:70] + bytes([content[70] ^ 16]) + content[71:],
    "one bit in the code": lambda content: content[:-99] + bytes([content[-99] ^ 128]) + content[-98:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_ignored_and_replaced(cache_folder, damage):
    expected = numbers(model(pendulum()), "terms")[1]
    (path,) = kept(cache_folder)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    second = model(pendulum())
    np.testing.assert_array_equal(numbers(second, "terms")[1], expected)
    assert not second.function("terms").from_cache
    third = model(pendulum())
    np.testing.assert_array_equal(numbers(third, "terms")[1], expected)
    assert third.function("terms").from_cache and kept(cache_folder) == [path]


def test_directory_in_place_of_a_file_is_harmless(cache_folder):
    expected = numbers(model(pendulum()), "terms")[1]
    (path,) = kept(cache_folder)
    path.unlink()
    path.mkdir()
    np.testing.assert_array_equal(numbers(model(pendulum()), "terms")[1], expected)
    assert kept(cache_folder) == []  # no temporary file remains


def test_missing_directory_is_harmless(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no directory")
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(tmp_path / "file" / "below"))
    _, out = numbers(model(pendulum()), "terms")
    assert np.all(np.isfinite(out))
    assert (tmp_path / "file").read_text() == "no directory"


def test_cache_that_cannot_be_written_is_read_or_ignored(cache_folder, monkeypatch):
    """With a full disk or missing rights the numbers are right, nothing is kept and no temporary file remains."""
    expected = numbers(model(pendulum()), "terms")[1]

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.os, "replace", full)
    np.testing.assert_array_equal(numbers(model(pendulum()), "terms")[1], expected)
    assert np.all(np.isfinite(numbers(model(pendulum(power=4)), "terms")[1]))
    assert len(kept(cache_folder)) == 1


@pytest.mark.parametrize("rights", [0o777, 0o770, 0o702])
def test_a_directory_that_others_may_write_to_is_not_used(cache_folder, rights):
    cache_folder.mkdir()
    cache_folder.chmod(rights)
    assert np.all(np.isfinite(numbers(model(pendulum()), "terms")[1]))
    assert kept(cache_folder) == [] and cache_directory() != cache_folder


def test_python_functions_are_not_kept(cache_folder):
    function = lk.function("push", math.sin)
    for _ in range(2):
        made = model(pendulum(function=function))
        _, out = numbers(made, "terms")
        assert out[4] == pytest.approx(-3 * 0.6 - 0.1 * 0.4 + math.sin(0.7), rel=1e-14)
        assert not made.function("terms").from_cache
    assert kept(cache_folder) == []


def test_files_belong_to_the_user_alone(cache_folder):
    model(pendulum()).function("terms")
    (path,) = kept(cache_folder)
    for one, rights in ((path, 0o600), (path.parent, 0o700), (cache_folder, 0o700)):
        assert stat.S_IMODE(one.stat().st_mode) == rights


CODE = """
import sys; sys.path.insert(0, {tests!r})
from test_cache import model, numbers, pendulum, FUNCTIONS
made = model(pendulum())
for name in FUNCTIONS:
    print(name, numbers(made, name)[1].tobytes().hex())
print("kept", sum(f.from_cache for f in made.functions()), file=sys.stderr)
"""


def start(**environment):
    """Start a process that calls every function."""
    search = os.pathsep.join([str(Path(lk.__file__).parents[1]), str(Path(__file__).parent)])
    settings = {key: value for key, value in os.environ.items() if key not in ("LIENKET_CACHE_DIR", "XDG_CACHE_HOME")}
    code = CODE.format(tests=str(Path(__file__).parent))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], env=settings | {"PYTHONPATH": search} | environment, **pipes)  # noqa: S603


@pytest.mark.slow
def test_several_processes_at_once_and_one_after(tmp_path):
    cache_folder = tmp_path / "cache"
    processes = [start(LIENKET_CACHE_DIR=str(cache_folder)) for _ in range(4)]
    outputs = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    assert len({out for out, _ in outputs}) == 1
    assert len(kept(cache_folder)) == len(FUNCTIONS)
    after = start(LIENKET_CACHE_DIR=str(cache_folder))
    assert after.communicate() == (outputs[0][0], f"kept {len(FUNCTIONS)}\n")
    assert not [path for path in kept(cache_folder) if path.name.startswith(".")]


def test_default_cache_folder_of_the_platform_is_used(tmp_path):
    process = start(XDG_CACHE_HOME=str(tmp_path))
    assert process.communicate()[1] == "kept 0\n"
    assert len(kept(tmp_path / "lienket")) == len(FUNCTIONS)


def test_oldest_files_are_removed_beyond_the_size_limit(cache_folder, monkeypatch):
    monkeypatch.setattr(cache, "WRITES_PER_SWEEP", 1)
    monkeypatch.setattr(cache, "CACHE_SIZE_LIMIT", 2500)
    names = [f"{k:064x}" for k in range(4)]
    for age, name in enumerate(names):
        cache.write(name, {"a": 1}, bytes(1000))
        os.utime(cache_folder / "code" / name, (age, age))
    assert [cache.read(name) is not None for name in names] == [False, False, True, True]


def test_a_file_that_vanishes_while_the_size_is_measured_does_not_disturb(cache_folder, monkeypatch):
    """Another process may rename its file between the listing and the reading of its size: here a dangling link."""
    monkeypatch.setattr(cache, "WRITES_PER_SWEEP", 1)
    monkeypatch.setattr(cache, "CACHE_SIZE_LIMIT", 2500)
    (cache_folder / "code").mkdir(parents=True, mode=0o700)
    (cache_folder / "code" / ".new-gone").symlink_to(cache_folder / "nowhere")
    names = [f"{k:064x}" for k in range(4)]
    for age, name in enumerate(names):
        cache.write(name, {"a": 1}, bytes(1000))
        os.utime(cache_folder / "code" / name, (age, age))
    assert [cache.read(name) is not None for name in names] == [False, False, True, True]


@pytest.mark.parametrize(
    ("file", "old", "new", "same"),
    [
        ("language/data_functions/table.py", "np.diff(y) / np.diff(x)", "np.diff(x) / np.diff(y)", False),
        ("compiled/emit/llvm.py", "class Emitter:", "class Emitter:\n    other = 1\n", False),
        ("language/data_functions/table.py", "heavy, so imported", "imported", True),
    ],
)
def test_code_depends_on_all_that_computes_its_constants(tmp_path, file, old, new, same):
    """The polynomials of tables are constants in the code, although another room computes them."""
    package = tmp_path / "lienket"
    shutil.copytree(os.path.dirname(lk.__file__), package, ignore=shutil.ignore_patterns("__pycache__", "*.xz"))
    digests = []
    for text in ((package / file).read_text(), (package / file).read_text().replace(old, new, 1)):
        (package / file).write_text(text)
        digests.append(_compiler_digest(tmp_path))
    assert (digests[0] == digests[1]) == same


def _compiler_digest(folder):
    """Return the digest of the compiler of the package in a folder."""
    code = "from lienket.compiled.machine.cache import compiler_digest; print(compiler_digest())"
    settings = os.environ | {"PYTHONPATH": str(folder), "LIENKET_CACHE_DIR": str(folder / "cache")}
    run = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)  # noqa: S603
    return run.stdout
