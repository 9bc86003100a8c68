"""system.at: numbers at one state, the ways to pass them, and the messages about faulty ones."""

import math

import numpy as np
import pytest
import sympy as sp
from conftest import MODELS
from sympy import cos, sin

import lienket as lk
from lienket import der

x, y, phi = lk.coordinates("x y phi")
m, J, r, g, F = lk.parameters("m J r g F")


def disc(**options):
    free = lk.System(
        "disc",
        [x, y, phi],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2,
        potential=m * g * y,
        forces={x: F},
        **options,
    )
    return free.constrain("contact", y - r).constrain("rolling", x + r * phi)


VALUES = {"m": 2.0, "J": 0.5, "r": 0.3, "g": 9.81, "F": 1.2}
Q, V = [-0.3, 0.3, 1.0], [0.6, 0.0, -2.0]


def test_a_disc_driven_by_a_force_rolls_as_the_textbook_says():
    state = disc().at(Q, V, values=VALUES)
    expected = 1.2 / (2.0 + 0.5 / 0.3**2)
    assert state.accelerations == pytest.approx([expected, 0.0, -expected / 0.3], rel=1e-12, abs=1e-14)
    assert state.reactions["contact"] == pytest.approx([0, 2.0 * 9.81, 0], rel=1e-12)
    friction = 2.0 * expected - 1.2
    assert state.reactions["rolling"] == pytest.approx([friction, 0, 0.3 * friction], rel=1e-12)
    assert state.audit.ok
    assert state.audit.consistent


@pytest.mark.parametrize(
    ("q", "v", "values"),
    [
        ({"x": -0.3, "y": 0.3, "phi": 1.0}, {"x": 0.6, "y": 0.0, "phi": -2.0}, VALUES),
        ({x: -0.3, y: 0.3, phi: 1.0}, {der(x): 0.6, "y'": 0.0, phi: -2.0}, {m: 2.0, J: 0.5, "r": 0.3, g: 9.81, F: 1.2}),
        (np.array(Q), tuple(V), [1.2, 0.5, 9.81, 2.0, 0.3]),
        (sp.Matrix(Q), iter(V), {k: sp.Rational(str(v)) for k, v in VALUES.items()}),
    ],
)
def test_numbers_are_passed_by_name_by_symbol_or_in_order(q, v, values):
    assert [p.name for p in disc().parameters] == ["F", "J", "g", "m", "r"]
    assert disc().at(q, v, values=values).accelerations == pytest.approx(disc().at(Q, V, values=VALUES).accelerations)


def test_passed_values_override_the_defaults_of_the_system():
    system = disc(values={**{k: v for k, v in VALUES.items() if k != "r"}, r: 0.3, "F": 100.0})
    assert system.at(Q, V, values={"F": 1.2}).reaction == pytest.approx(disc().at(Q, V, values=VALUES).reaction)
    assert system.at(Q, V).h[0] == 100.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": [1.0, 2.0]}, "q: 2 numbers are given for 3 coordinates"),
        ({"v": [1.0, 2.0, 3.0, 4.0]}, "v: 4 numbers are given for 3 velocities"),
        ({"q": [math.nan, 0.3, 1.0]}, "q: x is nan, which is not a finite number"),
        ({"v": {"x": math.inf, "y": 0, "phi": 0}}, "v: x is inf, which is not a finite number"),
        ({"q": {"x": 1.0, "y": 0.3, "phy": 1.0}}, "phy is not a coordinate of this system, did you mean 'phi'?"),
        ({"q": {"x": 1.0, "y": 0.3}}, "q: phi has no number"),
        ({"v": {"x": 1.0, "x'": 2.0, "y": 0, "phi": 0}}, "v: x is given twice"),
        ({"values": {k: v for k, v in VALUES.items() if k != "J"}}, "values: J has no number"),
        ({"values": {**VALUES, "mm": 1.0}}, "mm is not a parameter of this system, did you mean 'm'?"),
        ({"values": {**VALUES, "m": "2.0"}}, "m must be a real number, not '2.0'"),
        ({"values": {**VALUES, "m": m}}, "m must be a real number, not m"),
        ({"values": {**VALUES, "m": 1j}}, "m must be a real number"),
        ({"q": 3.0}, "q: a mapping by name or a sequence of 3 numbers is expected, not 3.0"),
        ({"q": "123"}, "q: a mapping by name or a sequence of 3 numbers is expected, not '123'"),
        ({"t": "soon"}, "t: the time must be a real number, not 'soon'"),
    ],
)
def test_each_mistake_gets_its_own_sentence(change, message):
    arguments = {"q": Q, "v": V, "t": 0.0, "values": VALUES} | change
    with pytest.raises(lk.ModelError) as error:
        disc().at(**arguments)
    assert len(error.value.faults) == 1
    assert message in str(error.value)


