"""Changes that remove redundant rows and keep the rank, tried in numbers (mechanisms 6.2).

Z (s x redundant) is an orthonormal basis of the multipliers that exert nothing. With Q the directions that a freer
joint does not hold any more, in the basis of those that it held, the rank stays the same if and only if Q Z_j has full
row rank, Z_j the rows of Z that belong to the joint. What is left of Z is its product with the null space of Q Z_j.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .dependence import Dependence
from .freer import KEEPS_ITS_COORDINATE, Choice, freer_than, left_out

RANK_LIMIT = 1e-6  # [1] singular value of rows of an orthonormal basis that counts as zero
SAME_SPACE = 1e-9  # [1] part of a wrench outside what a joint holds that counts as rounding


@dataclass(frozen=True)
class Proposal:
    """Change of a joint or an element.

    Attributes
    ----------
    name : str
        Joint or element.
    kind : str
        Kind of joint instead, or "leave out".
    axes : tuple of tuples of three numbers
        Axes of that kind, in the axes of the joint's first place at the position of the check.
    change : str
        Sentence that says so.
    removes : int
        Number of redundant rows that it removes.
    holds : tuple of str
        What the freer joint still holds.
    """

    name: str
    kind: str
    axes: tuple[tuple[float, ...], ...]
    change: str
    removes: int
    holds: tuple[str, ...]

    def __str__(self) -> str:
        return self.change


class Plan:
    """Changes made so far, what each joint holds after them, and the multipliers that still exert nothing."""

    def __init__(self, dependence: Dependence, driven: frozenset[str]) -> None:
        self.dependence, self.driven = dependence, driven
        self.changes: dict[int, Choice] = {}
        self.removed: dict[int, int] = {}
        spans = _spans(dependence.owners, len(dependence.parts))
        self.Z = {k: dependence.idle[span] for k, span in enumerate(spans)}
        self.held = {k: _held(dependence, k) for k in range(len(spans))}

    @property
    def left(self) -> int:
        """Number of rows that are still redundant."""
        return next((Z.shape[1] for Z in self.Z.values()), 0)

    def change(self, k: int, choice: Choice) -> bool:
        """Make a change if it keeps the rank; return whether it did."""
        old, new = self.held[k], choice.held.wrenches
        inside = new @ old.T if len(new) else np.zeros((0, len(old)))
        if len(new) >= len(old) or np.abs(new - inside @ old).max(initial=0.0) > SAME_SPACE:
            return False
        dropped = np.linalg.svd(inside, full_matrices=True)[2][len(new) :] if len(new) else np.eye(len(old))
        freed = dropped @ self.Z[k]
        if len(freed) > self.left or np.linalg.svd(freed)[1].min(initial=1.0) < RANK_LIMIT:
            return False
        rest = np.linalg.svd(freed, full_matrices=True)[2][len(freed) :].T
        self.Z = {j: (inside @ Z if j == k else Z) @ rest for j, Z in self.Z.items()}
        self.held[k], self.changes[k] = new, choice
        self.removed[k] = self.removed.get(k, 0) + len(dropped)
        return True

    def choices(self, k: int) -> list[Choice]:
        """Return the freer kinds that a part permits."""
        part = self.dependence.parts[k]
        if part.seat is None:
            return []
        found = freer_than(part.seat)
        return [c for c in found if part.name not in self.driven or c.kind in KEEPS_ITS_COORDINATE]

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the changes as sentences, in order of statement."""
        return tuple(self._proposal(k) for k in sorted(self.changes))

    def _proposal(self, k: int) -> Proposal:
        choice = self.changes[k]
        axes = tuple(tuple(float(x) for x in axis) for axis in choice.axes)
        name, sentence = self.dependence.parts[k].name, self._sentence(k)
        return Proposal(name, choice.kind, axes, sentence, self.removed[k], choice.held.words)

    def _sentence(self, k: int) -> str:
        part, choice = self.dependence.parts[k], self.changes[k]
        if choice.kind == "leave out":
            return f"leave out {part.name!r}"
        assert part.seat is not None  # noqa: S101  # only joints have freer kinds
        return f"{part.name!r}: {choice.words} instead of {part.seat.kind}"


def proposals_for(dependence: Dependence, driven: frozenset[str]) -> tuple[Proposal, ...]:
    """Return the fewest changes that remove most redundant rows.

    `driven` are the joints whose coordinates an element needs.
    """
    if not dependence.redundant:
        return ()
    order = _order(dependence)
    best: Plan | None = None
    own = sorted({dependence.owners[index] for index in dependence.redundant}, reverse=True)
    elements = [k for k in own if dependence.parts[k].seat is None]
    for steps in _strategies(order, elements):
        plan = Plan(dependence, driven)
        for step in steps:
            step(plan)
        if best is None or (plan.left, len(plan.changes)) < (best.left, len(best.changes)):
            best = plan
    return best.proposals() if best is not None else ()


Step = Callable[[Plan], None]


def _strategies(order: Sequence[int], elements: Sequence[int]) -> Iterator[list[Step]]:
    """Yield the ways to look for changes: freer joints first, or parts left out first, in both orders.

    Elements that hold what is held already are left out in any case.
    """

    def freer(parts: Sequence[int], largest_first: bool) -> Step:
        return lambda plan: _make_freer(plan, parts, largest_first)

    def leave(parts: Sequence[int]) -> Step:
        return lambda plan: _leave_out(plan, parts)

    backwards = list(order)[::-1]
    for parts in (order, backwards):
        for largest_first in (True, False):
            yield [leave(elements), freer(parts, largest_first), leave(sorted(order, reverse=True))]
    yield [leave(sorted(order, reverse=True)), freer(order, True)]


def _make_freer(plan: Plan, parts: Iterable[int], largest_first: bool) -> None:
    for k in parts:
        choices = plan.choices(k)
        for choice in choices if largest_first else choices[::-1]:
            if plan.left and plan.change(k, choice) and largest_first:
                break


def _leave_out(plan: Plan, parts: Iterable[int]) -> None:
    for k in parts:
        if plan.left and len(plan.held[k]):
            plan.change(k, left_out())


def _order(dependence: Dependence) -> list[int]:
    """Return the parts with redundant rows, then those on which they depend, the last stated first."""
    own = list(dict.fromkeys(dependence.owners[index] for index in dependence.redundant))
    partners = {name for index in dependence.redundant for name in dependence.partners(index)}
    names = [part.name for part in dependence.parts]
    return own + sorted((names.index(name) for name in partners if names.index(name) not in own), reverse=True)


def _spans(owners: Sequence[int], count: int) -> list[slice]:
    """Return the rows of each part."""
    spans, first = [], 0
    for k in range(count):
        size = sum(owner == k for owner in owners)
        spans.append(slice(first, first + size))
        first += size
    return spans


def _held(dependence: Dependence, k: int) -> Array:
    """Return the orthonormal wrenches of a joint; unit vectors stand for the rows of an element."""
    part = dependence.parts[k]
    return part.held.wrenches if part.held is not None else np.eye(len(part.words))
