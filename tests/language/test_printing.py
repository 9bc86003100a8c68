"""Printed expressions and equations: as in a textbook, and unambiguous."""

import re

import pytest
import sympy as sp
from conftest import MODELS
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket import der
from lienket.language.engine.engine import Engine
from lienket.language.engine.zero_test import vanishes
from lienket.language.printing.latex import latex
from lienket.language.printing.text import plain
from lienket.language.text import read_expression

x, q1, phi = lk.coordinates("x q1 phi")
m, m2, r, a, J, Fx, omega0 = lk.parameters("m m2 r a J Fx omega0")
sin, cos = sp.sin, sp.cos


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (m2 * a * cos(q1), r"m_{2} a \cos q_{1}"),
        (der(q1) ** 2 * sin(q1) * m2, r"m_{2} \dot{q}_{1}^{2} \sin q_{1}"),
        (der(phi, 2), r"\ddot{\varphi}"),
        (sin(phi) ** 2, r"\sin^{2} \varphi"),
        (cos(phi + omega0 * lk.t), r"\cos\left(\varphi + \omega_{0} t\right)"),
        (x / 2, r"\frac{x}{2}"),
        (-m * x / (r * a), r"-\frac{m x}{a r}"),
        (sp.sqrt(r**2 + a**2), r"\sqrt{a^{2} + r^{2}}"),
        (1 / sp.sqrt(r), r"\frac{1}{\sqrt{r}}"),
        (-(a + r) * x, r"-\left(a + r\right) x"),
        (Fx - m * x, r"F_{x} - m x"),
        (sp.exp(-x), r"e^{-x}"),
        (sp.exp(-x) ** 2 * a, r"a e^{-2 x}"),
        (sp.Abs(x) ** 3, r"\left|x\right|^{3}"),
        (sp.log(x), r"\ln x"),
        (sp.atan2(x, r), r"\operatorname{atan2}\left(x, r\right)"),
        (sp.Piecewise((a, x <= 1), (r, True)),
         r"\begin{cases}a & \text{if } x \le 1 \\ r & \text{otherwise}\end{cases}"),
        (sp.Float(1.5e-9) * x, r"1.5 \cdot 10^{-9} x"),
        (2 * 10**sp.Symbol("n"), r"2 \cdot 10^{n}"),
        (sp.Rational(-2, 3), r"-\frac{2}{3}"),
        (2**x, r"2^{x}"),
        (sp.Symbol("mass_total"), r"\mathrm{mass}_{\mathrm{total}}"),
        (sp.Symbol("Omega"), r"\Omega"),
        (sp.S.Zero, "0"),
    ],
)  # fmt: skip
def test_latex_is_set_as_in_a_textbook(expression, expected):
    assert latex(expression) == expected


def test_primes_instead_of_dots():
    assert latex(m * der(x) ** 2 + der(q1, 2), "primes") == r"q_{1}'' + m {x'}^{2}"
    assert latex(der(q1, 2), "primes") == "q_{1}''"
    with pytest.raises(lk.LienketError, match="'dots' or 'primes', not 'commas'"):
        latex(x, "commas")


ATOMS = {"x": x, "q1": q1, "m": m, "r": r, "a": a, "t": lk.t}
atoms = st.sampled_from([*ATOMS.values(), der(x), der(q1, 2), sp.Integer(2), sp.Rational(-3, 2), sp.Integer(-1)])


def combined(inner):
    two = st.tuples(inner, inner)
    return st.one_of(
        two.map(lambda p: p[0] + p[1]),
        two.map(lambda p: p[0] - p[1]),
        two.map(lambda p: p[0] * p[1]),
        two.map(lambda p: p[0] / (p[1] ** 2 + 1)),
        st.tuples(inner, st.sampled_from([2, 3, sp.Rational(1, 2)])).map(lambda p: (p[0] ** 2 + 1) ** p[1]),
        st.tuples(st.sampled_from([sp.sin, sp.cos, sp.exp, sp.Abs, sp.atan]), inner).map(lambda p: p[0](p[1])),
        st.tuples(st.sampled_from([2, -1, -2, a]), inner).map(lambda p: sp.cos(p[1]) ** p[0]),
    )


