"""The search for contact patterns: its answers obey every law, several and none are reported, loads are shared."""

import numpy as np
import pytest

from lienket.simulation.contacts.stick_slip import OPEN, SLIDE, STICK, ClosedContact, Mode, find_modes

SLACK = 1e-8


def drawn(rng, kinds, most):
    """Return random S (positive definite), y0 and contacts; kinds: "bilateral" or "unilateral", "smooth", "resting"."""
    touches, size = [], 0
    for k, kind in enumerate(kinds):
        smooth, mu = kind == "smooth", rng.uniform(0, most)
        moving = 0 if smooth or "resting" in kind else int(rng.choice([-1, 1]))
        pushes = smooth or "unilateral" in kind
        touches.append(
            ClosedContact(
                f"c{k}", size, -1 if smooth else size + 1, mu, mu * rng.uniform(1, 1.4), pushes, moving=moving
            )
        )
        size += 1 if smooth else 2
    J = rng.normal(size=(size, size + 2))
    return J @ J.T, rng.normal(size=size), touches


def obeys(S, y0, touches, pattern):
    """Assert every law of contact independently of the search."""
    y, scale = S @ pattern.forces + y0, 1 + np.max(np.abs(pattern.forces)) + np.max(np.abs(y0))
    little = SLACK * scale * (1 + np.max(np.abs(S)))
    for touch, mode in zip(touches, pattern.modes, strict=True):
        normal = pattern.forces[touch.normal]
        rubbed = pattern.forces[touch.tangential] if touch.tangential >= 0 else 0.0
        slid = y[touch.tangential] if touch.tangential >= 0 else 0.0
        if touch.pushes:
            assert normal >= -little and y[touch.normal] >= -little
            assert abs(normal * y[touch.normal]) <= little * scale
        else:
            assert abs(y[touch.normal]) <= little
        if touch.tangential < 0:
            continue
        if mode.kind == OPEN:
            assert max(abs(normal), abs(rubbed)) <= 1e-14 * scale
        elif touch.moving:
            assert abs(rubbed + touch.mu * abs(normal) * touch.moving) <= little
        elif mode.kind == STICK:
            assert abs(slid) <= little and abs(rubbed) <= touch.mu_static * abs(normal) + little
        else:
            assert slid * mode.direction >= -little  # sliding begins, and friction opposes it
            assert abs(rubbed + touch.mu * abs(normal) * mode.direction) <= little


KINDS = [
    ("bilateral",),
    ("unilateral",),
    ("bilateral resting",),
    ("unilateral resting",),
    ("unilateral", "unilateral resting"),
    ("bilateral", "unilateral resting", "smooth"),
    ("unilateral resting", "unilateral resting", "unilateral"),
    ("unilateral resting",) * 4,
]


@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
@pytest.mark.parametrize("most", [0.3, 2.0])
def test_answers_obey_every_law(kinds, most):
    rng, answered = np.random.default_rng([len(kinds), KINDS.index(kinds), int(10 * most)]), 0
    for _ in range(60):
        S, y0, touches = drawn(rng, kinds, most)
        answer = find_modes(S, y0, touches)
        if answer is not None:
            obeys(S, y0, touches, answer)
            answered += 1
    assert answered >= 40


def is_p_matrix(M):
    """Return True if every principal minor is positive."""
    n = len(M)
    subsets = ([i for i in range(n) if bits >> i & 1] for bits in range(1, 2**n))
    return all(np.linalg.det(M[np.ix_(chosen, chosen)]) > 0 for chosen in subsets)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_pattern_for_every_load_if_it_is_a_p_matrix(count):
    """Sliding unilateral contacts have one pattern for every load if and only if their matrix is a P-matrix.

    y_n = (S_nn - S_nt mu d) lambda + y0 is a linear complementarity problem (Samelson, Thrall, Wesler 1958).
    """
    rng, seen = np.random.default_rng(count), set()
    for _ in range(60):
        S, _, touches = drawn(rng, ("unilateral",) * count, 1.5)
        friction = np.diag([-touch.mu * touch.moving for touch in touches])
        M = S[::2, ::2] + S[::2, 1::2] @ friction
        single = is_p_matrix(M)
        seen.add(single)
        loads = [np.insert(load, range(1, count + 1), 0.0) for load in rng.normal(size=(30, count))]
        answers = [find_modes(S, y0, touches) for y0 in loads]
        alone = [answer is not None and answer.others == 0 for answer in answers]
        assert all(alone) or not single
        if not single and count == 1:
            assert not any(alone)  # otherwise the load decides between none and two
    assert seen == {True, False} or count == 1


