"""Reactions as formulas: four methods, shares and influence, against the numbers at random states."""

import numpy as np
import pytest
import sympy as sp
from conftest import MODELS

import lienket as lk
from lienket import der

METHODS = ["multipliers", "direct", "middle", "accelerations"]
IDEAL = ["appell_hamel", "carriage", "double_pendulum_cartesian", "hammer_grinder", "rolling_disc", "slider_crank"]
x, y, phi = lk.coordinates("x y phi")
m, J, r, g, F = lk.parameters("m J r g F")


def disc():
    T = m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2
    free = lk.System("disc", [x, y, phi], kinetic=T, potential=m * g * y, forces={x: F})
    return free.constrain("contact", y - r).constrain("rolling", x + r * phi)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", IDEAL)
def test_formulas_equal_numbers_at_random_states(model, method, at_random):
    system = lk.load(MODELS / f"{model}.toml")
    reactions = system.reactions(method)
    for seed in (11, 12):
        here = at_random(system, seed)
        state = here.state()
        size = np.abs(state.reaction).max()
        assert here.number(reactions.total)[:, 0] == pytest.approx(state.reaction, rel=1e-10, abs=1e-10 * size)
        for name, share in reactions.items():
            assert here.number(share)[:, 0] == pytest.approx(state.reactions[name], rel=1e-9, abs=1e-9 * size)
        multipliers = np.concatenate([here.number(reactions.multipliers[name])[:, 0] for name in reactions])
        assert multipliers == pytest.approx(state.multipliers, rel=1e-9, abs=1e-9 * np.abs(state.multipliers).max())


def test_the_disc_under_a_force():
    reactions = disc().reactions()
    assert reactions["contact"] == sp.Matrix([0, m * g, 0])
    friction = -F * J / (J + m * r**2)
    assert (reactions["rolling"] - sp.Matrix([friction, 0, r * friction])).applyfunc(sp.simplify) == sp.zeros(3, 1)
    assert reactions.not_unique == ()
    assert "contact:\n  r[y] = m*g\n" in reactions.text()
    assert reactions.latex().count("&=") == 2


def test_the_share_of_redundant_constraints_is_of_least_norm_and_marked():
    """Two equal rails carry half the weight each; a rail row of twice the scale carries four fifths by least norm."""
    for factor, share in ((1, sp.Rational(1, 2)), (2, sp.Rational(1, 5))):
        reactions = disc().constrain("rail", factor * (y - r)).reactions()
        assert reactions.not_unique == ("contact", "rail")
        assert sp.simplify(reactions["contact"][1] - share * m * g) == 0
        assert sp.simplify(reactions["rail"][1] - (1 - share) * m * g) == 0
        assert reactions.total == disc().reactions().total
        assert "rail (share of least norm, not unique)" in reactions.text()


def test_a_system_without_constraints_has_no_reactions():
    free = lk.System("body", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2)
    assert list(free.reactions()) == []
    assert free.reactions().total == sp.zeros(2, 1)


@pytest.mark.parametrize("model", ["carriage", "double_pendulum_cartesian", "rolling_disc", "hammer_grinder"])
def test_influence_is_the_change_by_brute_force(model, at_random):
    system = lk.load(MODELS / f"{model}.toml")
    names = [c.name for c in system.constraints]
    table = system.influence()
    assert set(table) == {(of, on) for of in names for on in names if of != on}
    here = at_random(system, seed=21)
    state = here.state()
    for of, on in table:
        C = here.number(table[of, on])
        assert pytest.approx(here.number(system.influence(of, on))) == C
        without = system.release(of).at(
            here.q, here.v, here.t, {p: v for p, v in here.values.items() if p in system.release(of).parameters}
        )
        change = state.reactions[on] - without.reactions[on]
        size = np.abs(state.reaction).max()
        assert C @ state.reactions[of] == pytest.approx(change, abs=1e-10 * size)
        assert state.influence(of, on) == pytest.approx(change, abs=1e-10 * size)
        assert state.influence()[of, on] == pytest.approx(change, abs=1e-10 * size)


def test_influence_of_one_on_all_the_rest_obeys_the_lemma(at_random):
    """C C = -C, trace -s1, D1^T C = 0, C A symmetric, C = A W1 - I (theory 7), for the only other constraint."""
    system = lk.load(MODELS / "double_pendulum_cartesian.toml")
    here = at_random(system, seed=22)
    C = here.number(system.influence("lower rod", "upper rod"))
    alone = here.state().release("lower rod")
    assert pytest.approx(-C, abs=1e-12) == C @ C
    assert np.trace(C) == pytest.approx(-1)
    assert np.abs(alone.D.T @ C).max() < 1e-12
    assert pytest.approx((C @ alone.A).T, abs=1e-12) == C @ alone.A
    assert pytest.approx(alone.A @ alone.W - np.eye(4), abs=1e-12) == C


def test_influence_with_a_massless_part():
    """In Atwood's machine, whose pulley is massless, the influence of the shoe is the change of the left tension."""
    a, b, turn, brake = lk.coordinates("a b turn brake")
    m1, m2 = lk.parameters("m1 m2")
    energy = m1 * der(a) ** 2 / 2 + m2 * der(b) ** 2 / 2 + J * der(brake) ** 2 / 2
    machine = lk.System("Atwood", [a, b, turn, brake], kinetic=energy, potential=-m1 * g * a - m2 * g * b)
    machine = machine.constrain("left", a - r * turn).constrain("right", b + r * turn).constrain("shoe", turn - brake)
    C = machine.influence("shoe", "left")
    values = {m1: 3.0, m2: 2.0, g: 9.81, r: 0.2, J: 0.4}
    state = machine.at([0, 0, 0, 0], [0, 0, 0, 0], values=values)
    change = state.reactions["left"] - state.release("shoe").reactions["left"]
    assert np.array(C.subs(values), dtype=float) @ state.reactions["shoe"] == pytest.approx(change, rel=1e-12)
    assert np.abs(change).max() > 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.reactions("Lagrange"), "'multipliers', 'direct', 'middle', 'accelerations', not by 'Lagrange'"),
        (lambda s: s.reactions()["roling"], "did you mean 'rolling'"),
        (lambda s: s.influence("contact", "roling"), "did you mean 'rolling'"),
        (lambda s: s.influence("contact", "contact"), "no influence on itself"),
        (
            lambda s: s.constrain("rail", y - r).influence("rail", "rolling"),
            "reactions are not unique: 'rail' is redundant",
        ),
        (
            lambda s: s.constrain("p", lk.Program(phi - F * lk.t, drives={"u": {phi: 1}})).reactions(),
            "'p' is a program",
        ),
    ],
)
def test_requests_without_an_answer_are_refused_with_a_reason(call, message):
    with pytest.raises(lk.LienketError, match=message):
        call(disc())


def test_the_printed_table_of_influences():
    text = str(disc().influence())
    assert "rolling on contact:\n  d r[y] / d r[y] = -1" in text
