"""Where compiled kernels are kept: announced once, found again, repaired, never beside the sources."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import lienket
from lienket.compiled import directory
from lienket.compiled.directory import cache_directory

SMALL = """
from lienket.kernels.native import jit

@jit.kernel
def twice(x):
    return 2 * x

@jit.entry("float64(float64)")
def four_times(x):
    return twice(twice(x))

@jit.callback("float64(float64)")
def eight_times(x):
    return twice(four_times(x))
"""
RUN = "import small; small.jit.ready(); assert small.four_times(2.0) == 8.0; assert small.eight_times.address"
WHOLE = """
from lienket.kernels.native import solve
solve.ready()
"""


def run(code, place, *paths, **environment):
    """The process that runs the code with that cache directory."""
    search = os.pathsep.join([*map(str, paths), str(Path(lienket.__file__).parents[1])])
    settings = os.environ | {"LIENKET_CACHE_DIR": str(place), "PYTHONPATH": search} | environment
    return subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)  # noqa: S603


@pytest.fixture
def small(tmp_path):
    """A function that runs a small kernel of its own with one cache directory, and gives what it says on stderr."""
    (tmp_path / "small.py").write_text(SMALL)
    place = tmp_path / "cache"
    return place, lambda: run(RUN, place, tmp_path).stderr


def test_compiling_is_announced_once(small):
    place, said = small
    assert said().count("compiling kernels") == 1
    assert said() == ""
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert len(list(place.glob("kernels/*/stamp"))) == 1


def test_a_damaged_stamp_means_compiling_again(small):
    place, said = small
    said()
    (stamp,) = place.glob("kernels/*/stamp")
    whole = stamp.read_bytes()
    stamp.write_bytes(whole[:20])
    assert "compiling" in said()
    assert stamp.read_bytes() == whole
    assert said() == ""


def test_damaged_kernels_mean_compiling_again(small):
    place, said = small
    said()
    for path in place.rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])
    assert "compiling" in said()
    assert said() == ""


def test_two_processes_at_once_compile_once(small):
    place, _ = small
    search = os.pathsep.join([str(place.parent), str(Path(lienket.__file__).parents[1])])
    settings = os.environ | {"LIENKET_CACHE_DIR": str(place), "PYTHONPATH": search}
    command = [sys.executable, "-c", RUN]
    both = [subprocess.Popen(command, env=settings, stderr=subprocess.PIPE, text=True) for _ in range(2)]  # noqa: S603
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert "".join(said).count("compiling kernels") == 1 or sys.platform == "win32"


def test_nothing_is_written_beside_the_sources(small):
    _, said = small
    said()
    package = Path(lienket.__file__).parent
    assert [path for path in package.rglob("*") if path.suffix in (".nbi", ".nbc")] == []


def test_functions_of_the_user_are_not_kept_with_ours(small):
    place, _ = small
    code = "import numba; before = numba.config.CACHE_DIR; import small; assert numba.config.CACHE_DIR == before"
    run(code, place, place.parent)


def test_without_a_place_to_write_a_temporary_one_serves(tmp_path):
    (tmp_path / "small.py").write_text(SMALL)
    (tmp_path / "file").write_text("not a directory")
    where = f"{RUN}; print(small.jit.kernel_directory())"
    told = run(where, tmp_path / "file" / "below", tmp_path).stdout.strip()
    assert Path(told).is_relative_to(Path(tempfile.gettempdir()).absolute())
    assert not Path(told).exists()


@pytest.mark.parametrize(
    ("platform", "variable", "value", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "{tmp}/xdg", "xdg/lienket"),
        ("linux", "XDG_CACHE_HOME", "", "home/.cache/lienket"),
        ("darwin", "XDG_CACHE_HOME", "{tmp}/xdg", "home/Library/Caches/lienket"),
        ("win32", "LOCALAPPDATA", "{tmp}/local", "local/lienket/Cache"),
        ("win32", "LOCALAPPDATA", "", "home/AppData/Local/lienket/Cache"),
    ],
)
def test_every_platform_has_its_place(monkeypatch, tmp_path, platform, variable, value, expected):
    monkeypatch.delenv("LIENKET_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.setenv(variable, value.format(tmp=tmp_path))
    monkeypatch.setattr(directory.sys, "platform", platform)
    found = cache_directory()
    assert found == tmp_path / expected
    assert found.is_dir()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows has other rights")
def test_a_directory_that_others_may_write_to_is_not_trusted(monkeypatch, tmp_path):
    for name, rights, trusted in (("open", 0o777, False), ("closed", 0o755, True)):
        place = tmp_path / name
        place.mkdir()
        place.chmod(rights)
        monkeypatch.setenv("LIENKET_CACHE_DIR", str(place))
        assert (cache_directory() == place) == trusted


def test_a_second_process_compiles_nothing():
    """Neither message nor a kernel written; how long loading takes, benchmarks/evaluate.py tells."""
    place = cache_directory()
    run(WHOLE, place)
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*.nb*")}
    assert before
    assert run(WHOLE, place).stderr == ""
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*.nb*")} == before


@pytest.mark.slow
def test_an_empty_cache_is_filled_once(tmp_path):
    first = run(WHOLE, tmp_path / "cache")
    assert first.stderr.count("compiling kernels") == 1
    assert run(WHOLE, tmp_path / "cache").stderr == ""
