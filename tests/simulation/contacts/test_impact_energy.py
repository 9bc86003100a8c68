"""Impacts of random systems whose contacts all approach: what obeys the laws, and what energy they leave."""

from types import SimpleNamespace

import numpy as np
import pytest

from lienket.simulation.contacts.impacts import solve_impact
from lienket.simulation.contacts.stick_slip import ClosedContact

COUNT = 300


def impacts(contacts, rough, seed, same=True):
    """(answers, v, touches, e) with normal rows 2 k and tangential rows 2 k + 1 of random systems."""
    rng, n, found = np.random.default_rng(seed), 1 + 2 * contacts, []
    while len(found) < COUNT:
        root, C, v = rng.normal(size=(n, n)), rng.normal(size=(2 * contacts, n)), rng.normal(size=n)
        W = root @ root.T + 0.05 * np.eye(n)
        mu, e = rough * rng.uniform(0, 1.5, contacts), rng.uniform(0, 1, contacts)
        if (C @ v)[::2].max() < 0:
            touches = [ClosedContact(f"{k}", 2 * k, 2 * k + 1, mu[k], mu[k], True) for k in range(contacts)]
            answers = SimpleNamespace(C=C, S=C @ W @ C.T, y0=C @ v, W=W)
            found.append((answers, v, touches, np.full(contacts, e[0]) if same else e))
    return found


def gained(answers, v, after):
    """The kinetic energy that an impact brings in, as a share of what there was."""
    A = np.linalg.inv(answers.W)
    return (after @ A @ after) / (v @ A @ v) - 1


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("contacts", [1, 2])
def test_they_push_within_the_cone_of_friction(law, contacts):
    """Also nothing approaches afterwards, and velocities are those that the impulses make."""
    for answers, v, touches, e in impacts(contacts, 1.0, 1, same=False):
        found = solve_impact(answers, v, touches, e, law)
        normal, tangential = found.impulses[::2], found.impulses[1::2]
        size = np.abs(found.impulses).max()
        assert normal.min() >= -1e-9 * size
        assert np.all(np.abs(tangential) <= [t.mu for t in touches] * normal + 1e-8 * size)
        after = answers.C @ found.v
        assert after[::2].min() >= -1e-8 * np.abs(answers.S @ found.impulses).max()
        assert np.allclose(after, answers.y0 + answers.S @ found.impulses, atol=1e-9 * np.abs(answers.S).max() * size)


@pytest.mark.parametrize("contacts", [1, 2])
def test_newtons_law_without_friction_brings_no_energy_in(contacts):
    """The change is (1 - e) Lambda^T g'/2 with Lambda^T g' <= 0, for one e (J. J. Moreau)."""
    for answers, v, touches, e in impacts(contacts, 0.0, 2):
        assert gained(answers, v, solve_impact(answers, v, touches, e, "newton").v) <= 1e-9


@pytest.mark.parametrize("contacts", [1, 2])
def test_poissons_law_with_friction(contacts):
    """With one e no energy comes in at these impacts; by Newton's law it does at some."""
    given = impacts(contacts, 1.0, 3)
    assert max(gained(a, v, solve_impact(a, v, touches, e, "poisson").v) for a, v, touches, e in given) <= 1e-9
    assert max(gained(a, v, solve_impact(a, v, touches, e, "newton").v) for a, v, touches, e in given) > 0.01
