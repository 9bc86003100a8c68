"""Formulas as text: their meaning, the text written for them, and the errors for invalid text."""

import time

import pytest
import sympy as sp
from sympy import sin

import lienket as lk
from lienket import der
from lienket.errors import ExpressionError
from lienket.language.text import read_expression, write_expression

x, y, phi = lk.coordinates("x y phi")
m, a, b, c, J = lk.parameters("m a b c J")
NAMES = {"x": x, "y": y, "phi": phi, "m": m, "a": a, "b": b, "c": c, "J": J}
half = sp.Rational(1, 2)


def read(text):
    return read_expression(text, NAMES)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("3", 3),
        ("1/3", sp.Rational(1, 3)),
        ("1.5", sp.Float(1.5)),
        (".5e-3", sp.Float(0.0005)),
        ("1E3", sp.Float(1000.0)),
        ("x", x),
        ("t", lk.t),
        ("pi", sp.pi),
        ("2*3 - 6", 0),
        ("x - x", 0),
        ("a - b - c", a - b - c),
        ("a/b/c", a / b / c),
        ("a/b*c", a * c / b),
        ("-x^2", -(x**2)),
        ("(-x)^2", x**2),
        ("2^-3", sp.Rational(1, 8)),
        ("2^3^2", 512),
        ("x**2", x**2),
        ("-a^-b", -(a ** (-b))),
        ("--x", x),
        ("+x - -y", x + y),
        ("x^(1/2)", sp.sqrt(x)),
        ("sqrt(x)", sp.sqrt(x)),
        ("1/sqrt(x)", 1 / sp.sqrt(x)),
        ("der(x)", der(x)),
        ("der(x, 1)", der(x)),
        ("der(x, 2)", der(x, 2)),
        ("der ( x , 2 )", der(x, 2)),
        ("sin(x)*cos(y)", sin(x) * sp.cos(y)),
        ("atan2(y, x)", sp.atan2(y, x)),
        ("abs(x)", sp.Abs(x)),
        ("abs(-3)", 3),
        ("sign(-2)*x", -x),
        ("max(1, 2)", 2),
        ("max(x, y, 1)", sp.Max(x, y, 1)),
        ("min(x, y)", sp.Min(x, y)),
        ("exp(1)", sp.E),
        ("log(x)", sp.log(x)),
        ("if(x < 1, a, b)", sp.Piecewise((a, x < 1), (b, True))),
        ("if(1 < 2, a, b)", a),
        ("if(x >= 1, a, b)", sp.Piecewise((a, sp.Le(1, x, evaluate=False)), (b, True), evaluate=False)),
        ("if(x < 1, a, if(y < 1, b, c))", sp.Piecewise((a, x < 1), (b, y < 1), (c, True))),
        ("if(x == y, a, b)", sp.Piecewise((a, sp.Eq(x, y)), (b, True))),
        ("m*(der(x)^2 + der(y)^2)/2 + J*der(phi)^2/2", m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2),
        (" \n\t x\n+ y ", x + y),
        ("((((x))))", x),
    ],
)
def test_meaning_of_a_text(text, meaning):
    assert read(text) == meaning


