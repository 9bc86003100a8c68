"""Numbers and units that a system states by name before a constraint or an event brings the parameter."""

import pytest

import lienket as lk
from lienket import der


def pendulum(values, **assumptions):
    m, g = lk.parameters("m g")
    x, y = lk.coordinates("x y")
    l = lk.parameters("l", **assumptions)
    free = lk.System(
        "pendulum", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y, values=values
    )
    return free, free.constrain("rod", x**2 + y**2 - l**2), l


VALUES = {"m": 2, "g": 9.81, "l": 0.5}


@pytest.mark.parametrize("assumptions", [{}, {"positive": True}])
def test_a_later_constraint_brings_the_parameter(assumptions):
    free, held, l = pendulum(VALUES, **assumptions)
    by_symbol = pendulum({**{k: v for k, v in VALUES.items() if k != "l"}, l: 0.5}, **assumptions)[1]
    assert held == by_symbol
    assert held.values[l] == 0.5
    assert l not in free.values
    assert "l = 0.5 (not used yet)" in repr(free)
    # The weight at the lowest point, m g = 2 * 9.81.
    assert held.at([0, -0.5], [0, 0]).reactions["rod"][1] == pytest.approx(19.62, abs=1e-12)


def test_the_number_stays_when_the_constraint_is_released():
    held = pendulum(VALUES)[1]
    assert held.release("rod").at([0, -0.5], [0, 0]).accelerations.tolist() == [0, -9.81]


def test_a_name_that_nothing_uses_is_reported_when_numbers_are_needed(tmp_path):
    free = pendulum({"m": 2, "g": 9.81, "mm": 1, "length": 0.5})[0]
    message = "neither the system nor its constraints use 'mm', did you mean 'm'?"
    assert free.equations("full").text()
    for use in (
        lambda: free.at([0, 0], [0, 0]),
        lambda: free.consistent({"x": 1}),
        lambda: free.simulate(until=1),
        lambda: free.linearize([0, 0]),
        lambda: free.equilibrium(),
        lambda: free.sensitivity(until=1, by=["m"]),
        lambda: free.drive({"x": lk.t, "y": 0 * lk.t}, {"F": {"x": 1}, "G": {"y": 1}}, times=[0, 1]),
        lambda: free.compile(),
        lambda: lk.save(free, tmp_path / "model.toml"),
    ):
        with pytest.raises(lk.ModelError) as error:
            use()
        texts = [str(fault) for fault in error.value.faults]
        assert any(message in text for text in texts)
        assert any("'length'" in text for text in texts)


def test_faults_that_are_known_at_once():
    for values, message in (
        ({"l'": 1}, "apostrophe"),
        ({"max": 1}, "reserved word"),
        ({"l": "long"}, "is not an expression"),
        ({"x": 1}, "it is a coordinate"),
    ):
        with pytest.raises(lk.ModelError, match=message):
            pendulum(VALUES | values)
    with pytest.raises(lk.ModelError, match="contradicts the assumption on the sign of l"):
        pendulum(VALUES | {"l": -1}, positive=True)


def test_events_laws_of_drives_and_aliases_bring_parameters_too():
    x = lk.coordinates("x")
    end, a, mass = lk.parameters(r"x_{end} a \mu")
    T = mass * der(x) ** 2 / 2
    free = lk.System("mass", [x], kinetic=T, values={"mu": 2, "x_end": 3, "a": 5}, units={"a": "m"})
    with pytest.raises(lk.ModelError, match="'a'"):
        free.watch(lk.Event("end", when=x - end, terminal=True)).simulate(until=1)
    watched = free.watch(lk.Event("end", when=x - end, terminal=True)).constrain("speed", der(x) - a)
    assert watched.simulate(until=1).t[-1] == pytest.approx(3 / 5, abs=1e-9)
    assert watched.units == {a: "m"}
    driven = lk.System("mass", [x], kinetic=T, values={"mu": 2, "a": 5})
    result = driven.drive({x: a * lk.t**2}, {"F": {x: 1}}, times=[0, 1])
    assert result.drives["F"].tolist() == pytest.approx([20, 20], abs=1e-9)


def test_saved_and_loaded_systems_are_equal(tmp_path):
    held = pendulum(VALUES)[1]
    lk.save(held, tmp_path / "pendulum.toml")
    assert lk.load(tmp_path / "pendulum.toml") == held
