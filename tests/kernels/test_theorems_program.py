"""Theorems of theory 10 on random systems: drives that keep programs, u = -(G2 W1 E)^-1 (G2 a1 + g2)."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from exact import DIGITS, precise, rounded, solved
from hypothesis import given
from hypothesis import strategies as st
from systems import constraint, examples, independent, plans

from lienket.errors import LienketError

SINGULAR = 1e-3  # a least singular value of G2 W1 E that is clear, with unit rows and unit columns


def program_of(system, E):
    """Return the system with its last constraint as a program kept by drives along the columns of E."""
    last = system.groups[-1]
    drives = [f"u{k}" for k in range(E.shape[1])]
    program = constraint(last.name, last.G, last.g0, E, drives)
    return replace(system, groups=(*system.groups[:-1], program))


def in_two(servo):
    """Return the system with its program stated as two: the first row and the others, each with its own drives."""
    *passive, last = servo.groups
    if len(last.g0) == 1:
        return servo
    one = constraint(last.name, last.G[:1], last.g0[:1], last.E[:, :1], last.drives[:1])
    two = constraint(f"{last.name}b", last.G[1:], last.g0[1:], last.E[:, 1:], last.drives[1:])
    return replace(servo, groups=(*passive, one, two))


def drawn_drives(system, one, extra, rng):
    """Return unit columns E in the metric of A that reach the last constraint clearly, and G2 W1 E by unit rows.

    The columns are arbitrary; where nearly parallel rows make those fail, each column drives one row.
    """
    bound, last = system.bound, system.groups[-1]
    W = one.state().W
    G = last.G / bound.lengths[-len(last.g0) :, None]
    for tries in range(20):
        Y = rng.normal(size=(len(system.h), len(last.g0) + extra))
        if tries == 19:
            Y = np.linalg.pinv((G @ W / bound.scale) @ bound.L) @ rng.normal(size=(len(G), Y.shape[1]))
        E = bound.L @ (Y / np.linalg.norm(Y, axis=0)) / bound.scale[:, None]
        response = G @ W @ E
        if np.linalg.svd(response)[1][-1] > SINGULAR:
            break
    return E, response


def exact_drives(one, program):
    """Return u and q'' in 50 digits."""
    A, h, G, g0 = one.independent
    n, s = len(h), len(G)
    K = np.block([[A, -G.T], [G, np.zeros((s, s))]])
    right = np.column_stack([np.concatenate([h, -g0]), np.vstack([program.E, np.zeros((s, program.E.shape[1]))])])
    x = solved(K, right)[:n]
    with mpmath.workdps(DIGITS):
        R = precise(program.G) @ x[:, 1:]
        u = R.T @ solved(R @ R.T, -(precise(program.G) @ x[:, 0] + precise(program.g0)))
        return rounded(u), rounded(x[:, 0] + x[:, 1:] @ u)


def drive_bounds(system, one, response, u):
    """Return bounds for u and q'': R u = b by least norm, R off by the error of W1, b by that of a1, for unit rows."""
    bound, rest, last = system.bound, one.bound, system.groups[-1]
    values = np.linalg.svd(response)[1]
    rows, columns = np.sqrt(response.shape)
    g0 = last.g0 / bound.lengths[-len(last.g0) :]
    response_off = (rest.projector + bound.unit * bound.w) * rows * columns
    asked_off = (rest.accelerations + bound.unit * (bound.w * rest.motion + np.linalg.norm(g0))) * rows
    size = np.linalg.norm(u)
    turn = 2 * values[0] / values[-1]
    u_off = turn * (response_off * size + asked_off) / values[-1] + turn * bound.unit * size
    return u_off, rest.accelerations + columns * (u_off + rest.projector * size)


@examples(4)
@given(plans(constraints=2, least=3), st.integers(0, 2))
def test_drives_keep_the_program(plan, extra):
    rng = np.random.default_rng([plan.seed, 6])
    system = independent(plan)
    one = system.without(system.names[-1])
    E, response = drawn_drives(system, one, extra, rng)
    servo = program_of(system, E)
    state, bound = servo.state(), system.bound
    u, a = exact_drives(one, servo.groups[-1])
    u_off, a_off = drive_bounds(system, one, response, u)
    drives = np.array([state.drives[f"u{k}"] for k in range(len(u))])
    assert np.linalg.norm(drives - u) <= u_off
    assert bound.of_accelerations(state.accelerations - a) <= a_off
    assert np.array_equal(state.reactions[system.names[-1]], E @ drives)
    check_two(in_two(servo).state(), state, u_off, a_off, bound)
    assert np.all(np.isnan(state.multipliers[-len(system.groups[-1].g0) :]))
    missed = (system.G @ state.accelerations + system.g0) / bound.lengths
    assert np.linalg.norm(missed) <= 2 * a_off * np.sqrt(len(missed))
    total = sum(state.reactions.values())
    allowed = 2 * (a_off + bound.forces) + one.bound.projector * (one.bound.motion + np.linalg.norm(u) * len(u))
    assert bound.of_forces(state.A @ state.accelerations - state.h - total) <= allowed


def check_two(state, other, u_off, a_off, bound):
    """Check that two programs act like one program with the rows and drives of both."""
    difference = np.array([state.drives[name] - other.drives[name] for name in other.drives])
    assert np.linalg.norm(difference) <= 2 * u_off
    assert bound.of_accelerations(state.accelerations - other.accelerations) <= 2 * a_off


@examples(2)
@given(plans(constraints=2, least=2))
def test_drives_along_the_rows_are_the_ideal_case(plan):
    system = independent(plan)
    *_, name = system.names
    one, last = system.without(name), system.groups[-1]
    state, ideal, bound = program_of(system, last.G.T).state(), system.state(), system.bound
    G = last.G / bound.lengths[-len(last.g0) :, None]
    response = G @ one.state().W @ G.T
    if np.linalg.svd(response)[1][-1] < 1e-7:  # squared distance of rows from parallel; the kernel refuses at 1e-9
        return
    multipliers = ideal.multipliers[-len(last.g0) :] * bound.lengths[-len(last.g0) :]
    u_off, a_off = drive_bounds(system, one, response, multipliers)
    scaled_drives = np.array(list(state.drives.values())) * bound.lengths[-len(last.g0) :]
    assert np.linalg.norm(scaled_drives - multipliers) <= u_off + bound.multipliers
    assert bound.of_accelerations(state.accelerations - ideal.accelerations) <= a_off + bound.accelerations
    shares = bound.multipliers + bound.k * (a_off + u_off)
    for other in system.names:
        difference = state.reactions[other] - ideal.reactions[other]
        assert bound.of_forces(difference) <= shares * np.sqrt(len(system.X))


@examples(2)
@given(plans(constraints=3, least=4))
def test_units_of_programs_do_not_matter(plan):
    rng = np.random.default_rng([plan.seed, 7])
    system = independent(replace(plan, groups=(plan.groups[0], sum(plan.groups[1:]))))
    one = system.without(system.names[-1])
    E, response = drawn_drives(system, one, 0, rng)
    units = 10.0 ** rng.uniform(-3, 3, plan.n)
    rows = 10.0 ** rng.uniform(-4, 4, len(system.X))
    other = program_of(system.in_units(units, rows), E * units[:, None]).state()
    u, a = exact_drives(one, program_of(system, E).groups[-1])
    u_off, a_off = drive_bounds(system, one, response, u)
    assert np.linalg.norm(np.array(list(other.drives.values())) - u) <= 2 * u_off
    assert system.bound.of_accelerations(other.accelerations * units - a) <= 2 * a_off


@examples(1)
@given(plans(constraints=2, least=2))
def test_drives_that_do_not_reach_the_program_are_reported(plan):
    rng = np.random.default_rng([plan.seed, 8])
    system = independent(plan)
    one = system.without(system.names[-1])
    E, _ = drawn_drives(system, one, 0, rng)
    E[:, 0] = one.G.T @ rng.normal(size=len(one.G))  # carried by the other constraints alone
    with pytest.raises(LienketError, match=repr(system.names[-1])) as caught:
        _ = program_of(system, E).state().accelerations
    assert "u0" in str(caught.value)
