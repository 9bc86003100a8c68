"""Systems on which a careless compiler returns a wrong number or none."""

import copy
import gc
import pickle
import threading

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.compiled.model import CompiledModel

x, y, z = lk.coordinates("x y z")
m, k, F, g = lk.parameters("m k F g")


@pytest.mark.parametrize("weak", [1e-5, 1e-7, 1e-9])
def test_a_massless_part_held_by_a_constraint_that_hardly_moves_any_mass(weak):
    """The constraint carries the whole force on the massless z: lambda = -F, and m x'' = k lambda."""
    rod = lk.Acceleration(k * der(x, 2) + der(z, 2) + g)
    system = lk.System("s", [x, z], kinetic=m * der(x) ** 2 / 2, forces={z: F}).constrain("rod", rod)
    numbers = {"m": 1.3, "k": weak, "F": 0.7, "g": 3.3}
    evaluation = system.compile().evaluate(0.0, [0.37, 0], [0.2, 0], numbers)
    np.testing.assert_allclose(evaluation.multipliers, [-0.7], rtol=1e-12)
    np.testing.assert_allclose(evaluation.accelerations[0], -0.7 * weak / 1.3, rtol=1e-12)


@pytest.mark.parametrize(
    ("bend", "position"), [(sp.tanh(50 * (y - 3)), 3.0), ((y / 10) ** 20, 10.0), (sp.exp(40 * (y - 5)), 5.0)], ids=str
)
def test_a_velocity_that_is_a_rate_nearly_everywhere(bend, position):
    """x' + f(y) x' is not the rate of a position, although f is nearly constant over most of its range."""
    T = m * (der(x) + bend * der(x)) ** 2 / 2 + m * der(y) ** 2 / 2
    system = lk.System("bent", [x, y], kinetic=T, values={m: 1.0})
    state = system.at([1.0, position], [1.0, 1.0])
    point = {der(x): 1, der(y): 1, m: 1}
    expected = [float(e.xreplace(point).xreplace({x: 1, y: sp.Float(position)})) for e in system.free.h]
    np.testing.assert_allclose(state.h, expected, rtol=1e-12)


def test_pivots_that_are_plain_numbers():
    system = lk.System("numbers", [x, y], kinetic=der(x) ** 2 / 2 + der(y) ** 2, potential=x**2 / 2).constrain("c", y)
    evaluation = system.compile().evaluate(0.0, [1.0, 0.0], [0.0, 0.0])
    np.testing.assert_allclose(evaluation.accelerations, [-1.0, 0.0], atol=1e-15)
    assert evaluation.status == 0
    heavy = lk.System("negative", [x], kinetic=-(der(x) ** 2) / 2).compile()
    assert heavy.evaluate(0.0, [1.0], [0.0]).status == -3  # a negative mass is never trusted


def test_cases_in_potentials_and_constraints():
    V = sp.Piecewise((x**2, x > 0), (x**4, True)) + sp.Max(x, y) ** 2
    system = lk.System("cases", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=V, values={m: 2.0})
    right, left = (system.at([position, 0.0], [0.0, 0.0]).accelerations for position in (0.5, -0.5))
    np.testing.assert_allclose(right, [-(2 * 0.5 + 2 * 0.5) / 2, 0.0])
    np.testing.assert_allclose(left, [0.25, 0.0], atol=1e-15)  # y is larger, and zero
    by_q = system.compile().evaluate(0.0, [0.5, 0.0], [0.0, 0.0]).by_q
    np.testing.assert_allclose(by_q, [[4.0, 0.0], [0.0, 0.0]])


def test_an_evaluation_belongs_to_the_states_it_was_made_for():
    code = lk.System("quartic", [x], kinetic=der(x) ** 2 / 2, potential=x**4).compile()
    q = np.array([[1.0], [2.0]])
    evaluation = code.evaluate(0.0, q, np.zeros(1))
    q += 1
    np.testing.assert_allclose(evaluation.accelerations, [[-4.0], [-32.0]])
    with pytest.raises(ValueError, match="read-only"):
        evaluation.accelerations[0] = 7


def test_machine_code_can_be_copied_and_pickled():
    code = lk.System("quartic", [x], kinetic=m * der(x) ** 2 / 2, potential=x**4, values={m: 2}).compile({"v": der(x)})
    for other in (pickle.loads(pickle.dumps(code)), copy.deepcopy(code)):
        np.testing.assert_allclose(other.evaluate(0.0, [1.0], [3.0]).accelerations, [-2.0])
        np.testing.assert_allclose(other.evaluate(0.0, [1.0], [3.0]).outputs["v"], 3.0)


def test_a_function_keeps_what_it_calls():
    """The code outlives its model, and so does the Python function that it calls."""

    class Spring:
        def __call__(self, position):
            return -2.0 * position

    force = lk.function("spring", Spring())
    system = lk.System("s", [x], kinetic=der(x) ** 2 / 2, forces={x: force(x)})
    terms = CompiledModel(system.statement.free, (), ()).function("terms")
    del force, system
    gc.collect()
    assert terms(0.0, np.array([1.5]), np.zeros(1), np.zeros(0), np.zeros(1))[1][1] == -3.0


def test_wrong_lengths_are_refused_before_memory_is_read():
    system = lk.System("s", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, values={m: 1})
    terms = system.compile().model.function("terms")
    good = (np.zeros(2), np.zeros(2), np.ones(1), np.zeros(2))
    terms(0.0, *good)
    for k in range(4):
        for bad in (np.zeros(7), np.zeros(len(good[k]), dtype=np.float32), np.zeros(2 * len(good[k]))[::2]):
            if bad.shape != good[k].shape or bad.dtype != float or not bad.flags.c_contiguous:
                with pytest.raises(ValueError, match="takes a C-contiguous float64 array of shape"):
                    terms(0.0, *good[:k], bad, *good[k + 1 :])


def test_python_runs_while_many_states_are_computed():
    """Another thread sees the first results while the last are not yet computed."""
    system = lk.System("s", [x, y], kinetic=m * (der(x) ** 2 + (1 + sp.sin(x) ** 2) * der(y) ** 2) / 2)
    motion = CompiledModel(system.statement.free, (), system.parameters).motion
    count, seen = 3_000_000, []
    states, out = np.ones((count, 2)), np.full((count, 2), np.nan)
    rest = (np.zeros(count), states, states, np.ones(1), np.zeros((count, 2)), out, np.zeros(count, dtype=np.int64))
    work = threading.Thread(target=motion._many, args=(count, *(a.ctypes.data for a in rest)))
    work.start()
    while work.is_alive():
        seen.append(bool(np.isfinite(out[0, 0]) and np.isnan(out[-1, 0])))
    work.join()
    assert any(seen)
    assert np.all(np.isfinite(out))


def test_threads_that_use_different_functions_of_a_new_system():
    answers = []

    def ask(what, code):
        answers.append(what(code))

    for n in range(4):
        code = lk.System(f"s{n}", [x, y], kinetic=m * (der(x) ** 2 + (n + x**2) * der(y) ** 2) / 2).compile()
        asked = (
            lambda c: c.c_source(),
            lambda c: c.evaluate(0.0, [1.0, 2.0], [0.5, 0.3], {"m": 1}).accelerations,
            lambda c: c.evaluate(0.0, [1.0, 2.0], [0.5, 0.3], {"m": 1}).by_q,
            lambda c: c.summary(),
        )
        threads = [threading.Thread(target=ask, args=(what, code)) for what in asked]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(answers) == 16
