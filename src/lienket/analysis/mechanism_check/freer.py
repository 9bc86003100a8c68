"""Freer kinds of joints: what each holds less, in the axes of the joint (mechanisms 6.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .held_wrenches import UNIT_AXES, Held, Seat, direction, holding

KEEPS_ITS_COORDINATE = {"cylindrical", "leave out"}  # kinds that a motor or gear on the joint's coordinate allows


@dataclass(frozen=True, eq=False)
class Choice:
    """Kind of joint instead of another: its axes in those of the first place, and what it holds."""

    kind: str
    axes: tuple[Array, ...]
    held: Held

    @property
    def words(self) -> str:
        """Kind and axes, such as "universal joint about z and x"."""
        if not self.axes:
            return f"{self.kind} joint"
        name = self.kind if self.kind == "slot" else f"{self.kind} joint"
        along = {"universal": "about", "revolute": "about", "planar": "across"}.get(self.kind, "along")
        return f"{name} {along} {' and '.join(map(direction, self.axes))}"


def freer_than(seat: Seat) -> list[Choice]:
    """Return the freer kinds instead of a joint, those that hold least first."""
    found = list(_planar(seat) if seat.planar else _spatial(seat))
    return sorted(found, key=lambda choice: len(choice.held.words))


def _planar(seat: Seat) -> Iterator[Choice]:
    x, y, z = map(np.array, UNIT_AXES)
    slots = [Choice("slot", (a,), holding((m,), ())) for a, m in ((x, y), (y, x))]
    if seat.kind == "revolute":
        yield from slots
    if seat.kind == "prismatic":
        yield Choice("slot", (seat.u,), holding((seat.w,), ()))
    if seat.kind == "weld":
        yield from slots
        yield Choice("revolute", (), holding((x, y), ()))
        for a, m in ((x, y), (y, x)):
            yield Choice("prismatic", (a,), holding((m,), (z,)))


def _spatial(seat: Seat) -> Iterator[Choice]:
    u, w, n = seat.u, seat.w, seat.n
    spherical = Choice("spherical", (), holding((u, w, n), ()))
    if seat.kind == "revolute":
        yield spherical
        yield _cylindrical((u, w, n))
        for a, b in ((u, w), (w, u)):
            yield _universal((u, w, n), n, a, b)
    if seat.kind == "universal":
        yield spherical
    if seat.kind == "screw":
        yield _cylindrical((u, w, n))
    if seat.kind == "prismatic":
        yield _cylindrical((u, w, n))
        for normal, other in ((u, w), (w, u)):
            yield Choice("planar", (normal,), holding((normal,), (other, n)))
    if seat.kind == "weld":
        yield spherical
        yield from _instead_of_weld()


def _instead_of_weld() -> Iterator[Choice]:
    axes = [np.array(e) for e in UNIT_AXES]
    for k, axis in enumerate(axes):
        others = (axes[(k + 1) % 3], axes[(k + 2) % 3])
        yield _cylindrical((*others, axis))
        yield Choice("planar", (axis,), holding((axis,), others))
        yield Choice("revolute", (axis,), holding(axes, others))
        yield Choice("prismatic", (axis,), holding(others, axes))
        yield _universal(axes, others[0], others[1], axis)


def _cylindrical(axes: Sequence[Array]) -> Choice:
    u, w, n = axes
    return Choice("cylindrical", (n,), holding((u, w), (u, w)))


def _universal(axes: Sequence[Array], first: Array, second: Array, normal: Array) -> Choice:
    return Choice("universal", (first, second), holding(axes, (normal,)))


def left_out() -> Choice:
    """Return the choice to leave out a joint or an element."""
    return Choice("leave out", (), Held(np.zeros((0, 6)), ()))
