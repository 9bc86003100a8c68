"""The search for patterns of contacts: what it returns obeys every law; several and none are told; loads are shared."""

import numpy as np
import pytest

from lienket.simulation.contacts.stick_slip import OPEN, SLIDE, STICK, ClosedContact, Mode, find_modes

SLACK = 1e-8


def drawn(rng, kinds, most):
    """S (positive definite), y0 and touches of contacts; kinds: "bilateral" or "unilateral", "smooth", "resting"."""
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


def obeys(S, y0, touches, found):
    """Every law, written out again."""
    y, scale = S @ found.forces + y0, 1 + np.max(np.abs(found.forces)) + np.max(np.abs(y0))
    little = SLACK * scale * (1 + np.max(np.abs(S)))
    for touch, mode in zip(touches, found.modes, strict=True):
        normal = found.forces[touch.normal]
        rubbed = found.forces[touch.tangential] if touch.tangential >= 0 else 0.0
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
            assert slid * mode.direction >= -little  # it begins to slide, and friction is against it
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
def test_what_is_returned_obeys_every_law(kinds, most):
    rng, found = np.random.default_rng([len(kinds), KINDS.index(kinds), int(10 * most)]), 0
    for _ in range(60):
        S, y0, touches = drawn(rng, kinds, most)
        answer = find_modes(S, y0, touches)
        if answer is not None:
            obeys(S, y0, touches, answer)
            found += 1
    assert found >= 40


def is_p_matrix(M):
    """Whether every principal minor is positive."""
    n = len(M)
    subsets = ([i for i in range(n) if bits >> i & 1] for bits in range(1, 2**n))
    return all(np.linalg.det(M[np.ix_(chosen, chosen)]) > 0 for chosen in subsets)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_pattern_for_every_load_if_it_is_a_p_matrix(count):
    """Unilateral contacts that slide: y_n = (S_nn - S_nt mu d) lambda + y0 is a linear complementarity problem, which
    has just one solution for every y0 if and only if its matrix is a P-matrix (Samelson, Thrall, Wesler 1958).
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
            assert not any(alone)  # beyond, the load decides between none and two
    assert seen == {True, False} or count == 1


def test_two_and_none_beyond_the_paradox():
    """One contact with S_nn - mu S_nt = -1: a load that presses has no solution, one that lifts has two."""
    S, touch = np.array([[1.0, 1.0], [1.0, 3.0]]), ClosedContact("c", 0, 1, 2.0, 2.0, True, moving=1)
    assert find_modes(S, np.array([-1.0, 0.0]), [touch]) is None
    two = find_modes(S, np.array([1.0, 0.0]), [touch])
    assert two.others == 1
    either = ClosedContact("c", 0, 1, 2.0, 2.0, False, moving=1)
    assert find_modes(S, np.array([-1.0, 0.0]), [either]) is None
    assert find_modes(S, np.array([1.0, 0.0]), [either]).others == 1


def test_what_can_stick_sticks():
    """Kinetic friction less than static: a block at rest under a load between may stick or slide, and sticks."""
    S, load = np.eye(2), 0.5
    touch = ClosedContact("c", 0, 1, 0.3, 0.6, True)
    found = find_modes(S, np.array([-1.0, load]), [touch])
    assert found.modes == (Mode(STICK),) and found.others == 0
    assert found.forces == pytest.approx([1.0, -load])
    broken = ClosedContact("c", 0, 1, 0.3, 0.6, True, may_stick=False, must_slide=1)
    found = find_modes(S, np.array([-1.0, load]), [broken])
    assert found.modes == (Mode(SLIDE, 1, 1),) and found.forces == pytest.approx([1.0, -0.3])
    assert find_modes(S, np.array([-1.0, 0.7]), [touch]).modes == (Mode(SLIDE, 1, 1),)
    assert find_modes(S, np.array([-1.0, -0.7]), [touch]).modes == (Mode(SLIDE, -1, 1),)


def test_the_pattern_before_comes_first():
    """At lambda = 0 both senses hold; the one before is taken."""
    S = np.array([[1.0, 0.2], [0.2, 1.0]])
    both = ClosedContact("c", 0, 1, 0.5, 0.5, False, moving=1)
    for sense in (1, -1):
        found = find_modes(S, np.array([0.0, 0.0]), [both], [Mode(SLIDE, 1, sense)])
        assert found.modes == (Mode(SLIDE, 1, sense),) and found.others == 0


@pytest.mark.parametrize("moving", [0, 1])
def test_a_block_on_four_feet_shares_its_load(moving):
    """Four feet in a row under one rigid block carry a weight at the middle; only sums are determined."""
    places, height, weight = np.array([-3.0, -1.0, 1.0, 3.0]), 0.0, 8.0
    rows = []
    for place in places:
        rows += [[0.0, 1.0, place], [1.0, 0.0, -height]]
    C = np.array(rows)
    W = np.diag([1.0, 1.0, 0.5])
    touches = [ClosedContact(f"foot {k}", 2 * k, 2 * k + 1, 0.25, 0.5, True, moving=moving) for k in range(4)]
    found = find_modes(C @ W @ C.T, C @ W @ np.array([2.0, -weight, 0.0]), touches)
    forces = found.forces
    assert forces[::2] == pytest.approx(np.full(4, weight / 4))  # the shares of least squares
    assert np.sum(forces[1::2]) == pytest.approx(-0.25 * weight if moving else -2.0)
    assert places @ forces[::2] == pytest.approx(0.0, abs=1e-12)
    assert {mode.kind for mode in found.modes} == {SLIDE if moving else STICK}
