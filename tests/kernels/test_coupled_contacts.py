"""Coupled contacts with friction on random systems, against enumeration of all combinations of signs.

The plain state, the machine code of a run and the robust kernels must all give the unique solution, or report that
there is none or more than one.
"""

import numpy as np
import pytest
from enumerated import ways
from families import close, drawn, family

import lienket as lk
from lienket.assembly.contacts.modes import active_constraints
from lienket.kernels.native.calls import accelerations, loads_of

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
    """Return a system with coefficients up to `most`; the contacts with the indices `resting` do not slip."""
    rng = np.random.default_rng([len(kinds), seed, KINDS.index(kinds), int(10 * most), *resting])
    mu = rng.uniform(0, most, len(kinds))
    numbers = drawn(rng, N, len(kinds), mu=mu, static=mu * rng.uniform(1, 1.5, len(kinds)))
    if resting:
        rows = np.vstack([numbers.G, numbers.T[list(resting)]])
        numbers.v[:] -= np.linalg.pinv(rows) @ (rows @ numbers.v)
        numbers.v[:] = np.where(np.max(np.abs(numbers.v)) > 1e-12, numbers.v, 0.0)  # no motion is left
    return numbers


def check_native(system, numbers, way):
    """Check a and multipliers of `way` against both machine codes of a run: straight-line and robust."""
    numeric = system.numeric_system
    values = numbers.values
    parameters = np.array([values.get(name, 1.0) for name in numeric.symbols.parameters], dtype=float)
    q = np.zeros(N)
    active, signed = active_constraints(numeric, 0.0, q, numbers.v, parameters)
    model = numeric.model(active)
    normal, friction = way.normal, way.friction
    by_name = {f"c{k}": normal[k] for k in range(len(normal))}
    by_name |= {f"c{k}, sticking": friction[k] for k in range(len(normal))}
    wanted = [by_name[c.name] for c in model.constraints]
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
def test_all_solvers_find_the_unique_motion(kinds):
    """With small coefficients there is one motion: at() finds it with its modes, and so does machine code."""
    system, written = family(N, kinds), 0
    for seed in range(40):
        numbers = numbers_of(kinds, seed, 0.4)
        solutions, narrow = ways(numbers, kinds)
        if narrow or len(solutions) != 1:
            continue
        (way,) = solutions
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
def test_the_number_of_motions_is_reported(kinds):
    """With coefficients up to 4, no motion or several are reported where enumeration finds none or several.

    A single solution beyond a paradox (the determinant has changed its sign: no smaller coefficients lead to it) is
    refused as well.
    """
    system, counts = family(N, kinds), {}
    for seed in range(60):
        numbers = numbers_of(kinds, seed, 4.0)
        solutions, narrow = ways(numbers, kinds)
        if narrow:
            continue
        counts[min(len(solutions), 2)] = counts.get(min(len(solutions), 2), 0) + 1
        if len(solutions) == 1 and solutions[0].near:
            close(numbers.state_of(system).accelerations, solutions[0].a, 1e-9)
            continue
        word = (
            "no motion or no unique one"
            if len(solutions) == 1
            else "no motion obeys"
            if not solutions
            else f"{len(solutions)} motions obey"
        )
        with pytest.raises(lk.LienketError, match=word):
            numbers.state_of(system).accelerations  # noqa: B018
    assert counts[1] >= 10 and counts.get(0, 0) + counts.get(2, 0) >= 3


@pytest.mark.parametrize("kinds", [("coulomb",), ("unilateral",), ("coulomb", "coulomb"), ("unilateral", "unilateral"),
                                   ("coulomb", "unilateral", "ideal")], ids="-".join)  # fmt: skip
@pytest.mark.parametrize("count", [1, 2])
def test_contacts_at_rest_stick_if_they_can(kinds, count):
    """Of the solutions that obey the laws, the one with most sticking contacts is chosen."""
    contacts = [k for k, kind in enumerate(kinds) if kind != "ideal"]
    resting = tuple(contacts[:count])
    system, seen = family(N, kinds), set()
    if len(resting) < count:
        return
    for seed in range(40):
        numbers = numbers_of(kinds, seed, 1.0, resting)
        solutions, narrow = ways(numbers, kinds)
        most_sticking = [way for way in solutions if way.sticking == max(other.sticking for other in solutions)]
        if narrow or len(most_sticking) != 1:
            continue
        (way,) = most_sticking
        state = numbers.state_of(system)
        close(state.accelerations, way.a, 1e-9)
        modes = tuple(state.contacts[f"c{k}"].mode for k in contacts)
        assert modes == tuple(way.modes[k][0] for k in contacts)
        seen |= {modes[k] for k in range(len(resting))}
        check_native(system, numbers, way)
    assert {"sticks", "slides"} <= seen
