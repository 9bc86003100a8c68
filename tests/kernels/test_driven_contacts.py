"""Drives and friction together, on random systems: machine code against the plain kernels, both against the equations.

A a = f + G^T lambda + T^T phi + E u,      phi = -mu |lambda| sign(slip)
"""

from itertools import product

import numpy as np
import pytest
from enumerated import choices, solution
from families import close, drawn, family
from scipy.optimize import lsq_linear

import lienket as lk
from lienket.assembly.contacts.modes import active_constraints
from lienket.kernels.native.calls import accelerations, loads_of

N = 4
FOLLOWED = [
    (("program",), 1),
    (("program",), 2),
    (("coulomb", "program"), 1),
    (("coulomb", "program"), 2),
    (("unilateral", "ideal", "program"), 2),
    (("coulomb", "unilateral", "program"), 2),
    (("coulomb", "program"), 3),
]
followed = pytest.mark.parametrize(("kinds", "drives"), FOLLOWED, ids=str)


def numbers_of(kinds, drives, seed, bound):
    rng = np.random.default_rng([len(kinds), drives, seed, int(bound)])
    s, k = len(kinds), len(kinds) - 1
    mu = rng.uniform(0, 0.4, s)
    more = {"mu": mu, "static": mu, f"E{k}_": rng.normal(size=(drives, N)), f"w{k}_": 10 ** rng.uniform(-1, 1, drives)}
    more |= {f"least{k}_": -bound * rng.uniform(0.5, 1, drives), f"most{k}_": bound * rng.uniform(0.5, 1, drives)}
    numbers = drawn(rng, N, s, **more)
    return numbers, more[f"E{k}_"].T, more[f"w{k}_"], more[f"least{k}_"], more[f"most{k}_"]


def native(system, numbers):
    """Return the model and the solution of the robust machine code; straight-line code must agree where it applies."""
    numeric = system.numeric_system
    parameters = np.array([numbers.values.get(name, 1.0) for name in numeric.symbols.parameters], dtype=float)
    q, active = np.zeros(N), None
    if numeric.contacts:
        active, parameters = active_constraints(numeric, 0.0, q, numbers.v, parameters)
    model = numeric.model(active)
    solution = accelerations(0, model.function("terms").address, 0.0, q, numbers.v, parameters, model.s,
                          np.zeros(model.inputs), loads_of(model))  # fmt: skip
    assert solution.status > 0
    written = model.motion
    if written is not None:
        status, out = written(0.0, q, numbers.v, parameters, np.zeros(model.inputs))
        if status == 0:
            close(out[:N], solution.a, 1e-9)
    return model, solution


def check_equations(numbers, E, state, kinds, rel=1e-10):
    """Check the equations with the forces that the state reports by name."""
    a, pushed = state.accelerations, numbers.f + E @ np.array(list(state.drives.values()))
    for k, kind in enumerate(kinds[:-1]):
        if kind == "ideal":
            pushed = pushed + numbers.G[k] * state.multipliers[k if len(state.multipliers) == len(kinds) else -2]
            continue
        contact, slip = state.contacts[f"c{k}"], numbers.T[k] @ numbers.v
        pushed = pushed + numbers.G[k] * contact.normal + numbers.T[k] * contact.friction
        size = np.max(np.abs(numbers.A @ a))
        close(contact.friction, -numbers.more["mu"][k] * abs(contact.normal) * np.sign(slip), rel, size)
        if contact.mode != "open":
            close(numbers.G[k] @ a, -numbers.g[k], rel, np.max(np.abs(a)))
    close(numbers.A @ a, pushed, rel)


def by_enumeration(numbers, E, weights, kinds):
    """Return every solution with unbounded drives: in fixed modes a and lambda are affine in u."""
    A, f, G, g, T, mu = (*(getattr(numbers, name) for name in "AfGgT"), numbers.more["mu"])
    slips, solutions = (T @ numbers.v)[:-1], []
    for modes in product(*(choices(kind, slip) for kind, slip in zip(kinds[:-1], slips, strict=True))):
        answers = [solution(A, f, G[:-1], g[:-1], T[:-1], mu, modes)]
        answers += [solution(A, column, G[:-1], 0 * g[:-1], T[:-1], mu, modes) for column in E.T]
        a, normal = (np.array([answer[k] for answer in answers]) for k in (1, 2))
        M, b = G[-1] @ a[1:].T, -(G[-1] @ a[0] + g[-1])
        u = b * (M / weights) / (M @ (M / weights))
        a, normal = a[0] + u @ a[1:], normal[0] + u @ normal[1:]
        margins = [
            G[k] @ a + g[k] if mode == "open" else np.inf if mode == "closed" else sense * normal[k]
            for k, (mode, _, sense) in enumerate(modes)
        ]
        if min(margins, default=1.0) >= 0:
            solutions.append((a, u))
    return solutions


