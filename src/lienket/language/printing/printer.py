"""How a textbook sets a formula: the order of terms and factors, signs, fractions, parentheses.

What is the same in every notation stands here; LaTeX, MathML and plain text differ only in how they
draw the pieces. A product is set as number, parameters (masses first), sums, coordinates, velocities and
last the functions, so that `m a q'^2 sin q` cannot be misread; a sum begins with a positive term.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..data_functions import DataCall
from ..functions import BY_CLASS
from ..names import natural_order
from ..symbols import name_of

_FUNCTION_PLACE = {function: place for place, function in enumerate(BY_CLASS)}

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a printed piece holds together."""

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
"""The names that stand for Greek letters."""


class Printer(ABC):
    """Prints the expressions of the formula language; subclasses draw numbers, names, fractions, ..."""

    def __init__(self) -> None:
        self._printed: dict[Any, tuple[str, int]] = {}

    def expression(self, e: Any) -> str:
        """The whole expression."""
        return self._piece(e)[0]

    def in_product(self, e: Any) -> str:
        """The expression as a factor: in parentheses if it is a sum."""
        text, holds = self._piece(e)
        return self.parentheses(text) if holds == SUM else text

    # What a notation must draw

    @abstractmethod
    def integer(self, digits: str) -> str:
        """A whole number."""

    @abstractmethod
    def decimal(self, value: float) -> str:
        """A floating-point number."""

    @abstractmethod
    def name(self, name: str) -> str:
        """A parameter or coordinate."""

    @abstractmethod
    def moving(self, name: str, order: int, power: str) -> str:
        """A derivative of a coordinate, raised to a power if that is not empty."""

    @abstractmethod
    def fraction(self, above: str, below: str, below_holds: int) -> tuple[str, int]:
        """A quotient and how tightly it holds."""

    @abstractmethod
    def raised(self, base: str, power: str) -> str:
        """A power."""

    @abstractmethod
    def root(self, inside: str) -> str:
        """A square root."""

    @abstractmethod
    def applied(self, function: str, arguments: list[str], simple: bool, power: str) -> tuple[str, int]:
        """A function of its arguments; `simple` if the only argument needs no parentheses."""

    @abstractmethod
    def given(self, name: str, orders: tuple[int, ...], arguments: list[str]) -> str:
        """A table or Python function, or its derivative of these orders: road(t), road'(t), D[2](u)(t, z)."""

    @abstractmethod
    def product(self, factors: list[str]) -> str:
        """Factors side by side."""

    @abstractmethod
    def parentheses(self, inside: str) -> str:
        """Something in parentheses."""

    @abstractmethod
    def cases(self, branches: list[tuple[str, str]]) -> str:
        """A value by cases; the condition of the last branch is empty."""

    @abstractmethod
    def relation(self, left: str, sign: str, right: str) -> str:
        """A comparison."""

    # What a notation may draw in its own way

    def signed(self, terms: list[tuple[bool, str]]) -> str:
        """A sum, or one term with its sign; a term comes with whether a minus stands before it."""
        text = ""
        for negative, term in terms:
            sign = "-" if negative else "+"
            text += (f" {sign} " if text else "-" if negative else "") + term
        return text

    def constant(self, name: str) -> str:
        """A number with a name of its own: pi or e."""
        return self.name(name)

    def _sorter(self) -> Printer:
        """The printer whose text decides the order of factors and terms that have no name."""
        return self

    # What every notation shares

    def _piece(self, e: Any) -> tuple[str, int]:
        """The text of an expression and how tightly it holds; each expression is printed once."""
        found = self._printed.get(e)
        if found is None:
            found = self._printed[e] = self._print(e)
        return found

    def _print(self, e: Any) -> tuple[str, int]:
        if e.is_Add:
            return self._sum(e), SUM
        negative, positive = _split_sign(e)
        if negative:
            return self.signed([(True, self._term(positive))]), SUM
        return self._unsigned(e)

    def _unsigned(self, e: Any) -> tuple[str, int]:
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
            return self.moving(name_of(e.expr), int(e.derivative_count), ""), ATOM
        if isinstance(e, AppliedUndef) or e.is_Symbol:
            return self.name(name_of(e)), ATOM
        if e.func in BY_CLASS:
            return self._function(e, "")
        if isinstance(e, DataCall):
            orders = e.source.orders
            text = self.given(e.source.data.name, orders, [self.expression(a) for a in e.arguments])
            return text, PRODUCT if len(orders) > 1 and any(orders) else ATOM
        return self.constant({sp.pi: "pi", sp.E: "e"}.get(e, str(e))), ATOM

    def _term(self, e: Any) -> str:
        """A term of a sum that has lost its sign; a sum inside needs parentheses."""
        text, holds = self._unsigned(e) if not e.is_Add else (self._sum(e), SUM)
        return self.parentheses(text) if holds == SUM else text

    def _sum(self, e: Any) -> str:
        terms = sorted((_split_sign(a) for a in e.args), key=lambda term: (term[0], self._term_order(term[1])))
        return self.signed([(negative, self._term(positive)) for negative, positive in terms])

    def _product(self, e: Any) -> tuple[str, int]:
        number, rest = e.as_coeff_Mul()
        above: list[Any] = []
        below: list[Any] = []
        for factor in sp.Mul.make_args(rest):
            if _is_reciprocal(factor):
                below.append(1 / factor)
            elif factor is not sp.S.One:
                above.append(factor)
        numerator, denominator = (sp.Integer(number.p), sp.Integer(number.q)) if number.is_Rational else (number, 1)
        upper, _ = self._factors(numerator, above)
        if not below and denominator == 1:
            return upper, PRODUCT if len(above) + (numerator != 1) > 1 else ATOM
        lower, lower_holds = self._factors(denominator, below)
        return self.fraction(upper, lower, lower_holds)

    def _factors(self, number: Any, factors: list[Any]) -> tuple[str, int]:
        pieces = [self._unsigned(number)[0]] if number != 1 or not factors else []
        ordered = sorted(factors, key=self._factor_order)
        pieces += [self.in_product(f) for f in ordered]
        return self.product(pieces), ATOM if len(pieces) == 1 else PRODUCT

    def _power(self, e: Any) -> tuple[str, int]:
        base, exponent = e.args
        if exponent == sp.Rational(1, 2):
            return self.root(self.expression(base)), ATOM
        power = self.expression(exponent)
        if isinstance(base, sp.Derivative):
            return self.moving(name_of(base.expr), int(base.derivative_count), power), POWER
        if base.func in BY_CLASS and exponent.is_Integer:
            text, holds = self._function(base, power)
            return text, min(holds, POWER)
        text, holds = self._piece(base)
        return self.raised(text if holds == ATOM else self.parentheses(text), power), POWER

    def _function(self, e: Any, power: str) -> tuple[str, int]:
        only = e.args[0]
        simple = len(e.args) == 1 and (only.is_Symbol or isinstance(only, (AppliedUndef, sp.Derivative)))
        return self.applied(BY_CLASS[e.func].name, [self.expression(a) for a in e.args], simple, power)

    def _cases(self, e: Any) -> str:
        *branches, (default, _) = e.args
        pairs = [(self.expression(value), self._condition(condition)) for value, condition in branches]
        return self.cases([*pairs, (self.expression(default), "")])

    def _condition(self, condition: Any) -> str:
        return self.relation(self.expression(condition.lhs), condition.rel_op, self.expression(condition.rhs))

    def _factor_order(self, factor: Any) -> tuple[Any, ...]:
        base = factor.base if factor.is_Pow else factor
        rank = _rank(factor)
        named = rank in (0, 2, 3) and not base.is_number
        label = name_of(base) if named else self._sorter().expression(base)
        # Masses before other parameters; sin before cos, as the table of functions has them.
        place = label[:1] not in ("m", "M") if rank == 0 else _FUNCTION_PLACE.get(base.func, 0)
        return rank, place, natural_order(label.lower()), label

    def _term_order(self, term: Any) -> tuple[Any, ...]:
        """Short terms first, then by the names in them."""
        keys = sorted(self._factor_order(f) for f in sp.Mul.make_args(term) if not f.is_Number)
        return len(keys), keys, self._sorter()._unsigned(term)[0]


def split_name(name: str) -> list[str]:
    """A name and its indices: m2 -> m, 2; omega0 -> omega, 0; r_B_x -> r, B, x; Fx -> F, x; xB -> x, B."""
    head, *indices = [part for part in name.split("_") if part] or [name]
    split = re.fullmatch(r"(\D+)(\d+)|([A-Z])([a-z])|([a-z])([A-Z])", head)
    return [*filter(None, split.groups()), *indices] if split else [head, *indices]


def _split_sign(e: Any) -> tuple[bool, Any]:
    """Whether a minus stands before the term, and the term without it; (-a - b)*x counts as -(a + b)*x."""
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
    # Only the sign changes; SymPy need not look at the product again.
    return negative, factors[0] if len(factors) == 1 else sp.Mul(*factors, evaluate=False)


def _is_reciprocal(e: Any) -> bool:
    return bool(e.is_Pow and e.exp.is_Rational and e.exp.is_negative)


def _rank(factor: Any) -> int:
    base = factor.base if factor.is_Pow else factor
    if base.is_Symbol or base.is_number:
        return 0
    if base.is_Add:
        return 1
    if isinstance(base, AppliedUndef):
        return 2
    return 3 if isinstance(base, sp.Derivative) else 4
