"""Tables: values and derivatives equal SciPy's, ends behave as stated, and all faults are reported together."""

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases
from scipy.interpolate import CubicSpline, PchipInterpolator, PPoly

import lienket as lk
from lienket.errors import ExpressionError, ModelFileError
from lienket.language.data_functions import Table
from lienket.language.text import read_expression, write_expression
from lienket.model.file import read_text
from lienket.model.file.writing import write_text

x, y = lk.coordinates("x y")
m = lk.parameters("m")
KNOTS = [0.0, 0.4, 1.0, 1.7, 3.0]
HEIGHTS = [0.2, -0.1, 0.5, 0.9, 0.3]
SCIPY = {"cubic": CubicSpline, "pchip": PchipInterpolator}


def road(**changes):
    return lk.table(**({"name": "road", "x": KNOTS, "y": HEIGHTS} | changes))


def faults_of(**changes):
    with pytest.raises(lk.ModelError) as caught:
        road(**changes)
    return str(caught.value)


# Values


@pytest.mark.parametrize("kind", ["cubic", "pchip"])
@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_values_and_derivatives_are_those_of_scipy(kind, order):
    at = np.linspace(0, 3, 97)
    np.testing.assert_allclose(
        road(kind=kind).value(at, order), SCIPY[kind](KNOTS, HEIGHTS)(at, order), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("kind", ["cubic", "pchip", "linear"])
def test_first_and_second_derivatives_agree_with_central_differences(kind):
    table, h = road(kind=kind), 1e-5
    at = np.array([0.15, 0.7, 1.2, 2.9])  # between the points
    for order in (0, 1):
        slope = (table.value(at + h, order) - table.value(at - h, order)) / (2 * h)
        np.testing.assert_allclose(table.value(at, order + 1), slope, rtol=1e-6, atol=1e-8)


def test_linear_is_straight_between_the_points():
    table = road(kind="linear")
    np.testing.assert_allclose(table.value([0.2, 1.0, 3.0]), [0.05, 0.5, 0.3])
    assert table.value(0.2, 1) == pytest.approx(-0.75)
    assert table.value(0.2, 2) == 0.0


def test_pieces_are_those_of_ppoly():
    for kind in ("cubic", "pchip", "linear"):
        table = road(kind=kind)
        at = np.linspace(0, 3, 50)
        np.testing.assert_allclose(PPoly(table.pieces(), KNOTS)(at), table.value(at), atol=1e-14)
    pieces = road().pieces()
    pieces[:] = 0  # a copy
    assert road().value(0.0) == 0.2


@pytest.mark.parametrize("count", [2, 3])
def test_few_points_give_lower_degrees_as_in_scipy(count):
    xs, ys = KNOTS[:count], HEIGHTS[:count]
    at = np.linspace(xs[0], xs[-1], 9)
    for kind, spline in SCIPY.items():
        table = lk.table("few", xs, ys, kind)
        np.testing.assert_allclose(table.value(at), spline(xs, ys)(at), atol=1e-14)


def test_values_beyond_the_ends():
    beyond = np.array([-0.5, 3.5])
    assert np.isnan(road().value(beyond)).all() and np.isnan(road().value(beyond, 1)).all()
    held = road(outside="hold")
    np.testing.assert_array_equal(held.value(beyond), [0.2, 0.3])
    np.testing.assert_array_equal(held.value(beyond, 1), [0, 0])
    spline = CubicSpline(KNOTS, HEIGHTS)
    for order in (0, 1, 2):
        np.testing.assert_allclose(road(outside="extrapolate").value(beyond, order), spline(beyond, order), rtol=1e-12)
    for outside in ("error", "hold", "extrapolate"):  # the ends themselves belong to the table
        assert road(outside=outside).value(3.0, 1) == pytest.approx(float(spline(3.0, 1)))
        assert np.isnan(road(outside=outside).value(np.nan))


# Input and equality


class Column:
    """An iterable with an index, like a column of a data frame."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


def test_sequences_of_many_kinds_are_taken():
    expected = Table("road", (0.0, 0.5, 2.0), (1.0, 2.0, 3.0))
    for xs, ys in (
        ([0, 0.5, 2], (1, 2, 3)),
        (np.array([0, 0.5, 2], dtype=np.float32), np.array([[1], [2], [3]])),
        (Column([0, Fraction(1, 2), Decimal(2)]), range(1, 4)),
        ((sp.Integer(0), sp.Rational(1, 2), sp.Float(2)), (i for i in (1, 2, 3))),
    ):
        assert lk.table("road", xs, ys) == expected


def test_tables_are_equal_if_they_hold_the_same():
    assert road() == road() and hash(road()) == hash(road())
    other = [*HEIGHTS[:2], 0.55, *HEIGHTS[3:]]
    for changed in (road(name="street"), road(y=other), road(kind="pchip"), road(outside="hold")):
        assert changed != road() and changed(x) != road()(x)
    again = pickle.loads(pickle.dumps(road()))
    assert again == road() and hash(again) == hash(road())
    assert repr(road()) == "table 'road': 5 points from 0 to 3, cubic, outside: error"


def test_all_faults_of_a_table_are_reported_together():
    text = faults_of(name="sin", x=[0, 0.3, 0.3, float("nan"), "one"], y=[1, 2, None], kind="spline", outside="zero")
    for part in (
        "'sin' is a reserved word of the formula language",
        "one of 'cubic', 'pchip', 'linear', not 'spline'",
        "one of 'error', 'hold', 'extrapolate', not 'zero'",
        "x[2] = 0.3 is not greater than x[1] = 0.3",
        "x[3] = nan is not a finite number",
        "x[4] = one is not a finite number",
        "y[2] = None is not a finite number",
        "x has 5 numbers and y has 3",
    ):
        assert part in text


def test_many_faults_of_one_kind_are_counted():
    text = faults_of(x=range(100, 0, -1), y=range(100))
    assert "x[5] = 95.0 is not greater than x[4] = 96.0" in text and "and 94 more of this kind" in text
    assert "x[6]" not in text


@pytest.mark.parametrize("bad", [[1.0], [], "01", 3.0, {0: 1}, [True, False], [1j, 2j], np.zeros((2, 2)), x])
def test_input_that_is_not_a_series_of_numbers_is_refused(bad):
    with pytest.raises(lk.ModelError):
        lk.table("road", bad, bad)


def test_masked_values_are_refused():
    text = faults_of(x=[0, 1, 2], y=np.ma.masked_equal([1.0, -999.0, 2.0], -999.0))
    assert "y[1] = nan is not a finite number" in text


def test_a_table_is_called_with_an_expression():
    table = road()
    for bad in ("t", [1, 2], np.zeros(3), None, True):
        with pytest.raises(TypeError, match="road takes expressions"):
            table(bad)
    with pytest.raises(TypeError):
        table(x, y)
    assert table(2).arguments == (sp.Integer(2),)


# Files

FILE = """
lienket = 1
name = "car"
coordinates = ["z"]
kinetic = "m*der(z)^2/2"

[parameters]
m = 2.5

[tables.road]
x = [0, 0.5, 2]
y = [1.0, 2.0, 1e-300]
outside = "hold"

[forces]
z = "road(t) - z + der(road)(2*t)^2 - der(road, 2)(z)"
"""


def test_a_table_in_a_file_is_the_one_in_python():
    z = lk.coordinates("z")
    table = lk.table("road", [0, 0.5, 2], [1, 2, 1e-300], outside="hold")
    slope, bend = sp.diff(table(x), x).subs(x, 2 * lk.t), sp.diff(table(z), z, 2)
    force = table(lk.t) - z + slope**2 - bend
    expected = lk.System("car", [z], kinetic=m * lk.der(z) ** 2 / 2, forces={z: force}, values={m: 2.5})
    assert read_text(FILE) == expected.statement
    assert read_text(write_text(expected.statement)) == expected.statement


@random_cases(40)
@given(
    st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=40, unique=True),
    st.randoms(),
    st.sampled_from(["cubic", "pchip", "linear"]),
    st.sampled_from(["error", "hold", "extrapolate"]),
)
def test_saved_tables_are_loaded_unchanged(xs, source, kind, outside):
    table = lk.table("đường", sorted(xs), [source.uniform(-1, 1) for _ in xs], kind, outside)
    system = lk.System("s", [x], kinetic=m * lk.der(x) ** 2 / 2, potential=table(x**2) * table(lk.t))
    system = system.constrain("given", lk.der(x) - lk.der(table(lk.t)))
    again = read_text(write_text(system.statement))
    assert again == system.statement and again.data_functions == (table,)


def test_a_long_table_is_saved_quickly_and_a_huge_one_is_refused(tmp_path):
    points = np.linspace(0, 1, 20_000)
    table = lk.table("road", points, np.sin(points))
    system = lk.System("s", [x], kinetic=m * lk.der(x) ** 2 / 2, potential=table(x))
    lk.save(system, tmp_path / "long.toml")
    assert lk.load(tmp_path / "long.toml") == system
    points = np.linspace(0, 1, 200_000)
    huge = lk.System("s", [x], kinetic=lk.der(x) ** 2, potential=lk.table("road", points, np.sin(points))(x))
    with pytest.raises(ModelFileError, match="larger than 4 MiB; give its tables fewer points"):
        lk.save(huge, tmp_path / "huge.toml")
    assert not (tmp_path / "huge.toml").exists()


def test_faults_of_tables_in_a_file_name_their_entry():
    text = FILE.replace("[0, 0.5, 2]", "[0, 0.5, 0.5]").replace("[parameters]", "[parameters]\nroad = 1")
    with pytest.raises(ModelFileError) as caught:
        read_text(text)
    assert "[tables.road]: x[2] = 0.5 is not greater than x[1] = 0.5" in str(caught.value)
    assert "[tables.road]: the name road is already in use" in str(caught.value)
    for old, new, message in (
        ("y = [1.0", 'y = ["a", 1.0', "[tables.road], y, entry 1"),
        ('"hold"', '"stop"', "[tables.road], outside"),
        ("outside", "outsde", "did you mean 'outside'?"),
        ("road(t)", "rod(t)", "unknown function 'rod', did you mean 'road'?"),
        ("road(t)", "road(t, 1)", "road takes 1 argument, found 2"),
        ("road(t)", "road", "road is a function: write road(...)"),
        ("der(road)(2*t)", "der(road)", "der(road) is a function: write der(road)(...)"),
        ("der(road)(2*t)", "der(road)(2*t", "closing parenthesis for the one opened at column 24"),
        ("der(road, 2)", "der(road, 3)", "the order of a derivative must be 1 or 2"),
    ):
        with pytest.raises(ModelFileError) as caught:
            read_text(FILE.replace(old, new))
        assert message in str(caught.value)


WORDS = [
    "road",
    "der",
    "(",
    ")",
    "(",
    ")",
    ",",
    "2",
    "1.5",
    "z",
    "t",
    "+",
    "-",
    "*",
    "^",
    "if",
    "<",
    "sqrt",
    "min",
    " ",
]


@random_cases(400)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_any_text_with_tables_is_read_or_refused(text):
    names = {"road": road(), "z": lk.coordinates("z")}
    for formula in (text, f"der(road)({text})", f"der(road, {text}", f"sqrt(road({text}))"):
        try:
            expression = read_expression(formula, names)
        except ExpressionError:
            continue
        assert read_expression(write_expression(expression), names) == expression


@pytest.mark.parametrize(
    "formula",
    ["sqrt(road(3))", "min(0.5, road(1))", "if(road(1) < 2, z, 0)", "road(road(z)) + road(0.25)^2", "1/road(0)"],
)
def test_formulas_with_tables_at_numbers_are_read_and_written(formula):
    statement = read_text(FILE.replace("road(t) - z", formula))
    assert read_text(write_text(statement)) == statement
