"""Every result can be pickled and copied with the same numbers, and `==` is a truth value."""

import copy
import pickle

import numpy as np
import pytest

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
g, mu = lk.parameters("g mu")


def free():
    kinetic = (der(x) ** 2 + der(y) ** 2) / 2
    return lk.System("body", [x, y], kinetic=kinetic, potential=g * y, values={g: 9.81, mu: 0.3})


def pendulum():
    return free().constrain("rod", x**2 + y**2 - 1)


def two():
    return pendulum().constrain("line", x - y - 1.4)


def ball():
    return free().constrain("floor", y, law=lk.Coulomb(mu, slip=der(x), unilateral=True))


def servo():
    mass = lk.System("mass", [x], kinetic=der(x) ** 2 / 2)
    program = lk.Program(x - lk.t, drives={"F": {x: 1}}, feedback=2, bounds={"F": (-1, 1)})
    return mass.constrain("go", program)


def swing(**more):
    return pendulum().simulate(start={"x": 0.6}, guess={"y": -1}, until=0.5, **more)


def identified():
    v = np.linspace(-1, 1, 41)
    friction = -3 * np.sign(v) + 0.01 * np.sin(40 * v)
    return lk.laws.identify(slip=v, tangential=friction, normal=np.full(41, 10.0))


RESULTS = {
    "system": pendulum,
    "state": lambda: pendulum().at([0.6, -0.8], [0, 0]),
    "state of contacts": lambda: ball().at([0, 0], [1, 0]),
    "state of drives": lambda: servo().at([0.1], [0.0]),
    "state after a release": lambda: two().at([0.6, -0.8], [0, 0]).release("line"),
    "audit": lambda: pendulum().at([0.6, -0.8], [0, 0]).audit,
    "verdicts": lambda: pendulum().at([0.6, -0.8], [0, 0]).verdicts,
    "reactions of a state": lambda: pendulum().at([0.6, -0.8], [0, 0]).reactions,
    "influence of a state": lambda: two().at([0.6, -0.8], [0, 0]).influence(),
    "start": lambda: pendulum().consistent({"x": 0.6}, guess={"y": -1}),
    "trajectory": swing,
    "trajectory of contacts": lambda: ball().simulate(start={"y": 1, "x'": 1}, until=0.6),
    "audit of a run": lambda: swing().audit,
    "outcome": lambda: swing().outcome,
    "energy": lambda: swing().energy,
    "reactions of a run": lambda: swing().reactions,
    "contacts of a run": lambda: ball().simulate(start={"y": 1, "x'": 1}, until=0.6).contacts,
    "switches": lambda: ball().simulate(start={"y": 1, "x'": 1}, until=0.6).switches,
    "free system": lambda: pendulum().free,
    "stages": lambda: two().stages(),
    "stage": lambda: two().stages()["line"],
    "full": lambda: pendulum().equations("full"),
    "reduced": lambda: pendulum().equations("reduced"),
    "pseudovelocity": lambda: pendulum().equations("pseudovelocity"),
    "multipliers": lambda: pendulum().equations("multipliers"),
    "reactions": lambda: pendulum().reactions(),
    "influence": lambda: two().influence(),
    "equilibrium": lambda: pendulum().equilibrium(guess={"y": -1}),
    "equilibria": lambda: pendulum().equilibrium(guess={"y": -1}, over=("g", [1, 2, 3])),
    "linearization": lambda: pendulum().linearize([0, -1]),
    "linear formulas": lambda: pendulum().linearize([0, -1], symbolic=True),
    "sensitivity": lambda: pendulum().sensitivity(
        start={"x": 0.6}, guess={"y": -1}, until=0.2, by=["g"], along=True
    ),
    "drive": lambda: servo().release("go").drive({x: lk.t**2}, {"F": {x: 1}}, times=np.linspace(0, 1, 5)),
    "identified": identified,
    "machine code": lambda: pendulum().compile(),
    "machine code of contacts": lambda: ball().compile(),
    "evaluation": lambda: pendulum().compile().evaluate([0.0], [[0.6, -0.8]], [[0, 0]]),
    "evaluation of contacts": lambda: ball().compile().evaluate([0.0], [[0, 0.0]], [[1.0, 0]]),
}  # fmt: skip