def test_names_may_be_in_any_alphabet():
    names = {"φ": lk.coordinates("φ"), "масса": lk.parameters("масса")}
    assert read_expression("масса*der(φ)^2", names) == names["масса"] * der(names["φ"]) ** 2


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (m * der(x) ** 2 / 2, "m*der(x)^2/2"),
        (2 * x / 3, "2*x/3"),
        (-x / (a * b), "-x/(a*b)"),
        (1 / sp.sqrt(x), "1/sqrt(x)"),
        (a * (x + y), "a*(x + y)"),
        (a - b, "a - b"),
        (-a - b, "-a - b"),
        (x ** (a + b), "x^(a + b)"),
        ((x + y) ** 2, "(x + y)^2"),
        (sp.Float(0.1) * x, "0.1*x"),
        (sp.Float(-1e-12) + x, "x - 1e-12"),
        (der(x, 2), "der(x, 2)"),
        (sp.Rational(-1, 3), "-1/3"),
        (2 ** (-x), "2^(-x)"),
        (sp.pi * x**2, "pi*x^2"),
        (sp.Piecewise((a, x < 1), (b, y <= 2), (c, True)), "if(x < 1, a, if(y <= 2, b, c))"),
    ],
)
def test_written_text_is_natural(expression, text):
    assert write_expression(expression) == text
    assert read(text) == expression


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 0, "expected a formula"),
        ("   ", 3, "expected a formula"),
        ("x +", 3, "expected a number, a name or '(', found the end of the text"),
        ("(x + y", 6, "closing parenthesis for the one opened at column 1, found the end"),
        ("sin(x", 5, "closing parenthesis for the one opened at column 4"),
        ("x)", 1, "this closing parenthesis has no opening one"),
        ("x + * y", 4, "expected a number, a name or '(', found '*'"),
        ("2x", 1, "expected an operator, e.g. 2*x"),
        ("a b", 2, "expected an operator, e.g. a*b"),
        ("x = 1", 2, "left minus right"),
        ("x'", 1, "der(x)"),
        ("z + x", 0, "unknown name 'z'"),
        ("ph + aa*x", 0, "unknown name 'ph', did you mean 'phi'?; unknown name 'aa', did you mean 'a'?"),
        ("sinn(x)", 0, "unknown function 'sinn', did you mean 'sin'?"),
        ("x(3)", 0, "x is not a function"),
        ("sin", 0, "sin is a function: write sin(...)"),
        ("sin(x, y)", 0, "sin takes 1 argument, found 2"),
        ("atan2(x)", 0, "atan2 takes 2 arguments, found 1"),
        ("max(x)", 0, "max takes 2 or more arguments, found 1"),
        ("if(x < 1, a)", 0, "if takes 3 arguments"),
        ("if(x, a, b)", 4, "the condition of if must be a comparison"),
        ("if(x < 1 < 2, a, b)", 9, "must be a single comparison"),
        ("x < 1", 2, "a comparison is allowed only as the condition of if"),
        ("der(m)", 0, "der takes a coordinate; m is not a coordinate"),
        ("der(x + y)", 4, "der takes the name of one coordinate"),
        ("der(x, 3)", 7, "the order of a derivative must be 1 or 2"),
        ("der(q)", 4, "unknown name 'q'"),
        ("a, b", 1, "a comma is allowed only between the arguments"),
        ("[x]", 0, "round parentheses"),
        ("x & y", 2, "conditions cannot be combined"),
        ("x²", 1, "write a power with '^'"),
        ("a×b", 1, "write '*'"),
        ("x\0", 1, "U+0000"),
        ("x\u200f", 1, "RIGHT-TO-LEFT MARK"),
        ("x\ud800", 1, "U+D800"),
        ("1/0", 1, "division by zero"),
        ("x/(y - y)", 1, "division by zero"),
        ("0^-1", 1, "division by zero"),
        ("log(0)", 0, "log is not a real number"),
        ("2 + sqrt(-1)", 4, "sqrt is not a real number"),
        ("asin(2)", 0, "asin is not a real number"),
        ("(-8)^(1/3)", 4, "this power is not a real number"),
        ("exp(exp(exp(9)))", 4, "exp is infinite or too large"),
        ("tan(pi/2)", 0, "tan is not a real number"),
        ("1e999", 0, "outside the range of double precision"),
        ("1e300*1e300", 5, "outside the range"),
    ],
)
def test_invalid_text_is_reported_with_its_column(text, column, message):
    with pytest.raises(ExpressionError) as caught:
        read(text)
    assert message in caught.value.message
    assert caught.value.column == column
    if text.strip():
        shown, caret = str(caught.value).splitlines()[-2:]
        assert caret.index("^") <= len(shown)


def test_the_caret_stands_under_the_fault():
    with pytest.raises(ExpressionError) as caught:
        read("a + b*zz + c")
    assert str(caught.value) == "unknown name 'zz' (column 7)\n  a + b*zz + c\n        ^"


def test_a_long_formula_is_cut_around_the_fault():
    with pytest.raises(ExpressionError) as caught:
        read("a + " * 50 + "zz" + " + b" * 50)
    line, caret = str(caught.value).splitlines()[-2:]
    assert len(line) < 90 and line.startswith("  ...") and line.endswith("...")
    assert line[caret.index("^") :].startswith("zz")


