"""Common printer: textbook order of terms and factors, signs, fractions, parentheses.

The rules common to all notations are here; LaTeX, MathML and plain text define only the form of the pieces.
The factors of a product are ordered as number, parameters (masses first), sums, coordinates, velocities and
functions, so that `m a q'^2 sin q` is unambiguous; a sum begins with a positive term.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..data_functions import DataCall
from ..expression import Expression
from ..functions import BY_CLASS
from ..names import natural_order
from ..symbols import name_of

_FUNCTION_INDEX = {function: index for index, function in enumerate(BY_CLASS)}

SUM, PRODUCT, POWER, ATOM = range(4)
"""Precedence of the loosest operator of a printed piece, ascending."""

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
"""Greek letters by name."""


class Printer(ABC):
    """Printer of the expressions of the formula language; subclasses define numbers, names, fractions, ...."""

    def __init__(self) -> None:
        self._printed: dict[Expression, tuple[str, int]] = {}

    def expression(self, e: Expression) -> str:
        """Return the text of an expression."""
        return self._piece(e)[0]

    def in_product(self, e: Expression) -> str:
        """Return the text of an expression as a factor: in parentheses if it is a sum."""
        text, binds = self._piece(e)
        return self.parentheses(text) if binds == SUM else text

    # Defined by every notation

    @abstractmethod
    def integer(self, digits: str) -> str:
        """Return an integer."""

    @abstractmethod
    def decimal(self, value: float) -> str:
        """Return a floating-point number."""

    @abstractmethod
    def name(self, name: str) -> str:
        """Return a parameter or coordinate."""

    @abstractmethod
    def derivative(self, name: str, order: int, power: str) -> str:
        """Return a derivative of a coordinate, raised to `power` unless that is empty."""

    @abstractmethod
    def fraction(self, above: str, below: str, below_binds: int) -> tuple[str, int]:
        """Return a quotient and its precedence; `below_binds` is the precedence of the denominator."""

    @abstractmethod
    def raised(self, base: str, power: str) -> str:
        """Return a power."""

    @abstractmethod
    def root(self, inside: str) -> str:
        """Return a square root."""

    @abstractmethod
    def applied(self, function: str, arguments: list[str], simple: bool, power: str) -> tuple[str, int]:
        """Return a function of its arguments and its precedence; `simple` if a single argument needs no parentheses."""

    @abstractmethod
    def data_call(self, name: str, orders: tuple[int, ...], arguments: list[str]) -> str:
        """Return a call of a table or Python function, or of its derivative: road(t), road'(t), D[2](u)(t, z)."""

    @abstractmethod
    def product(self, factors: list[str]) -> str:
        """Return a product of factors."""

    @abstractmethod
    def parentheses(self, inside: str) -> str:
        """Return a text in parentheses."""

    @abstractmethod
    def cases(self, branches: list[tuple[str, str]]) -> str:
        """Return a value by cases; the condition of the last branch is empty."""

    @abstractmethod
    def relation(self, left: str, sign: str, right: str) -> str:
        """Return a comparison."""

    # May be overridden by a notation

    def signed(self, terms: list[tuple[bool, str]]) -> str:
        """Return a sum, or one term with its sign, from pairs (negative, term)."""
        text = ""
        for negative, term in terms:
            sign = "-" if negative else "+"
            text += (f" {sign} " if text else "-" if negative else "") + term
        return text

    def constant(self, name: str) -> str:
        """Return a named number: pi or e."""
        return self.name(name)

    def _sorter(self) -> Printer:
        """Return the printer whose text determines the order of factors and terms without a name."""
        return self

    # Common to all notations

    def _piece(self, e: Expression) -> tuple[str, int]:
        """Return the text of an expression and its precedence; each expression is printed once."""
        piece = self._printed.get(e)
        if piece is None:
            piece = self._printed[e] = self._print(e)
        return piece

    def _print(self, e: Expression) -> tuple[str, int]:
        if e.is_Add:
            return self._sum(e), SUM
        negative, positive = _split_sign(e)
        if negative:
            return self.signed([(True, self._term(positive))]), SUM
        return self._unsigned(e)

    def _unsigned(self, e: Expression) -> tuple[str, int]:
        if e.is_Mul or (e.is_Rational and not e.is_Integer) or _is_reciprocal(e):
            return self._product(e)
        if e.is_Pow:
            return self._power(e)
        if e.is_Integer:
            return self.integer(str(e)), ATOM
        if e.is_Float:
            return self.decimal(float(e)), ATOM
        if isinstance(e, sp.Piecewise):
            return self._cases(e), ATOM
        if isinstance(e, sp.Derivative):
            return self.derivative(name_of(e.expr), int(e.derivative_count), ""), ATOM
        if isinstance(e, AppliedUndef) or e.is_Symbol:
            return self.name(name_of(e)), ATOM
        if e.func in BY_CLASS:
            return self._function(e, "")
        if isinstance(e, DataCall):
            orders = e.source.orders
            text = self.data_call(e.source.data.name, orders, [self.expression(a) for a in e.arguments])
            return text, PRODUCT if len(orders) > 1 and any(orders) else ATOM
        return self.constant({sp.pi: "pi", sp.E: "e"}.get(e, str(e))), ATOM

    def _term(self, e: Expression) -> str:
        """Return a term of a sum without its sign; a sum inside needs parentheses."""
        text, binds = self._unsigned(e) if not e.is_Add else (self._sum(e), SUM)
        return self.parentheses(text) if binds == SUM else text

    def _sum(self, e: Expression) -> str:
        terms = sorted((_split_sign(a) for a in e.args), key=lambda term: (term[0], self._term_order(term[1])))
        return self.signed([(negative, self._term(positive)) for negative, positive in terms])

    def _product(self, e: Expression) -> tuple[str, int]:
        """Return a product or quotient and its precedence."""
        number, rest = e.as_coeff_Mul()
        above: list[Expression] = []
        below: list[Expression] = []
        for factor in sp.Mul.make_args(rest):
            if _is_reciprocal(factor):
                below.append(1 / factor)
            elif factor is not sp.S.One:
                above.append(factor)
        numerator, denominator = (sp.Integer(number.p), sp.Integer(number.q)) if number.is_Rational else (number, 1)
        upper, _ = self._factors(numerator, above)
        if not below and denominator == 1:
            return upper, PRODUCT if len(above) + (numerator != 1) > 1 else ATOM
        lower, lower_binds = self._factors(denominator, below)
        return self.fraction(upper, lower, lower_binds)

    def _factors(self, number: Expression, factors: list[Expression]) -> tuple[str, int]:
        pieces = [self._unsigned(number)[0]] if number != 1 or not factors else []
        ordered = sorted(factors, key=self._factor_order)
        pieces += [self.in_product(f) for f in ordered]
        return self.product(pieces), ATOM if len(pieces) == 1 else PRODUCT

    def _power(self, e: Expression) -> tuple[str, int]:
        base, exponent = e.args
        if exponent == sp.Rational(1, 2):
            return self.root(self.expression(base)), ATOM
        power = self.expression(exponent)
        if isinstance(base, sp.Derivative):
            return self.derivative(name_of(base.expr), int(base.derivative_count), power), POWER
        if base.func in BY_CLASS and exponent.is_Integer:
            text, binds = self._function(base, power)
            return text, min(binds, POWER)
        text, binds = self._piece(base)
        return self.raised(text if binds == ATOM else self.parentheses(text), power), POWER

    def _function(self, e: Expression, power: str) -> tuple[str, int]:
        only = e.args[0]
        simple = len(e.args) == 1 and (only.is_Symbol or isinstance(only, (AppliedUndef, sp.Derivative)))
        return self.applied(BY_CLASS[e.func].name, [self.expression(a) for a in e.args], simple, power)

    def _cases(self, e: Expression) -> str:
        *branches, (default, _) = e.args
        pairs = [(self.expression(value), self._condition(condition)) for value, condition in branches]
        return self.cases([*pairs, (self.expression(default), "")])

    def _condition(self, condition: sp.Rel) -> str:
        return self.relation(self.expression(condition.lhs), condition.rel_op, self.expression(condition.rhs))

    def _factor_order(self, factor: Expression) -> tuple[Any, ...]:
        """Return the sorting key of a factor: kind, group within the kind, name."""
        base = factor.base if factor.is_Pow else factor
        rank = _rank(factor)
        named = rank in (0, 2, 3) and not base.is_number
        label = name_of(base) if named else self._sorter().expression(base)
        # Masses before other parameters; functions in the order of their table, sin before cos.
        group = label[:1] not in ("m", "M") if rank == 0 else _FUNCTION_INDEX.get(base.func, 0)
        return rank, group, natural_order(label.lower()), label

    def _term_order(self, term: Expression) -> tuple[Any, ...]:
        """Return the sorting key of a term: number of factors, then their names."""
        keys = sorted(self._factor_order(f) for f in sp.Mul.make_args(term) if not f.is_Number)
        return len(keys), keys, self._sorter()._unsigned(term)[0]


