"""The commands check, stages and derive, and the model of the demo."""

import re

import pytest
from commands import BROKEN, HIGH, LOW, TWICE, TWO_MASSES, lienket
from conftest import MODELS

import lienket as lk
from lienket.cli.commands.demo import START, demo_system
from lienket.version import __version__


@pytest.fixture
def model(tmp_path):
    def write(text):
        path = tmp_path / "model.toml"
        path.write_text(text)
        return path

    return write


def test_version_and_help():
    assert lienket("--version").stdout == f"lienket {__version__}\n"
    shown = lienket("--help").stdout
    assert [c for c in ("demo", "check", "stages", "derive", "simulate") if c not in shown] == []
    assert "Exit codes" in shown


@pytest.mark.parametrize("command", ["demo", "check", "stages", "derive", "simulate"])
def test_every_command_has_examples_and_exit_codes_in_its_help(command):
    shown = lienket(command, "--help")
    assert shown.exit_code == 0
    assert re.search(rf"Examples:\n    lienket {command}\b", shown.stdout)
    assert "3  numerical failure" in shown.stdout


def test_check_prints_the_statement_and_the_verdicts(model):
    path = model(TWO_MASSES + LOW + TWICE)
    result = lienket("check", path)
    system = lk.load(path)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert repr(system) in result.stdout
    assert [s.verdict.sentence for s in system.stages() if s.verdict.sentence not in result.stdout] == []
    assert "it has 1 degree of freedom." in result.stdout


def test_check_of_a_model_without_constraints(model):
    result = lienket("check", model(TWO_MASSES))
    assert result.exit_code == 0
    assert "it has 2 degrees of freedom." in result.stdout


def test_check_fails_for_a_contradiction(model):
    result = lienket("check", model(TWO_MASSES + LOW + HIGH))
    assert result.exit_code == 1
    assert "'high' contradicts 'low'" in result.stderr
    assert "The model is valid" not in result.stdout


def test_check_lists_all_faults(model):
    result = lienket("check", model(BROKEN))
    assert result.exit_code == 1
    assert "2 faults" in result.stderr
    assert "kinetic" in result.stderr
    assert "potential" in result.stderr
    assert "Traceback" not in result.stderr


def test_stages_is_the_table_of_the_system():
    path = MODELS / "andrews_squeezer.toml"
    assert lienket("stages", path).stdout == lk.load(path).stages().text() + "\n"


@pytest.mark.parametrize("form", ["full", "reduced", "pseudovelocity", "multipliers"])
def test_derive_prints_the_equations(form):
    path = MODELS / "slider_crank.toml"
    assert lienket("derive", path, "--form", form).stdout == lk.load(path).equations(form).text() + "\n"


def test_derive_writes_a_latex_document(tmp_path):
    path, out = MODELS / "slider_crank.toml", tmp_path / "equations.tex"
    result = lienket("derive", path, "--form", "multipliers", "--latex", out)
    assert result.exit_code == 0
    equations = lk.load(path).equations("multipliers")
    assert result.stdout == equations.text() + "\n"
    assert str(out) in result.stderr
    document = out.read_text()
    opened, closed = re.findall(r"\\begin\{(.*?)\}", document), re.findall(r"\\end\{(.*?)\}", document)
    assert opened == ["document", *["align*"] * len(equations.blocks)]
    assert sorted(opened) == sorted(closed)
    assert document.count("{") == document.count("}")
    assert document.count("&=") == len(equations.lines)
    rows = equations.latex().splitlines()[1:-1]
    assert [row for row in rows if row.removesuffix(" \\\\") not in document] == []
    assert [p.name for p in tmp_path.iterdir()] == ["equations.tex"]


def test_names_are_text_in_the_document(model, tmp_path):
    out = tmp_path / "equations.tex"
    lienket("derive", model(TWO_MASSES.replace("two masses", r"50% & a_b\\c {x} ~ ^ # $")), "--latex", out)
    assert (
        r"\section*{50\% \& a\_b\textbackslash{}c \{x\} \textasciitilde{} \textasciicircum{} \# \$: reduced form}"
        in (out.read_text())
    )


def test_the_model_of_the_demo_is_the_one_among_the_examples():
    assert demo_system() == lk.load(MODELS / "slider_crank.toml")


def test_the_demo_names_coordinates_that_its_model_has():
    names = {str(x.func) for x in demo_system().coordinates}
    assert {key.removesuffix("'") for key in START} <= names
