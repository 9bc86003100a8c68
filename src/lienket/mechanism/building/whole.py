"""Faults of a mechanism as a whole: bodies without joints, names used twice, elements that act on nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from sympy.core.function import AppliedUndef

from ...errors import Faults
from ...language.names import identifier_problem
from ...language.symbols import name_of
from ...language.traversal import find, symbols_in
from ...model.bodies import GROUND, Body, Element, Joint

BETWEEN_BODIES = ("rod", "spring", "damper")
COUPLINGS = ("gear", "rack")


def check_whole(
    bodies: Sequence[Body],
    joints: Sequence[Joint],
    elements: Sequence[Element],
    chosen: Collection[str],
    coordinates: Collection[str],
    named: Collection[str],
    faults: Faults,
) -> None:
    """Report all of them; `chosen` are joints that are to be cut.

    `coordinates` are those of the system, in absolute ones None of the joints' own; `named` are names of values and
    inputs.
    """
    if not bodies:
        faults.add("bodies", "there are none", "Add one with .body(name, ...).")
    _check_floating(bodies, joints, chosen, faults)
    first = {joint.name: joint for joint in reversed(joints)}  # the same name twice is a fault of its own
    names = [x for joint in first.values() for x in joint.coordinates]
    for x in sorted({x for x in names if names.count(x) > 1}):
        faults.add("coordinates", f"two joints have the coordinate {x!r}", "Choose another with coordinate=.")
    expressions = [e for body in bodies for e in body.expressions()]
    expressions += [e for joint in joints for e in joint.expressions()]
    expressions += [e for element in elements for e in element.expressions()]
    parameters = {s.name for e in expressions for s in symbols_in(e)}
    for joint in joints:
        for x in joint.coordinates:
            if x in parameters or x in named:
                advice = "Choose another with coordinate=."
                faults.add(f"joint {joint.name!r}", f"its coordinate {x!r} has the name of a parameter", advice)
    for element in elements:
        _check_element(element, coordinates, named, faults)


def check_body_names(bodies: Sequence[Body], faults: Faults) -> None:
    """Report names after which absolute coordinates cannot be named."""
    for body in bodies:
        problem = identifier_problem(body.name)
        if problem:
            advice = "Absolute coordinates are named after the bodies, as NAME_x."
            faults.add(f"body {body.name!r}", problem, advice)


def _check_floating(bodies: Sequence[Body], joints: Sequence[Joint], chosen: Collection[str], faults: Faults) -> None:
    """Report bodies that no joint connects with the ground."""
    kept = [joint for joint in joints if joint.name not in chosen]
    reached, reached_uncut = _reached(kept), _reached(joints)
    for body in bodies:
        if body.name in reached:
            continue
        own = [joint for joint in joints if body.name in (joint.first.body, joint.second.body)]
        advice = f"A body that moves freely needs .free(name, ground.at(...), {body.name}.at(...)); or add a joint."
        if body.name in reached_uncut:
            cut = ", ".join(repr(joint.name) for joint in joints if joint.name in chosen)
            what = f"with the joint {cut} cut, nothing connects it with the ground"
            advice = "Cut another joint of its loop, or none."
        else:
            what = "it is connected with other bodies only, not with the ground" if own else "it has no joint"
        faults.add(f"body {body.name!r}", what, advice)


def _reached(joints: Sequence[Joint]) -> set[str]:
    """Return the bodies that joints connect with the ground."""
    reached, before = {GROUND}, 0
    while len(reached) > before:
        before = len(reached)
        for joint in joints:
            ends = {joint.first.body, joint.second.body}
            if ends & reached:
                reached |= ends
    return reached


def _check_element(element: Element, coordinates: Collection[str], named: Collection[str], faults: Faults) -> None:
    """Report an element that acts on nothing, or depends on what the system does not have."""
    where = f"element {element.name!r}"
    if element.kind in BETWEEN_BODIES and len(element.places) == 2:
        first, second = (place.body for place in element.places)
        if first == second:
            body = "the ground" if first == GROUND else f"the body {first!r}"
            faults.add(where, f"both its places are on {body}", "It acts between two bodies.")
    if element.kind in COUPLINGS and len(set(element.joints)) == 1 and element.joints[0]:
        faults.add(where, f"it couples {element.joints[0]!r} with the same coordinate")
    for x in _unknown(element, coordinates, named):
        advice = f"Coordinates are {', '.join(sorted(coordinates))}; inputs are named in Mechanism(..., inputs=[...])."
        faults.add(where, f"it contains {x}, which is no coordinate of this system", advice)


def _unknown(element: Element, coordinates: Collection[str], named: Collection[str]) -> Iterator[str]:
    """Yield the functions of time in the numbers of an element that the system does not have."""
    functions = {name_of(f) for _, e in element.numbers for f in find(e, AppliedUndef)}
    yield from sorted(functions - set(coordinates) - set(named))
