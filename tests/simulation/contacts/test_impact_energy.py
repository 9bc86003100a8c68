"""Impacts of random systems whose contacts all approach: the laws hold, and the kinetic energy does not grow."""

from types import SimpleNamespace

import numpy as np
import pytest

from lienket.simulation.contacts.impact.impacts import solve_impact
from lienket.simulation.contacts.stick_slip import ClosedContact

COUNT = 300


def impacts(contacts, rough, seed, same=True):
    """Return (answers, v, touches, e) of random systems, with normal rows 2 k and tangential rows 2 k + 1."""
    rng, n, cases = np.random.default_rng(seed), 1 + 2 * contacts, []
    while len(cases) < COUNT:
        root, C, v = rng.normal(size=(n, n)), rng.normal(size=(2 * contacts, n)), rng.normal(size=n)
        W = root @ root.T + 0.05 * np.eye(n)
        upper = np.linalg.cholesky(W).T
        mu, e = rough * rng.uniform(0, 1.5, contacts), rng.uniform(0, 1, contacts)
        if (C @ v)[::2].max() < 0:
            touches = [ClosedContact(f"{k}", 2 * k, 2 * k + 1, mu[k], mu[k], True) for k in range(contacts)]
            answers = SimpleNamespace(C=C, S=C @ W @ C.T, y0=C @ v, W=W, root=upper)
            cases.append((answers, v, touches, np.full(contacts, e[0]) if same else e))
    return cases


def gained(answers, v, after):
    """Return the relative gain of kinetic energy in an impact."""
    A = np.linalg.inv(answers.W)
    return (after @ A @ after) / (v @ A @ v) - 1


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("contacts", [1, 2])
def test_impulses_are_within_the_friction_cone(law, contacts):
    """Impulses are in the friction cone, no contact approaches afterwards, and velocities follow from impulses."""
    for answers, v, touches, e in impacts(contacts, 1.0, 1, same=False):
        impact = solve_impact(answers, v, touches, e, law)
        normal, tangential = impact.impulses[::2], impact.impulses[1::2]
        size = np.abs(impact.impulses).max()
        assert normal.min() >= -1e-9 * size
        assert np.all(np.abs(tangential) <= [t.mu for t in touches] * normal + 1e-8 * size)
        after = answers.C @ impact.v
        assert after[::2].min() >= -1e-8 * np.abs(answers.S @ impact.impulses).max()
        assert np.allclose(after, answers.y0 + answers.S @ impact.impulses, atol=1e-9 * np.abs(answers.S).max() * size)


@pytest.mark.parametrize("contacts", [1, 2])
def test_newtons_law_without_friction_gains_no_energy(contacts):
    """The change is (1 - e) Lambda^T g'/2 with Lambda^T g' <= 0, for equal e (J. J. Moreau)."""
    for answers, v, touches, e in impacts(contacts, 0.0, 2):
        assert gained(answers, v, solve_impact(answers, v, touches, e, "newton").v) <= 1e-9


@pytest.mark.parametrize("contacts", [1, 2])
def test_poissons_law_with_friction(contacts):
    """With equal e Poisson's law gains no energy in these impacts; where Newton's would, Poisson's is used."""
    for a, v, touches, e in impacts(contacts, 1.0, 3):
        poisson, newton = (solve_impact(a, v, touches, e, law) for law in ("poisson", "newton"))
        assert gained(a, v, poisson.v) <= 1e-9
        assert gained(a, v, newton.v) <= 1e-9
        if newton.law != "newton":
            assert np.array_equal(newton.v, poisson.v)
