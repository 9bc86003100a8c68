"""Plain text of one expression for display: m*r*x'' - k*x; `language.text` writes the text of model files."""

from __future__ import annotations

from ..data_functions import derivative_label
from ..expression import Expression
from ..written_names import readable
from .printer import ATOM, PRODUCT, Printer


class Plain(Printer):
    """Plain text printer, with primes for time derivatives."""

    def integer(self, digits: str) -> str:
        return digits

    def decimal(self, value: float) -> str:
        return f"{value:.12g}"

    def name(self, name: str) -> str:
        return readable(name)

    def derivative(self, name: str, order: int, power: str) -> str:
        mark = readable(name) + "'" * order
        return self.raised(mark, power) if power else mark

    def fraction(self, above: str, below: str, below_binds: int) -> tuple[str, int]:
        return f"{above}/{below if below_binds == ATOM else self.parentheses(below)}", PRODUCT

    def raised(self, base: str, power: str) -> str:
        return f"{base}^{power if power.isalnum() else self.parentheses(power)}"

    def root(self, inside: str) -> str:
        return f"sqrt({inside})"

    def applied(self, function: str, arguments: list[str], simple: bool, power: str) -> tuple[str, int]:
        text = f"{function}({', '.join(arguments)})"
        return (self.raised(text, power) if power else text), ATOM

    def data_call(self, name: str, orders: tuple[int, ...], arguments: list[str]) -> str:
        return f"{derivative_label(name, orders)}({', '.join(arguments)})"

    def product(self, factors: list[str]) -> str:
        return "*".join(factors)

    def parentheses(self, inside: str) -> str:
        return f"({inside})"

    def cases(self, branches: list[tuple[str, str]]) -> str:
        *conditional, (default, _) = branches
        text = default
        for value, condition in reversed(conditional):
            text = f"if({condition}, {value}, {text})"
        return text

    def relation(self, left: str, sign: str, right: str) -> str:
        return f"{left} {sign} {right}"


def plain(expression: Expression) -> str:
    """Return the plain text of an expression."""
    return Plain().expression(expression)
