"""Words of the formula language, which coordinates, parameters and drives must not have as names.

They are listed apart from the functions that they denote, since those need SymPy; a test compares both.
"""

from __future__ import annotations

FUNCTION_NAMES = frozenset(
    {
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
        *("exp", "log", "atan2", "abs", "sign", "min", "max"),
    }
)
"""Written names of the functions of `language.functions`."""
RESERVED = FUNCTION_NAMES | {"sqrt", "if", "der", "pi", "t"}
"""Names that coordinates, parameters and drives must not have."""
