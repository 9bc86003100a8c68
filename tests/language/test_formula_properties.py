"""Properties of the formula language: writing and reading is the identity, any text is safe, values are right."""

import math
import operator
import time

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket.errors import ExpressionError
from lienket.language.text import read_expression, write_expression

NAMES = {name: lk.coordinates(name) for name in ("x", "phi")} | {name: lk.parameters(name) for name in ("a", "m1", "J")}
STEADY = random_cases(400)

UNARY = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "sign"]
BINARY = ["atan2", "min", "max"]

# Trees of the grammar: ("number", text), ("name", text), (operator, left, right), (function, arguments...)
leaves = st.one_of(
    st.integers(0, 30).map(lambda n: ("number", str(n))),
    st.floats(0.001, 100).map(lambda f: ("number", repr(round(f, 4)))),
    st.sampled_from(["x", "phi", "a", "m1", "J", "t", "pi", "der(x)", "der(phi, 2)"]).map(lambda n: ("name", n)),
)


def branches(inner):
    return st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner),
        st.tuples(st.just("^"), inner, st.sampled_from(["2", "3", "-1", "(1/2)"]).map(lambda n: ("number", n))),
        st.tuples(st.just("neg"), inner),
        st.tuples(st.sampled_from(UNARY), inner),
        st.tuples(st.sampled_from(BINARY), inner, inner),
        st.tuples(st.just("if"), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner, inner, inner, inner),
    )


trees = st.recursive(leaves, branches, max_leaves=14)
spaces = st.sampled_from(["", " ", "  ", "\n"])


def to_text(tree, space=" "):
    """Return the tree as text, every operand in parentheses."""
    kind, *parts = tree
    if kind in ("number", "name"):
        return parts[0]
    if kind == "neg":
        return f"-({to_text(parts[0], space)})"
    if kind == "if":
        sign, *texts = [parts[0], *(to_text(p, space) for p in parts[1:])]
        return f"if({texts[0]}{space}{sign}{space}{texts[1]},{space}{texts[2]},{space}{texts[3]})"
    if kind in "+-*/^":
        return f"({to_text(parts[0], space)}){space}{kind}{space}({to_text(parts[1], space)})"
    return f"{kind}({(',' + space).join(to_text(p, space) for p in parts)})"


def check_there_and_back(tree, space):
    try:
        expression = read_expression(to_text(tree, space), NAMES)
    except ExpressionError:
        return  # a constant outside the reals; see the tests of messages
    text = write_expression(expression)
    again = read_expression(text, NAMES)
    assert again == expression
    assert write_expression(again) == text


@STEADY
@given(trees, spaces)
def test_text_to_expression_to_text_to_expression_is_the_identity(tree, space):
    check_there_and_back(tree, space)


@pytest.mark.slow
@random_cases(5000)
@given(st.recursive(leaves, branches, max_leaves=40), spaces)
def test_the_identity_holds_for_larger_formulas_too(tree, space):
    check_there_and_back(tree, space)


POINT = {"x": 0.37, "phi": -1.21, "a": 1.9, "m1": 0.58, "J": 2.3, "t": 0.81, "pi": math.pi}
POINT |= {"der(x)": -0.44, "der(phi, 2)": 1.37}
DIGITS = mpmath.MPContext()
DIGITS.dps = 60
OWN = {"abs": abs, "sign": lambda v: (v > 0) - (v < 0), "min": min, "max": max}
COMPARE = {
    "<": lambda p, q: p < q, "<=": lambda p, q: p <= q, ">": lambda p, q: p > q,
    ">=": lambda p, q: p >= q, "==": lambda p, q: p == q, "!=": lambda p, q: p != q,
}  # fmt: skip
OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow}


def value(tree, numbers):
    """Return the value of a tree by plain arithmetic of doubles (mpmath.fp) or of 60 digits."""
    kind, *parts = tree
    if kind == "number":
        return numbers.mpf(0.5 if parts[0] == "(1/2)" else float(parts[0]))
    if kind == "name":
        return numbers.mpf(POINT[parts[0]])
    if kind == "if":
        left, right = value(parts[1], numbers), value(parts[2], numbers)
        if left != right and abs(left - right) < 1e-9 * (1 + abs(left) + abs(right)):
            raise ValueError("too close to the boundary to compare")
        return value(parts[3] if COMPARE[parts[0]](left, right) else parts[4], numbers)
    values = [value(p, numbers) for p in parts]
    if any(isinstance(v, (complex, numbers.mpc)) for v in values):
        raise ValueError("outside the reals")
    if kind == "neg":
        return -values[0]
    if kind in "+-*/^":
        return OPERATIONS[kind](*values)
    return OWN[kind](*values) if kind in OWN else getattr(numbers, kind)(*values)


@random_cases(600)
@given(trees)
def test_value_equals_plain_arithmetic(tree):
    """Compared where the rounding of doubles is small; tan(exp(24)) has no correct digits."""
    try:
        expected, in_doubles = value(tree, DIGITS), value(tree, mpmath.fp)
        expression = read_expression(to_text(tree), NAMES)
    except (ValueError, ZeroDivisionError, OverflowError, ExpressionError, TypeError):
        return
    if isinstance(expected, DIGITS.mpc) or not 1e-6 < abs(expected) < 1e6:
        return
    if not abs(in_doubles - expected) <= 1e-12 * abs(expected):
        return
    x, phi = NAMES["x"], NAMES["phi"]
    moving = {sp.Derivative(x, lk.t): "der(x)", sp.Derivative(phi, (lk.t, 2)): "der(phi, 2)", x: "x", phi: "phi"}
    plain = expression.xreplace({e: sp.Symbol(f"moving{k}") for k, e in enumerate(moving)})
    symbols = [*(sp.Symbol(f"moving{k}") for k in range(len(moving))), *(NAMES[n] for n in ("a", "m1", "J")), lk.t]
    arguments = [mpmath.mpf(POINT[name]) for name in (*moving.values(), "a", "m1", "J", "t")]
    with mpmath.workdps(60):
        computed = complex(sp.lambdify(symbols, plain, "mpmath")(*arguments))
    assert abs(computed - complex(expected)) <= 1e-9 * abs(expected)


def outcome(text):
    """Assert an expression or a clean error, and return the processor time, the best of three tries."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        try:
            expression = read_expression(text, NAMES)
        except ExpressionError as error:
            assert str(error) and 0 <= error.column <= len(text)  # noqa: PT017
            expression = None
        seconds.append(time.process_time() - start)
        if seconds[-1] < 0.1:
            break
    assert expression is None or isinstance(expression, sp.Expr)
    return min(seconds)


@STEADY
@given(st.text(max_size=200))
def test_any_text_gives_an_expression_or_a_clean_error_at_once(text):
    assert outcome(text) < 0.1


@STEADY
@given(st.binary(max_size=400))
def test_any_bytes_give_an_expression_or_a_clean_error_at_once(data):
    assert outcome(data.decode("latin-1")) < 0.1


TOKENS = [
    *("x", "phi", "a", "t", "pi", "1", "2.5", "0", "64", "1e9", "x^2", " ", "'", "=", "<", "==", "(", ")", ","),
    *("+", "-", "*", "/", "^", "**", "sin(", "sqrt(", "log(", "if(", "der(", "max(", "abs(", "exp("),
]


@STEADY
@given(st.lists(st.sampled_from(TOKENS), max_size=60).map("".join))
def test_any_soup_of_tokens_gives_an_expression_or_a_clean_error_at_once(text):
    assert outcome(text) < 0.1