SLOW = ("equilibria", "linear formulas", "pseudovelocity", "multipliers", "stage", "machine code of contacts", "drive")


@pytest.mark.parametrize("name", [pytest.param(x, marks=pytest.mark.slow) if x in SLOW else x for x in RESULTS])
def test_a_result_is_equal_to_its_copies(name):
    result, again = RESULTS[name](), RESULTS[name]()
    for other in (again, pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert type(other) is type(result)
        assert (result == other) is True and (result != other) is False
    for different in (None, 3, "text", np.zeros(2)):
        assert not isinstance(result == different, bool) or (result == different) is False


def test_other_numbers_are_unequal():
    assert pendulum().at([0.6, -0.8], [0, 0]) != pendulum().at([0.8, -0.6], [0, 0])
    assert pendulum().linearize([0, -1]) != pendulum().linearize([0, 1])
    assert pendulum().equilibrium(guess={"y": -1}) != pendulum().equilibrium({"g": 1}, guess={"y": -1})
    assert swing().energy != swing(times=[0, 0.25, 0.5]).energy


def test_a_pickled_state_still_answers():
    state = pickle.loads(pickle.dumps(pendulum().constrain("same", 2 * (x**2 + y**2 - 1)).at([0.6, -0.8], [0, 0])))
    assert state.verdicts["same"].status == "redundant" and state.verdicts["same"].depends_on == ("rod",)
    assert state.release("same").multipliers == pytest.approx(pendulum().at([0.6, -0.8], [0, 0]).multipliers)


def test_every_column_of_a_run_has_its_name():
    for motion in (swing(outputs={"speed": der(x) ** 2, "x": 2 * x}), servo().simulate(until=0.3),
                   ball().simulate(start={"y": 1, "x'": 1}, until=0.6)):  # fmt: skip
        table = motion.to_dict()
        for name, column in table.items():
            assert np.array_equal(motion[name], column, equal_nan=True), name
        assert motion[lk.t] is motion.t
        assert {"t", "kinetic", "potential", "work"} <= set(table)
    assert {"rod[0]", "speed", "output x", "reaction of rod on y"} <= set(swing(outputs={"speed": y, "x": y}).to_dict())


UNKNOWN = {
    "column": (lambda: swing()["kinetik"], "kinetic"),
    "reaction of a run": (lambda: swing().reactions["rood"], "rod"),
    "output": (lambda: swing(outputs={"speed": x}).outputs["sped"], "speed"),
    "drive": (lambda: servo().simulate(until=0.1).drives["f"], "F"),
    "event": (lambda: ball().simulate(start={"y": 1}, until=0.6).events["floor touch"], "floor touches"),
    "contact": (lambda: ball().at([0, 0], [1, 0]).contacts["flor"], "floor"),
    "level": (lambda: swing().residuals["positon"], "position"),
    "reaction of a state": (lambda: pendulum().at([0.6, -0.8], [0, 0]).reactions["rood"], "rod"),
    "verdict": (lambda: pendulum().at([0.6, -0.8], [0, 0]).verdicts["rood"], "rod"),
    "influence": (lambda: two().influence()["rod", "lime"], "rod, line"),
    "equilibrium": (lambda: pendulum().equilibrium(guess={"y": -1}).reactions["rood"], "rod"),
    "method of reactions": (lambda: pendulum().reactions("multiplers"), "multipliers"),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_an_unknown_name_comes_with_a_suggestion(what):
    ask, meant = UNKNOWN[what]
    with pytest.raises(lk.LienketError, match=f"did you mean '{meant}'"):
        ask()


def test_results_by_name_are_not_changed():
    reactions = swing().reactions
    with pytest.raises(TypeError, match="results are not changed"):
        reactions["rod"] = 0
    assert dict(reactions) == reactions and reactions.get("rood") is None and "rood" not in reactions
