"""Verdicts on constraints at one state: independent, redundant or contradictory, with names (theory 4).

A skipped row J = x G follows from accepted rows G. It is consistent with them if what it demands is the same
combination of what they demand, at every level that all of them have: g = x g_G, g' = x g'_G, g0 = x g0_G.
Each is measured against the sum of the absolute terms it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ..compiled.numbers import Numbers, RowNumbers
from ..elimination.dependence import smallest_set
from ..elimination.verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict
from .chain import Chain, Row, add, constrain, start
from .metric import Array
from .sizes import sizes

CONSISTENCY = 1e-7
"""A residual is zero if it is less than this share of the terms it is made of."""


def verdicts(chain: Chain, numbers: Numbers) -> dict[str, Verdict]:
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
        names: set[str] = set()
        consistent = True
        for row in skipped:
            x = chain.coefficients(row.J)
            names |= {chain.accepted[i].name for i in np.flatnonzero(x)}
            consistent &= _consistent(chain, numbers, row, x)
        earlier = [n for n in order if order[n] < order[name] or n in names]
        redundant = {row.name for row in chain.skipped if order[row.name] < order[name]}
        smallest = smallest_set(names, earlier, redundant, partial(_follow, chain, by_name, skipped))
        status = REDUNDANT if consistent else CONTRADICTORY
        rows = tuple(row.number + 1 for row in skipped)
        found[name] = Verdict(name, status, smallest, rows=rows, of=count)
    return found


def _consistent(chain: Chain, numbers: Numbers, row: Row, x: Array) -> bool:
    by_name = {group.name: group for group in numbers.rows}
    used = [(by_name[chain.accepted[i].name], chain.accepted[i].number, x[i]) for i in np.flatnonzero(x)]
    involved = [(by_name[row.name], row.number, -1.0), *used]
    scales = {group.name: sizes(chain, numbers, group) for group, _, _ in involved}
    for level, part in enumerate(("position", "velocity", "g0")):
        if any(not len(getattr(group, part)) for group, _, _ in involved):
            continue
        values = np.array([getattr(group, part)[k] for group, k, _ in involved])
        limits = CONSISTENCY * np.array([scales[group.name][level, k] for group, k, _ in involved])
        weights = np.array([w for _, _, w in involved])
        if abs(weights @ values) > np.abs(weights) @ limits:
            return False
        if level < 2 and np.any(np.abs(values) > limits):
            return True  # the state is off its constraints, where their accelerations need not agree
    return True


def _follow(chain: Chain, groups: dict[str, RowNumbers], rows: Sequence[Row], names: tuple[str, ...]) -> bool:
    """Whether the rows follow from the named constraints alone."""
    if rows[0].name in names:
        return False
    alone = start(chain.metric, chain.tolerance)
    for name in names:
        alone = constrain(alone, name, groups[name].G, groups[name].g0)
    count = len(alone.accepted)
    for row in rows:
        alone = add(alone, row)
    return len(alone.accepted) == count
