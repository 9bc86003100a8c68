"""Systems with tables and Python functions, from the statement to stages, reactions and equations."""

import math
import pickle

import numpy as np
import pytest
import sympy as sp
from sympy.physics import mechanics

import lienket as lk
from lienket import der, t
from lienket.errors import ModelFileError

x, y, z = lk.coordinates("x y z")
m, k, g, J = lk.parameters("m k g J")
TIMES = np.linspace(0, 4, 9)
road = lk.table("road", TIMES, np.sin(TIMES))
curve = lk.table("curve", [-1, 0, 0.5, 1], [-3, 0, 0.7, 3], kind="pchip", outside="hold")
FORMS = ("full", "reduced", "pseudovelocity", "multipliers")


def controller(time, position):
    return -math.tanh(time * position)


u = lk.function("u", controller, 2)
T = m * (der(x) ** 2 + der(y) ** 2) / 2


def particle(**changes):
    return lk.System(**({"name": "particle", "coordinates": [x, y], "kinetic": T, "potential": m * g * y} | changes))


def everything(system):
    """Derive every form in every notation, the stages and the reactions; none of them may fail."""
    shown = [str(system), str(system.stages()), str(system.reactions()), str(system.accelerations())]
    for form in FORMS:
        equations = system.equations(form)
        shown += [equations.text(), equations.latex(), equations.mathml()]
    assert not any(word in text for text in shown for word in ("Given", "Source", "Derivative(road", "#", "[0]"))
    return shown


def slope(table, argument, order=1):
    s = sp.Symbol("s")
    return sp.diff(table(s), s, order).xreplace({s: argument})


# The three uses


def test_a_table_of_time_as_a_prescribed_motion():
    system = particle().constrain("lift", y - road(t))
    everything(system)
    stage = system.stages()["lift"]
    assert stage.verdict.status == "independent" and stage.freedom == 1
    for method in ("multipliers", "direct", "middle", "accelerations"):
        assert sp.expand(system.reactions(method)["lift"][1] - m * (g + slope(road, t, 2))) == 0
    assert system.accelerations() == {x: 0, y: slope(road, t, 2)}
    assert "y' = road'(t)" in system.equations("pseudovelocity").text()


def test_a_table_as_a_path_and_as_a_spring():
    system = particle(potential=m * g * y, forces={x: -curve(x)}).constrain("path", y - road(x))
    everything(system)
    first, second = slope(road, x), slope(road, x, 2)
    acceleration = -(curve(x) + m * first * (g + second * der(x) ** 2)) / (m * (1 + first**2))
    assert sp.simplify(system.accelerations()[x] - acceleration) == 0


def test_a_table_as_a_potential_gives_its_slope_as_a_force():
    free = particle(potential=curve(x - y)).free
    assert free.h[0] == -slope(curve, x - y) and free.h[1] == slope(curve, x - y)


def test_a_controller_as_a_force():
    car = lk.System("car", [z], kinetic=m * der(z) ** 2 / 2, forces={z: k * (road(t) - z) + u(t, z)})
    everything(car)
    assert car.free.h[0] == k * (road(t) - z) + u(t, z)
    assert "m*z'' = u(t, z) + k*(road(t) - z)" in car.equations("reduced").text()
    moved = particle(forces={x: u(t, x * y)}).constrain("slope", x - 2 * y)
    everything(moved)
    assert moved.stages()["slope"].freedom == 1


def test_a_table_in_the_inertia():
    free = lk.System("drum", [x], kinetic=J * curve(x) * der(x) ** 2 / 2).free
    assert free.A[0] == J * curve(x)
    assert sp.expand(free.N[0] + J * slope(curve, x) * der(x) ** 2 / 2) == 0


# Verdicts


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([y - road(x), y**2 - road(x) ** 2], "redundant"),
        ([y - road(x), y - road(x) - 1], "contradictory"),
        ([y - road(t), y - curve(t)], "contradictory"),
        ([y - road(t), der(y) - der(road(t))], "redundant"),
        ([y - road(t), der(y, 2) - der(road(t), 2)], "redundant"),
        ([y - road(t), der(y) - der(curve(t))], "contradictory"),
        ([road(x) - 5, x - y], "independent"),
        ([x * curve(t) + y, y * curve(t) + x], "independent"),
        ([y - road(x * y), 2 * y - 2 * road(x * y)], "redundant"),
        ([der(x) * u(t, y) + der(y), der(x) * u(t, y) ** 2 + u(t, y) * der(y)], "redundant"),
    ],
    ids=str,
)
def test_verdicts_hold_for_functions_in_general(statements, expected):
    system = particle()
    for i, statement in enumerate(statements):
        system = system.constrain(f"c{i}", statement)
    assert system.stages()[-1].verdict.status == expected


def test_a_pivot_that_may_vanish_is_reported():
    stages = particle().constrain("hold", curve(x) - k).stages()
    assert "curve'(x) != 0" in str(stages)


# Statements


