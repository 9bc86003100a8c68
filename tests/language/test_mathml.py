"""MathML: well formed, in the elements of MathML Core, and with the value of the printed expression.

The reader in this file interprets a printed formula as it is displayed: invisible groups (`mrow`) are opened first, so
that only signs, parentheses, fractions, scripts and roots decide the grouping.
"""

import re
import unicodedata
from itertools import pairwise
from xml.etree import ElementTree

import mpmath
import pytest
import sympy as sp
from conftest import MODELS
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket import der
from lienket.language.functions import FUNCTIONS, RELATIONS
from lienket.language.printing.latex import latex
from lienket.language.printing.mathml import MathML, formula, mathml
from lienket.language.printing.printer import GREEK

x, q1, phi = lk.coordinates("x q1 phi")
m, m2, r, a, e, Fx, omega0 = lk.parameters("m m2 r a e Fx omega0")
sin, cos, Half = sp.sin, sp.cos, sp.Rational(1, 2)

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
CHILDREN = {"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "msqrt": 1, "mtd": 1}
LEAVES = {"mi", "mn", "mo", "mtext"}
ATTRIBUTES = {"rspace", "stretchy", "accent", "mathvariant", "style"}
TIMES, APPLY, MINUS, DOT = "\u2062", "\u2061", "\u2212", "\u22c5"
READ = {
    **{name: getattr(mpmath, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "atan2", "sign")},
    "arcsin": mpmath.asin, "arccos": mpmath.acos, "arctan": mpmath.atan, "ln": mpmath.log, "min": min, "max": max,
}  # fmt: skip
COMPARED = {
    "<": lambda p, q: p < q, "≤": lambda p, q: p <= q, ">": lambda p, q: p > q, "≥": lambda p, q: p >= q,
    "=": lambda p, q: p == q, "≠": lambda p, q: p != q,
}  # fmt: skip


def tree(content):
    """Return the `math` element around a printed piece, without namespaces."""
    root = ElementTree.fromstring(formula(content))  # noqa: S314 (our own text)
    for element in root.iter():
        assert element.tag.startswith(NAMESPACE)
        element.tag = element.tag.removeprefix(NAMESPACE)
    return root


def printed(expression, notation="dots"):
    """Return the one element of an expression, after a check of every element in it."""
    root = tree(mathml(expression, notation))
    check_elements(root)
    (only,) = root
    return only


def check_elements(root):
    for element in root.iter():
        inside = {"mtable": "mtr", "mtr": "mtd"}.get(element.tag)
        assert element.tag in {"math", "mrow", "mtable", "mtr", *LEAVES, *CHILDREN}
        assert (bool(element.text), bool(len(element))) == ((element.tag in LEAVES), (element.tag not in LEAVES))
        assert not element.tail
        assert element.tag == "math" or set(element.attrib) <= ATTRIBUTES
        assert len(element) == CHILDREN.get(element.tag, len(element))
        assert all(child.tag == inside if inside else child.tag not in ("mtr", "mtd") for child in element)
        if element.tag == "mn":
            assert re.fullmatch(r"\d+(\.\d+)?", element.text)
        if element.tag == "mo":
            assert "-" not in element.text
    signs = [item.tag == "mo" and item.text in ("+", MINUS) for item in seen(root)]
    assert not any(one and other for one, other in pairwise(signs))


def seen(element):
    """Return the items side by side in an element after its invisible groups are opened."""
    return [item for child in element for item in (seen(child) if child.tag == "mrow" else [child])]


class Reader:
    """Evaluation of a displayed formula for given values of its names."""

    def __init__(self, items, values):
        self.items, self.values, self.index = items, values, 0

    def whole(self, rule="sum"):
        value = getattr(self, rule)()
        assert self.index == len(self.items), "something is left over"
        return value

    def look(self):
        item = self.items[self.index] if self.index < len(self.items) else None
        return item.text if item is not None and item.tag == "mo" else ""

    def take(self):
        self.index += 1
        return self.items[self.index - 1]

    def took(self, *signs):
        return self.look() in signs and self.take().text

    def inside(self, element, rule="sum"):
        return Reader(seen([element]), self.values).whole(rule)

    def sum(self):
        total = -self.product() if self.took(MINUS) else self.product()
        while sign := self.took("+", MINUS):
            total += self.product() if sign == "+" else -self.product()
        return total

    def product(self):
        value = self.factor()
        while sign := self.took(TIMES, DOT):
            following = self.items[self.index]
            first = next(leaf for leaf in following.iter() if leaf.tag in LEAVES)
            if first.tag == "mn" and following.tag != "mfrac" and following.tag != "msqrt":
                assert sign == DOT, "a number that reads on from the factor before it"
            value *= self.factor()
        return value

    def factor(self):
        """Return the value of a function with its argument, or of a single item."""
        item = self.items[self.index]
        base, power = (item[0], item[1]) if item.tag == "msup" else (item, None)
        if base.tag != "mi" or base.text not in READ:
            return self.one()
        self.take()
        assert self.took(APPLY)
        if self.took("("):
            arguments = [self.sum()]
            while self.took(","):
                arguments.append(self.sum())
            assert self.took(")")
        else:
            assert self.items[self.index].tag in ("mi", "msub", "mover", "msup", "msubsup")
            arguments = [self.named(self.take())]
        value = READ[base.text](*arguments)
        return value if power is None else value ** self.inside(power)

    def one(self):
        for opening, closing in ("()", "||"):
            if self.took(opening):
                value = self.sum()
                assert self.took(closing)
                return value if opening == "(" else abs(value)
        if self.took("{"):
            return self.cases(self.take())
        item = self.take()
        if item.tag == "mn":
            return mpmath.mpf(item.text)
        if item.tag == "mfrac":
            return self.inside(item[0]) / self.inside(item[1])
        if item.tag == "msqrt":
            return mpmath.sqrt(self.inside(item[0]))
        if item.tag in ("msup", "msubsup") and item[-1].tag != "mo":
            return self.power(item)
        return self.named(item)

    def power(self, item):
        *base, exponent = item
        if len(base) == 2:
            value = self.named(base)
        elif base[0].tag == "msup":
            value = self.named(base[0])  # x' to a power; (x^2)^a needs parentheses
        else:
            assert base[0].tag != "mfrac"
            value = self.inside(base[0], "one")  # a sum or product without parentheses leaves items unread
        return value ** self.inside(exponent)

    def named(self, item):
        """Return the value of a name, with dots, primes or neither."""
        parts = [item] if getattr(item, "tag", "") in ("mi", "mover") else list(item)
        assert len(parts) in (1, 2, 3)
        order = 0
        if parts[0].tag == "mover":
            head, mark = parts[0]
            order, parts[0] = {"˙": 1, "¨": 2}[mark.text], head
        elif parts[-1].tag == "mo":
            order = {"′": 1, "″": 2}[parts.pop().text]
        if len(parts) == 1 and parts[0].text == "e" and parts[0].get("mathvariant"):
            return mpmath.e
        key = "".join(text for part in parts for text in part.itertext() if text != ",")
        return mpmath.pi if key == "π" else self.values[key, order]

    def cases(self, table):
        assert self.index == len(self.items) or self.look() in (TIMES, DOT, "+", MINUS, ")", "|", ",")
        for value, condition in table:
            words = seen(condition)
            assert words[0].text == ("otherwise" if len(words) == 1 else "if\u00a0")
            if len(words) == 1:
                return self.inside(value[0])
            middle = next(i for i, item in enumerate(words) if item.tag == "mo" and item.text in COMPARED)
            left, right = (Reader(side, self.values).whole() for side in (words[1:middle], words[middle + 1 :]))
            if COMPARED[words[middle].text](left, right):
                return self.inside(value[0])
        raise AssertionError("no case applies")


def letters(name):
    """Return a name as displayed: omega0 -> ω0, r_B_x -> rBx."""

    def letter(part):
        kind, word = ("CAPITAL" if part[0].isupper() else "SMALL"), part.upper().replace("LAMBDA", "LAMDA")
        try:
            return unicodedata.lookup(f"GREEK {kind} LETTER {word}") if len(part) > 1 else part
        except KeyError:
            return part

    return "".join(letter(part) for part in re.findall(r"[^\W\d_]+|\d+", name))


def check_meaning(pairs):
    """Assert that each printed element, read back, has the value of its expression at two points."""
    pairs = list(pairs)
    expressions = [expression for expression, _ in pairs]
    moving = {q for one in expressions for q in one.atoms(sp.Function) if isinstance(q, sp.core.function.AppliedUndef)}
    fixed = {s for one in expressions for s in one.free_symbols}
    symbols = [
        *((der(q, order), (letters(q.func.__name__), order)) for order in (2, 1) for q in sorted(moving, key=str)),
        *((q, (letters(q.func.__name__), 0)) for q in sorted(moving, key=str)),
        *((s, (letters(s.name), 0)) for s in sorted(fixed, key=str)),
    ]
    assert len(dict(symbols)) == len({key for _, key in symbols})
    expected_at = sp.lambdify([s for s, _ in symbols], expressions, "mpmath", dummify=True)
    with mpmath.workdps(40):
        for shift in (0, 1):
            point = [(mpmath.sin(7 * i + 3 * shift + 1) + 2) / 4 for i in range(len(symbols))]  # in (0.25, 0.75)
            values = dict(zip((key for _, key in symbols), point, strict=True))
            for (expression, element), number in zip(pairs, expected_at(*point), strict=True):
                value = Reader(seen([element]), values).whole()
                # Decimals are printed with twelve digits.
                assert abs(value - number) <= 1e-11 * abs(number), expression


def check(*expressions):
    check_meaning((one, printed(one, notation)) for one in map(sp.S, expressions) for notation in ("dots", "primes"))


def shape(element):
    """Return an element as a short text: tag(children), leaves as their text."""
    if element.tag in LEAVES:
        return element.text
    return f"{element.tag}({' '.join(shape(child) for child in element)})"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (m2 * a * cos(q1), f"mrow(msub(m 2) {TIMES} a {TIMES} mrow(cos {APPLY} msub(q 1)))"),
        (der(q1) ** 2 * m2, f"mrow(msub(m 2) {TIMES} msubsup(mover(q ˙) 1 2))"),
        (der(phi, 2), "mover(φ ¨)"),
        (q1**2 / 2, "mfrac(msubsup(q 1 2) 2)"),
        (sin(phi) ** 2, f"mrow(msup(sin 2) {APPLY} φ)"),
        (cos(phi + omega0 * lk.t),
         f"mrow(cos {APPLY} mrow(( mrow(φ + mrow(msub(ω 0) {TIMES} t)) )))"),
        (-m * x / (r * a), f"mrow({MINUS} mfrac(mrow(m {TIMES} x) mrow(a {TIMES} r)))"),
        (sp.sqrt(r**2 + a**2), "msqrt(mrow(msup(a 2) + msup(r 2)))"),
        (-(a + r) * x, f"mrow({MINUS} mrow(mrow(( mrow(a + r) )) {TIMES} x))"),
        (Fx - m * x, f"mrow(msub(F x) {MINUS} mrow(m {TIMES} x))"),
        (sp.exp(-x), f"msup(e mrow({MINUS} x))"),
        (sp.Abs(x) ** 3, "msup(mrow(| x |) 3)"),
        (sp.atan2(x, r), f"mrow(atan2 {APPLY} mrow(( x , r )))"),
        (sp.Piecewise((a, x <= 1), (r, True)),
         "mrow({ mtable(mtr(mtd(a) mtd(mrow(if\u00a0 mrow(x ≤ 1)))) mtr(mtd(r) mtd(otherwise))))"),
        (sp.Float(1.5e-9) * x, f"mrow(mrow(1.5 {DOT} msup(10 mrow({MINUS} 9))) {TIMES} x)"),
        (2 * 10**r, f"mrow(2 {DOT} msup(10 r))"),
        (sp.Rational(-2, 3), f"mrow({MINUS} mfrac(2 3))"),
        ((der(x) ** 2) ** a, "msup(mrow(( msup(mover(x ˙) 2) )) a)"),
        (sp.Symbol("mass_total"), "msub(mass total)"),
        (sp.Symbol("r_B_x"), "msub(r mrow(B , x))"),
        (sp.Symbol("Omega"), "Ω"),
        (sp.Symbol("m_phi"), "msub(m φ)"),
        (sp.S.Zero, "0"),
    ],
)  # fmt: skip
def test_mathml_has_the_structure_of_a_textbook_formula(expression, expected):
    assert shape(printed(expression)) == expected


