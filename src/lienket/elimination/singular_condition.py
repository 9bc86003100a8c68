"""Where a constraint has news in general and none in one configuration: the expressions that vanish there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from .stage import Stage

LONGEST = 150  # operations of an entry of beta that is worth factoring
SMALL = 1e-7


def condition(stage: Stage, rows: Sequence[int], values: Mapping[Any, float]) -> tuple[Any, ...]:
    """Factors of beta that vanish at the values: those common to all entries, or one of each; empty if none is found.

    `rows` are the numbers, from 1, of the rows without news, `values` a number for each SymPy symbol.
    """
    found: list[set[Any]] = []
    for number in rows:
        for entry in stage.beta.row(number - 1):
            if entry == 0:
                continue
            if sp.count_ops(entry) > LONGEST:
                return ()
            found.append(_vanishing_factors(entry, values))
    if not all(found):
        return ()
    common = set.intersection(*found) if found else set()
    chosen = common or {min(factors, key=_order) for factors in found}
    return tuple(sorted(chosen, key=_order))


def _order(e: Any) -> tuple[int, str]:
    return int(sp.count_ops(e)), str(e)


def _vanishing_factors(entry: Any, values: Mapping[Any, float]) -> set[Any]:
    numerator = sp.fraction(sp.together(entry))[0]
    found = set()
    for factor, _ in sp.factor_list(numerator)[1]:
        if not factor.atoms(AppliedUndef):
            continue  # a parameter is no configuration
        small = _size(factor, values)
        if small is not None and small < SMALL:
            found.add(factor)
    return found


def _size(factor: Any, values: Mapping[Any, float]) -> float | None:
    """|factor| as a share of its terms."""
    terms = [_number(term, values) for term in sp.Add.make_args(factor)]
    if any(x is None for x in terms):
        return None
    numbers = [x for x in terms if x is not None]
    return abs(sum(numbers)) / max(1.0 if len(numbers) == 1 else sum(map(abs, numbers)), 1e-300)


def _number(e: Any, values: Mapping[Any, float]) -> float | None:
    try:
        return float(e.xreplace({k: sp.Float(v) for k, v in values.items()}).evalf())
    except (TypeError, ValueError):
        return None
