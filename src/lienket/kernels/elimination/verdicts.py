"""Verdicts on constraints at one state: independent, redundant or contradictory, with names (theory 4).

A skipped row J = x G follows from accepted rows G. It is consistent with them if what it demands is the same
combination of what they demand, at every level that all of them have: g = x g_G, g' = x g'_G, g0 = x g0_G.
Each is measured against the sum of the absolute terms it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...compiled.state_numbers import StateNumbers
from ...elimination.smallest_dependent_set import smallest_set
from ...elimination.verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict
from .chain import NumericChain, Row, add, constrain, start
from .metric import Array
from .residual_scales import residual_scales

CONSISTENCY = 1e-7
"""A residual is zero if it is less than this share of the terms it is made of."""


def verdicts(chain: NumericChain, numbers: StateNumbers) -> dict[str, Verdict]:
    """The verdict on each constraint, in order; `chain` has taken in all the rows of `numbers`."""
    by_name = {row.name: row for row in numbers.rows}
    taken: dict[str, list[Row]] = {name: [] for name in by_name}
    for row in chain.skipped:
        taken[row.name].append(row)
    order = {name: place for place, name in enumerate(by_name)}
    found = {}
    for name, skipped in taken.items():
        count = len(by_name[name].g0)
        if not skipped:
            found[name] = Verdict(name, INDEPENDENT, of=count)
            continue
        weights = {row.number: chain.coefficients(row.J) for row in skipped}
        against = [row for row in skipped if not _consistent(chain, numbers, row, weights[row.number])]
        consistent = not against
        skipped = against or skipped  # of a constraint that contradicts, only the rows that do
        names = {chain.accepted[i].name for row in skipped for i in np.flatnonzero(weights[row.number])}
        status = REDUNDANT if consistent else CONTRADICTORY
        own = {row.name for row in chain.accepted if row.name == name}
        earlier = [n for n in order if order[n] < order[name] or n in names | own]
        redundant = {row.name for row in chain.skipped if order[row.name] < order[name]}
        follows = partial(_follow, chain, numbers, skipped, consistent)
        smallest = smallest_set(names, earlier, redundant, follows)
        rows = tuple(row.number + 1 for row in skipped)
        found[name] = Verdict(name, status, smallest, rows=rows, of=count)
    return found


def _consistent(chain: NumericChain, numbers: StateNumbers, row: Row, x: Array) -> bool:
    by_name = {group.name: group for group in numbers.rows}
    used = [(by_name[chain.accepted[i].name], chain.accepted[i].number, x[i]) for i in np.flatnonzero(x)]
    involved = [(by_name[row.name], row.number, -1.0), *used]
    scales = {group.name: residual_scales(chain, numbers, group) for group, _, _ in involved}
    for level, part in enumerate(("position", "velocity", "g0")):
        if any(not len(getattr(group, part)) for group, _, _ in involved):
            continue
        values = np.array([getattr(group, part)[k] for group, k, _ in involved])
        limits = CONSISTENCY * np.array([scales[group.name][level, k] for group, k, _ in involved])
        weights = np.abs([w for _, _, w in involved])
        # Beside the constraints, rows that agree on them may differ by the square of the residuals, as shares; never by
        # as much as a residual itself, which is at most the size of its terms.
        bent = weights @ (values**2 / np.where(limits > 0, limits, 1.0)) * (0.8 * CONSISTENCY) if level < 2 else 0.0
        if abs(sum(w * value for (_, _, w), value in zip(involved, values, strict=True))) > weights @ limits + bent:
            return False
        if level < 2 and np.any(np.abs(values) > limits):
            return True  # the state is off its constraints, where their accelerations need not agree
    return True


def _follow(
    chain: NumericChain, numbers: StateNumbers, rows: Sequence[Row], consistent: bool, names: tuple[str, ...]
) -> bool:
    """Whether the rows follow from the named constraints alone, and agree with them just if `consistent`.

    Of the constraint to which the rows belong, the rows with news count.
    """
    own = rows[0].name
    alone = start(chain.metric, chain.tolerance)
    for group in numbers.rows:
        if group.name in names and group.name != own:
            alone = constrain(alone, group.name, group.G, group.g0)
    if own in names:
        for row in chain.accepted:
            alone = add(alone, row) if row.name == own else alone
    if any(len(add(alone, row).accepted) > len(alone.accepted) for row in rows):
        return False
    agree = (_consistent(alone, numbers, row, alone.coefficients(row.J)) for row in rows)
    return all(agree) == consistent


def undetermined(chain: NumericChain, names: tuple[str, ...]) -> str:
    """The sentence for a state in which something without mass is free to move."""
    Z = chain.D[:, chain.D.shape[1] - chain.massless :]
    moving = [name for name, row in zip(names, Z, strict=True) if np.linalg.norm(row) > 1e-6]
    return (
        f"The accelerations are not determined here: {', '.join(moving)} can move without any mass moving, and no "
        "constraint binds that motion. Give it inertia, or constrain it."
    )
