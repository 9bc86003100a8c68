"""Evaluation of many states of systems with contacts equals `system.at` state by state, in the mode of each state."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket import t as t_symbol
from lienket.errors import LienketError, ModelError

MODELS = Path(__file__).parents[2] / "examples" / "models"
COUNT = 24
x, y, z = lk.coordinates("x y z")
F, mu = lk.parameters("F mu")


def states(n, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 1, COUNT), rng.uniform(0.1, 1.3, (COUNT, n)), rng.uniform(-1, 1, (COUNT, n))


def belt():
    """Return the block on a belt; a third of the states moves with the belt, under a spring that may hold it or not."""
    t, q, v = states(2, 1)
    v[::3] = [0.15, 0.0]
    q[::3, 0] = np.linspace(-0.12, 0.12, len(q[::3]))
    return lk.load(MODELS / "belt.toml"), t, q, v, {}, {"slides", "sticks"}


def thrown_body():
    """Return a body above a slope, sliding on it, or at rest on it."""
    t, q, v = states(2, 2)
    q[::2, 1], v[::2, 1], v[::4, 0] = 0.0, 0.0, 0.0
    return lk.load(MODELS / "thrown_body.toml"), t, q, v, {}, {"open", "slides", "sticks"}


def slider_crank():
    """Return the slider-crank with friction in its guide; half of the states is at rest."""
    t, q, v = states(2, 3)
    v[::2] = 0.0
    return lk.load(MODELS / "slider_crank_friction.toml"), t, q, v, {"mu_s": 0.9}, {"slides", "sticks"}


def driven():
    """Return two contacts, one with a viscous part and one without friction, and a program with two drives."""
    T = (der(x) ** 2 + 2 * der(y) ** 2 + 3 * der(z) ** 2 + der(x) * der(z)) / 2
    system = lk.System(
        "driven",
        [x, y, z],
        kinetic=T,
        potential=9 * y + x * z,
        forces={z: F * z, x: F * (4 - 4 * x)},
        values={"F": -3.0},
    )
    system = system.constrain("floor", y, law=lk.Coulomb(0.3, slip=der(x), viscous=0.7, unilateral=True))
    system = system.constrain("wall", x + y, law=lk.laws.Unilateral())
    system = system.constrain("path", lk.Program(der(z) - sp.sin(lk.t), {"u": {z: 1, y: x / 5}, "w": {z: 2}}))
    t, q, v = states(3, 4)
    q[::2, 1], v[::2, 1] = 0.0, 0.0
    q[::4, 0], v[::4, 0] = 0.0, 0.0
    q[2::8, 0], v[2::8, 0] = 1.0, 0.0
    return system, t, q, v, {}, {"open", "slides", "sticks"}


SYSTEMS = [belt, thrown_body, slider_crank, driven]


def close(actual, expected, scale):
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("case", SYSTEMS, ids=lambda case: case.__name__)
def test_equals_the_state_by_state_numbers(case):
    system, t, q, v, values, expected_modes = case()
    evaluation = system.compile().evaluate(t, q, v, values)
    names = [c.name for c in system.constraints]
    assert set(np.concatenate(list(evaluation.modes.values()))) == expected_modes
    for k in range(COUNT):
        state = system.at(q[k], v[k], float(t[k]), values)
        size = np.abs(state.accelerations).max() + 1
        close(evaluation.accelerations[k], state.accelerations, size)
        for name, reaction in state.reactions.items():
            close(evaluation.reactions[k, names.index(name)], reaction, 10 * size)
        for name, contact in state.contacts.items():
            assert evaluation.modes[name][k] == contact.mode
            close(evaluation.friction[name][k], contact.friction, 10 * size)
        closed = [row for row in state._numbers.rows if row.name in names]
        multipliers = np.zeros(len(names))
        for row, value in zip(closed, np.nan_to_num(state.multipliers), strict=True):  # programs have none
            multipliers[names.index(row.name)] = value
        close(evaluation.multipliers[k], multipliers, 10 * size)
        for name, force in state.exerted.items():
            close(evaluation.exerted[k, names.index(name)], force, 10 * size)
        assert evaluation.drives.keys() == state.drives.keys()
        for name, drive in state.drives.items():
            close(evaluation.drives[name][k], drive, 10 * size)
        for row in closed:
            close(evaluation.G[k, names.index(row.name)], row.G[0], 1.0)
            close(evaluation.g0[k, names.index(row.name)], row.g0[0], size)


@pytest.mark.parametrize("case", SYSTEMS, ids=lambda case: case.__name__)
def test_forces_balance_and_open_contacts_exert_nothing(case):
    """A q'' = h + sum of reactions, with the forces of laws that h includes counted once."""
    system, t, q, v, values, _ = case()
    evaluation = system.compile({"pull": der(system.coordinates[0], 2)}).evaluate(t, q, v, values)
    a, reactions = evaluation.accelerations, evaluation.reactions
    free = lk.System.from_statement(system.statement.with_constraints(()))
    applied = free.compile().evaluate(t, q, v, {**values}).h
    balance = np.einsum("kij,kj->ki", evaluation.A, a) - applied - reactions.sum(axis=1)
    assert np.abs(balance).max() < 1e-11 * (1 + np.abs(reactions).max() + np.abs(applied).max())
    np.testing.assert_array_equal(evaluation.outputs["pull"], a[:, 0])
    for name, mode in evaluation.modes.items():
        k = [c.name for c in system.constraints].index(name)
        assert not reactions[mode == "open", k].any()
        assert (mode != "open").any()
        assert np.abs(evaluation.acceleration_residuals[mode != "open", k]).max() < 1e-11
    np.testing.assert_array_equal(evaluation.kinetic, free.compile().evaluate(t, q, v).kinetic)


def test_shapes_threads_and_one_state():
    system, t, q, v, _, _ = thrown_body()
    compiled = system.compile()
    expected = compiled.evaluate(t, q, v)
    shaped = compiled.evaluate(t.reshape(4, 6), q.reshape(4, 6, 2), v.reshape(4, 6, 2))
    assert shaped.modes["slope"].shape == (4, 6) and shaped.reactions.shape == (4, 6, 1, 2)
    assert shaped.by_q.shape == (4, 6, 3, 2) and shaped.by_parameters.shape == (4, 6, 3, len(system.parameters))
    np.testing.assert_array_equal(shaped.accelerations.reshape(COUNT, 2), expected.accelerations)
    single = compiled.evaluate(t[0], q[0], v[0])
    assert single.modes["slope"].shape == () and single.accelerations.shape == (2,)
    np.testing.assert_array_equal(single.accelerations, expected.accelerations[0])
    assert compiled.evaluate(0.0, np.zeros((0, 2)), np.zeros((0, 2))).reactions.shape == (0, 1, 2)
    fresh = system.compile({"another": x**3}).optimized()
    assert fresh.optimized() is fresh
    with ThreadPoolExecutor(4) as pool:
        for evaluation in pool.map(lambda _: fresh.evaluate(t, q, v), range(8)):
            np.testing.assert_allclose(evaluation.accelerations, expected.accelerations, rtol=1e-13)
    assert "quick" not in fresh.summary() and "motion" in fresh.summary()


def test_states_without_a_motion_are_nan_with_a_status():
    """Painleve's rod has no motion at mu = 1.6 and tan phi near 2; the other states are not affected."""
    phi = lk.coordinates("phi")
    T = (der(x) ** 2 + der(y) ** 2) / 2 + der(phi) ** 2 / 6
    law = lk.Coulomb(mu, slip=sp.diff(x - sp.cos(phi), lk.t), unilateral=True)
    rod = lk.System("rod", [x, y, phi], kinetic=T, potential=9.81 * y).constrain("floor", y - sp.sin(phi), law=law)
    q = np.array([[0, np.sin(1.2), 1.2], [0, 2.0, 1.2], [0, np.nan, 1.2], [0, np.sin(0.3), 0.3]])
    evaluation = rod.compile().evaluate(0.0, q, [-5, 0, 0], {"mu": 1.6})
    assert evaluation.status.tolist() == [-5, 0, -4, 0]
    assert evaluation.modes["floor"].tolist() == ["", "open", "", "slides"]
    assert np.isnan(evaluation.accelerations[[0, 2]]).all() and np.isnan(evaluation.reactions[[0, 2]]).all()
    np.testing.assert_allclose(evaluation.accelerations[1], [0, -9.81, 0], rtol=1e-14, atol=1e-14)
    expected = rod.at(q[3], [-5, 0, 0], values={"mu": 1.6})
    close(evaluation.accelerations[3], expected.accelerations, 10.0)