def test_two_and_none_beyond_the_paradox():
    """For one contact with S_nn - mu S_nt = -1 a pressing load has no solution, a lifting one has two."""
    S, touch = np.array([[1.0, 1.0], [1.0, 3.0]]), ClosedContact("c", 0, 1, 2.0, 2.0, True, moving=1)
    assert find_modes(S, np.array([-1.0, 0.0]), [touch]) is None
    two = find_modes(S, np.array([1.0, 0.0]), [touch])
    assert two.others == 1
    either = ClosedContact("c", 0, 1, 2.0, 2.0, False, moving=1)
    assert find_modes(S, np.array([-1.0, 0.0]), [either]) is None
    assert find_modes(S, np.array([1.0, 0.0]), [either]).others == 1


def test_contact_that_can_stick_sticks():
    """A block at rest under a load between kinetic and static friction could stick or slide: it sticks."""
    S, load = np.eye(2), 0.5
    touch = ClosedContact("c", 0, 1, 0.3, 0.6, True)
    pattern = find_modes(S, np.array([-1.0, load]), [touch])
    assert pattern.modes == (Mode(STICK),) and pattern.others == 0
    assert pattern.forces == pytest.approx([1.0, -load])
    broken = ClosedContact("c", 0, 1, 0.3, 0.6, True, may_stick=False, must_slide=1)
    pattern = find_modes(S, np.array([-1.0, load]), [broken])
    assert pattern.modes == (Mode(SLIDE, 1, 1),) and pattern.forces == pytest.approx([1.0, -0.3])
    assert find_modes(S, np.array([-1.0, 0.7]), [touch]).modes == (Mode(SLIDE, 1, 1),)
    assert find_modes(S, np.array([-1.0, -0.7]), [touch]).modes == (Mode(SLIDE, -1, 1),)


def test_previous_pattern_is_preferred():
    """At lambda = 0 both signs are possible; the previous one is kept."""
    S = np.array([[1.0, 0.2], [0.2, 1.0]])
    both = ClosedContact("c", 0, 1, 0.5, 0.5, False, moving=1)
    for sense in (1, -1):
        pattern = find_modes(S, np.array([0.0, 0.0]), [both], [Mode(SLIDE, 1, sense)])
        assert pattern.modes == (Mode(SLIDE, 1, sense),) and pattern.others == 0


@pytest.mark.parametrize("moving", [0, 1])
def test_a_block_on_four_feet_shares_its_load(moving):
    """Four feet in a row under a rigid block carry a central weight; only sums of their forces are determined."""
    arms, height, weight = np.array([-3.0, -1.0, 1.0, 3.0]), 0.0, 8.0
    rows = []
    for arm in arms:
        rows += [[0.0, 1.0, arm], [1.0, 0.0, -height]]
    C = np.array(rows)
    W = np.diag([1.0, 1.0, 0.5])
    touches = [ClosedContact(f"foot {k}", 2 * k, 2 * k + 1, 0.25, 0.5, True, moving=moving) for k in range(4)]
    pattern = find_modes(C @ W @ C.T, C @ W @ np.array([2.0, -weight, 0.0]), touches)
    forces = pattern.forces
    assert forces[::2] == pytest.approx(np.full(4, weight / 4))  # least-squares shares
    assert np.sum(forces[1::2]) == pytest.approx(-0.25 * weight if moving else -2.0)
    assert arms @ forces[::2] == pytest.approx(0.0, abs=1e-12)
    assert {mode.kind for mode in pattern.modes} == {SLIDE if moving else STICK}
