"""Messages that suggest a name: one sentence each, ended by the question mark of the suggestion."""

import pytest
from typer.testing import CliRunner

import lienket as lk
from lienket import der
from lienket.cli.program import app

x, y = lk.coordinates("x y")
m, g = lk.parameters("m g")
FREE = lk.System("block", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y, values={m: 1, g: 9})
BLOCK = FREE.constrain("floor", y, law=lk.Coulomb(0.2, slip=der(x)))
ROLLING = "examples/models/rolling_disc.toml"


def state():
    return BLOCK.at([0, 0], [1, 0])


def motion():
    return BLOCK.simulate(start={"x": 0, "x'": 1}, until=0.1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: BLOCK.release("flor"),
        lambda: state().contacts["flor"],
        lambda: state().reactions["flor"],
        lambda: state().verdicts["flor"],
        lambda: state().release("flor"),
        lambda: motion()["xx"],
        lambda: motion().contacts["flor"],
        lambda: motion().reactions["flor"],
        lambda: motion().work["flor"],
        lambda: BLOCK.simulate({"mm": 2}, until=1),
        lambda: BLOCK.simulate(start={"xx": 2}, until=1),
        lambda: BLOCK.simulate(method="dop85", until=1),
        lambda: BLOCK.at({"xx": 0, "y": 0}, [0, 0]),
        lambda: lk.load(ROLLING).equations("reducd"),
        lambda: lk.load(ROLLING).reactions("multiplier"),
        lambda: lk.load(ROLLING).reactions()["roling"],
        lambda: FREE.equilibrium(fixed={"xx": 0}),
        lambda: FREE.linearize(q={"xx": 0}, symbolic=True),
        lambda: FREE.sensitivity(until=1, by=["mm"], of=["x"]),
    ],
)
def test_no_full_stop_follows_a_suggestion(call):
    with pytest.raises(lk.LienketError) as caught:
        call()
    text = str(caught.value)
    assert "did you mean '" in text
    assert "?." not in text and "? ." not in text


@pytest.mark.parametrize("options", [("--method", "dop85"), ("--set", "mm=1"), ("--start", "xx=1")])
def test_the_command_line_ends_suggestions_in_the_same_way(options):
    result = CliRunner().invoke(app, ["simulate", ROLLING, *options])
    shown = " ".join(result.output.split())
    assert result.exit_code == 2
    assert "?." not in shown


def test_a_name_without_a_similar_one_ends_with_a_full_stop():
    with pytest.raises(lk.LienketError, match=r"There is no constraint named 'rope'\. Known: floor\."):
        BLOCK.release("rope")