def test_all_mistakes_are_reported_together():
    with pytest.raises(lk.ModelError) as error:
        disc().at([1.0], {"z": 1.0}, math.nan, {"m": -math.inf})
    text = str(error.value)
    parts = ("q:", "v: z is not a velocity", "v: x, y, phi have no number", "t:", "m is -inf")
    assert all(part in text for part in parts)


def test_a_state_off_its_constraints_is_solved_and_reported():
    state = disc().at([0.0, 0.4, 1.0], V, values=VALUES)
    assert state.accelerations == pytest.approx(disc().at(Q, V, values=VALUES).accelerations, abs=1e-12)
    assert not state.audit.consistent
    assert state.audit.accurate
    assert state.audit.residuals["position"] == pytest.approx({"contact": 0.1, "rolling": 0.3})
    assert "The state violates 'contact': its position residual is 0.1." in str(state.audit)


def test_a_formula_without_a_value_is_reported_with_its_state():
    system = lk.System("pole", [x], kinetic=m * der(x) ** 2 / 2, potential=1 / x).constrain("c", der(x) - sp.log(x))
    with pytest.raises(
        lk.LienketError, match=r"q = \[0.0\]\) the right side h, g0 of constraint 'c', .* is not finite"
    ):
        system.at([0.0], [0.0], values={"m": 1})


def test_negative_inertia_is_refused():
    with pytest.raises(lk.LienketError, match="kinetic energy would be negative"):
        disc().at(Q, V, values={**VALUES, "m": -1.0})
    slanted = lk.System("slanted", [x, y], inertia=[[1, 2], [2, 1]])
    with pytest.raises(lk.LienketError, match="kinetic energy would be negative"):
        slanted.at([0, 0], [0, 0])


def test_unknown_names_are_reported_with_the_nearest():
    state = disc().at(Q, V, values=VALUES)
    for ask in (lambda: state.influence("rolling", "contract"), lambda: state.release("contract")):
        with pytest.raises(lk.LienketError, match="did you mean 'contact'"):
            ask()


def test_a_massless_pulley():
    """Atwood's machine with a massless pulley: phi has no inertia, A is singular, the motion is that of textbooks."""
    a, b, turn = lk.coordinates("a b turn")
    m1, m2 = lk.parameters("m1 m2")
    machine = lk.System(
        "Atwood", [a, b, turn], kinetic=m1 * der(a) ** 2 / 2 + m2 * der(b) ** 2 / 2, potential=-m1 * g * a - m2 * g * b
    )
    machine = machine.constrain("left rope", a - r * turn).constrain("right rope", b + r * turn)
    numbers = {"m1": 3.0, "m2": 2.0, "g": 9.81, "r": 0.2}
    state = machine.at([0.1, -0.1, 0.5], [0, 0, 0], values=numbers)
    acceleration, tension = 9.81 / 5, 2 * 3.0 * 2.0 * 9.81 / 5
    assert state.accelerations == pytest.approx([acceleration, -acceleration, acceleration / 0.2], rel=1e-13)
    assert state.reactions["left rope"] == pytest.approx([-tension, 0, 0.2 * tension], rel=1e-13)
    assert state.reactions["right rope"] == pytest.approx([0, -tension, -0.2 * tension], rel=1e-13)
    assert state.audit.ok
    assert state.audit.methods is None
    for method in ("multipliers", "accelerations"):
        total = machine.reactions(method).total.subs({sp.Symbol(k): v for k, v in numbers.items()})
        assert [float(e) for e in total] == pytest.approx([-tension, -tension, 0], rel=1e-13, abs=1e-13)
    for method in ("direct", "middle"):
        with pytest.raises(lk.LienketError, match="needs the inverse of A"):
            machine.reactions(method)
    with pytest.raises(lk.LienketError, match="not determined at this state: turn can move without any mass"):
        machine.release("left rope").at([0, 0, 0], [0, 0, 0], values=numbers).release("right rope").accelerations  # noqa: B018


