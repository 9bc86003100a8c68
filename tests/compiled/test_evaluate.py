"""Evaluation of many states at once equals evaluation one by one, for all array shapes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from compiling import by_sympy, ideal

import lienket as lk
from lienket import der, t

MODELS = sorted((Path(__file__).parents[2] / "examples" / "models").glob("*.toml"))
x, y = lk.coordinates("x y")
m, g = lk.parameters("m g")


def pendulum():
    """Return a point on a rod of pulsating length, with drag."""
    system = lk.System(
        "pendulum",
        [x, y],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2,
        potential=m * g * y,
        forces={x: -(der(x) ** 3)},
        values={"m": 2.0, "g": 9.81},
    )
    return system.constrain("rod", x**2 + y**2 - (1.5 + sp.sin(t) / 5) ** 2)


def drawn(shape, n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 1, shape), rng.uniform(0.2, 1.3, (*shape, n)), rng.uniform(-1, 1, (*shape, n))


def values_of(system, seed=0):
    rng = np.random.default_rng(seed)
    defaults = {p: float(value) for p, value in system.values.items()}
    return {p: defaults.get(p) or float(rng.uniform(0.5, 2)) for p in system.parameters}


def same(actual, expected, scale=None, rtol=1e-9):
    scale = np.max(np.abs(expected), initial=1e-300) if scale is None else scale
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * scale)


# Agreement with `system.at`, state by state


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_examples_state_by_state(path):
    system = ideal(lk.load(path))
    values = values_of(system)
    compiled, n = system.compile(), len(system.coordinates)
    times, q, v = drawn((2, 4), n)
    evaluation = compiled.evaluate(times, q, v, values)
    for index in np.ndindex(2, 4):
        state = system.at(q[index], v[index], float(times[index]), values)
        for name in ("A", "h", "G", "g0"):
            same(getattr(evaluation, name)[index], getattr(state, name), rtol=1e-12)
        for name in ("position", "velocity"):
            rows = [getattr(row, name) if len(getattr(row, name)) else 0 * row.g0 for row in state._numbers.rows]
            same(getattr(evaluation, name)[index], np.concatenate([np.zeros(0), *rows]), scale=1.0, rtol=1e-12)
        same(evaluation.accelerations[index], state.accelerations)
        if evaluation.status[index] < 3:
            same(evaluation.multipliers[index], np.nan_to_num(state.multipliers))  # programs have none
        assert evaluation.drives.keys() == state.drives.keys()
        for name, drive in state.drives.items():
            same(evaluation.drives[name][index], np.array(drive))


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (1, 1), (0,), (2, 0, 3)])
def test_leading_axes_come_first_everywhere(shape):
    compiled = pendulum().compile({"height": y, "pull": der(x, 2) * m})
    evaluation = compiled.evaluate(*drawn(shape, 2))
    sizes = {"accelerations": (2,), "multipliers": (1,), "status": (), "A": (2, 2), "h": (2,), "G": (1, 2), "g0": (1,),
             "position": (1,), "velocity": (1,), "kinetic": (), "potential": (), "energy": (), "by_q": (3, 2),
             "by_v": (3, 2), "by_t": (3,), "by_parameters": (3, 2)}  # fmt: skip
    for name, size in sizes.items():
        assert getattr(evaluation, name).shape == (*shape, *size), name
    assert {name: array.shape for name, array in evaluation.outputs.items()} == {"height": shape, "pull": shape}


def test_numbers_broadcast_and_names_may_be_used():
    compiled = pendulum().compile()
    times, q, v = drawn((3, 4), 2)
    expected = compiled.evaluate(np.full((3, 4), 0.25), q, v).accelerations
    np.testing.assert_array_equal(compiled.evaluate(0.25, q, v).accelerations, expected)
    by_name = compiled.evaluate(0.25, {"x": q[..., 0], y: q[..., 1]}, {der(x): v[..., 0], "y'": v[..., 1]})
    np.testing.assert_array_equal(by_name.accelerations, expected)
    column = compiled.evaluate(times[:, :1], {"x": q[:, 0, 0][:, None], "y": 0.5}, [0.3, 0.4])
    assert column.accelerations.shape == (3, 1, 2)
    for k in range(3):
        single = compiled.evaluate(times[k, 0], [q[k, 0, 0], 0.5], {"x": 0.3, "y": 0.4})
        np.testing.assert_array_equal(single.accelerations, column.accelerations[k, 0])
    spread = compiled.evaluate(np.zeros(5), q[0, 0], v[0, 0])
    assert spread.accelerations.shape == (5, 2) and np.ptp(spread.accelerations, axis=0).max() == 0


def test_numbers_of_parameters_hold_for_all_states():
    compiled = pendulum().compile()
    for mass in (1.0, 4.0):
        np.testing.assert_array_equal(
            compiled.evaluate(0, np.ones((3, 2)), [0, 0], {"m": mass}).A, [np.eye(2) * mass] * 3
        )


def test_input_arrays_are_not_changed():
    compiled = pendulum().compile()
    arrays = drawn((4,), 2)
    before = [array.copy() for array in arrays]
    evaluation = compiled.evaluate(*arrays)
    _ = evaluation.accelerations, evaluation.by_q
    for one, other in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(one, other)
    arrays[1][:] = 7.0  # later changes of the input have no effect
    np.testing.assert_array_equal(evaluation.position, compiled.evaluate(*before).position)


# Meaning of the numbers


def test_residuals_energy_and_outputs_by_hand():
    system = pendulum()
    compiled = system.compile({"height": y / m, "pull": m * der(x, 2) + t, "speed": der(x) ** 2 + der(y) ** 2})
    times, q, v = drawn((50,), 2, 3)
    evaluation = compiled.evaluate(times, q, v)
    length, rate = 1.5 + np.sin(times) / 5, np.cos(times) / 5
    same(evaluation.position[:, 0], np.sum(q**2, axis=1) - length**2, rtol=1e-13)
    same(evaluation.velocity[:, 0], 2 * np.sum(q * v, axis=1) - 2 * length * rate, rtol=1e-13)
    same(evaluation.kinetic, np.sum(v**2, axis=1), rtol=1e-13)
    same(evaluation.potential, 2 * 9.81 * q[:, 1], rtol=1e-13)
    same(evaluation.energy, evaluation.kinetic + evaluation.potential, rtol=1e-15)
    a, multipliers = evaluation.accelerations, evaluation.multipliers
    forces = np.stack([-(v[:, 0] ** 3), np.full(50, -2 * 9.81)], axis=1) + multipliers * 2 * q
    same(2.0 * a, forces, rtol=1e-12)
    growth = 2 * rate**2 - 2 * length * np.sin(times) / 5
    same(2 * np.sum(q * a + v**2, axis=1), growth, rtol=1e-11)
    same(evaluation.outputs["height"], q[:, 1] / 2, rtol=1e-15)
    same(evaluation.outputs["pull"], 2 * a[:, 0] + times, rtol=1e-13)
    same(evaluation.outputs["speed"], np.sum(v**2, axis=1), rtol=1e-14)
    assert compiled.evaluate(0, [1, 1], [0, 0]).outputs.keys() == {"height", "pull", "speed"}
    assert system.compile().evaluate(0, [1, 1], [0, 0]).outputs == {}


def test_derivatives_of_the_balance_at_the_solution():
    """SymPy's derivatives of A q'' - h - G^T lambda and G q'' + g0 by q, v, t and parameters, q'' and lambda fixed."""
    times, q, v = drawn((6,), 2, 5)
    evaluation = pendulum().compile().evaluate(times, q, v)
    s = sp.symbols("t x y u w m g a b k", real=True)
    T, X, Y, U, W, M, gravity, a, b, k = s
    L = sp.Rational(3, 2) + sp.sin(T) / 5
    c = X**2 + Y**2 - L**2
    bent = 2 * (X * a + Y * b + U**2 + W**2) - (L**2).diff(T, 2)
    balance = [M * a + U**3 - k * c.diff(X), M * b + M * gravity - k * c.diff(Y), bent]
    points = np.column_stack(
        [times, q, v, np.full((6, 1), 9.81), np.full((6, 1), 2.0), evaluation.accelerations, evaluation.multipliers]
    )
    points[:, [5, 6]] = points[:, [6, 5]]
    assert [p.name for p in pendulum().parameters] == ["g", "m"]
    for name, symbols in (("by_q", (X, Y)), ("by_v", (U, W)), ("by_t", (T,)), ("by_parameters", (gravity, M))):
        expected = by_sympy([sp.diff(e, symbol) for e in balance for symbol in symbols], s, points)
        same(getattr(evaluation, name).reshape(6, -1), expected, rtol=1e-13)


