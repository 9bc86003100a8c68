"""Loads of elements and wrenches on bodies, collected: efforts along coordinates of cut joints become wrenches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .dynamics import NO_WRENCH, Wrench, generalized
from .elements.load import Load
from .joints import kind_of
from .loops import joint_wrenches
from .scalars.algebra import Scalar, Vector, add, cross, dot, scaled
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


def gravity_of(state: MechanismState) -> Vector:
    """Return the acceleration of falling bodies."""
    x, y, z = map(state.number, state.description.gravity)
    return (x, y, z)


def weights_of(state: MechanismState) -> dict[str, Wrench]:
    """Return the weights of the bodies about their origins."""
    gravity, weights = gravity_of(state), {}
    for name, mass in state.masses.items():
        force = scaled(mass.m, gravity)
        weights[name] = Wrench(force, cross(mass.to_centre, force))
    return weights


def potential_of(state: MechanismState, loads: Iterable[Load]) -> Scalar:
    """Return the potential energy of the weights, V = -m g . x_c, and of loads that have one."""
    gravity, total = gravity_of(state), 0
    for name, mass in state.masses.items():
        total = total - mass.m * dot(gravity, add(state.position.frames[name].origin, mass.to_centre))
    return total + sum(load.potential for load in loads if load.potential is not None)


def dissipation_of(loads: Iterable[Load]) -> Scalar:
    """Return Rayleigh's function of loads that have one."""
    return sum(load.dissipation for load in loads if load.dissipation is not None)


def from_outside(loads: Iterable[Load]) -> list[Load]:
    """Return the loads that have neither a potential nor a dissipation."""
    return [load for load in loads if load.potential is None and load.dissipation is None]


def generalized_forces(state: MechanismState, loads: Iterable[Load], wrenches: dict[str, Wrench]) -> list[Scalar]:
    """Return the generalized forces (n) of loads and of wrenches on bodies."""
    total, along = collected(state, loads, wrenches)
    Q = generalized(state.tree, state.position, total)
    for k, effort in along.items():
        Q[k] = Q[k] + effort
    return Q


def times(load: Load, factor: Scalar) -> Load:
    """Return a load with the wrenches and efforts of a unit multiplier times the multiplier."""
    wrenches = tuple((b, Wrench(scaled(factor, w.force), scaled(factor, w.moment))) for b, w in load.wrenches)
    return Load(wrenches, tuple((x, factor * effort) for x, effort in load.efforts))