def split_name(name: str) -> list[str]:
    """Split a name into head and indices: m2 -> m, 2; omega0 -> omega, 0; r_B_x -> r, B, x; Fx -> F, x; xB -> x, B."""
    head, *indices = [part for part in name.split("_") if part] or [name]
    split = re.fullmatch(r"(\D+)(\d+)|([A-Z])([a-z])|([a-z])([A-Z])", head)
    return [*filter(None, split.groups()), *indices] if split else [head, *indices]


def _split_sign(e: Expression) -> tuple[bool, Expression]:
    """Return whether a term is negative, and the term without its sign; (-a - b)*x counts as -(a + b)*x."""
    if e.is_Add:
        return False, e
    number = e.as_coeff_Mul()[0]
    negative = bool(number.is_negative)
    if not e.is_Mul:
        return negative, -e if negative else e
    size = [] if abs(number) == 1 else [abs(number)]
    factors = [*size, *(f for f in e.args if not f.is_Number)]
    for i, factor in enumerate(factors):
        if factor.is_Add and all(term.as_coeff_Mul()[0].is_negative for term in factor.args):
            factors[i] = -factor
            negative = not negative
    # Only the sign changes, so SymPy need not evaluate the product again.
    return negative, factors[0] if len(factors) == 1 else sp.Mul(*factors, evaluate=False)


def _is_reciprocal(e: Expression) -> bool:
    return bool(e.is_Pow and e.exp.is_Rational and e.exp.is_negative)


def _rank(factor: Expression) -> int:
    """Return the position of a factor's kind in a product: parameters, sums, coordinates, velocities, functions."""
    base = factor.base if factor.is_Pow else factor
    if base.is_Symbol or base.is_number:
        return 0
    if base.is_Add:
        return 1
    if isinstance(base, AppliedUndef):
        return 2
    return 3 if isinstance(base, sp.Derivative) else 4
