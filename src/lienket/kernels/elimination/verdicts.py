"""Verdicts on constraints at one state: independent, redundant or contradictory, with names (theory 4).

A skipped row J = x G depends on accepted rows G. It is consistent with them if its residuals are the combination x of
theirs, at every level that all of them have: g = x g_G, g' = x g'_G, g0 = x g0_G. Each difference is compared with the
sum of its absolute terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...compiled.state_numbers import StateNumbers
from ...elimination.smallest_dependent_set import smallest_set
from ...elimination.verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict
from ...foundation.arrays import Array
from .chain import NumericChain, Row, add, constrain, start
from .residual_scales import residual_scales

CONSISTENCY_TOLERANCE = 1e-7  # [1] residual, relative to its terms, below which it counts as zero


def verdicts(chain: NumericChain, numbers: StateNumbers) -> dict[str, Verdict]:
    """Return the verdict on each constraint, in order; all rows of `numbers` were added to `chain`."""
    by_name = {row.name: row for row in numbers.rows}
    skipped_rows: dict[str, list[Row]] = {name: [] for name in by_name}
    for row in chain.skipped:
        skipped_rows[row.name].append(row)
    order = {name: index for index, name in enumerate(by_name)}
    results = {}
    for name, skipped in skipped_rows.items():
        count = len(by_name[name].g0)
        if not skipped:
            results[name] = Verdict(name, INDEPENDENT, of=count)
            continue
        weights = {row.number: chain.coefficients(row.J) for row in skipped}
        against = [row for row in skipped if not _consistent(chain, numbers, row, weights[row.number])]
        consistent = not against
        skipped = against or skipped  # of a contradictory constraint, only its contradictory rows
        names = {chain.accepted[i].name for row in skipped for i in np.flatnonzero(weights[row.number])}
        status = REDUNDANT if consistent else CONTRADICTORY
        partly = {row.name for row in chain.accepted if row.name == name}
        earlier = [n for n in order if order[n] < order[name] or n in names | partly]
        redundant = {row.name for row in chain.skipped if order[row.name] < order[name]}
        depends = partial(_depends_on, chain, numbers, skipped, consistent)
        smallest = smallest_set(names, earlier, redundant, depends)
        rows = tuple(row.number + 1 for row in skipped)
        results[name] = Verdict(name, status, smallest, rows=rows, of=count)
    return results


def _consistent(chain: NumericChain, numbers: StateNumbers, row: Row, x: Array) -> bool:
    """Return whether a skipped row J = x G is consistent with the accepted rows."""
    by_name = {group.name: group for group in numbers.rows}
    used = [(by_name[chain.accepted[i].name], chain.accepted[i].number, x[i]) for i in np.flatnonzero(x)]
    involved = [(by_name[row.name], row.number, -1.0), *used]
    scales = {group.name: residual_scales(chain, numbers, group) for group, _, _ in involved}
    for level, part in enumerate(("position", "velocity", "g0")):
        if any(not len(getattr(group, part)) for group, _, _ in involved):
            continue
        values = np.array([getattr(group, part)[k] for group, k, _ in involved])
        limits = CONSISTENCY_TOLERANCE * np.array([scales[group.name][level, k] for group, k, _ in involved])
        weights = np.abs([w for _, _, w in involved])
        # Off the constraints, rows that agree on them may differ by the square of the relative residuals, but by less
        # than a residual itself, which is at most the size of its terms.
        curvature = (
            weights @ (values**2 / np.where(limits > 0, limits, 1.0)) * (0.8 * CONSISTENCY_TOLERANCE)
            if level < 2
            else 0.0
        )
        if (
            abs(sum(w * value for (_, _, w), value in zip(involved, values, strict=True)))
            > weights @ limits + curvature
        ):
            return False
        if level < 2 and np.any(np.abs(values) > limits):
            return True  # the state violates its constraints: higher levels need not agree
    return True


def _depends_on(
    chain: NumericChain, numbers: StateNumbers, rows: Sequence[Row], consistent: bool, names: tuple[str, ...]
) -> bool:
    """Return whether the rows depend on the named constraints alone, and are consistent with them if `consistent`.

    Of the constraint to which the rows belong, its accepted rows count.
    """
    own_name = rows[0].name
    alone = start(chain.metric, chain.tolerance)
    for group in numbers.rows:
        if group.name in names and group.name != own_name:
            alone = constrain(alone, group.name, group.G, group.g0)
    if own_name in names:
        for row in chain.accepted:
            alone = add(alone, row) if row.name == own_name else alone
    if any(len(add(alone, row).accepted) > len(alone.accepted) for row in rows):
        return False
    agree = (_consistent(alone, numbers, row, alone.coefficients(row.J)) for row in rows)
    return all(agree) == consistent


def undetermined(chain: NumericChain, names: tuple[str, ...]) -> str:
    """Return the sentence for a state at which a massless direction is free to move."""
    Z = chain.D[:, chain.D.shape[1] - chain.massless :]
    moving = [name for name, row in zip(names, Z, strict=True) if np.linalg.norm(row) > 1e-6]
    return (
        f"The accelerations are not determined at this state: {', '.join(moving)} can move without any mass moving, "
        "and no constraint binds that motion. Give it inertia, or constrain it."
    )


def as_it_is(verdict: Verdict) -> Verdict:
    """Return a verdict at a state without what holds at all states."""
    return verdict
