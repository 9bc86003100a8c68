"""Properties of the formula language: there and back is the identity, any text is safe, values are right."""

import math
import time

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import lienket as lk
from lienket.errors import ExpressionError
from lienket.language.text import read_expression, write_expression

NAMES = {name: lk.coordinates(name) for name in ("x", "phi")} | {name: lk.parameters(name) for name in ("a", "m1", "J")}
STEADY = settings(max_examples=400, derandomize=True, deadline=None)

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
    """The tree as text, every operand in parentheses."""
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
        return  # a constant outside the reals; the tests of messages look at these
    text = write_expression(expression)
    again = read_expression(text, NAMES)
    assert again == expression
    assert write_expression(again) == text


@STEADY
@given(trees, spaces)
def test_text_to_expression_to_text_to_expression_is_the_identity(tree, space):
    check_there_and_back(tree, space)


@pytest.mark.slow
@settings(max_examples=5000, derandomize=True, deadline=None)
@given(st.recursive(leaves, branches, max_leaves=40), spaces)
def test_the_identity_holds_for_larger_formulas_too(tree, space):
    check_there_and_back(tree, space)


POINT = {"x": 0.37, "phi": -1.21, "a": 1.9, "m1": 0.58, "J": 2.3, "t": 0.81, "pi": math.pi}
POINT |= {"der(x)": -0.44, "der(phi, 2)": 1.37}
MATH = {name: getattr(math, name) for name in UNARY if hasattr(math, name)}
MATH |= {"abs": abs, "sign": lambda v: (v > 0) - (v < 0), "atan2": math.atan2, "min": min, "max": max}
COMPARE = {
    "<": lambda p, q: p < q, "<=": lambda p, q: p <= q, ">": lambda p, q: p > q,
    ">=": lambda p, q: p >= q, "==": lambda p, q: p == q, "!=": lambda p, q: p != q,
}  # fmt: skip


def value(tree):
    """The value of a tree by plain Python arithmetic, and how much rounding it may have gathered."""
    kind, *parts = tree
    if kind == "number":
        return 0.5 if parts[0] == "(1/2)" else float(parts[0])
    if kind == "name":
        return POINT[parts[0]]
    if kind == "if":
        left, right = value(parts[1]), value(parts[2])
        if left != right and abs(left - right) < 1e-9 * (abs(left) + abs(right)):
            raise ValueError("too close to the boundary to compare")
        return value(parts[3]) if COMPARE[parts[0]](left, right) else value(parts[4])
    numbers = [value(p) for p in parts]
    if kind == "neg":
        return -numbers[0]
    if kind in "+-":
        total = numbers[0] + numbers[1] if kind == "+" else numbers[0] - numbers[1]
        if abs(total) < 1e-3 * max(map(abs, numbers)):
            raise ValueError("cancellation")
        return total
    if kind == "*":
        return numbers[0] * numbers[1]
    if kind == "/":
        return numbers[0] / numbers[1]
    return numbers[0] ** numbers[1] if kind == "^" else MATH[kind](*numbers)


@settings(max_examples=600, derandomize=True, deadline=None)
@given(trees)
def test_the_value_is_that_of_plain_arithmetic(tree):
    try:
        expected = value(tree)
        expression = read_expression(to_text(tree), NAMES)
    except (ValueError, ZeroDivisionError, OverflowError, ExpressionError, TypeError):
        return
    if isinstance(expected, complex) or not 1e-6 < abs(expected) < 1e6:
        return
    t = lk.t
    x, phi = NAMES["x"], NAMES["phi"]
    point = {sp.Derivative(x, t): POINT["der(x)"], sp.Derivative(phi, (t, 2)): POINT["der(phi, 2)"], t: POINT["t"]}
    exact = expression.xreplace({k: sp.Float(v, 30) for k, v in point.items() if k != t})
    exact = exact.xreplace({symbol: sp.Float(POINT[name], 30) for name, symbol in NAMES.items()})
    found = complex(exact.xreplace({t: sp.Float(POINT["t"], 30)}).evalf(30))
    assert abs(found - expected) <= 1e-9 * abs(expected)


def outcome(text):
    """A SymPy expression or a clean error, and the processor time it took, the best of three tries."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        try:
            found = read_expression(text, NAMES)
        except ExpressionError as error:
            assert str(error) and 0 <= error.column <= len(text)  # noqa: PT017
            found = None
        seconds.append(time.process_time() - start)
        if seconds[-1] < 0.1:
            break
    assert found is None or isinstance(found, sp.Expr)
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
