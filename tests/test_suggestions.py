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


@pytest.mark.parametrize(
    ("call", "name", "meant"),
    [
        (lambda: lk.Coulomb(0.2, slipp=der(x)), "Coulomb", "slip"),
        (lambda: lk.Coulomb(0.2, slip=der(x), unilaterel=True), "Coulomb", "unilateral"),
        (lambda: lk.laws.Unilateral(restitutoin=0.5), "Unilateral", "restitution"),
        (lambda: lk.laws.Viscous(1, slipp=der(x)), "Viscous", "slip"),
        (lambda: lk.laws.Exerted(force={x: 1}), "Exerted", "forces"),
        (lambda: lk.Event("hit", wen=x), "Event", "when"),
        (lambda: lk.Program(x, drive={"u": {x: 1}}), "Program", "drives"),
        (lambda: lk.Sampled(lambda t, q, v: 0.0, evry=0.1), "Sampled", "every"),
        (lambda: lk.Force(at=[x, y], component=[1, 1]), "Force", "components"),
        (lambda: lk.table("road", [0, 1], [0, 1], knd="linear"), "table", "kind"),
        (lambda: lk.function("u", abs, derivative=[abs]), "function", "derivatives"),
        (lambda: lk.catalogue.rod((0, 0), (x, y), lenght=2), "rod", "length"),
        (lambda: lk.System("block", [x], kinetc=der(x) ** 2), "System", "kinetic"),
        (lambda: FREE.constrain("floor", y, lw=lk.laws.Unilateral(1)), "constrain", "law"),
        (lambda: FREE.simulate(untl=1), "simulate", "until"),
        (lambda: FREE.linearize(symbolc=True), "linearize", "symbolic"),
    ],
)
def test_a_misspelt_argument_comes_with_a_suggestion(call, name, meant):
    with pytest.raises(TypeError, match=f"^{name} has no argument '.*', did you mean '{meant}'\\? Its argument"):
        call()


def test_other_wrong_calls_say_what_is_wrong():
    with pytest.raises(TypeError, match="takes at most 2 arguments, not 3"):
        lk.laws.Viscous(1, der(x), 3)
    with pytest.raises(TypeError, match="got two values of coefficient"):
        lk.laws.Viscous(1, coefficient=2)
    with pytest.raises(TypeError, match=r"Velocity has no argument 'speed'\. Its argument is expression\."):
        lk.Velocity(der(x), speed=1)


def test_an_error_inside_a_function_is_not_taken_for_a_wrong_call():
    def broken(t):
        raise TypeError("progress() got an unexpected keyword argument 'untl'")

    with pytest.raises(TypeError, match=r"unexpected keyword argument 'untl'$"):
        FREE.simulate(start={"x'": 1.0}, until=1, progress=broken)
