"""What a formula may not exceed, and the refusal raised when it does.

A formula comes from a file that may have been written by anyone, so nothing in it may make the reader
slow, use much memory or overflow the stack. Powers are judged before they are computed.
"""

from __future__ import annotations

import math
from typing import Any

import symengine as se

MAX_CHARACTERS = 10_000
"""Length of a formula's text."""

MAX_DEPTH = 200
"""Parentheses, calls and exponents open at one place of the text."""

MAX_EXPONENT = 64
"""Absolute value of an exact numerical exponent."""

MAX_BITS = 2000
"""Bits of the numerator and of the denominator of an exact number."""

MAX_DIGITS = 600
"""Digits of a number as written; as an integer just below MAX_BITS."""


class Refused(Exception):
    """A part of a formula is refused; `column` is its place if that is not where the reader stands."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.column = column


def literal(text: str) -> Any:
    """A written number: exact without a point or an exponent, a double otherwise."""
    if len(text) > MAX_DIGITS:
        raise Refused(f"a number has at most {MAX_DIGITS} digits, this one has {len(text)}")
    if text.isdigit():
        return check_number(se.Integer(int(text)))
    value = float(text)
    lost = value == 0 and any(digit in "123456789" for digit in text.lower().split("e")[0])
    if lost or math.isinf(value):
        raise Refused("this number is outside the range of double precision, about 1e-308 to 1e308")
    return se.RealDouble(value)


def check_number(number: Any) -> Any:
    """The number, refused if it is not finite or has more bits than allowed."""
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


def check_power(base: Any, exponent: Any) -> None:
    """Refuse base^exponent if it is a division by zero or would exceed the limits; nothing is computed for that."""
    if base == 0 and exponent.is_Number and exponent.is_negative:
        raise Refused("this is a division by zero")
    if isinstance(base, se.Rational) and exponent.is_Add:
        # 9^(n - x) * 9^x is 9^n before anybody can look.
        for term in exponent.args:
            if isinstance(term, se.Rational):
                _checked_exponent(term)
    if not isinstance(exponent, se.Rational):
        return
    size = _checked_exponent(exponent)
    if isinstance(base, se.Rational) and base not in (0, 1, -1) and (_bits(base) - 1) * size > MAX_BITS:
        raise Refused(f"this power is an exact number of more than {MAX_BITS} bits")


def checked(product: Any) -> Any:
    """The product, refused if its exponents have grown together or its roots would become one of a huge number."""
    bits = 0
    for factor in product.args if product.is_Mul else (product,):
        if factor.is_Number:
            check_number(factor)
        if factor.is_Pow and isinstance(factor.args[1], se.Rational):
            _checked_exponent(factor.args[1])
            if isinstance(factor.args[0], se.Rational):
                bits += _bits(factor.args[0])
    if bits > MAX_BITS:
        raise Refused(f"the roots in this product are roots of an exact number of more than {MAX_BITS} bits")
    return product


def _checked_exponent(exponent: Any) -> float:
    size = abs(int(exponent.p)) / int(exponent.q)
    if size > MAX_EXPONENT:
        found = str(exponent) if size < 1e12 else "a much larger number"
        raise Refused(f"an exponent is at most {MAX_EXPONENT} in absolute value, this one is {found}")
    return size


def _bits(number: Any) -> int:
    try:
        return max(int(number.p).bit_length(), int(number.q).bit_length())
    except ValueError:  # Python itself refuses to convert numbers of several thousand digits
        return 1 << 30
