"""Systems and states that cannot be linearized are refused, with the reason and the name."""

import mechanisms
import pytest

import lienket as lk
from lienket import LienketError, ModelError, der


def test_a_state_off_its_constraints():
    with pytest.raises(LienketError, match=r"position residual of 'rod' is 0\.01"):
        mechanisms.pendulum_in_the_plane().linearize([0.1, -0.7])
    with pytest.raises(LienketError, match=r"velocity residual of 'rod' is 0\.7"):
        mechanisms.pendulum_in_the_plane().linearize([0, -0.7], [0, -0.5])


def test_contradictory_constraints():
    x, y = lk.coordinates("x y")
    point = lk.System("point", [x, y], kinetic=der(x) ** 2 + der(y) ** 2).constrain("one", der(x, 2) - 1)
    with pytest.raises(LienketError, match="'two'"):
        point.constrain("two", der(x, 2) - 2).linearize([0, 0])


def test_a_dead_point_has_no_linear_system():
    """At a flat parallelogram the rows of the loop are dependent and two branches meet."""
    from sympy import cos, sin

    p, s, w = q = lk.coordinates("p s w")
    free = lk.System("parallelogram", q, kinetic=der(p) ** 2 + der(s) ** 2 + der(w) ** 2, potential=p)
    flat = free.constrain("loop", [cos(p) + 2 * cos(s) - cos(w) - 2, sin(p) + 2 * sin(s) - sin(w)])
    for v in ([1, 0, 1], [0, 0, 0]):
        with pytest.raises(LienketError, match=r"rows of 'loop' lose rank here and not at neighbouring states"):
            flat.linearize([0, 0, 0], v)
    resting = lk.System("parallelogram", q, kinetic=der(p) ** 2 + der(s) ** 2 + der(w) ** 2)
    with pytest.raises(LienketError, match=r"rows of 'loop' lose rank here and not at neighbouring states"):
        resting.constrain("loop", flat.constraints[0].expressions).linearize([0, 0, 0])
    assert flat.linearize([0.5, 0, 0.5]).A.shape == (2, 2)


def test_states_that_do_not_determine_the_others():
    plane = mechanisms.double_pendulum_in_the_plane()
    state = [0, -0.8, 0, -1.3]
    with pytest.raises(LienketError, match=r"y1 does not move independently.*missing, for example x1"):
        plane.linearize(state, independent=["y1", "x2", "x1'", "x2'"])
    with pytest.raises(LienketError, match=r"a velocity is missing, for example x2'"):
        plane.linearize(state, independent=["x1", "x2", "x1'"])
    with pytest.raises(LienketError, match=r"y2' does not move independently.*2 independent velocities"):
        plane.linearize(state, independent=["x1", "x2", "x1'", "x2'", "y2'"])


def test_inputs_in_a_constraint():
    with pytest.raises(LienketError, match=r"l cannot be an input: it occurs in the constraint 'rod'"):
        mechanisms.pendulum_in_the_plane().linearize([0, -0.7], inputs=["l"])
    disc, state = mechanisms.rolling_disc(), mechanisms.disc_state(2.0)
    with pytest.raises(LienketError, match=r"r cannot be an input: .* 'rolling'.* first derivative"):
        disc.linearize(*state, inputs=["r"])
    assert pytest.approx(0, abs=1e-12) == disc.linearize(*state, inputs=["g"]).B


def test_unknown_names_are_reported_together():
    with pytest.raises(ModelError) as caught:
        mechanisms.pendulum().linearize([0], inputs=["gg"], independent=["thetta"], outputs={"a": lk.parameters("zz")})
    assert [fault.where for fault in caught.value.faults] == ["inputs", "output 'a'", "independent"]


def test_multipliers_of_redundant_constraints_are_no_outputs():
    x, y = lk.coordinates("x y")
    l, first, second = lk.parameters("l lambda_1 lambda_2")
    twice = mechanisms.pendulum_in_the_plane().constrain("again", 2 * (x**2 + y**2 - l**2))
    with pytest.raises(LienketError, match="'share' is not determined"):
        twice.linearize([0, -0.7], outputs={"share": first})
    both = twice.linearize([0, -0.7], inputs=["g"], outputs={"both": first + 2 * second})
    assert pytest.approx(-2 / 1.4) == both.D


def test_programs_are_refused():
    x = lk.coordinates("x")
    pushed = lk.System("cart", [x], kinetic=der(x) ** 2).constrain("plan", lk.Program(x, drives={"u": {x: 1}}))
    with pytest.raises(LienketError, match="'plan' is a program"):
        pushed.linearize([0])


def test_state_space_needs_python_control():
    linear = mechanisms.pendulum().linearize([0], inputs=["g"])
    try:
        import control
    except ImportError:
        with pytest.raises(LienketError, match="pip install control"):
            linear.state_space()
    else:
        model = linear.state_space()
        assert isinstance(model, control.StateSpace)
        assert model.state_labels == ["theta", "theta'"]


def test_system_without_freedom_has_no_states():
    x = lk.coordinates("x")
    fixed = lk.System("fixed", [x], kinetic=der(x) ** 2).constrain("pin", x - 2)
    linear = fixed.linearize([2])
    assert linear.A.shape == (0, 0)
    assert len(linear.eigenvalues) == 0
    assert linear.stable
