"""Units of measurement as labels, parsed where possible so that they can be compared.

Units are chosen by the user and never converted. A label made of known units ("kg m^2", "N/m", "mm", "1/s",
"rad") is checked for consistency; any other label is only displayed.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from ..foundation.frozen_dataclass import dataclass

UNIT_SCALE_TOLERANCE = 1e-9  # [1] relative difference up to which the scales of two units count as equal

_KILOGRAM_METRE_SECOND = {
    "kg": (1, (1, 0, 0)),
    "g": (1e-3, (1, 0, 0)),
    "t": (1e3, (1, 0, 0)),
    "m": (1, (0, 1, 0)),
    "s": (1, (0, 0, 1)),
    "min": (60, (0, 0, 1)),
    "h": (3600, (0, 0, 1)),
    "Hz": (1, (0, 0, -1)),
    "N": (1, (1, 1, -2)),
    "J": (1, (1, 2, -2)),
    "W": (1, (1, 2, -3)),
    "Pa": (1, (1, -1, -2)),
    "rad": (1, (0, 0, 0)),
    "deg": (math.pi / 180, (0, 0, 0)),
    "1": (1, (0, 0, 0)),
    "-": (1, (0, 0, 0)),
}
_PREFIXED = ("g", "m", "s", "Hz", "N", "J", "W", "Pa", "rad")
_PREFIXES = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "k": 1e3, "M": 1e6, "G": 1e9}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_WORD = re.compile(r"([A-Za-zµ]+|1|-)(?:\^?(-?\d+))?")


@dataclass(frozen=True)
class Unit:
    """A unit, scale * kg^a m^b s^c with powers (a, b, c)."""

    scale: float
    powers: tuple[Fraction, Fraction, Fraction]

    def __mul__(self, other: Unit) -> Unit:
        a, b, c = (p + q for p, q in zip(self.powers, other.powers, strict=True))
        return Unit(self.scale * other.scale, (a, b, c))

    def __pow__(self, exponent: Fraction) -> Unit:
        a, b, c = (p * exponent for p in self.powers)
        return Unit(self.scale ** float(exponent), (a, b, c))

    def agrees(self, other: Unit) -> bool:
        """Return whether quantities in the two units may be added: equal dimension and equal scale."""
        return self.powers == other.powers and math.isclose(self.scale, other.scale, rel_tol=UNIT_SCALE_TOLERANCE)

    def __str__(self) -> str:
        words = [(n, p) for n, p in zip(("kg", "m", "s"), self.powers, strict=True) if p]
        above = " ".join(n if p == 1 else f"{n}^{p}" for n, p in words if p > 0)
        below = " ".join(n if p == -1 else f"{n}^{-p}" for n, p in words if p < 0)
        size = "" if math.isclose(self.scale, 1, rel_tol=UNIT_SCALE_TOLERANCE) else f"{self.scale:.6g} "
        return f"{size}{above or '1'}" + (f"/({below})" if " " in below else f"/{below}" if below else "")


DIMENSIONLESS = Unit(1.0, (Fraction(0), Fraction(0), Fraction(0)))
"""The unit of a pure number."""

SECOND = Unit(1.0, (Fraction(0), Fraction(0), Fraction(1)))
"""The unit of time."""


def read_unit(label: str) -> Unit | None:
    """Return the unit of a label, or None if the label contains anything unknown."""
    total = DIMENSIONLESS
    sign = 1
    for piece in re.split(r"(/)", label.translate(_SUPERSCRIPTS)):
        if piece == "/":
            sign = -1  # everything after a slash is in the denominator: N/m s is N/(m s)
            continue
        for word in re.split(r"[\s*·()]+", piece):
            if not word:
                continue
            match = _WORD.fullmatch(word)
            unit = _single_unit(match[1]) if match else None
            if unit is None or match is None:
                return None
            total *= unit ** (sign * Fraction(match[2] or 1))
    return total


def _single_unit(word: str) -> Unit | None:
    """Return the unit of one word such as kg or mm, or None if it is unknown."""
    if word in _KILOGRAM_METRE_SECOND:
        scale, (a, b, c) = _KILOGRAM_METRE_SECOND[word]
        return Unit(float(scale), (Fraction(a), Fraction(b), Fraction(c)))
    prefix, rest = word[:1], word[1:]
    if prefix in _PREFIXES and rest in _PREFIXED:
        base = _single_unit(rest)
        return base and Unit(_PREFIXES[prefix] * base.scale, base.powers)
    return None


def is_angle(label: str) -> bool:
    """Return whether the label of a unit is one of angles, rad or deg."""
    unit = read_unit(label)
    return unit is not None and not any(unit.powers) and ("rad" in label or "deg" in label)
