"""The cache of compiled kernels: compiling is announced once, damage is repaired, nothing is written beside sources."""

import functools
import itertools
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import lienket
from lienket.compiled.machine import cache
from lienket.compiled.machine.cache import cache_directory
from lienket.kernels.native.runtime import library

SMALL = """
from lienket.kernels.native.runtime import jit
from lienket.kernels.native.runtime.address import doubles, word

@jit.kernel
def twice(x):
    return 2 * x

@jit.entry
def four_times(words):
    numbers = doubles(words, 1)
    numbers[0] = twice(twice(numbers[0]))
    return twice(word(words, 0))
"""
RUN = """
import numpy as np
from lienket.kernels.native.runtime import library
x = np.array([2.0])
assert library.call("small", "four_times", 21, x) == 42
assert x[0] == 8.0
"""
WHOLE = "from lienket.kernels.native.calls import make_workspace; make_workspace(3, 2)"

UNABLE = "import lienket.compiled.machine.cache as kept; kept.write = None; "
"""Statement after which a process that makes code fails."""


def run(code, directory, *paths, **environment):
    """Run the code in a process with this cache directory and return the process."""
    search = os.pathsep.join([*map(str, paths), str(Path(lienket.__file__).parents[1])])
    settings = os.environ | {"LIENKET_CACHE_DIR": str(directory), "PYTHONPATH": search} | environment
    return subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)  # noqa: S603


@pytest.fixture
def small(tmp_path):
    """Return a cache directory and a function that runs a small kernel with it and returns its stderr."""
    (tmp_path / "small.py").write_text(SMALL)
    directory = tmp_path / "cache"
    return directory, lambda: run(RUN, directory, tmp_path).stderr


def test_compiling_is_announced_once(small):
    directory, messages = small
    message = "lienket: numba makes the kernel small.four_times, since the package does not store it\n"
    assert messages() == message
    assert messages() == ""
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_process_that_finds_kernels_needs_no_numba(small):
    directory, messages = small
    messages()
    run(RUN + "import sys; assert 'numba' not in sys.modules", directory, directory.parent)


def test_damaged_kernels_are_compiled_again(small):
    directory, messages = small
    messages()
    for path in (directory / "code").iterdir():
        path.write_bytes(path.read_bytes()[:-100])
    assert "numba makes" in messages()
    assert messages() == ""


def test_two_processes_at_once_compile_once(small):
    directory, _ = small
    search = os.pathsep.join([str(directory.parent), str(Path(lienket.__file__).parents[1])])
    settings = os.environ | {"LIENKET_CACHE_DIR": str(directory), "PYTHONPATH": search}
    command = [sys.executable, "-c", RUN]
    both = [subprocess.Popen(command, env=settings, stderr=subprocess.PIPE, text=True) for _ in range(2)]  # noqa: S603
    messages = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert "".join(messages).count("numba makes") == 1 or sys.platform == "win32"


def test_nothing_is_written_beside_the_sources(small):
    _, messages = small
    messages()
    package = Path(lienket.__file__).parent
    assert [path for path in package.rglob("*") if path.suffix in (".nbi", ".nbc")] == []


def test_a_temporary_directory_replaces_one_that_cannot_be_written(tmp_path):
    (tmp_path / "small.py").write_text(SMALL)
    (tmp_path / "file").write_text("not a directory")
    where = f"{RUN}\nprint(library.cache_directory())"
    directory = run(where, tmp_path / "file" / "below", tmp_path).stdout.strip()
    assert Path(directory).is_relative_to(Path(tempfile.gettempdir()).absolute())
    assert not Path(directory).exists()


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
def test_every_platform_has_its_cache_directory(monkeypatch, tmp_path, platform, variable, value, expected):
    monkeypatch.delenv("LIENKET_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.setenv(variable, value.format(tmp=tmp_path))
    monkeypatch.setattr(cache.sys, "platform", platform)
    directory = cache_directory()
    assert directory == tmp_path / expected
    assert directory.is_dir()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows has other rights")
def test_a_directory_that_others_may_write_to_is_not_trusted(monkeypatch, tmp_path):
    for name, rights, trusted in (("open", 0o777, False), ("closed", 0o755, True)):
        directory = tmp_path / name
        directory.mkdir()
        directory.chmod(rights)
        monkeypatch.setenv("LIENKET_CACHE_DIR", str(directory))
        assert (cache_directory() == directory) == trusted


def test_two_processes_at_once_with_an_empty_cache_leave_whole_files(tmp_path):
    """Each makes code from the stored text or finds it made; a third process then makes nothing."""
    search = str(Path(lienket.__file__).parents[1])
    settings = os.environ | {"LIENKET_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": search}
    command = [sys.executable, "-c", f"import sys; sys.modules['numba'] = None; {WHOLE}"]
    both = [subprocess.Popen(command, env=settings, stderr=subprocess.PIPE, text=True) for _ in range(2)]  # noqa: S603
    assert [process.communicate()[1] for process in both] == ["", ""]
    assert [process.returncode for process in both] == [0, 0]
    assert len(list((tmp_path / "cache" / "code").iterdir())) == 2
    assert run(UNABLE + WHOLE, tmp_path / "cache").stderr == ""


def test_files_of_an_older_version_in_the_cache_are_ignored(tmp_path):
    """Indices under their old names and code of another format are left alone; new files stand beside them."""
    directory = tmp_path / "cache"
    (directory / "code").mkdir(parents=True, mode=0o700)
    directory.chmod(0o700)
    old = {"sources.json": "[1, 2]", "reached.json": '{"a": 3}', "code/0123": "lienket code 0\nabc"}
    for name, text in old.items():
        (directory / name).write_text(text)
    assert run(f"import sys; sys.modules['numba'] = None; {WHOLE}", directory).stderr == ""
    assert {name: (directory / name).read_text() for name in old} == old


def test_a_second_process_compiles_nothing():
    """Neither a message nor a written file; benchmarks/evaluate.py measures the time of loading."""
    directory = cache_directory()
    run(WHOLE, directory)
    assert run(UNABLE + WHOLE, directory).stderr == ""


def test_threads_that_load_a_kernel_at_once_have_the_same_code(monkeypatch):
    """Code loaded twice would be kept once: the address of the other would be that of released memory."""
    threads, first = 4, threading.Barrier(4, timeout=10)
    kernel = ("lienket.kernels.native.accelerations", "solve")

    def slow(module, name):
        time.sleep(0.01)  # the others come here meanwhile, unless one waits for the other
        return object(), next(addresses)

    def load(_):
        first.wait()
        return fresh(*kernel)

    addresses = itertools.count()
    fresh = functools.cache(library.address.__wrapped__)
    monkeypatch.setattr(library, "_loaded", functools.cache(slow))
    with ThreadPoolExecutor(threads) as pool:
        assert len(set(pool.map(load, range(threads)))) == 1
