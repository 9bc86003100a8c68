"""Errors are readable blocks on stderr with the right exit code, without a traceback unless --debug is passed."""

import os
import subprocess
import sys

import pytest
from commands import BROKEN, HIGH, LOW, TWO_MASSES, lienket, process
from conftest import MODELS

import lienket as lk
from lienket.errors import ModelFileError

CRANK = MODELS / "slider_crank.toml"


def raising(error):
    def load(path):
        raise error

    return load


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (lk.LienketError("Something is wrong."), 1, "Something is wrong."),
        (ZeroDivisionError("by\nzero"), 70, "a bug in lienket: ZeroDivisionError: by zero\nRun again with --debug"),
        (KeyError("q"), 70, "a bug in lienket: KeyError: 'q'"),
        (KeyboardInterrupt(), 130, "Interrupted."),
        (PermissionError(13, "Permission denied", "a.toml"), 2, "a.toml: Permission denied"),
        (MemoryError(), 3, "Not enough memory"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_exit_codes(monkeypatch, error, code, message):
    monkeypatch.setattr("lienket.files.load", raising(error))
    result = lienket("check", CRANK)
    assert result.exit_code == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [("--debug", "check", CRANK), ("check", CRANK, "--debug")])
@pytest.mark.parametrize("error", [lk.LienketError("wrong"), ZeroDivisionError("by zero")])
def test_debug_lets_the_exception_through(monkeypatch, arguments, error):
    monkeypatch.setattr("lienket.files.load", raising(error))
    assert lienket(*arguments).exception is error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "no such file.toml"), "does not exist"),
        (("check", MODELS), "is a directory"),
        (("check",), "Missing argument"),
        (("chek", CRANK), "No such command"),
        (("derive", CRANK, "--form", "long"), "'pseudovelocity'"),
        (("derive", CRANK, "--latex", "no such folder/e.tex"), "the folder no such folder does not exist"),
        (("check", CRANK, "--nonsense"), "No such option"),
    ],
)
def test_wrong_usage(arguments, message):
    result = lienket(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_contradiction_has_no_equations(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(TWO_MASSES + LOW + HIGH)
    result = lienket("derive", path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "'high' contradicts 'low'" in result.stderr


def test_a_broken_model_in_a_new_process(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text(BROKEN)
    result = process("check", path)
    assert result.returncode == 1
    assert result.stdout == ""
    with pytest.raises(ModelFileError) as caught:
        lk.load(path)
    assert result.stderr == f"{caught.value}\n"
    assert "Traceback" in process("check", path, "--debug").stderr


def test_help_in_a_new_process_is_plain():
    result = process("--help")
    assert result.returncode == 0
    assert result.stderr == ""
    assert result.stdout.isascii()


def test_help_needs_no_heavy_library():
    code = (
        "import sys, lienket.cli\n"
        "sys.argv = ['lienket', '--help']\n"
        "try: lienket.cli.main()\n"
        "except SystemExit: print(*sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    loaded = set(run.stderr.split())
    assert "typer" in loaded
    assert loaded & {"sympy", "symengine", "numpy", "scipy", "numba", "llvmlite", "matplotlib", "pandas"} == set()


def test_a_closed_pipe_is_no_error():
    command = [sys.executable, "-m", "lienket", "derive", str(CRANK)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=buffered) as run:  # noqa: S603
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_reported_once():
    command = [sys.executable, "-m", "lienket", "check", str(CRANK)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=buffered, check=False)  # noqa: S603
    assert run.returncode == 2
    assert run.stderr == "Reading or writing failed: No space left on device\n"


def test_results_are_written_even_if_the_output_is_not_read(tmp_path):
    """`lienket simulate ... | head -1` closes the pipe after the first line."""
    model = MODELS / "slider_crank.toml"
    command = [sys.executable, "-m", "lienket", "simulate", str(model), "--start", "phi=0.5", "--until", "0.2"]
    command += ["-o", str(tmp_path / "run.npz")]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603
    run.stdout.readline()
    run.stdout.close()
    run.stderr.read()
    run.stderr.close()
    run.wait()
    assert (tmp_path / "run.npz").is_file()
