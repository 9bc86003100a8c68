"""Condition under which a generally independent constraint is dependent: the factors of beta that vanish there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from ..language.expression import Expression, Symbol
from .stage import Stage
from .verdict import Verdict

FACTORED_OPERATIONS_LIMIT = 150  # [operations] longest entry of beta that is factored
VANISHING_FACTOR_TOLERANCE = 1e-7  # [1] factor relative to its terms below which it counts as zero


def condition_at(
    at_state: Verdict, stage: Stage, numbers: Sequence[float], parameters: Sequence[Symbol]
) -> tuple[Expression, ...]:
    """Return the condition under which a verdict holds that holds at this state only.

    `stage` is that of the constraint; `numbers` are t, q, v and those of the parameters.
    """
    engine = stage.engine
    symbols = [engine.t, *engine.q, *engine.v, *map(engine.inward, parameters)]
    values = dict(zip(map(engine.outward, symbols), numbers, strict=True))
    return condition(stage, at_state.rows, values)


def condition(stage: Stage, rows: Sequence[int], values: Mapping[Expression, float]) -> tuple[Expression, ...]:
    """Return factors of beta that vanish at the values: those common to all entries, or one of each; may be empty.

    `rows` are the numbers, from 1, of the dependent rows, `values` a number for each SymPy symbol.
    """
    vanishing: list[set[Expression]] = []
    for number in rows:
        for entry in stage.beta.row(number - 1):
            if entry == 0:
                continue
            if sp.count_ops(entry) > FACTORED_OPERATIONS_LIMIT:
                return ()
            vanishing.append(_vanishing_factors(entry, values))
    if not all(vanishing):
        return ()
    common = set.intersection(*vanishing) if vanishing else set()
    chosen = common or {min(factors, key=_order) for factors in vanishing}
    return tuple(sorted(chosen, key=_order))


def _order(e: Expression) -> tuple[int, str]:
    """Return the sort key: short expressions first, then alphabetically."""
    return int(sp.count_ops(e)), str(e)


def _vanishing_factors(entry: Expression, values: Mapping[Expression, float]) -> set[Expression]:
    """Return the factors of the numerator that depend on coordinates and vanish at the values."""
    numerator = sp.fraction(sp.together(entry))[0]
    vanishing = set()
    for factor, _ in sp.factor_list(numerator)[1]:
        if not factor.atoms(AppliedUndef):
            continue  # a parameter does not depend on the configuration
        size = _relative_size(factor, values)
        if size is not None and size < VANISHING_FACTOR_TOLERANCE:
            vanishing.add(factor)
    return vanishing


def _relative_size(factor: Expression, values: Mapping[Expression, float]) -> float | None:
    """Return |factor| relative to the sum of its absolute terms; None if it has no real value."""
    terms = [_number(term, values) for term in sp.Add.make_args(factor)]
    if any(x is None for x in terms):
        return None
    numbers = [x for x in terms if x is not None]
    return abs(sum(numbers)) / max(1.0 if len(numbers) == 1 else sum(map(abs, numbers)), 1e-300)


def _number(e: Expression, values: Mapping[Expression, float]) -> float | None:
    """Return the real value of an expression, or None."""
    try:
        return float(e.xreplace({k: sp.Float(v) for k, v in values.items()}).evalf())
    except (TypeError, ValueError):
        return None