@random_cases(400)
@given(st.recursive(atoms, combined, max_leaves=10))
def test_plain_text_reads_back_as_the_expression(e):
    """Printed and read again, every expression is unchanged: no sign or parenthesis is lost."""
    if e.has(sp.re, sp.im, sp.conjugate, sp.nan, sp.zoo):
        return
    text = re.sub(r"\b(\w+)''", r"der(\1, 2)", plain(e))
    text = re.sub(r"\b(\w+)'", r"der(\1)", text)
    names = {name: symbol for name, symbol in ATOMS.items() if name != "t"}
    again = read_expression(text, names)
    assert vanishes(Engine([x, q1]).inward(again - e))


@random_cases(200)
@given(st.recursive(atoms, combined, max_leaves=10))
def test_latex_has_balanced_braces_and_delimiters(e):
    if e.has(sp.re, sp.im, sp.conjugate, sp.nan, sp.zoo):
        return
    text = latex(e)
    depth = 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    assert text.count(r"\left") == text.count(r"\right")
    assert not re.search(r"[-+] ?[-+]", text)


# The equations of the free system


def slider_pendulum():
    return lk.load(MODELS / "slider_pendulum.toml").free


def test_one_equation_per_line_as_paper_004_prints_them():
    assert slider_pendulum().text() == (
        "(m1 + m2)*q1'' + m2*a*q2''*cos(q2) - m2*a*q2'^2*sin(q2) = -c*q1\n"
        "m2*a*q1''*cos(q2) + (I + m2*a^2)*q2'' = -m2*a*g*sin(q2)"
    )
    assert slider_pendulum().latex("lines").splitlines() == [
        r"\begin{aligned}",
        r"\left(m_{1} + m_{2}\right) \ddot{q}_{1} + m_{2} a \ddot{q}_{2} \cos q_{2}"
        r" - m_{2} a \dot{q}_{2}^{2} \sin q_{2} &= -c q_{1} \\",
        r"m_{2} a \ddot{q}_{1} \cos q_{2} + \left(I + m_{2} a^{2}\right) \ddot{q}_{2} &= -m_{2} a g \sin q_{2}",
        r"\end{aligned}",
    ]


def test_matrix_form_of_the_equations():
    text = slider_pendulum().latex("matrix", notation="primes")
    assert text.startswith(r"\begin{bmatrix}m_{1} + m_{2} & m_{2} a \cos q_{2} \\ m_{2} a \cos q_{2} & I + m_{2} a^{2}")
    assert r"\begin{bmatrix}q_{1}'' \\ q_{2}''\end{bmatrix} = \begin{bmatrix}" in text
    assert slider_pendulum()._repr_latex_() == f"$\\displaystyle {slider_pendulum().latex()}$"


def test_unknown_forms_are_refused():
    with pytest.raises(lk.LienketError, match="'rows' is not a form of the free equations; use 'matrix' or 'lines'"):
        slider_pendulum().latex("rows")


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.toml")), ids=lambda path: path.stem)
def test_printed_equations_are_the_equations(path):
    """Each printed line, read back and brought to one side, is A q'' - h."""
    system = lk.load(path)
    names = {p.name: p for p in system.parameters}
    names |= {str(c.func): c for c in system.coordinates}
    accelerations = sp.Matrix([der(c, 2) for c in system.coordinates])
    expected = system.free.A * accelerations - system.free.h
    for line, row in zip(system.free.text().splitlines(), expected, strict=True):
        text = re.sub(r"\b(\w+)'", r"der(\1)", re.sub(r"\b(\w+)''", r"der(\1, 2)", line))
        left, right = (read_expression(side, names) for side in text.split(" = "))
        assert vanishes(Engine(system.coordinates).inward(left - right - row))
