"""Presentation MathML of one expression, with dots or primes for time derivatives.

Only elements of MathML Core are used, which browsers support without scripts. Every piece is exactly one
element, so that it can be a base, a numerator or a table cell; products and functions contain their invisible
operators, so that a screen reader distinguishes m(a + b) from f(a + b).
"""
# ruff: noqa: D102 -- the methods are documented once, in printer.py

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import pairwise

from ..expression import Expression
from ..written_names import is_latex
from .latex import Latex
from .latex_names import name_parts
from .printer import ATOM, GREEK, POWER, PRODUCT, Printer, split_name

_FUNCTION = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln"}
_RELATION = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "=", "!=": "≠"}
_DOTS = {1: "˙", 2: "¨"}
_PRIMES = {1: "′", 2: "″", 3: "‴"}
_TIMES, _APPLIED, _MINUS, _CDOT = "\u2062", "\u2061", "\u2212", "\u22c5"
_THIN_SPACE = ' rspace="0.167em"'  # as TeX sets it beside sin, cos, ...
_E = '<mi mathvariant="normal">e</mi>'  # upright, since a parameter may be named e

_OPENING = r"(?:<m(?:row|su[bp]|subsup)>)*"
_NUMBER_FIRST = re.compile(_OPENING + "<mn>")
_WORD_FIRST = re.compile(_OPENING + r"<mi>\w\w")
_WORD_LAST = re.compile(r"\w\w</mi>(?:</m(?:row|su[bp]|subsup)>)*$")


class MathML(Printer):
    """Presentation MathML printer; `notation` is "dots" or "primes"."""

    def __init__(self, notation: str = "dots") -> None:
        super().__init__()
        self._latex = Latex(notation)
        self.notation = notation

    def matrix(self, rows: Iterable[Iterable[Expression]]) -> str:
        """Return a matrix of expressions in brackets, from its rows."""
        return _row(_sign("["), _table([[self.expression(e) for e in row] for row in rows]), _sign("]"))

    def integer(self, digits: str) -> str:
        return f"<mn>{digits}</mn>"

    def decimal(self, value: float) -> str:
        mantissa, _, exponent = f"{value:.12g}".partition("e")
        if not exponent:
            return self.integer(mantissa)
        power = self.integer(str(abs(int(exponent))))
        power = self.signed([(True, power)]) if int(exponent) < 0 else power
        return _row(self.integer(mantissa), _sign(_CDOT), _scripts(self.integer("10"), "", power))

    def name(self, name: str) -> str:
        return _scripts(*_head_and_index(name), "")

    def constant(self, name: str) -> str:
        return _E if name == "e" else self.name(name)

    def derivative(self, name: str, order: int, power: str) -> str:
        head, index = _head_and_index(name)
        if self.notation == "primes":
            return _scripts(_scripts(head, index, _sign(_PRIMES[order])), "", power)
        dots = _sign(_DOTS[order], ' stretchy="false"')
        return _scripts(f'<mover accent="true">{head}{dots}</mover>', index, power)

    def fraction(self, above: str, below: str, below_binds: int) -> tuple[str, int]:
        return f"<mfrac>{above}{below}</mfrac>", PRODUCT

    def raised(self, base: str, power: str) -> str:
        if base.startswith("<msub>"):
            # A single element for both scripts sets the power above the index, not after it.
            return f"<msubsup>{base.removeprefix('<msub>').removesuffix('</msub>')}{power}</msubsup>"
        if base.startswith(("<msup>", "<msubsup>", "<mrow><mn>")):
            # The square of a velocity or 1.5 10^-9 is one piece, but already has a power.
            base = self.parentheses(base)
        return _scripts(base, "", power)

    def root(self, inside: str) -> str:
        return f"<msqrt>{inside}</msqrt>"

    def applied(self, function: str, arguments: list[str], simple: bool, power: str) -> tuple[str, int]:
        if function == "exp" and not power:
            return _scripts(_E, "", arguments[0]), POWER
        if function == "abs":
            return _scripts(_row(_sign("|"), arguments[0], _sign("|")), "", power), ATOM
        raised = _scripts(f"<mi>{_FUNCTION.get(function, function)}</mi>", "", power)
        if simple:
            return _row(raised, _sign(_APPLIED, _THIN_SPACE), arguments[0]), PRODUCT
        inside = _sign(",").join(arguments)
        return _row(raised, _sign(_APPLIED), self.parentheses(inside)), PRODUCT

    def data_call(self, name: str, orders: tuple[int, ...], arguments: list[str]) -> str:
        total, slots = sum(orders), ""
        mark = ""
        if len(orders) == 1 and total:
            mark = _sign(_PRIMES[total]) if total < 4 else self.parentheses(self.integer(str(total)))
        elif total:
            pairs = [
                (self.integer(str(i)), self.integer(str(k)) if k > 1 else "") for i, k in enumerate(orders, 1) if k
            ]
            slots = "".join(_scripts(_sign("∂"), slot, power) for slot, power in pairs)
        head = _scripts(*_head_and_index(name), mark)
        return _row(slots, head, _sign(_APPLIED), self.parentheses(_sign(",").join(arguments)))

    def signed(self, terms: list[tuple[bool, str]]) -> str:
        text = ""
        for negative, term in terms:
            text += (_sign(_MINUS) if negative else _sign("+") if text else "") + term
        return f"<mrow>{text}</mrow>"

    def product(self, factors: list[str]) -> str:
        if len(factors) == 1:
            return factors[0]
        return _row(factors[0], *(_times(before, factor) + factor for before, factor in pairwise(factors)))

    def parentheses(self, inside: str) -> str:
        return _row(_sign("("), inside, _sign(")"))

    def cases(self, branches: list[tuple[str, str]]) -> str:
        lines = [[value, _row("<mtext>if\u00a0</mtext>", condition) if condition else "<mtext>otherwise</mtext>"]
                 for value, condition in branches]  # fmt: skip
        return _row(_sign("{"), _table(lines, ' style="text-align: left"'))

    def relation(self, left: str, sign: str, right: str) -> str:
        return _row(left, _sign(_RELATION[sign]), right)

    def _sorter(self) -> Printer:
        # MathML would be sorted by the names of its tags; with LaTeX both notations have one order.
        return self._latex


