"""Forces reported for bodies on rough contacts: they balance the load, obey every law, and say if they are unique.

Forces that statics does not determine are those of the programme's own choice; here it is checked that they are one of
its solutions, at states, at the rows of runs and from compiled code, and that exactly the contacts are marked whose
rows are part of a self-stress.
"""

import numpy as np
import pytest
from attack_cases import attack_cases
from test_rest_on_contacts import CLEAR, INERTIA, Case, body

import lienket as lk


def check(case, modes, normal, friction, a, size):
    """Check the forces (c each) of contacts in their modes with the accelerations a (3)."""
    forces = np.stack([normal, friction], axis=1).ravel()
    assert np.abs(case.C.T @ forces + case.load - INERTIA @ a).max() <= 1e-8 * size
    assert normal.min() >= -1e-8 * size
    assert np.all(np.abs(friction) <= case.mu * normal + 1e-8 * size)
    assert np.all(np.abs(forces.reshape(-1, 2)[[mode == "open" for mode in modes]]) == 0)


def shared(case, modes, directions):
    """Return which contacts have forces that are not unique: with an entry in a self-stress, with or without friction.

    Where sliding contacts with different coefficients share a load, one motion determines the forces, but another
    distribution is another motion.
    """
    return [a or b for a, b in zip(*(_stressed(case, modes, d) for d in (directions, 0 * directions)), strict=True)]


def _stressed(case, modes, directions):
    rows, owner = [], []
    for k, mode in enumerate(modes):
        normal, tangential = case.C[2 * k], case.C[2 * k + 1]
        if mode == "slides":
            rows.append(normal - case.mu[k] * directions[k] * tangential)
        elif mode == "sticks":
            rows += [normal, tangential]
        owner += [k] * (len(rows) - len(owner))
    if not rows:
        return [False] * len(modes)
    _, values, V = np.linalg.svd(np.array(rows).T)
    stresses = V[np.count_nonzero(values > 1e-9 * values[0]) :]
    marked = np.abs(stresses).max(axis=0, initial=0.0) > 1e-7
    return [any(m for m, o in zip(marked, owner, strict=True) if o == k) for k in range(len(modes))]


@pytest.mark.parametrize("seed", attack_cases(4))
def test_forces_balance_obey_the_laws_and_are_marked(seed):
    case = Case(2_000_000 + seed)
    if abs(case.margin(case.load)) < CLEAR:
        return
    system, values, names = body(case.count), case.values(), [f"c{k}" for k in range(case.count)]
    try:
        state = system.at([0, 0, 0], [0, 0, 0], values=values)
    except lk.LienketError:  # Painleve's paradox; test_rest_on_contacts looks at it
        return
    size = np.abs(case.load).max()
    contacts = [state.contacts[name] for name in names]
    modes = [c.mode for c in contacts]
    forces = [np.array([getattr(c, part) for c in contacts]) for part in ("normal", "friction")]
    check(case, modes, *forces, state.accelerations, size)
    total = sum(state.reactions[name] for name in names)
    assert np.abs(total - case.C.T @ np.stack(forces, axis=1).ravel()).max() <= 1e-8 * size
    if "open" not in modes and not np.all(state.accelerations == 0):
        return  # whether contacts at the limit slide is rounding
    marked = shared(case, modes, np.sign(case.C[1::2] @ state.accelerations))
    assert [not c.unique for c in contacts] == marked
    motion = system.simulate(values, start={"x": 0.0, "y": 0.0, "phi": 0.0}, until=0.01)
    if motion.outcome.reason != "finished":
        return
    rows = [motion.contacts[name] for name in names]
    at_start = [np.array([getattr(c, part)[0] for c in rows]) for part in ("normal", "friction")]
    check(case, [c.mode[0] for c in rows], *at_start, motion.accelerations[0], size)
    if [c.mode[0] for c in rows] == modes:
        assert [not c.unique[0] for c in rows] == marked
        assert np.concatenate(at_start) == pytest.approx(np.concatenate(forces), abs=1e-7 * size)
        assert {name for name, found in motion.not_unique.items() if found[0]} == {
            name for name, found in zip(names, marked, strict=True) if found
        }
    noted = any("not unique" in note for note in motion.audit.notes)
    assert noted == bool(motion.not_unique)
    numbers = system.compile().evaluate(t=0.0, q=[0, 0, 0], v=[0, 0, 0], values=values)
    assert numbers.multipliers == pytest.approx(forces[0], abs=1e-7 * size)
    assert numbers.not_unique.tolist() == marked
