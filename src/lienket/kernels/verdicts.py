"""Verdicts on constraints at one state: independent, redundant or contradictory, with names (theory 4).

A skipped row J = x G follows from accepted rows G. It is consistent with them if what it demands is the same
combination of what they demand, at every level that all of them have: g = x g_G, g' = x g'_G, g0 = x g0_G.
Each is measured against the sum of the absolute terms it is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from ..compiled.numbers import Numbers, RowNumbers
from ..elimination.verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict
from .chain import Chain, Row, add, constrain, start
from .metric import Array
from .sizes import sizes

CONSISTENCY = 1e-7
"""A residual is zero if it is less than this share of the terms it is made of."""
SEARCHED = 2000  # sets of constraints tried for the smallest one


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
        smallest = _smallest(chain, numbers, skipped, names, order)
        status = REDUNDANT if consistent else CONTRADICTORY
        rows = tuple(row.number + 1 for row in skipped)
        found[name] = Verdict(name, status, tuple(sorted(smallest, key=order.__getitem__)), rows=rows, of=count)
    return found


def _consistent(chain: Chain, numbers: Numbers, row: Row, x: Array) -> bool:
    by_name = {group.name: group for group in numbers.rows}
    mine = by_name[row.name]
    used = [(by_name[chain.accepted[i].name], chain.accepted[i].number, x[i]) for i in np.flatnonzero(x)]
    mine_sizes = sizes(chain, numbers, mine)
    for level, part in enumerate(("position", "velocity", "g0")):
        if not len(getattr(mine, part)) or any(not len(getattr(other, part)) for other, _, _ in used):
            continue
        residual = getattr(mine, part)[row.number] - sum(w * getattr(o, part)[k] for o, k, w in used)
        size = mine_sizes[level, row.number] + sum(abs(w) * o.sizes[level, k] for o, k, w in used)
        if abs(residual) > CONSISTENCY * size:
            return False
    return True


def _smallest(
    chain: Chain, numbers: Numbers, skipped: Sequence[Row], names: set[str], order: dict[str, int]
) -> tuple[str, ...]:
    """The smallest set of names from which the rows follow.

    The accepted rows give one set, the only one unless there are redundant constraints before; then smaller sets
    with some of those in it are looked for.
    """
    place = order[skipped[0].name]
    earlier = [name for name in order if order[name] < place]
    redundant = {row.name for row in chain.skipped if order[row.name] < place}
    if redundant:
        groups = {row.name: row for row in numbers.rows}
        for size in range(1, len(names)):
            if comb(len(earlier), size) > SEARCHED:
                break
            for chosen in combinations(earlier, size):
                if redundant.intersection(chosen) and _follow(chain, [groups[c] for c in chosen], skipped):
                    return chosen
    return tuple(names)


def _follow(chain: Chain, groups: Sequence[RowNumbers], rows: Sequence[Row]) -> bool:
    """Whether the rows follow from the constraints `groups` alone."""
    alone = start(chain.metric, chain.tolerance)
    for group in groups:
        alone = constrain(alone, group.name, group.G, group.g0)
    count = len(alone.accepted)
    for row in rows:
        alone = add(alone, row)
    return len(alone.accepted) == count