# Threads, summary, better code


def test_threads_get_the_same_numbers():
    system = pendulum()
    times, q, v = drawn((500,), 2, 11)
    expected = system.compile().evaluate(times, q, v)
    wanted = ("accelerations", "multipliers", "A", "position", "energy", "by_q", "by_parameters")
    for fresh in (False, True):
        shared = system.compile({"new": x * y + 1}) if fresh else system.compile()

        def work(shift, shared=shared):
            evaluation = shared.evaluate(np.roll(times, shift), np.roll(q, shift, axis=0), np.roll(v, shift, axis=0))
            return {name: np.roll(getattr(evaluation, name), -shift, axis=0) for name in wanted}

        with ThreadPoolExecutor(8) as pool:
            for evaluation in pool.map(work, range(24)):
                for name in wanted:
                    np.testing.assert_array_equal(evaluation[name], getattr(expected, name))


def test_summary_and_optimized_code():
    system = pendulum()
    compiled = system.compile({"unlike any other": x**5 + y})
    assert compiled.summary() == "Nothing has been compiled yet."
    times, q, v = drawn((20,), 2, 13)
    first = compiled.evaluate(times, q, v)
    expected = first.accelerations, first.outputs["unlike any other"]
    head, *rows = compiled.summary().splitlines()
    assert head.split() == ["function", "operations", "seconds", "bytes", "code"]
    assert {row.split()[0] for row in rows} == {"motion", "outputs"}
    assert all(int(row.split()[1]) > 0 and int(row.split()[3]) > 0 for row in rows)
    assert "x, y" in repr(compiled) and "1 rows of constraints" in repr(compiled)
    better = compiled.optimized()
    assert better.optimized().model is better.model and better.summary() == "Nothing has been compiled yet."
    second = better.evaluate(times, q, v)
    same(second.accelerations, expected[0], rtol=1e-12)
    same(second.outputs["unlike any other"], expected[1], rtol=1e-13)
    assert "quick" not in better.summary()