def test_a_pivot_that_vanishes_does_not_disturb_the_numbers(cases):
    """At cos(theta) = 0 the paper's D fails; the carriage moves there as it does turned by a right angle."""
    carriage = lk.load(MODELS / "carriage.toml")
    v, w = 0.8, 0.6

    def state(theta):
        a, b = 0.14, 0.36
        rates = [v * math.cos(theta), v * math.sin(theta), w, -(v + b * w) / a, -(v - b * w) / a]
        return carriage.at([0.3, -0.2, theta, 0, 0], rates)

    assert [str(c) for s in carriage.stages() for c in s.conditions] == ["cos(theta(t))"]
    ahead, up = state(0.0), state(math.pi / 2)
    assert up.audit.ok
    turned = [-ahead.accelerations[1], ahead.accelerations[0], *ahead.accelerations[2:]]
    assert up.accelerations == pytest.approx(turned, abs=1e-13)
    assert [x.status for x in up.verdicts.values()] == ["independent"] * 3


A1, A2, A3 = lk.coordinates("alpha beta gamma")
a, b, J1, J2, J3 = lk.parameters("a b J1 J2 J3")


def parallelogram():
    """State two cranks of length a and a coupler of length b, the pivots b apart; the couple F on the first crank."""
    energy = (J1 * der(A1) ** 2 + J2 * der(A2) ** 2 + J3 * der(A3) ** 2) / 2
    free = lk.System("parallelogram", [A1, A2, A3], kinetic=energy, forces={A1: F})
    loop = [a * cos(A1) + b * cos(A2) - b - a * cos(A3), a * sin(A1) + b * sin(A2) - a * sin(A3)]
    return free.constrain("loop", loop)


BARS = {"a": 1.0, "b": 2.0, "J1": 1.0, "J2": 0.5, "J3": 0.7, "F": 3.0}


def test_a_flat_four_bar_has_a_redundant_row_there_only():
    state = parallelogram().at([0, 0, 0], [0, 0, 0], values=BARS)
    verdict = state.verdicts["loop"]
    assert verdict.status == "redundant"
    assert verdict.always is False
    assert verdict.rows == (1,)
    assert {str(c) for c in verdict.condition} == {"sin(alpha(t))", "sin(beta(t))", "sin(gamma(t))"}
    assert state.D.shape == (3, 2)
    assert np.abs(state.G @ state.D).max() < 1e-15
    assert "in this configuration" in verdict.sentence
    # Only a*alpha + b*beta - a*gamma = 0 binds accelerations there: r = lambda (a, b, -a).
    mobility = 1.0 / 1.0 + 4.0 / 0.5 + 1.0 / 0.7
    push = -3.0 / mobility
    assert state.reaction == pytest.approx([push, 2 * push, -push], rel=1e-12)


def test_velocities_decide_whether_a_flat_four_bar_contradicts_itself():
    """Flat, the first row is 0 q'' - a (alpha'^2 - gamma'^2) - b beta'^2 = 0: true for the parallelogram's motion."""
    bars = parallelogram()
    together = bars.at([0, 0, 0], [1.0, 0, 1.0], values=BARS)
    assert together.verdicts["loop"].status == "redundant"
    apart = bars.at([0, 0, 0], [1.0, -0.5, 0.0], values=BARS)  # on the velocity constraint, but leaving the loop
    assert apart.audit.consistent
    assert apart.verdicts["loop"].status == "contradictory"
    with pytest.raises(lk.LienketError, match="There is no motion at this state"):
        apart.accelerations  # noqa: B018