def test_primes_instead_of_dots():
    assert shape(printed(der(x) ** 2, "primes")) == "msup(msup(x ′) 2)"
    assert shape(printed(der(q1, 2), "primes")) == "msubsup(q 1 ″)"
    with pytest.raises(lk.LienketError, match="'dots' or 'primes', not 'commas'"):
        mathml(x, "commas")


def test_letters_are_italic_and_words_and_capital_greek_upright():
    upright = '<mi mathvariant="normal">'
    assert [mathml(sp.Symbol(name)) for name in ("e", "phi", "Phi", "mass")] == [
        "<mi>e</mi>", "<mi>φ</mi>", f"{upright}Φ</mi>", "<mi>mass</mi>",
    ]  # fmt: skip
    assert mathml(sp.E) == f"{upright}e</mi>"
    check(e**x + sp.exp(x) + sp.E * e)


def test_greek_letters():
    for name in GREEK.keys() - {"Pi", "Xi"}:  # read as P_i and X_i, as Fx is read as F_x
        assert printed(sp.Symbol(name)).text == letters(name) != name


def test_words_are_spaced():
    room = f'<mo rspace="0.167em">{TIMES}</mo>'
    assert f"<mi>a</mi>{room}<mrow><mi>cos</mi>" in mathml(a * cos(x))
    assert f"<mi>a</mi>{room}<mrow><msup><mi>cos</mi>" in mathml(a * cos(x) ** 2)
    assert f"<mi>mass</mi>{room}<mi>r</mi>" in mathml(sp.Symbol("mass") * r)
    assert room not in mathml(a * r)


