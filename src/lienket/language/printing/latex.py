"""LaTeX of one expression, with dots or primes for time derivatives."""

from __future__ import annotations

import re

from ...errors import LienketError
from ..expression import Expression
from ..written_names import is_latex
from .latex_names import latex_name
from .printer import ATOM, GREEK, POWER, PRODUCT, Printer, split_name

_VARIANT = {"phi": r"\varphi", "epsilon": r"\varepsilon"}
_FUNCTION = {
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "atan2": r"\operatorname{atan2}",
    "log": r"\ln",
    "sign": r"\operatorname{sign}",
}
_RELATION = {"<=": r"\le", ">=": r"\ge", "==": "=", "!=": r"\ne"}
_DOTS = {1: r"\dot", 2: r"\ddot"}


class Latex(Printer):
    """LaTeX printer; `notation` is "dots" or "primes"."""

    def __init__(self, notation: str = "dots") -> None:
        if notation not in ("dots", "primes"):
            raise LienketError(f"The notation of time derivatives must be 'dots' or 'primes', not {notation!r}.")
        super().__init__()
        self.notation = notation

    def integer(self, digits: str) -> str:
        return digits

    def decimal(self, value: float) -> str:
        mantissa, _, exponent = f"{value:.12g}".partition("e")
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa

    def name(self, name: str) -> str:
        return "".join(self._head_and_scripts(name))

    def _head_and_scripts(self, name: str) -> tuple[str, str]:
        """Return the LaTeX of a name without its indices, and of its indices."""
        if is_latex(name):
            written = latex_name(name)
            return written.head, written.scripts
        head, *indices = split_name(name)
        head = _VARIANT.get(head) or (
            f"\\{head}" if head in GREEK else head if len(head) == 1 else rf"\mathrm{{{head}}}"
        )
        return head, f"_{{{','.join(_index(i) for i in indices)}}}" if indices else ""

    def derivative(self, name: str, order: int, power: str) -> str:
        head, scripts = self._head_and_scripts(name)
        if self.notation == "primes":
            whole = f"{{{head}{scripts}}}" if _has_power(scripts) else head + scripts
            mark = whole + "'" * order
            return f"{{{mark}}}^{{{power}}}" if power else mark
        dotted = f"{_DOTS[order]}{{{head}}}{scripts}"
        return self.raised(dotted, power) if power else dotted

    def fraction(self, above: str, below: str, below_binds: int) -> tuple[str, int]:
        return rf"\frac{{{above}}}{{{below}}}", PRODUCT

    def raised(self, base: str, power: str) -> str:
        return f"{{{base}}}^{{{power}}}" if _has_power(base) else f"{base}^{{{power}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def applied(self, function: str, arguments: list[str], simple: bool, power: str) -> tuple[str, int]:
        if function == "exp" and not power:
            return f"e^{{{arguments[0]}}}", POWER
        if function == "abs":
            bars = rf"\left|{arguments[0]}\right|"
            return (f"{bars}^{{{power}}}" if power else bars), ATOM
        command = _FUNCTION.get(function, f"\\{function}")
        raised = f"{command}^{{{power}}}" if power else command
        if simple:
            return f"{raised} {arguments[0]}", PRODUCT
        return raised + self.parentheses(", ".join(arguments)), PRODUCT

    def data_call(self, name: str, orders: tuple[int, ...], arguments: list[str]) -> str:
        total, inside = sum(orders), self.parentheses(", ".join(arguments))
        if len(orders) == 1:
            mark = "'" * total if total < 4 else f"^{{({total})}}"
            return self.name(name) + mark + inside
        slots = [rf"\partial_{{{i}}}" + (f"^{{{k}}}" if k > 1 else "") for i, k in enumerate(orders, 1) if k]
        return " ".join([*slots, self.name(name) + inside])

    def product(self, factors: list[str]) -> str:
        text = factors[0]
        for factor in factors[1:]:
            # Two adjacent numbers would read as one.
            text += (r" \cdot " if text[-1].isdigit() and factor[0].isdigit() else " ") + factor
        return text

    def parentheses(self, inside: str) -> str:
        return rf"\left({inside}\right)"

    def cases(self, branches: list[tuple[str, str]]) -> str:
        lines = [rf"{value} & \text{{if }} {condition}" if condition else rf"{value} & \text{{otherwise}}"
                 for value, condition in branches]  # fmt: skip
        return r"\begin{cases}" + r" \\ ".join(lines) + r"\end{cases}"

    def relation(self, left: str, sign: str, right: str) -> str:
        return f"{left} {_RELATION.get(sign, sign)} {right}"


def latex(expression: Expression, notation: str = "dots") -> str:
    """Return the LaTeX of an expression in textbook form."""
    return Latex(notation).expression(expression)


def _has_power(text: str) -> bool:
    """Return whether a name has a power outside braces; LaTeX does not set a second one."""
    if "^" not in text or text.startswith(r"\left"):
        return False
    outside = text
    while (inner := re.sub(r"\{[^{}]*\}", "", outside)) != outside:
        outside = inner
    return "^" in outside


def _index(index: str) -> str:
    if index in GREEK:
        return _VARIANT.get(index, f"\\{index}")
    return index if len(index) == 1 or index.isdigit() else rf"\mathrm{{{index}}}"
