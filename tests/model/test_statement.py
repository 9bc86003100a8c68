"""Stating a system: its contents, when two are equal, and that all its faults are reported together."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import lienket as lk
from lienket import der
from lienket.errors import UnknownName

x, y, phi = lk.coordinates("x y phi")
m, J, r, g, k = lk.parameters("m J r g k")
T = m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2


def disc(**changes):
    return lk.System(**({"name": "disc", "coordinates": [x, y, phi], "kinetic": T, "potential": m * g * y} | changes))


def faults_of(**arguments):
    """Return all faults of a statement as one text."""
    with pytest.raises(lk.ModelError) as caught:
        disc(**arguments)
    return caught.value


# Symbols


def test_coordinates_are_dynamicsymbols():
    assert lk.coordinates("x y") == tuple(dynamicsymbols("x y"))
    assert dynamicsymbols._t == lk.t
    assert der(x) == dynamicsymbols("x", 1) and der(x, 2) == dynamicsymbols("x", 2)


def test_names_may_be_separated_by_commas_and_carry_assumptions():
    assert lk.parameters("m, g") == (m, g)
    assert lk.parameters("l", positive=True).is_positive
    assert lk.coordinates("q", real=True).is_real


def test_derivative_of_an_expression_is_total():
    assert der(r * sp.cos(phi)) == -r * sp.sin(phi) * der(phi)


@pytest.mark.parametrize(("argument", "error"), [("x", TypeError), (m, TypeError)])
def test_derivative_of_a_text_or_a_constant_is_refused(argument, error):
    with pytest.raises(error, match=r"lk\.coordinates"):
        der(argument)


@pytest.mark.parametrize("order", [0, -1, 1.5, True])
def test_order_of_a_derivative_is_a_positive_whole_number(order):
    with pytest.raises(ValueError, match="positive integer"):
        der(x, order)


def test_names_are_one_text_and_derivatives_are_of_one_expression():
    with pytest.raises(TypeError, match="names must be one text"):
        lk.coordinates(["x", "y"])
    with pytest.raises(TypeError, match="der takes one expression"):
        der(np.array([x, y]))
    assert der(x, sp.Integer(2)) == der(x, np.int64(2)) == der(x, 2)


def test_no_names_is_an_error():
    with pytest.raises(ValueError, match="no name was given"):
        lk.coordinates(" ")


# Value semantics


def test_equal_statements_are_equal_and_hash_alike():
    assert disc() == disc() and hash(disc()) == hash(disc())
    assert disc(values={m: 2}) == disc(values={"m": 2.0}) != disc()
    assert disc(name="other") != disc()
    assert disc().constrain("contact", y - r) != disc()
    assert disc() != "disc"
    assert len({disc(), disc(), disc(potential=0)}) == 2


def test_the_order_of_mappings_does_not_matter():
    one = disc(forces={x: k, phi: g}, values={m: 1, g: 2})
    assert one == disc(forces={phi: g, x: k}, values={g: 2, m: 1})


def test_a_system_cannot_be_changed():
    system = disc()
    with pytest.raises(AttributeError, match="never changes"):
        system.name = "other"
    with pytest.raises(AttributeError, match=r"frozen|cannot assign"):
        system.statement.name = "other"
    with pytest.raises(AttributeError, match="never changes"):
        del system._statement
    system.values["m"] = 3  # a copy
    assert system.values == {}


def test_copies_and_pickles_are_equal():
    system = disc(values={m: 2, r: Fraction(1, 3)}).constrain("contact", y - r)
    system = system.constrain("cases", sp.Piecewise((x, x < m), (y, sp.Eq(y, 0)), (phi, True)))
    assert pickle.loads(pickle.dumps(system)) == system
    assert copy.deepcopy(system) == system


def test_constrain_and_release_give_new_systems():
    system = disc()
    rolling = system.constrain("contact", y - r).constrain("rolling", x + r * phi)
    assert [c.name for c in rolling.constraints] == ["contact", "rolling"]
    assert system.constraints == ()
    assert rolling.release("rolling") == system.constrain("contact", y - r)
    assert rolling.release("contact").release("rolling") == system


def test_release_of_an_unknown_constraint_offers_the_nearest():
    with pytest.raises(UnknownName, match=r"no constraint named 'contct', did you mean 'contact'"):
        disc().constrain("contact", y - r).release("contct")
    for name in ("contact", None, 1):
        with pytest.raises(KeyError, match="no constraint named"):
            disc().release(name)


def test_parameters_are_collected_in_natural_order():
    a2, a10 = lk.parameters("a2 a10")
    system = lk.System("s", [x], kinetic=a10 * der(x) ** 2, potential=a2 * x, values={k: 1})
    assert system.parameters == (a2, a10, k)


def test_representation_shows_what_is_stated():
    load = lk.Force(at=(x, y), components=(k, 0), name="push")
    shown = repr(disc(loads=[load], values={m: 2}).constrain("contact", y - r))
    assert shown.splitlines() == [
        "System 'disc' in x, y, phi",
        "  T = m*(x'^2 + y'^2)/2 + J*phi'^2/2",
        "  V = m*g*y",
        "  force push (k, 0) at (x, y)",
        "  contact: y - r = 0  (holonomic)",
        "  with m = 2",
    ]


# Numbers


@pytest.mark.parametrize(
    ("number", "kept"),
    [
        (3, sp.Integer(3)),
        (0.5, sp.Float(0.5)),
        (2.0, sp.Integer(2)),
        (np.float64(0.25), sp.Float(0.25)),
        (np.int32(7), sp.Integer(7)),
        (Fraction(1, 3), sp.Rational(1, 3)),
        (0.1, sp.Float(0.1)),
        (sp.Float("0.1", 40), sp.Float(0.1)),
        (sp.pi / 4, sp.pi / 4),
    ],
)
def test_numbers_are_kept_exactly(number, kept):
    assert disc(values={m: number}).values[m] == kept


# Faults


def test_all_faults_are_reported_together():
    z = lk.coordinates("zeta")
    error = faults_of(
        coordinates=[x, y, x, lk.t, m],
        kinetic=m * der(x) ** 4 + sp.Symbol("y") * der(y) ** 2,
        potential=k * der(x) + z,
        forces={"xx": 1, x: "text", y: der(y, 2)},
        values={"k k": 1, k: float("nan")},
    )
    text = str(error)
    for part in (
        "x is listed twice",
        "time t cannot be a coordinate",
        "m is not a function of time",
        "velocities may enter at most quadratically, but one term is m*x'**4",
        "a parameter is named y like a coordinate",
        "potential: it contains x', but no derivative is allowed here",
        "zeta(t) is not among the coordinates",
        "forces: xx is not a coordinate, did you mean 'x'?",
        "the text 'text' is not an expression",
        "forces[y]: it contains y''",
        "values: 'k k' is not a valid name",
        "values[k]: nan is not a finite number",
    ):
        assert part in text
    assert len(error.faults) == 12
    assert text.startswith("The system 'disc' has 12 faults:")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"coordinates": []}, "coordinates: there are no coordinates"),
        ({"coordinates": "x y"}, "a list of coordinates was expected"),
        ({"coordinates": [x, y, phi, lk.coordinates("x", real=True)]}, "x is listed twice, with different assumptions"),
        ({"coordinates": [x, y, phi, np.array([1, 2])]}, "is not a function of time"),
        ({"coordinates": [x, y, phi, lk.coordinates("_")]}, "'_' is not a valid name"),
        ({"kinetic": sp.Eq(sp.Symbol("T"), T)}, "kinetic: an equation was given"),
        ({"potential": sp.Symbol("A", commutative=False) * x}, "the symbol A does not commute"),
        ({"potential": sp.Piecewise((x, sp.Symbol("flag")), (1, True))}, "condition flag is not a single comparison"),
        ({"potential": sp.Piecewise((x, (x > 0) & (x < 1)), (1, True))}, "is not a single comparison"),
        ({"values": {sp.Symbol("mp", positive=True): -1}}, "contradicts the assumption on the sign of mp"),
        ({"values": {lk.t: 3}}, "time is not a parameter"),
        ({"units": {lk.coordinates("w"): "m"}}, "units: w is not among the coordinates"),
        ({"coordinates": [x, y, phi, lk.coordinates("sin")]}, "'sin' is a reserved word of the formula language"),
        ({"coordinates": [x, y, phi, dynamicsymbols("q+1")]}, r"'q\+1' is not a valid name"),
        ({"coordinates": [x, y]}, r"kinetic: phi\(t\) is not among the coordinates"),
        ({"name": " "}, "the name of a system must be a printable text"),
        ({"kinetic": None}, "neither kinetic energy nor inertia"),
        ({"inertia": sp.eye(3)}, "both kinetic and inertia"),
        ({"kinetic": "m*x"}, "the text 'm\\*x' is not an expression"),
        ({"kinetic": True}, "an expression was expected, not True"),
        ({"kinetic": [1]}, "an expression was expected, not \\[1\\] of type list"),
        ({"kinetic": m * sp.sqrt(1 + der(x) ** 2)},
         "at most quadratically, but one term is m\\*sqrt\\(x'\\*\\*2 \\+ 1\\)"),
        ({"kinetic": m * der(x) ** 3 + T}, "one term is m\\*x'\\*\\*3"),
        ({"kinetic": m * der(x, 2)}, "it contains x''"),
        ({"potential": sp.besselj(0, x)}, "besselj\\(0, x\\) is not part of the formula language"),
        ({"potential": sp.I * x}, "imaginary unit"),
        ({"potential": x * sp.asin(2)}, "asin\\(2\\) is not a finite real number"),
        ({"potential": x / sp.S.Zero}, "infinite or undefined number"),
        ({"potential": sp.Piecewise((x, x > 0))}, "no value where no condition holds"),
        ({"potential": sp.Function("f")(x)}, "f\\(x\\) is an unspecified function"),
        ({"potential": sp.Function("f")(x).diff(x)}, "derivative by something other than time"),
        ({"potential": sp.Symbol("t", real=True) * x}, "a symbol t with assumptions, which is not time"),
        ({"potential": sp.Symbol("m", positive=True) * x}, "two different symbols are both named m"),
        ({"potential": sp.Symbol("max") * x}, "'max' is a reserved word of the formula language"),
        ({"potential": lk.coordinates("x", real=True)}, "created twice with different assumptions"),
        ({"forces": [1, 2, 3]}, "a mapping from coordinate to generalized force was expected"),
        ({"forces": {x: 1, "x": 2}}, "x has two entries"),
        ({"forces": {m: 1}}, "m is not a coordinate"),
        ({"loads": [3]}, "load 1: an lk.Force"),
        ({"loads": [lk.Force((x, y), (1,), "wind")]}, "load 'wind': 2 entries in the position, 1 in the force"),
        ({"loads": [lk.Force((x, der(y)), (1, 2))]}, "load 1, position: it contains y'"),
        ({"dissipation": der(x, 2)}, "dissipation: it contains x''"),
        ({"values": [1]}, "values: a mapping by parameter"),
        ({"values": {m: k}}, "values\\[m\\]: a real number was expected, not k"),
        ({"values": {m: sp.sqrt(-2)}}, "values\\[m\\]"),
        ({"values": {x: 1}}, "it is a coordinate; start values"),
        ({"units": {m: 3}}, "units\\[m\\]: a text such as 'kg'"),
    ],
)  # fmt: skip
def test_each_fault_has_its_own_sentence(arguments, message):
    with pytest.raises(lk.ModelError, match=message):
        disc(**arguments)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (sp.eye(2), "its shape is 2 x 2, but 3 coordinates need 3 x 3"),
        ([[1, 2, 3], [1, 2], [1]], "3 rows of different lengths"),
        ([[m, x, 0], [y, m, 0], [0, 0, J]], r"not symmetric: \[1, 0\] is y, \[0, 1\] is x"),
        ([[m, der(x), 0], [der(x), m, 0], [0, 0, J]], r"inertia\[0, 1\]: it contains x'"),
        (7, "its shape is 1 x 1"),
    ],
)
def test_a_stated_inertia_matrix_is_checked(matrix, message):
    with pytest.raises(lk.ModelError, match=message):
        disc(kinetic=None, inertia=matrix)


@pytest.mark.parametrize(
    "entry", [sp.Abs(x) - x, sp.sign(x) - 1, sp.Max(0, -x), sp.Piecewise((0, x < 10), (x, True)), x - 3 * sp.Abs(y)]
)
def test_an_asymmetry_at_some_points_only_is_detected(entry):
    with pytest.raises(lk.ModelError, match="not symmetric"):
        lk.System("s", [x, y], inertia=[[m, 0], [entry, m]])


def test_an_inertia_matrix_that_was_computed_may_be_asymmetric_by_rounding():
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    A = rotation @ np.diag([1.0, 2.0, 3.0]) @ rotation.T
    assert (A != A.T).any()
    free = disc(kinetic=None, inertia=A, potential=0).free
    assert free.A == free.A.T


def test_matrices_and_arrays_are_taken_as_lists():
    force = lk.Force(sp.Matrix([x, y]), np.array([k, 0], dtype=object))
    assert disc(coordinates=sp.Matrix([x, y, phi]), loads=[force]) == disc(loads=[lk.Force([x, y], [k, 0])])


@pytest.mark.parametrize(
    "kinetic",
    [m * der(x) ** 3 * (x + y + phi + m + k + J + g) ** 12, (T + m * der(x) * der(y) * sp.sin(phi)) ** 20],
)
def test_a_kinetic_energy_far_from_quadratic_is_refused_without_expanding_it(kinetic):
    with pytest.raises(lk.ModelError, match="at most quadratically, but one term is"):
        disc(kinetic=kinetic)


def test_symmetry_is_judged_by_value_not_by_shape():
    one, other = sp.sin(2 * x), 2 * sp.sin(x) * sp.cos(x)
    system = lk.System("s", [x, y], inertia=[[m, one], [other, m]])
    assert system.free.A.shape == (2, 2)


def test_a_deeply_nested_expression_is_refused_and_not_a_crash():
    e = x
    for _ in range(300):
        e = sp.sin(e, evaluate=False)
    with pytest.raises(lk.ModelError, match="302 levels deep; 200 are allowed"):
        disc(potential=e)


def test_reciprocal_functions_become_sines_and_cosines():
    system = disc(potential=sp.sec(x) + sp.cot(y))
    assert system.statement.free.potential == 1 / sp.cos(x) + sp.cos(y) / sp.sin(y)


def test_an_unevaluated_derivative_is_carried_out():
    system = disc(kinetic=m * sp.Derivative(x**2, lk.t) ** 2 + T)
    assert system.free.A[0, 0] == m * (1 + 8 * x**2)


def test_the_time_is_no_parameter():
    with pytest.raises(ValueError, match="t is the time"):
        lk.parameters("m t")


def test_unknown_keywords_are_refused():
    with pytest.raises(TypeError, match="frces"):
        disc(frces={})