def test_a_whole_formula():
    assert formula("<mi>x</mi>") == (
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mi>x</mi></math>'
    )
    assert 'display="inline"' in formula("<mi>x</mi>", "inline")


def test_text_is_escaped():
    below = mathml(sp.Piecewise((a, x < 1), (r, True)))
    assert "<mo>&lt;</mo>" in below
    assert mathml(sp.Symbol("a<b&c")) == "<mi>a&lt;b&amp;c</mi>"


def test_matrix():
    content = MathML().matrix([[m + m2, -m * x], [0 * x, der(q1)]])
    root = tree(content)
    check_elements(root)
    assert shape(root[0]) == (
        f"mrow([ mtable(mtr(mtd(mrow(m + msub(m 2))) mtd(mrow({MINUS} mrow(m {TIMES} x))))"
        " mtr(mtd(0) mtd(msub(mover(q ˙) 1)))) ])"
    )


# Meaning


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_of_the_language(name):
    function = FUNCTIONS[name]
    count = function.least if function.most else 3
    simple, sums, moving = ([x, r, a][:count], [x - r / 3, m * a, -phi][:count], [der(q1), a, r][:count])
    for arguments in (simple, sums, moving):
        one = function.sympy(*arguments)
        check(one, -one, m * one, one + 1, one**2, r * one**2 - one, one**-2, one**Half, one**r, 2 / one, one * sin(r))
        check(function.sympy(*[sin(argument) / 2 for argument in arguments]), 2**one, one * (a + r) / (one + x))


