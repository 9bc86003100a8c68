"""Machine code kept on disk: found again by what is stated, repaired when damaged, never in the way."""

import math
import os
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
    """A point on a rod with a spring."""
    x, y = lk.coordinates(names)
    spring = stiffness * x**power / 2
    forces = {x: -b * der(x) + (function(t) if function else 0)}
    system = lk.System(
        "any name", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y + spring, forces=forces
    )
    return system.constrain(f"rod of {names}", x**2 + y**2 - l**2)


def model(system):
    """A model of its own, not one kept in memory."""
    return CompiledModel(system.statement.free, system.constraints, system.parameters)


def numbers(made, name):
    """The numbers of a function at some state."""
    function = made.function(name)
    q, v = np.array([0.6, -0.8]), np.array([0.4, 0.3])
    return function(0.7, q, v, np.array([0.1, 9.81, 1.0, 2.0]), np.array([0.3, -0.2, 1.7]))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty cache of the test's own."""
    found = tmp_path / "cache"
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(found))
    return found


def kept(place):
    return sorted(path for path in (place / "code").rglob("*") if path.is_file())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_equal_statement_finds_its_code_again(place, name):
    first, second = model(pendulum()), model(pendulum())
    status, expected = numbers(first, name)
    assert not first.function(name).from_cache and len(kept(place)) == 1
    again, found = numbers(second, name)
    assert second.function(name).from_cache and len(kept(place)) == 1
    assert again == status and found.tobytes() == expected.tobytes()
    assert second.function(name).info == first.function(name).info
    assert second.function(name).bytes == first.function(name).bytes > 0


def test_that_a_motion_cannot_be_written_is_kept_too(place):
    x, y = lk.coordinates("x y")
    system = lk.System("massless", [x, y], kinetic=m * der(x) ** 2 / 2)
    assert model(system).motion is None
    (path,) = kept(place)
    written = path.read_bytes()
    assert model(system).motion is None
    assert path.read_bytes() == written and len(kept(place)) == 1


@pytest.mark.parametrize("names", ["u v", "y x", "alpha beta", "zz a"])
def test_other_names_share_the_code(place, names):
    first, second = model(pendulum()), model(pendulum(names))
    expected = numbers(first, "terms")[1]
    found = numbers(second, "terms")[1]
    assert second.function("terms").from_cache and len(kept(place)) == 1
    np.testing.assert_array_equal(found, expected)


def test_what_is_stated_otherwise_is_compiled_anew(place):
    systems = [pendulum(), pendulum(stiffness=4), pendulum(power=4), pendulum().release("rod of x y")]
    systems.append(systems[0].constrain("twice", lk.coordinates("x") - 1))
    made = [model(system) for system in systems]
    assert not any(one.function("terms").from_cache for one in made)
    assert len(kept(place)) == len(systems)
    forces = [numbers(one, "terms")[1][4] for one in made[:3]]
    assert [f - forces[0] for f in forces] == pytest.approx([0.0, -0.6, 3 * 0.6 - 6 * 0.6**3], abs=1e-14)


def test_numbers_of_parameters_need_no_new_code(place):
    system = pendulum()
    for value in (1.0, 2.5):
        assert system.at([0.6, -0.8], [0, 0], values={m: value, g: 9.81, b: 0, l: 1}).A[0, 0] == value
    assert len(kept(place)) == 1


def test_a_table_with_another_number_is_other_code(place):
    x, y = lk.coordinates("x y")
    for name, height, known in (("road", 1.0, False), ("way", 1.0, True), ("road", 2.0, False)):
        road = lk.table(name, [0, 1, 2], [0, height, 0])
        system = lk.System("point", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=road(x))
        made = model(system).function("terms")
        _, out = made(0.0, np.array([0.5, 0]), np.zeros(2), np.ones(1), np.zeros(2))
        assert out[4] == pytest.approx(-height)  # the slope of the parabola through the points
        assert made.from_cache == known


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
def test_a_damaged_file_is_ignored_and_replaced(place, damage):
    expected = numbers(model(pendulum()), "terms")[1]
    (path,) = kept(place)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    second = model(pendulum())
    np.testing.assert_array_equal(numbers(second, "terms")[1], expected)
    assert not second.function("terms").from_cache
    third = model(pendulum())
    np.testing.assert_array_equal(numbers(third, "terms")[1], expected)
    assert third.function("terms").from_cache and kept(place) == [path]


