"""Loads of elements and wrenches on bodies, collected: efforts along coordinates of cut joints become wrenches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .dynamics import NO_WRENCH, Wrench
from .elements.load import Load
from .joints import kind_of
from .loops import joint_wrenches
from .scalars.algebra import scaled
from .state import MechanismState, coordinate_of


def collected(
    state: MechanismState, loads: Iterable[Load], wrenches: dict[str, Wrench]
) -> tuple[dict[str, Wrench], dict[int, Any]]:
    """Return the wrenches on bodies with those of the loads, and efforts by coordinate of the tree.

    An effort along a coordinate of a cut joint is a pair of wrenches on its two bodies.
    """
    total, along = dict(wrenches), dict[int, Any]()

    def act(body: str, wrench: Wrench) -> None:
        total[body] = total.get(body, NO_WRENCH) + wrench

    for load in loads:
        for body, wrench in load.wrenches:
            act(body, wrench)
        for name, effort in load.efforts:
            if name in state.tree.coordinates:
                k = state.tree.coordinates.index(name)
                along[k] = along.get(k, 0) + effort
                continue
            joint, index = coordinate_of(state.description, name)
            force, torque = kind_of(joint).efforts(joint, state.relative(joint), state.algebra, state.planar)[index]
            for body, wrench in joint_wrenches(state, joint, scaled(effort, force), scaled(effort, torque)):
                act(body, wrench)
    return total, along


def onto_bodies(state: MechanismState, wrenches: dict[str, Wrench], along: dict[int, Any]) -> None:
    """Move efforts on angles that count turns onto the bodies of their joints, as pairs of wrenches.

    In the equations such an effort acts on the massless angle, and the row of the angle carries it on.
    """
    for name in state.tree.angles:
        effort = along.pop(state.tree.coordinates.index(name), 0)
        joint, index = coordinate_of(state.description, name)
        force, torque = kind_of(joint).efforts(joint, state.relative(joint), state.algebra, state.planar)[index]
        for body, wrench in joint_wrenches(state, joint, scaled(effort, force), scaled(effort, torque)):
            wrenches[body] = wrenches.get(body, NO_WRENCH) + wrench
