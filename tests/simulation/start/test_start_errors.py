"""Inconsistent starts: all faults of the input at once, contradictions with their constraint and residual."""

import pickle

import numpy as np
import pytest
import sympy as sp
from starting import four_bar, model, point

import lienket as lk
from lienket import der
from lienket.errors import StartError, UnknownName


def refused(system, *arguments, **options):
    with pytest.raises(StartError) as caught:
        system.consistent(*arguments, **options)
    return caught.value


def faults(system, *arguments, **options):
    with pytest.raises(lk.ModelError) as caught:
        system.consistent(*arguments, **options)
    return [(fault.where, fault.what) for fault in caught.value.faults]


def test_all_faults_are_reported_together():
    crank = model("slider_crank")
    (phi, _), L = crank.coordinates, crank.parameters[0]
    start = {"phy": 1.0, phi: 0.2, "phi": 0.3, "theta'": np.nan, L: 2.0}
    reported = faults(crank, start, {"mm": 1}, guess={"theta''": 0.0, "phi": 1.0}, t="now")
    assert [where for where, _ in reported] == ["start"] * 4 + ["guess"] * 2 + ["values", "t"]
    text = "\n".join(what for _, what in reported)
    for words in (
        "did you mean 'phi'?",
        "phi is given twice",
        "theta' is nan",
        "phi is also given in start",
        'did you mean "theta\'"?',
    ):
        assert words in text


def test_parameters_are_no_start_values():
    with pytest.raises(lk.ModelError, match="r is a parameter; give its number in values"):
        model("slider_crank").consistent({"r": 0.2})


@pytest.mark.parametrize("start", [3.0, "phi", [1.0, 2.0], [[1.0, 2.0]], {1.0, 2.0}, ([1.0], [0.0, 0.0])])
def test_invalid_start_is_reported(start):
    assert faults(model("slider_crank"), start)


def test_guesses_must_be_a_mapping():
    assert faults(model("slider_crank"), guess=[1.0, 2.0])[0][0] == "guess"


def test_velocities_may_be_named_by_their_symbols():
    crank = model("slider_crank")
    phi, _ = crank.coordinates
    q, v = crank.consistent({phi: 0.7, der(phi): 2.0})
    for keys in (("phi", "phi'"), ("phi", "der(phi)")):
        again = crank.consistent(dict(zip(keys, (0.7, 2.0), strict=True)))
        assert np.array_equal(again.q, q)
        assert np.array_equal(again.v, v)


def test_start_values_are_read_by_name():
    start = model("slider_crank").consistent({"phi": 0.7, "phi'": 2.0})
    assert start["phi'"] == 2.0
    with pytest.raises(UnknownName, match="did you mean 'theta'"):
        start["teta"]
    assert "1 other assembly" in repr(start)


def test_positions_out_of_reach_name_the_constraint_and_the_distance():
    """With x1 = 3 on a rod of 0.9 the least residual of x1^2 + y1^2 - L1^2 is 9 - 0.81."""
    error = refused(model("double_pendulum_cartesian"), {"x1": 3.0})
    assert set(error.residuals) == {"upper rod"}
    assert error.residuals["upper rod"] == pytest.approx(8.19, rel=1e-2)
    assert error.given == ("x1",)
    assert "'upper rod' is off by 8.19" in str(error)
    assert "x1 = 3 given" in str(error)


def test_the_first_constraint_that_cannot_hold_is_named_with_those_before_it():
    """The lower rod does not reach x2 = 5 from the end of the upper rod."""
    error = refused(model("double_pendulum_cartesian"), {"x2": 5.0, "y1": 0.1})
    assert set(error.residuals) == {"lower rod"}
    assert set(error.given) == {"x2", "y1"}
    assert "'upper rod'" in str(error)


def test_a_whole_state_off_its_constraints_is_kept_and_refused():
    crank = model("slider_crank")
    error = refused(crank, ([0.7, 0.24], [0.0, 0.0]))
    assert error.residuals["guide"] == pytest.approx(abs(0.21 * np.sin(0.7) - 0.58 * np.sin(0.24)), rel=1e-12)
    assert error.given == ("phi", "theta")
    assert "positions with phi = 0.7 and theta = 0.24 given contradict" in str(error)


def test_contradicting_velocities_name_the_constraint_the_amount_and_the_values():
    crank = model("slider_crank")
    start = crank.consistent({"phi": 0.7, "phi'": 1.0})
    error = refused(crank, {"phi": 0.7, "theta": start["theta"], "phi'": 1.0, "theta'": 3.0})
    expected = 0.21 * np.cos(0.7) - 0.58 * np.cos(start["theta"]) * 3
    assert error.residuals == {"guide": pytest.approx(abs(expected), rel=1e-12)}
    assert error.given == ("phi'", "theta'")
    assert "velocities" in str(error)


def test_only_contradicting_values_are_named():
    system, (x, _, z) = point()
    bound = system.constrain("wall", x - 1).constrain("slope", der(z) - der(x) - 2)
    error = refused(bound, {"x": 1.0, "y": 7.0, "z'": 3.0, "y'": 1.0})
    assert error.given == ("z'",)
    assert error.residuals == {"slope": pytest.approx(1.0)}
    assert "'wall'" in str(error)  # the wall requires x' = 0


def test_constraints_that_contradict_each_other_are_named_without_any_value():
    system, (_, y, _) = point()
    error = refused(system.constrain("floor", y - 1).constrain("lift", 2 * y - 3), {"x": 4.0})
    assert error.residuals == {"lift": pytest.approx(1.0)}
    assert error.given == ()
    assert "'floor'" in str(error)


def test_loop_that_cannot_close_is_reported():
    """The loop is open in every position, as 1 + 0.5 < 2.2 - 0.4."""
    error = refused(four_bar(0.5, 1.0, 0.4, 2.2), guess={"beta": 0.3})
    assert set(error.residuals) == {"loop"}
    assert "better guess" in str(error)


def test_where_the_model_is_not_finite_the_constraint_is_named():
    system, (x, y, _) = point()
    error = refused(system.constrain("hyperbola", 1 / x - y))
    assert "'hyperbola'" in str(error)
    assert "x = 0" in str(error)
    start = system.constrain("hyperbola", 1 / x - y).consistent({"x": 2.0})
    assert start["y"] == pytest.approx(0.5, abs=1e-15)


def test_negative_inertia_is_reported():
    system, (x, y, _) = point(m=-1.0)
    with pytest.raises(lk.LienketError, match="not positive semidefinite"):
        system.constrain("circle", x**2 + y**2 - 1).consistent(guess={"x": 0.5})


def test_the_error_of_a_start_survives_pickling():
    error = refused(model("double_pendulum_cartesian"), {"x1": 3.0})
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.residuals == error.residuals


def test_time_is_reported_where_it_matters():
    system, (x, _, _) = point()
    error = refused(system.constrain("shaken", x - sp.sin(lk.t)), {"x": 3.0}, t=0.5)
    assert error.residuals["shaken"] == pytest.approx(3 - np.sin(0.5), rel=1e-12)
    assert "t = 0.5" in str(error)


@pytest.mark.parametrize("size", [1e154, 1e160, 1e200, 1e300])
def test_positions_whose_residuals_overflow_are_refused(size):
    """The residual x^2 - 1 and its terms are infinite together: their ratio must not count as small."""
    x, y = lk.coordinates("x y")
    rod = lk.System("rod", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2).constrain("rod", x**2 + y**2 - 1)
    with pytest.raises(StartError, match="no finite number for the constraint 'rod'"):
        rod.consistent({"x": size})
