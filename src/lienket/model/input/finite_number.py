"""Reader of one number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import Faults
from ...language.short_text import short_text


def finite_number(value: Any, where: str, name: str, faults: Faults) -> float:
    """Return a finite real number; 0 and a fault if the value is not one."""
    if type(value) is float and math.isfinite(value):  # the usual case
        return value
    try:
        if isinstance(value, (str, bool, np.bool_)) or getattr(value, "free_symbols", None):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        faults.add(where, f"{name} must be a real number, not {in_message(value)}")
        return 0.0
    if not math.isfinite(number):
        faults.add(where, f"{name} is {number}, which is not a finite number")
        return 0.0
    return number


def in_message(value: object) -> str:
    """Return the value as short text, quoted if it is a text."""
    return repr(value) if isinstance(value, str) else short_text(value)