def test_outputs_of_positions_reactions_and_sticking_forces():
    """Outputs of q and v alone hold at every state; multipliers of constraints that do not act are 0 in others."""
    system, t, q, v, _, _ = thrown_body()
    normal, holding = (lk.multiplier(name) for name in ("slope", "slope, sticking"))
    outputs = {"height": y * t_symbol, "load": 2 * normal, "held": holding}
    for chosen in ({"height": outputs["height"]}, {"held": holding}, outputs):
        evaluation = system.compile(chosen).evaluate(t, q, v)
        sticks = evaluation.modes["slope"] == "sticks"
        expected = {"height": q[:, 1] * t, "load": 2 * evaluation.multipliers[:, 0]}
        expected["held"] = np.where(sticks, evaluation.friction["slope"], 0.0)
        assert sticks.any() and evaluation.outputs.keys() == chosen.keys()
        for name, values in evaluation.outputs.items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-14, atol=0)


def test_numbers_of_laws_are_checked_and_c_source_is_refused():
    compiled = belt()[0].compile()
    with pytest.raises(ModelError, match="mu"):
        compiled.evaluate(0.0, [0, 0], [0, 0], {"mu": -0.1})
    with pytest.raises(ModelError, match=r"friction is not a parameter of this system\n.*q: "):
        compiled.evaluate(0.0, [0, 0, 0], [0, 0], {"friction": 0.1})
    with pytest.raises(LienketError, match=r"The contact 'belt' slides, sticks or is open.*no C source of 'terms'"):
        compiled.c_source("terms")
