"""Verdicts on constraints at one state: independent, redundant or contradictory, with names (theory 4).

A skipped row J = x G depends on accepted rows G. It is consistent with them if its residuals are the combination x of
theirs, g = x g_G, g' = x g'_G, g0 = x g0_G, each compared with the sum of its absolute terms. At each level the rows
that have a residual of this level are eliminated by themselves, in the same order: after x' = 0 the rows x = 1 and
x = 2 are both skipped, but as positions the second depends on the first, and contradicts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial

import numpy as np

from ...compiled.state_numbers import RowNumbers, StateNumbers
from ...elimination.smallest_dependent_set import smallest_set
from ...elimination.verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict
from ...foundation.frozen_dataclass import dataclass
from .chain import NumericChain, Row, add, constrain, free_chain, refined, start
from .residual_scales import residual_scales

CONSISTENCY_TOLERANCE = 1e-7  # [1] residual, relative to its terms, below which it counts as zero
UNDERFLOW = 2.3e-308  # [unit of the residual] residual below which doubles lose their digits, counts as zero
LEVELS = ("position", "velocity", "g0")

Involved = list[tuple[RowNumbers, int, float]]  # constraint, number of its row, weight


@dataclass(frozen=True)
class _Dependence:
    """Constraints from which a skipped row follows, or which it contradicts; `adds` as in Verdict."""

    names: frozenset[str]
    consistent: bool
    adds: str = ""


@dataclass(frozen=True)
class _Elimination:
    """Chain of rows at a state, and the same with the rows of single levels only; `numbers` has all constraints."""

    chain: NumericChain
    numbers: StateNumbers

    @cached_property
    def groups(self) -> dict[str, RowNumbers]:
        """Constraints by name."""
        return {row.name: row for row in self.numbers.rows}

    @cached_property
    def rows(self) -> list[Row]:
        """All rows of the chain in the order of their constraints."""
        order = {name: index for index, name in enumerate(self.groups)}
        return sorted((*self.chain.accepted, *self.chain.skipped), key=lambda row: (order[row.name], row.number))

    @cached_property
    def of_level(self) -> Mapping[str, NumericChain]:
        """Chain of those rows that have a residual of a level, by level."""
        chains = {}
        for level in LEVELS:
            chosen = [row for row in self.rows if len(getattr(self.groups[row.name], level))]
            chains[level] = self.chain
            if len(chosen) < len(self.rows):
                chains[level] = start(self.chain.metric, self.chain.tolerance)
                for row in chosen:
                    chains[level] = add(chains[level], row)
        return chains

    def dependence(self, row: Row) -> _Dependence:
        """Return the dependence of a row that the chain skips, or would skip."""
        names, found, adds = self._names(self.chain, row), False, ""
        for level in LEVELS:
            if not len(getattr(self.groups[row.name], level)):
                continue
            chain = self.of_level[level]
            if any(row is other for other in chain.accepted):
                adds = adds or level
                continue
            agrees, decided = self._agrees(chain, row, level)
            if not agrees:
                return _Dependence(self._names(chain, row), False)
            if not found and not adds:
                names, found = self._names(chain, row), True
            if decided:
                break
        return _Dependence(names, True, adds)

    def _names(self, chain: NumericChain, row: Row) -> frozenset[str]:
        return frozenset(chain.accepted[i].name for i in np.flatnonzero(chain.coefficients(row.J)))

    def _agrees(self, chain: NumericChain, row: Row, level: str) -> tuple[bool, bool]:
        """Return whether the residual of a row is the combination of others, and whether higher levels are free."""
        x = chain.coefficients(row.J)
        involved: Involved = [(self.groups[row.name], row.number, -1.0)]
        involved += [(self.groups[chain.accepted[i].name], chain.accepted[i].number, x[i]) for i in np.flatnonzero(x)]
        k = LEVELS.index(level)
        scales = {group.name: residual_scales(self.chain, self.numbers, group)[k] for group, _, _ in involved}
        values = np.array([getattr(group, level)[number] for group, number, _ in involved])
        sizes = np.array([scales[group.name][number] for group, number, _ in involved])
        limits = CONSISTENCY_TOLERANCE * sizes + UNDERFLOW
        weights = np.array([w for _, _, w in involved])
        # Off the constraints, rows that agree on them may differ by the square of the relative residuals, but by less
        # than a residual itself, which is at most the size of its terms.
        squares = np.abs(weights) @ (values**2 / limits) * (0.8 * CONSISTENCY_TOLERANCE)
        allowed = np.abs(weights) @ limits + (squares if level != "g0" else 0.0)
        # Where the state violates its constraints, higher levels need not agree.
        return bool(abs(weights @ values) <= allowed), bool(np.any(np.abs(values) > limits))


def whole_chain(numbers: StateNumbers, tolerance: float) -> NumericChain:
    """Return the chain of all constraints in order, programs last."""
    chain = free_chain(numbers.A, numbers.h, numbers.G, tolerance, numbers.inertias)
    for row in sorted(numbers.rows, key=lambda row: row.program):
        chain = constrain(chain, row.name, row.G, row.g0)
    return refined(chain)


def verdicts(chain: NumericChain, numbers: StateNumbers) -> dict[str, Verdict]:
    """Return the verdict on each constraint, in order; all rows of `numbers` were added to `chain`."""
    elimination = _Elimination(chain, numbers)
    skipped_rows: dict[str, list[Row]] = {name: [] for name in elimination.groups}
    for row in chain.skipped:
        skipped_rows[row.name].append(row)
    return {
        name: _verdict(elimination, name, skipped)
        if skipped
        else Verdict(name, INDEPENDENT, of=len(elimination.groups[name].g0))
        for name, skipped in skipped_rows.items()
    }


def _verdict(elimination: _Elimination, name: str, skipped: Sequence[Row]) -> Verdict:
    """Return the verdict on a constraint with skipped rows."""
    chain = elimination.chain
    order = {other: index for index, other in enumerate(elimination.groups)}
    found = [(row, elimination.dependence(row)) for row in skipped]
    against = [(row, each) for row, each in found if not each.consistent]
    consistent = not against
    found = against or found  # of a contradictory constraint, only its contradictory rows
    names = frozenset().union(*(each.names for _, each in found))
    partly = {row.name for row in chain.accepted if row.name == name}
    earlier = [n for n in order if order[n] < order[name] or n in names | partly]
    redundant = {row.name for row in chain.skipped if order[row.name] < order[name]}
    smallest = smallest_set(
        names, earlier, redundant, partial(_depends_on, elimination, [r for r, _ in found], consistent)
    )
    rows = tuple(row.number + 1 for row, _ in found)
    adds = next((each.adds for _, each in found if each.adds), "")
    count = len(elimination.groups[name].g0)
    return Verdict(name, REDUNDANT if consistent else CONTRADICTORY, smallest, rows=rows, of=count, adds=adds)


def _depends_on(elimination: _Elimination, rows: Sequence[Row], consistent: bool, names: tuple[str, ...]) -> bool:
    """Return whether the rows depend on the named constraints alone, and are consistent with them if `consistent`.

    Of the constraint to which the rows belong, its accepted rows count.
    """
    own_name, chain = rows[0].name, elimination.chain
    alone = start(chain.metric, chain.tolerance)
    for group in elimination.numbers.rows:
        if group.name in names and group.name != own_name:
            alone = constrain(alone, group.name, group.G, group.g0)
    if own_name in names:
        for row in chain.accepted:
            alone = add(alone, row) if row.name == own_name else alone
    independent = len(alone.accepted)
    for row in rows:
        alone = add(alone, row)
    if len(alone.accepted) > independent:
        return False
    by_themselves = _Elimination(alone, elimination.numbers)
    return all(by_themselves.dependence(row).consistent for row in rows) == consistent


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