def test_constraints_nonlinear_in_the_accelerations_are_solved_by_newton():
    """With |q''| = c: q'' = h/m + J^T lambda/m and J = q'', so q'' is along h."""
    c = lk.parameters("c")
    particle = lk.System("particle", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, forces={x: 3 * F, y: 4 * F})
    state = particle.constrain("size", der(x, 2) ** 2 + der(y, 2) ** 2 - c**2).at(
        [0, 0], [0, 0], values={"m": 2.0, "F": 1.0, "c": 7.0}
    )
    assert state.accelerations == pytest.approx([7 * 0.6, 7 * 0.8], rel=1e-12)
    assert state.reaction == pytest.approx([2 * 4.2 - 3, 2 * 5.6 - 4], rel=1e-12)
    assert state.audit.accurate


def test_a_nonlinear_constraint_that_cannot_hold_is_named():
    particle = lk.System("particle", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, forces={x: 1})
    system = particle.constrain("impossible", der(x, 2) ** 2 + der(y, 2) ** 2 + 1)
    with pytest.raises(lk.LienketError, match="'impossible'"):
        system.at([0, 0], [0, 0], values={"m": 1.0}).accelerations  # noqa: B018


def test_a_program_is_kept_by_its_drive():
    """The drive at the hanging load gives the cart its prescribed x''."""
    cart = lk.System("carts", [x, y], kinetic=m * der(x) ** 2 / 2 + J * der(y) ** 2 / 2)
    joined = cart.constrain("coupling", x - y).constrain("ramp", lk.Program(x - g * lk.t**2 / 2, drives={"u": {y: 2}}))
    state = joined.at([0, 0], [0, 0], values={"m": 2.0, "J": 3.0, "g": 5.0})
    assert state.drives == pytest.approx({"u": (2.0 + 3.0) * 5.0 / 2})
    assert state.accelerations == pytest.approx([5.0, 5.0])
    assert state.reactions["coupling"] == pytest.approx([10.0, -10.0])
    assert state.reactions["ramp"] == pytest.approx([0.0, 25.0])
    assert np.isnan(state.multipliers[1])
    assert state.audit.ok


def test_a_program_that_its_drive_cannot_keep_is_refused():
    cart = lk.System("carts", [x, y], kinetic=m * der(x) ** 2 / 2 + J * der(y) ** 2 / 2)
    state = cart.constrain("ramp", lk.Program(x - g * lk.t**2 / 2, drives={"u": {y: 1}})).at(
        [0, 0], [0, 0], values={"m": 2.0, "J": 3.0, "g": 5.0}
    )
    with pytest.raises(lk.LienketError, match="The drives u cannot keep 'ramp'"):
        state.accelerations  # noqa: B018


def test_tolerance_decides_what_is_dependent():
    system = lk.System("plane", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2)
    system = system.constrain("first", x).constrain("second", x + F * y)
    near = {"m": 1.0, "F": 1e-6}
    assert system.at([0, 0], [0, 0], values=near).verdicts["second"].status == "independent"
    assert system.at([0, 0], [0, 0], values=near, tolerance=1e-4).verdicts["second"].status == "redundant"


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_verdicts_do_not_depend_on_units(unit):
    """In the metric of A a near-dependence is judged equally with y in other units."""
    system = lk.System("plane", [x, y], kinetic=m * der(x) ** 2 / 2 + J * der(y) ** 2 / 2)
    system = system.constrain("first", x).constrain("second", x + F * y)
    values = {"m": 1.0, "J": 1.0 / unit**2, "F": 1e-6 / unit}
    assert system.at([0, 0], [0, 0], values=values).verdicts["second"].status == "independent"
    assert system.at([0, 0], [0, 0], values=values, tolerance=1e-5).verdicts["second"].status == "redundant"
