"""Tables of the documents name what the registries of the package have, in the same order."""

import ast
import inspect
import re
from pathlib import Path

import pytest
import typer

import lienket as lk
from lienket.cli.program import app
from lienket.mechanism.joints import KINDS
from lienket.model.laws import LAWS
from lienket.plots import PANELS
from lienket.simulation.methods import NAMES

DOCS = Path(__file__).parents[1] / "docs"
COMMANDS = typer.main.get_command(app).commands


def first_column(document, header):
    """Return the first cells of the table in a document whose first row begins with `header`."""
    _, found, rest = (DOCS / document).read_text().partition(f"\n| {header} |")
    assert found, f"{document} has no table with the header {header}"
    rows = rest.partition("\n\n")[0].splitlines()[2:]
    return [row.split("|")[1].strip() for row in rows]


@pytest.mark.parametrize(
    ("document", "header", "names"),
    [
        ("simulation.md", "`method`", [f'`"{name}"`' for name in NAMES]),
        ("simulation.md", "`kind`", [f'`"{name}"`' for name in PANELS]),
        ("model-files.md", "`kind`", [f'`"{law.kind}"`' for law in LAWS]),
        ("mechanisms.md", "joint", [f"`{name}`" for name in KINDS]),
    ],
)
def test_a_table_lists_the_entries_of_its_registry(document, header, names):
    assert first_column(document, header) == names


def test_the_table_of_laws_has_every_law():
    stated = [re.match(r"`lk\.(?:laws\.)?(\w+)\(", cell) for cell in first_column("friction.md", "law")]
    assert [match[1] for match in stated if match] == [law.__name__ for law in LAWS]


def test_the_table_of_commands_has_every_command():
    named = [cell.strip("`").split()[0] for cell in first_column("command-line.md", "command")]
    assert named == list(COMMANDS)


def test_the_table_of_options_has_every_option_of_simulate():
    text = " ".join(first_column("command-line.md", "option"))
    options = [param.opts for param in COMMANDS["simulate"].params if param.opts[0].startswith("-")]
    assert len(options) > 10
    assert [o for o in options if not any(re.search(rf"`{name}\b", text) for name in o)] == [["--debug"]]


def test_the_table_of_elements_has_every_element_of_both_builders():
    """Elements are the public calls that are no joints and do not build or read; the table has their arguments."""
    classes = [cls for M in (lk.planar.Mechanism, lk.spatial.Mechanism) for cls in M.__mro__ if cls is not object]
    methods = {name: f for cls in classes for name, f in vars(cls).items() if inspect.isfunction(f) and name[0] != "_"}
    rows = [ast.parse(cell.strip("`").replace("=,", "=0,").replace("=)", "=0)")).body[0].value
            for cell in first_column("mechanisms.md", "element")]  # fmt: skip
    stated = {row.func.id: [*(a.id for a in row.args), *(k.arg for k in row.keywords)] for row in rows}
    assert set(stated) == set(methods) - {*KINDS, "body", "system", "check", "description", "statement"}
    for name, arguments in stated.items():
        assert arguments == list(inspect.signature(methods[name]).parameters)[1:]
