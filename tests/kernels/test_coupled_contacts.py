"""Contacts with friction that are coupled, on random systems, against every combination of signs tried one by one.

The plain state, the machine code of a run and the robust kernels must all find the one solution there is, or say that
there is none or more than one.
"""

import numpy as np
import pytest
from enumerated import ways
from families import close, drawn, family

import lienket as lk
from lienket.assembly.contacts import active_constraints
from lienket.assembly.models import problem
from lienket.kernels.native.calls import accelerations, loads_of
from lienket.model.contacts import with_contact_modes

KINDS = [
    ("coulomb",),
    ("unilateral",),
    ("coulomb", "coulomb"),
    ("unilateral", "unilateral"),
    ("coulomb", "unilateral", "ideal"),
    ("unilateral", "smooth", "ideal"),
    ("unilateral", "unilateral", "unilateral"),
    ("coulomb", "coulomb", "unilateral"),
]
kinds_of = pytest.mark.parametrize("kinds", KINDS, ids="-".join)
N = 5


def numbers_of(kinds, seed, most, resting=()):
    """A system with coefficients up to `most`; contacts of these numbers do not slip."""
    rng = np.random.default_rng([len(kinds), seed, KINDS.index(kinds), int(10 * most), *resting])
    mu = rng.uniform(0, most, len(kinds))
    numbers = drawn(rng, N, len(kinds), mu=mu, static=mu * rng.uniform(1, 1.5, len(kinds)))
    if resting:
        rows = np.vstack([numbers.G, numbers.T[list(resting)]])
        numbers.v[:] -= np.linalg.pinv(rows) @ (rows @ numbers.v)
        numbers.v[:] = np.where(np.max(np.abs(numbers.v)) > 1e-12, numbers.v, 0.0)  # nothing can move
    return numbers


def check_native(system, numbers, way):
    """The machine code of a run, written out and robust, gives the accelerations and multipliers of `way`."""
    statement = with_contact_modes(system.statement)
    known = numbers.values
    parameters = np.array([known.get(p.name, 1.0) for p in statement.parameters], dtype=float)
    q = np.zeros(N)
    active, signed = active_constraints(statement, 0.0, q, numbers.v, parameters)
    model = problem(statement, signed, (), active).model
    normal, friction = way.normal, way.friction
    places = {f"c{k}": normal[k] for k in range(len(normal))}
    places |= {f"c{k}, sticking": friction[k] for k in range(len(normal))}
    wanted = [places[c.name] for c in model.constraints]
    robust = accelerations(0, model.function("terms").address, 0.0, q, numbers.v, signed, model.s,
                           np.zeros(model.inputs), loads_of(model))  # fmt: skip
    assert robust.status > 0
    close(robust.a, way.a, 1e-9)
    close(robust.multipliers, wanted, 1e-9)
    status, out = model.motion(0.0, q, numbers.v, signed, np.zeros(model.inputs))
    if status == 0:
        close(out[:N], way.a, 1e-9)
        close(out[N:], wanted, 1e-9)
    return status == 0


@kinds_of
def test_one_motion_is_found_by_all(kinds):
    """Coefficients so small that there is one: at() finds it, with its modes, and so does machine code."""
    system, written = family(N, kinds), 0
    for seed in range(40):
        numbers = numbers_of(kinds, seed, 0.4)
        found, narrow = ways(numbers, kinds)
        if narrow or len(found) != 1:
            continue
        (way,) = found
        state = numbers.state_of(system)
        close(state.accelerations, way.a)
        for k, (mode, _, _) in enumerate(way.modes):
            if kinds[k] == "ideal":
                continue
            contact = state.contacts[f"c{k}"]
            close(
                [contact.normal, contact.friction], [way.normal[k], way.friction[k]], 1e-10, np.max(np.abs(way.normal))
            )
            assert contact.mode == ("sticks" if mode == "closed" else mode) or kinds[k] == "smooth"
        written += check_native(system, numbers, way)
    assert written > 20


@kinds_of
def test_none_or_several_are_told_apart(kinds):
    """Coefficients up to 4: where brute force finds one there is one, where it finds none or more it is said so.

    One that is alone but beyond a paradox (the determinant has changed its sign: no smaller coefficients lead to it) is
    refused as well.
    """
    system, counts = family(N, kinds), {}
    for seed in range(60):
        numbers = numbers_of(kinds, seed, 4.0)
        found, narrow = ways(numbers, kinds)
        if narrow:
            continue
        counts[min(len(found), 2)] = counts.get(min(len(found), 2), 0) + 1
        if len(found) == 1 and found[0].near:
            close(numbers.state_of(system).accelerations, found[0].a, 1e-9)
            continue
        word = (
            "no motion or no unique one"
            if len(found) == 1
            else "no motion obeys"
            if not found
            else f"{len(found)} motions obey"
        )
        with pytest.raises(lk.LienketError, match=word):
            numbers.state_of(system).accelerations  # noqa: B018
    assert counts[1] >= 10 and counts.get(0, 0) + counts.get(2, 0) >= 3


@pytest.mark.parametrize("kinds", [("coulomb",), ("unilateral",), ("coulomb", "coulomb"), ("unilateral", "unilateral"),
                                   ("coulomb", "unilateral", "ideal")], ids="-".join)  # fmt: skip
@pytest.mark.parametrize("count", [1, 2])
def test_contacts_at_rest_stick_if_they_can(kinds, count):
    """Of all that obeys the laws, what sticks most; the others slide or open."""
    contacts = [k for k, kind in enumerate(kinds) if kind != "ideal"]
    resting = tuple(contacts[:count])
    system, seen = family(N, kinds), set()
    if len(resting) < count:
        return
    for seed in range(40):
        numbers = numbers_of(kinds, seed, 1.0, resting)
        found, narrow = ways(numbers, kinds)
        found = [way for way in found if way.sticking == max(other.sticking for other in found)]
        if narrow or len(found) != 1:
            continue
        (way,) = found
        state = numbers.state_of(system)
        close(state.accelerations, way.a, 1e-9)
        modes = tuple(state.contacts[f"c{k}"].mode for k in contacts)
        assert modes == tuple(way.modes[k][0] for k in contacts)
        seen |= {modes[k] for k in range(len(resting))}
        check_native(system, numbers, way)
    assert {"sticks", "slides"} <= seen