@pytest.mark.parametrize("sign", RELATIONS)
@pytest.mark.parametrize("bound", [0, 1])
def test_every_relation(sign, bound):
    one = sp.Piecewise((a + r, RELATIONS[sign](x - bound, -m * r)), (-r, True))
    check(one, -one, 2 * one, one**2, one * sin(x), a - one, sp.Abs(one), sp.Max(one, a), one / (1 + one))
    check(sp.Piecewise((a, x > 2), (one, RELATIONS[sign](x, bound)), (m, True)))


def test_signs_powers_and_numbers():
    check(x - (r - a), -((x - r) ** 2), (-x) ** 3, (-2 * x) ** a, -(x**2), 2 - x, -x - r, -(a + r) * (x - m))
    check((x * r) ** a, (x / r) ** a, x**-a, x ** (a + r), x ** (a**r), (x**a) ** r, (x**2) ** a, (r**Half) ** a)
    check((der(x) ** 2) ** a, (sin(x) ** 2) ** a, sin(x) ** a, (sp.Abs(x) * a) ** r, sp.exp(x) ** a, -(der(q1, 2) ** 2))
    check(1 / (x + r), a / (x * r), a / (x / r + 1), 1 / (1 + 1 / (1 + x)), (a + r) / (a - r) ** 2, x / 2, -x / 3 + 1)
    check(sp.Float(1.5e-9) * x, sp.Float(1.5e-9) ** x, sp.Float(-2.5e30) * 2**x, sp.Float(2.5), 3 * sp.Float(0.1) ** r)
    check(
        2 * 3**x, 2**x * 3**r * 5, m * 2**x, sp.pi * 2**x * x, sp.sqrt(2) * x / 2, sp.cbrt(2) * x, x ** sp.Float(-0.5)
    )
    check(sin(x) * sp.Abs(q1), sin(x) * sp.exp(-a), sin(x) * (x * q1) ** a, sin(x) * cos(x) ** 2 / sin(r), sin(-x) ** a)
    left_alone = sp.Mul(-1, a + r, evaluate=False)
    check(-(-a - r) * x, 7, -7, left_alone, sp.Add(x, left_alone, evaluate=False))