def test_a_directory_in_the_place_of_a_file_does_no_harm(place):
    expected = numbers(model(pendulum()), "terms")[1]
    (path,) = kept(place)
    path.unlink()
    path.mkdir()
    np.testing.assert_array_equal(numbers(model(pendulum()), "terms")[1], expected)
    assert kept(place) == []  # and nothing temporary is left


def test_without_a_directory_all_goes_on(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no directory")
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(tmp_path / "file" / "below"))
    _, out = numbers(model(pendulum()), "terms")
    assert np.all(np.isfinite(out))
    assert (tmp_path / "file").read_text() == "no directory"


def test_a_cache_that_cannot_be_written_is_read_all_the_same_or_left(place, monkeypatch):
    """As on a full disk, or where the rights are missing: the numbers come, nothing is kept, nothing left over."""
    expected = numbers(model(pendulum()), "terms")[1]

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.os, "replace", full)
    np.testing.assert_array_equal(numbers(model(pendulum()), "terms")[1], expected)
    assert np.all(np.isfinite(numbers(model(pendulum(power=4)), "terms")[1]))
    assert len(kept(place)) == 1


@pytest.mark.parametrize("rights", [0o777, 0o770, 0o702])
def test_a_directory_that_others_may_write_to_is_not_used(place, rights):
    place.mkdir()
    place.chmod(rights)
    assert np.all(np.isfinite(numbers(model(pendulum()), "terms")[1]))
    assert kept(place) == [] and cache_directory() != place


def test_python_functions_are_not_kept(place):
    function = lk.function("push", math.sin)
    for _ in range(2):
        made = model(pendulum(function=function))
        _, out = numbers(made, "terms")
        assert out[4] == pytest.approx(-3 * 0.6 - 0.1 * 0.4 + math.sin(0.7), rel=1e-14)
        assert not made.function("terms").from_cache
    assert kept(place) == []


def test_files_belong_to_the_user_alone(place):
    model(pendulum()).function("terms")
    (path,) = kept(place)
    for one, rights in ((path, 0o600), (path.parent, 0o700), (place, 0o700)):
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
    """A process that asks for every function."""
    search = os.pathsep.join([str(Path(lk.__file__).parents[1]), str(Path(__file__).parent)])
    settings = {key: value for key, value in os.environ.items() if key not in ("LIENKET_CACHE_DIR", "XDG_CACHE_HOME")}
    code = CODE.format(tests=str(Path(__file__).parent))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], env=settings | {"PYTHONPATH": search} | environment, **pipes)  # noqa: S603


def test_several_processes_at_once_and_one_after(tmp_path):
    place = tmp_path / "cache"
    processes = [start(LIENKET_CACHE_DIR=str(place)) for _ in range(4)]
    said = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    assert len({out for out, _ in said}) == 1
    assert len(kept(place)) == len(FUNCTIONS)
    after = start(LIENKET_CACHE_DIR=str(place))
    assert after.communicate() == (said[0][0], f"kept {len(FUNCTIONS)}\n")
    assert not [path for path in kept(place) if path.name.startswith(".")]


def test_the_platforms_place_is_used(tmp_path):
    process = start(XDG_CACHE_HOME=str(tmp_path))
    assert process.communicate()[1] == "kept 0\n"
    assert len(kept(tmp_path / "lienket")) == len(FUNCTIONS)


def test_the_oldest_go_when_there_are_too_many(place, monkeypatch):
    monkeypatch.setattr(cache, "WRITES_PER_SWEEP", 1)
    monkeypatch.setattr(cache, "CACHE_SIZE_LIMIT", 2500)
    names = [f"{k:064x}" for k in range(4)]
    for age, name in enumerate(names):
        cache.write(name, {"a": 1}, bytes(1000))
        os.utime(place / "code" / name, (age, age))
    assert [cache.read(name) is not None for name in names] == [False, False, True, True]
