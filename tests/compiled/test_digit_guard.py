"""The guard of digits: what emitted code accepts is accurate to 50 digits, and the kernels judge what it doubts."""

import mpmath
import numpy as np
import pytest
from random_cases import share_of
from test_guard import Matrices

import lienket as lk
from lienket import der
from lienket.compiled.model import CompiledModel
from lienket.kernels.native.calls import accelerations
from lienket.kernels.row_residuals import cannot_be_better, satisfies_rows

ACCURATE = 1e-11  # [1] error of an acceleration relative to the whole motion, in the metric of A
DOUBTFUL = 2


def exact(A, h, G, g0):
    """Return a by elimination in 50 digits."""
    n, s = len(h), len(g0)
    with mpmath.workdps(50):
        K = mpmath.matrix(np.block([[A, G.T], [G, np.zeros((s, s))]]).tolist())
        return np.array([float(x) for x in mpmath.lu_solve(K, mpmath.matrix([*h, *-g0]))[:n]])


def drawn(rng, n, s, count):
    """Return systems with masses over 18 orders of magnitude and forces that nearly balance in many of them."""
    B = rng.normal(size=(count, n, n))
    masses = 10.0 ** (rng.uniform(-4.5, 4.5, (count, n)) * rng.choice([0.0, 0.3, 1.0], (count, 1)))
    A = (B @ np.swapaxes(B, 1, 2) + 3 * np.eye(n)) * masses[:, :, None] * masses[:, None, :]
    G = rng.normal(size=(count, s, n)) * 10.0 ** rng.uniform(-2, 2, (count, s, 1))
    balanced = np.einsum("tki,tk->ti", G, rng.normal(size=(count, s)) * 10.0 ** rng.uniform(0, 9, (count, 1)))
    h = rng.normal(size=(count, n)) * masses + balanced * (rng.random((count, 1)) < 0.7)
    return A, h, G, rng.normal(size=(count, s)) * (rng.random((count, 1)) < 0.5)


@pytest.mark.parametrize("dense", [False, True], ids=["written out", "vector code"])
def test_accepted_accelerations_are_those_of_fifty_digits(dense):
    rng, accepted, seen = np.random.default_rng(11 + dense), 0, 0
    while seen < share_of(2000):
        n = int(rng.integers(2, 8))
        s = int(rng.integers(1, n))
        everywhere = np.ones((n, n), bool), np.ones((s, n), bool)
        system = Matrices(n, s, *everywhere, dense)
        A, h, G, g0 = drawn(rng, n, s, 50)
        states = system.flat(A, h, G, g0)
        status, out = system.motion.many(np.zeros(50), states, states, np.zeros(0), np.zeros((50, 0)))
        for k in np.flatnonzero(status == 0):
            expected = exact(A[k], h[k], G[k], g0[k])
            inertia = np.diag(A[k])
            motion = np.sqrt(inertia @ expected**2 / inertia)
            assert np.all(np.abs(out[k, :n] - expected) <= ACCURATE * motion), (n, s, k)
        seen, accepted = seen + 50, accepted + np.count_nonzero(status == 0)
    assert 0.15 * seen < accepted < 0.8 * seen


def glued():
    """Return a heavy and a light body that are glued, with a force on each."""
    x, y = lk.coordinates("x y")
    M, m, F, f = lk.parameters("M m F f")
    T = M * der(x) ** 2 / 2 + m * der(y) ** 2 / 2
    return lk.System("glued", [x, y], kinetic=T, forces={x: F, y: f}).constrain("glue", x - y)


def judged(values):
    """Return emitted accelerations, those of the kernels, both statuses, and A, h, G, g0, multipliers."""
    system = glued()
    model = CompiledModel(system.statement.free, system.constraints, system.parameters)
    numbers = np.array([values[p.name] for p in system.parameters])
    state = (0.0, np.zeros(2), np.ones(2), numbers, np.zeros(model.inputs))
    status, out = model.motion(*state)
    terms = model.function("terms")
    found = accelerations(model.motion.address, terms.address, *state[:4], model.s, state[4])
    return out[:2], found.a, (status, found.status), (*terms.parts(terms(*state)[1]), out[2:])


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9, 1e12, 1e15, 1e18])
def test_a_force_on_a_light_body(ratio):
    """The light body has the acceleration of the heavy one; emitted code does not know it, the kernels find it."""
    emitted, found, (status, how), (A, h, G, g0, multipliers) = judged(
        {"M": ratio, "m": 1.0, "F": 0.0, "f": 3.1 * ratio}
    )
    assert found == pytest.approx(np.full(2, 3.1 * ratio / (ratio + 1)), rel=1e-9)
    assert how in (0, 1, 2)
    if status == 0:
        assert emitted == pytest.approx(found, rel=1e-9)
    else:
        assert status == DOUBTFUL
        assert not cannot_be_better(A, h, G, g0, emitted, multipliers) or emitted == pytest.approx(found, rel=1e-9)
    assert satisfies_rows(A, h, G, g0, found)


@pytest.mark.parametrize("rest", [1e-3, 1e-7, 1e-11])
def test_forces_that_balance_are_no_loss(rest):
    """Opposite forces on equal bodies: the rest is as uncertain for both, and emitted accelerations stay."""
    emitted, found, (status, how), terms = judged({"M": 1.0, "m": 1.0, "F": 1.0, "f": -1.0 + rest})
    assert (status, how) == (DOUBTFUL, 0)
    assert cannot_be_better(*terms[:4], emitted, terms[4])
    assert found.tobytes() == emitted.tobytes()
    assert found == pytest.approx(np.full(2, rest / 2), rel=1e-14 / rest)


def test_without_inputs_the_digits_are_not_checked():
    """A null pointer for the inputs leaves the check out, as between accepted states; the numbers are equal."""
    system = glued()
    model = CompiledModel(system.statement.free, system.constraints, system.parameters)
    values = {"M": 1e12, "m": 1.0, "F": 1.0, "f": 1e12}
    numbers = np.array([values[p.name] for p in system.parameters])
    q, v, motion = np.zeros(2), np.zeros(2), model.motion
    status, checked = motion(0.0, q, v, numbers, np.zeros(model.inputs))
    assert status == DOUBTFUL
    out = np.empty(motion.size)
    assert motion._one(0.0, *(x.ctypes.data for x in (q, v, numbers)), None, out.ctypes.data) == 0
    np.testing.assert_array_equal(out, checked)


def test_redundant_rows_that_are_left_out_are_not_judged():
    """Beside the constraints x = 0, stated twice, the second row asks for another acceleration, without a load."""
    terms = np.eye(2), np.array([1.0, 0.0]), np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0.0, 1e-6])
    a, multipliers = np.zeros(2), np.array([-1.0, 0.0])
    assert not cannot_be_better(*terms, a, multipliers)
    assert cannot_be_better(*terms, a, multipliers, loaded=True)
    assert not cannot_be_better(*terms, np.array([1e-3, 0.0]), multipliers, loaded=True)
