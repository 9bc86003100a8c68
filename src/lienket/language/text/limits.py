"""Limits on the size of formulas, and the exception raised when they are exceeded.

Model files come from untrusted sources, so no formula may make the reader slow, use much memory or overflow
the stack. Powers are checked before they are computed.
"""

from __future__ import annotations

import math

import symengine as se

MAX_CHARACTERS = 10_000  # [characters] length of the text of a formula
MAX_DEPTH = 200  # [levels] parentheses, calls and exponents open at one position of the text
MAX_EXPONENT = 64  # [1] absolute value of an exact numerical exponent
MAX_BITS = 2000  # [bits] size of the numerator and of the denominator of an exact number
MAX_DIGITS = 600  # [digits] length of a written number; as an integer it is just below MAX_BITS
PRINTABLE_EXPONENT = 1e12  # [1] size up to which a refused exponent is printed in the message
UNCONVERTIBLE_BITS = 1 << 30  # [bits] size assumed for a number that Python refuses to convert


class Refused(Exception):
    """A part of a formula is refused; `column` is its position if it differs from the current step."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.column = column


def literal(text: str) -> se.Expr:
    """Return the value of a written number: exact without decimal point and exponent, else a double."""
    if len(text) > MAX_DIGITS:
        raise Refused(f"a number may have at most {MAX_DIGITS} digits, this one has {len(text)}")
    if text.isdigit():
        return check_number(se.Integer(int(text)))
    value = float(text)
    underflow = value == 0 and any(digit in "123456789" for digit in text.lower().split("e")[0])
    if underflow or math.isinf(value):
        raise Refused("this number is outside the range of double precision, about 1e-308 to 1e308")
    return se.RealDouble(value)


def check_number(number: se.Expr) -> se.Expr:
    """Return the number; refuse one that is not finite or has more than MAX_BITS bits."""
    if isinstance(number, se.Rational):
        if _bits(number) > MAX_BITS:
            raise Refused(
                f"an exact number here has more than {MAX_BITS} bits; write it as a decimal number, e.g. 1e30"
            )
    elif not isinstance(number, se.RealDouble):
        raise Refused("this is not a real number")
    elif not math.isfinite(float(number)):
        raise Refused("a number here is outside the range of double precision, about 1e-308 to 1e308")
    return number


def check_power(base: se.Expr, exponent: se.Expr) -> None:
    """Refuse base^exponent, without computing it, if it is a division by zero or would exceed the limits."""
    if base == 0 and exponent.is_Number and exponent.is_negative:
        raise Refused("this is a division by zero")
    if isinstance(base, se.Rational) and exponent.is_Add:
        # SymEngine combines 9^(n - x) * 9^x to 9^n before the result can be checked.
        for term in exponent.args:
            if isinstance(term, se.Rational):
                _check_exponent(term)
    if not isinstance(exponent, se.Rational):
        return
    size = _check_exponent(exponent)
    if isinstance(base, se.Rational) and base not in (0, 1, -1) and (_bits(base) - 1) * size > MAX_BITS:
        raise Refused(f"this power is an exact number of more than {MAX_BITS} bits")


def check_product(product: se.Expr) -> se.Expr:
    """Return the product; refuse combined exponents above the limit and roots whose radicands exceed MAX_BITS."""
    bits = 0
    for factor in product.args if product.is_Mul else (product,):
        if factor.is_Number:
            check_number(factor)
        if factor.is_Pow and isinstance(factor.args[1], se.Rational):
            _check_exponent(factor.args[1])
            if isinstance(factor.args[0], se.Rational):
                bits += _bits(factor.args[0])
    if bits > MAX_BITS:
        raise Refused(f"the roots in this product are roots of an exact number of more than {MAX_BITS} bits")
    return product


def _check_exponent(exponent: se.Expr) -> float:
    """Return the absolute value of an exact exponent; refuse one above MAX_EXPONENT."""
    size = abs(int(exponent.p)) / int(exponent.q)
    if size > MAX_EXPONENT:
        value = str(exponent) if size < PRINTABLE_EXPONENT else "a much larger number"
        raise Refused(f"an exponent may be at most {MAX_EXPONENT} in absolute value, this one is {value}")
    return size


def _bits(number: se.Expr) -> int:
    try:
        return max(int(number.p).bit_length(), int(number.q).bit_length())
    except ValueError:  # Python refuses to convert numbers of several thousand digits
        return UNCONVERTIBLE_BITS