ATOMS = [x, q1, phi, m, r, a, e, lk.t, der(x), der(q1), der(q1, 2)]
atoms = st.sampled_from([*ATOMS, sp.Integer(2), sp.Rational(-3, 2), sp.Integer(-1), sp.Float("0.25"), sp.pi])


def combined(inner):
    two = st.tuples(inner, inner)
    return st.one_of(
        two.map(lambda p: p[0] + p[1]),
        two.map(lambda p: p[0] - p[1]),
        two.map(lambda p: p[0] * p[1]),
        two.map(lambda p: p[0] / (p[1] ** 2 + 1)),
        two.map(lambda p: (p[0] ** 2 + 1) ** p[1]),
        two.map(lambda p: sp.Piecewise((p[0], x + r < m), (p[1], True), evaluate=False)),
        st.tuples(inner, st.sampled_from([2, 3, -2, Half, -Half, a])).map(lambda p: (p[0] ** 2) ** p[1]),
        st.tuples(st.sampled_from([sin, cos, sp.exp, sp.Abs, sp.atan, sp.tanh]), inner).map(lambda p: p[0](p[1])),
        st.tuples(st.sampled_from([2, -1, -2, a]), inner).map(lambda p: cos(p[1]) ** p[0]),
    )


@random_cases(300)
@given(st.recursive(atoms, combined, max_leaves=10))
def test_mathml_means_what_it_shows(one):
    if one.has(sp.re, sp.im, sp.conjugate, sp.nan, sp.zoo, sp.oo, sp.I):
        return
    check(one)


def same_letters(expression):
    """Return letters and digits of the LaTeX and of the MathML, in their order."""
    text = latex(expression)
    text = re.sub(r"\\(left|right|frac|sqrt|d?dot|cdot|mathrm|operatorname)\b", "", text).replace("\\var", "\\")
    text = re.sub(r"\\([A-Za-z]+)", lambda match: letters(match[1]), text)
    return [re.sub(r"[\W_]", "", side) for side in (text, "".join(printed(expression).itertext()))]


@random_cases(200)
@given(st.recursive(atoms, combined, max_leaves=10))
def test_terms_and_factors_stand_in_the_order_of_the_latex(one):
    if one.has(sp.re, sp.im, sp.conjugate, sp.nan, sp.zoo, sp.Piecewise):
        return
    in_latex, in_mathml = same_letters(one)
    assert in_mathml == in_latex


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.toml")), ids=lambda path: path.stem)
def test_equations_of_every_model(path):
    free = lk.load(path).free
    for matrix in (free.A, free.h):
        for notation in ("dots", "primes"):
            root = tree(MathML(notation).matrix(matrix.tolist()))
            check_elements(root)
            cells = [cell[0] for cell in root.iter("mtd")]
            assert len(root[0][1]) == matrix.rows and len(cells) == len(matrix)
            check_meaning(zip(matrix, cells, strict=True))
        for entry in matrix:
            in_latex, in_mathml = same_letters(entry)
            assert in_mathml == in_latex