@followed
def test_programs_without_active_bounds(kinds, drives):
    """Programs are met with the least weighted squares; reacting drives may leave no solution or several."""
    system, alone = family(N, kinds, ((len(kinds) - 1, drives),)), 0
    for seed in range(25):
        numbers, E, weights, *_ = numbers_of(kinds, drives, seed, 1e5)
        solutions = by_enumeration(numbers, E, weights, kinds)
        if len(solutions) != 1:
            with pytest.raises(lk.LienketError, match=f"{len(solutions)} motions obey" if solutions else "no motion"):
                numbers.state_of(system)
            continue
        alone += 1
        ((a, u),) = solutions
        state = numbers.state_of(system)
        close(state.accelerations, a, 1e-9)
        close(list(state.drives.values()), u, 1e-9)
        check_equations(numbers, E, state, kinds)
        _, fast = native(system, numbers)
        close(fast.a, a, 1e-9)
        close(fast.multipliers[-drives:], u, 1e-9)
    assert alone > 15


@followed
def test_programs_within_bounds(kinds, drives):
    """With active bounds programs are followed as closely as possible; one with a free drive is met."""
    system, cut, refused = family(N, kinds, ((len(kinds) - 1, drives),)), 0, 0
    for seed in range(25):
        numbers, E, _, least, most = numbers_of(kinds, drives, seed, 1.0)
        try:
            state = numbers.state_of(system)
        except lk.LienketError as error:
            assert "motion" in str(error)  # noqa: PT017
            refused += 1
            continue
        u = np.array(list(state.drives.values()))
        check_equations(numbers, E, state, kinds)
        missed = numbers.G[-1] @ state.accelerations + numbers.g[-1]
        held = (u <= least) | (u >= most)
        assert np.all((least <= u) & (u <= most))
        if not held.all():
            close(missed, 0.0, 1e-9, np.max(np.abs(state.accelerations)) + abs(numbers.g[-1]))
        cut += held.any()
        _, solution = native(system, numbers)
        close(solution.a, state.accelerations, 1e-9)
        close(solution.multipliers[-drives:], u, 1e-7)
    assert cut > 5 and refused < 8


def test_shares_of_drives_without_friction_are_those_of_a_quadratic_program():
    """The drives minimise sum w u^2 under the program, as SciPy's bounded least squares with a heavy program weight."""
    kinds, drives = ("program",), 2
    system = family(N, kinds, ((0, drives),))
    for seed in range(25):
        numbers, E, weights, least, most = numbers_of(kinds, drives, seed, 1.0)
        inverse = np.linalg.inv(numbers.A)
        row, right = numbers.G @ inverse @ E, -(numbers.G @ inverse @ numbers.f + numbers.g)
        heavy = 1e5 * np.max(np.sqrt(weights)) / np.max(np.abs(row))
        M = np.vstack([heavy * row, np.diag(np.sqrt(weights))])
        wanted = lsq_linear(M, np.append(heavy * right, np.zeros(drives)), (least, most), method="bvls", tol=1e-15).x
        close(list(numbers.state_of(system).drives.values()), wanted, 1e-5)


@pytest.mark.parametrize(("kinds", "drives"), [(("program",), 1), (("coulomb", "program"), 1)], ids=str)
def test_programs_that_are_kept(kinds, drives):
    """The row of an exactly kept program exerts no force; the drive supplies all of it, with any friction."""
    system = family(N, kinds, ((len(kinds) - 1, drives),), exact=True)
    for seed in range(20):
        numbers, E, *_ = numbers_of(kinds, drives, seed, 1e3)
        state = numbers.state_of(system)
        check_equations(numbers, E, state, kinds)
        close(numbers.G[-1] @ state.accelerations, -numbers.g[-1], 1e-10, np.max(np.abs(state.accelerations)))
        _, solution = native(system, numbers)
        close(solution.a, state.accelerations, 1e-9)
        close(solution.multipliers[-drives:], list(state.drives.values()), 1e-9)