@pytest.mark.parametrize("thing", [None, 3, b"x", ["x"], x])
def test_only_text_is_read(thing):
    with pytest.raises(ExpressionError, match="a formula must be a text"):
        read(thing)


# Limits


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x + " * 2500 + "x", "at most 10000 characters"),
        ("(" * 201 + "x" + ")" * 201, "nested deeper than 200 levels"),
        ("sin(" * 201 + "x" + ")" * 201, "nested deeper than 200 levels"),
        ("^".join(["a"] * 202), "nested deeper than 200 levels"),
        ("x^65", "at most 64 in absolute value, this one is 65"),
        ("x^-65", "this one is -65"),
        ("2^(10*10)", "this one is 100"),
        ("x^40*x^40", "this one is 80"),
        ("(9^64)^64", "more than 2000 bits"),
        ("9" * 601, "at most 600 digits"),
        ("*".join(["123456789"] * 80), "more than 2000 bits"),
        (" + ".join(f"1/{n}" for n in range(10007, 10700)), "more than 2000 bits"),
        ("*".join(f"sqrt({10**30 + n})" for n in range(1, 60)), "more than 2000 bits"),
    ],
)
def test_limits_are_enforced(text, message):
    start = time.process_time()
    with pytest.raises(ExpressionError, match=message):
        read(text)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200 + "x" + ")" * 200,
        "-" * 9000 + "x",
        "sin(" * 199 + "x" + ")" * 199,
        "sin(a + 2*" * 150 + "x" + ")" * 150,
        "sqrt(a + " * 150 + "x" + ")" * 150,
        "max(a, min(b, " * 90 + "x" + "))" * 90,
        "abs(a - " * 150 + "x" + ")" * 150,
        "if(x < 1, a, " * 199 + "b" + ")" * 199,
        "a/(b + " * 150 + "x" + ")" * 150,
        "^".join(["a"] * 150),
        "+".join("abcm"[i % 4] for i in range(5000)),
        "*".join(f"(a + {i}*b)" for i in range(800)),
        "+".join(f"if(x < {i}, a, b)" for i in range(500)),
        "max(" + ", ".join(f"a*{i}" for i in range(1200)) + ")",
    ],
)
def test_large_but_allowed_formulas_are_read_and_written_back(text):
    start = time.process_time()
    expression = read(text)
    assert read(write_expression(expression)) == expression
    assert time.process_time() - start < 5  # detects a hang, not a slow run


def test_reading_works_on_a_stack_that_is_already_deep():
    def deeper(levels):
        return read("sin(a + " * 150 + "x" + ")" * 150) if levels == 0 else deeper(levels - 1)

    try:
        assert deeper(400).has(x)
    except ExpressionError as error:
        assert "nested too deeply" in error.message  # noqa: PT017


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (sp.besselj(0, x), "no besselj"),
        (sp.I * x, "no I"),
        (sp.oo, "no oo"),
        (sp.Piecewise((x, x < 1)), "add \\(value, True\\)"),
        (sp.Piecewise((a, sp.And(x < 1, y < 1)), (b, True)), "single comparison"),
        (sp.Symbol("two words"), "cannot use the name 'two words'"),
        (sp.Symbol("sin"), "cannot use the name 'sin'"),
        (sp.Function("f")(x), "no f"),
        ("x", "only a SymPy expression can be written"),
    ],
)
def test_expressions_outside_the_language_are_refused(expression, message):
    with pytest.raises(ExpressionError, match=message):
        write_expression(expression)


@pytest.mark.parametrize(
    ("left", "right"),
    [("5 + pi", "5 + pi"), ("5.0 + pi", "pi + 5.0"), ("sqrt(2)*sqrt(3)", "sqrt(6)"), ("0", "sin(pi)"), ("1/3", "2/6")],
)
def test_comparisons_of_equal_constants(left, right):
    """Equal constants compare as equal, whatever the rounding of their difference at any precision."""
    for sign, expected in (("<=", 1), (">=", 1), ("==", 1), ("<", 0), (">", 0), ("!=", 0)):
        assert read_expression(f"if({left} {sign} {right}, 1, 0)", {}) == expected
    assert read_expression(f"if({left} < {right} + 1e-15, 1, 0)", {}) == 1
