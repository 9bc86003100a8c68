"""Springs and dampers between two places (mechanisms 5.1).

    l = |p_b - p_a|,   e = (p_b - p_a)/l,   tension k (l - l0) + ...   pulls b towards a, V = k (l - l0)^2/2
    l' = e . (v_b - v_a),   tension c l',   R = c l'^2/2

A spring of length 0 has V = k d . d/2, which is smooth where both points coincide.
"""

from __future__ import annotations

from ...model.bodies import GROUND, Element
from ..dynamics import Wrench
from ..scalars.algebra import Vector, cross, dot, scaled, subtract
from ..state import MechanismState
from .load import Load


def spring(element: Element, state: MechanismState) -> Load:
    """Return a spring with `stiffness` and free `length`."""
    k, between = state.number(element["stiffness"]), _between(element, state)
    if element["length"] == 0:
        length = state.algebra.sqrt(dot(between, between))
        return Load(
            pull(element, state, scaled(k, between)), potential=k * dot(between, between) / 2, effort=k * length
        )
    length = state.algebra.sqrt(dot(between, between))
    stretch = length - state.number(element["length"])
    tension = k * stretch
    return Load(
        pull(element, state, scaled(tension / length, between)), potential=tension * stretch / 2, effort=tension
    )


def damper(element: Element, state: MechanismState) -> Load:
    """Return a damper with `damping`."""
    c, between = state.number(element["damping"]), _between(element, state)
    length = state.algebra.sqrt(dot(between, between))
    first, second = (state.velocity(place) for place in element.places)
    rate = dot(between, subtract(second, first)) / length
    tension = c * rate
    return Load(pull(element, state, scaled(tension / length, between)), dissipation=tension * rate / 2, effort=tension)


def _between(element: Element, state: MechanismState) -> Vector:
    first, second = (state.place(place) for place in element.places)
    return subtract(second, first)


def pull(element: Element, state: MechanismState, force: Vector) -> tuple[tuple[str, Wrench], ...]:
    """Return the wrenches of a force on the first place and of the opposite one on the second."""
    wrenches = []
    for place, sign in zip(element.places, (1, -1), strict=True):
        if place.body != GROUND:
            acting = scaled(sign, force)
            wrenches.append((place.body, Wrench(acting, cross(state.lever(place), acting))))
    return tuple(wrenches)