def mathml(expression: Expression, notation: str = "dots") -> str:
    """Return the MathML of an expression in textbook form: one element, to be wrapped by `formula`."""
    return MathML(notation).expression(expression)


def formula(content: str, display: str = "block") -> str:
    """Return the `math` element around printed pieces; `display` is "block" (a separate line) or "inline"."""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="{escape(display)}">{content}</math>'


def _row(*pieces: str) -> str:
    return f"<mrow>{''.join(pieces)}</mrow>"


def _sign(sign: str, attributes: str = "") -> str:
    return f"<mo{attributes}>{escape(sign)}</mo>"


def _scripts(base: str, below: str, above: str) -> str:
    """Return the base with an index, a power, both or neither."""
    kind = {(True, True): "msubsup", (True, False): "msub", (False, True): "msup"}.get((bool(below), bool(above)))
    return f"<{kind}>{base}{below}{above}</{kind}>" if kind else base


def _times(before: str, factor: str) -> str:
    """Return the operator between two factors.

    A dot before a number, which would otherwise seem to continue the preceding factor; a thin space beside a word;
    else an invisible operator.
    """
    if _NUMBER_FIRST.match(factor):
        return _sign(_CDOT)
    return _sign(_TIMES, _THIN_SPACE if _WORD_FIRST.match(factor) or _WORD_LAST.search(before) else "")


def _table(rows: list[list[str]], attributes: str = "") -> str:
    cells = ("".join(f"<mtd{attributes}>{cell}</mtd>" for cell in row) for row in rows)
    return f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in cells)}</mtable>"


def _head_and_index(name: str) -> tuple[str, str]:
    """Return the elements of a name and of its indices, which may be empty."""
    if is_latex(name):
        letter, index, power = name_parts(name)
        return _scripts(_element(letter), "", _element(power)), _element(index)
    head, *indices = split_name(name)
    elements = [_element(index) for index in indices]
    return _letters(head), elements[0] if len(elements) == 1 else _row(_sign(",").join(elements)) if elements else ""


def _element(word: str) -> str:
    """Return the element of a number or a word; nothing for an empty one."""
    return "" if not word else f"<mn>{word}</mn>" if word.isdigit() else _letters(word)


def _letters(word: str) -> str:
    """Return the element of a word; a Latin or lower-case Greek letter is italic, else upright, as in LaTeX."""
    upright = ' mathvariant="normal"' if word in GREEK and word[0].isupper() else ""
    return f"<mi{upright}>{escape(GREEK.get(word, word))}</mi>"