def test_systems_are_compared_copied_and_cached_by_the_data_of_their_tables():
    def stated():
        again = lk.table("road", TIMES, np.sin(TIMES))
        return particle(forces={x: u(t, x) + again(x)}).constrain("lift", y - again(t))

    assert stated() == stated() and hash(stated()) == hash(stated())
    assert pickle.loads(pickle.dumps(stated())) == stated()
    assert stated().stages() is not None
    other = lk.table("road", TIMES, np.cos(TIMES))
    assert particle(forces={x: other(x)}) != particle(forces={x: road(x)})
    assert [data.name for data in stated().statement.data_functions] == ["road", "u"]


def test_the_same_free_system_takes_other_tables_of_one_name():
    other = lk.table("road", TIMES, np.cos(TIMES))
    for table in (road, other, road):
        system = particle().constrain("lift", y - table(t))
        assert sp.expand(system.reactions()["lift"][1] - m * (g + slope(table, t, 2))) == 0


def test_all_faults_of_names_are_reported_together():
    named = {name: lk.table(name, [0, 1], [0, 1]) for name in ("x", "m", "motor")}
    twice = lk.table("road", [0, 1], [0, 1])
    force = named["x"](y) + named["m"](y) + named["motor"](y) + road(t) + twice(y)
    with pytest.raises(lk.ModelError) as caught:
        particle(forces={x: force, y: lk.coordinates("w")}).constrain(
            "program", lk.Program(x - sp.sin(t), drives={"motor": {x: 1}})
        )
    text = str(caught.value)
    assert "function 'x': it is named like a coordinate" in text
    assert "function 'm': it is named like a parameter" in text
    assert "function 'road': two different tables or Python functions have this name" in text
    assert "w(t) is not among the coordinates" in text
    driven = particle(forces={x: named["motor"](y)})
    with pytest.raises(lk.ModelError, match="function 'motor': it is named like a drive"):
        driven.constrain("program", lk.Program(x - sp.sin(t), drives={"motor": {x: 1}}))
    with pytest.raises(lk.ModelError, match="two different tables or Python functions have this name"):
        particle(forces={x: road(t)}).constrain("lift", y - twice(t))
    with pytest.raises(lk.ModelError, match="named like a parameter"):
        particle(forces={x: road(t)}).constrain("lift", y - sp.Symbol("road"))


def test_tables_obey_the_rules_of_the_expression_they_stand_in():
    with pytest.raises(lk.ModelError, match="no derivative is allowed here"):
        particle(potential=curve(der(x)))
    with pytest.raises(lk.ModelError, match="velocities may enter at most quadratically"):
        particle(kinetic=m * curve(der(x)) + T)
    with pytest.raises(lk.ModelError, match="contains no coordinate"):
        particle().constrain("nothing", road(t) - 1)
    with pytest.raises(lk.ModelError, match="is an unspecified function"):
        particle(forces={x: sp.Function("f")(x)})
    constraint = particle().constrain("lift", y - road(t)).constraints[0]
    assert constraint.rheonomic and constraint.affine and constraint.kind == "holonomic"


def test_units_are_checked_in_the_arguments_of_tables_only():
    units = {x: "m", y: "m", m: "kg", g: "m/s^2"}
    particle(forces={x: curve(x) + curve(m)}, units=units).constrain("lift", y - road(t))
    with pytest.raises(lk.ModelError, match="different units are added"):
        particle(forces={x: curve(x + m)}, units=units)


def test_a_python_function_cannot_be_saved(tmp_path):
    system = particle(forces={x: u(t, x), y: lk.function("w", math.sin)(t)})
    with pytest.raises(ModelFileError) as caught:
        lk.save(system, tmp_path / "model.toml")
    assert "function 'u': it is a Python function, which a file cannot hold" in str(caught.value)
    assert "function 'w'" in str(caught.value) and not list(tmp_path.iterdir())


def test_a_third_derivative_cannot_be_saved(tmp_path):
    system = particle().constrain("jerk", der(y, 2) - der(road(t), 3))
    with pytest.raises(ModelFileError, match="the formula language has no road'''"):
        lk.save(system, tmp_path / "model.toml")


def test_systems_of_sympy_may_hold_tables():
    method = mechanics.LagrangesMethod(T - m * g * y - curve(x), [x, y], forcelist=None, hol_coneqs=[y - road(t)])
    method.form_lagranges_equations()
    system = lk.System.from_sympy(method)
    assert system.free.h[0] == -slope(curve, x)
    assert sp.expand(system.reactions()["holonomic"][1] - m * (g + slope(road, t, 2))) == 0


def test_pseudovelocities_may_be_weighted_by_a_table():
    system = particle().constrain("path", y - road(x))
    equations = system.equations("pseudovelocity", pseudovelocities={"w": curve(x) * der(x)})
    assert "w" in equations.text() and "curve'(x)" in equations.text()


def test_the_catalogue_takes_tables():
    system = particle().constrain("lift", lk.catalogue.prescribed_motion(y, road(t)))
    assert system == particle().constrain("lift", y - road(t))
