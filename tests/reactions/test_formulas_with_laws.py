"""Reactions, accelerations and influence as formulas under laws that are functions of the state (theory 9)."""

import numpy as np
import pytest
import sympy as sp
from rods import EXPLICIT, FOOT, HEAD, LAWS, J, b, free_rod, l, m, mu, on_the_constraints, phi, rod, x, y
from sympy import cos

import lienket as lk
from lienket import der

METHODS = ["multipliers", "direct", "middle", "accelerations"]


def number(matrix, state, values):
    point = {sp.Derivative(z, lk.t): v for z, v in zip((x, y, phi), state.v, strict=True)}
    rest = dict(zip((x, y, phi), state.q, strict=True)) | values | {lk.t: state.t}
    return np.array(sp.Matrix(matrix).xreplace(point).xreplace(rest).evalf(), dtype=float)[:, 0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("wall", ["none", "wall"])
@pytest.mark.parametrize("law", EXPLICIT)
def test_formulas_equal_numbers(law, wall, method):
    system, values = rod(LAWS[law], wall, lk.laws.Viscous(b, slip=HEAD))
    q, v = on_the_constraints(system, values, seed=11)
    state = system.at(q, v, 0.6, values)
    reactions, size = system.reactions(method), np.abs(state.reaction).max()
    assert number(reactions.total, state, values) == pytest.approx(state.reaction, abs=1e-11 * size)
    for name, reaction in reactions.items():
        assert number(reaction, state, values) == pytest.approx(state.reactions[name], abs=1e-11 * size)
    multipliers = np.concatenate([number(reactions.multipliers[name], state, values) for name in reactions])
    assert multipliers == pytest.approx(state.multipliers, abs=1e-11 * size)
    accelerations = number(list(system.accelerations().values()), state, values)
    assert accelerations == pytest.approx(state.accelerations, rel=1e-11)


@pytest.mark.parametrize("method", METHODS)
def test_only_the_part_along_the_free_motions_acts(method):
    """r = r_ideal + A W c and q'' = q''_ideal + W c, with W of Udwadia and Kalaba, as formulas."""
    ideal, _ = rod(None)
    system, _ = rod(LAWS["exerted"])
    c = sp.Matrix([dict(LAWS["exerted"].forces).get(z, 0) for z in (x, y, phi)])
    A, G = system.free.A, system.stages()[0].J
    D = system.stages()[-1].D
    W = D * (D.T * A * D).inv() * D.T
    root = sp.diag(1 / sp.sqrt(m), 1 / sp.sqrt(m), 1 / sp.sqrt(J))
    B = G * root
    udwadia = root * (sp.eye(3) - B.T * (B * B.T).inv() * B) * root
    assert (W - udwadia).applyfunc(sp.simplify) == sp.zeros(3, 3)
    change = system.reactions(method).total - ideal.reactions(method).total
    assert (change - A * W * c).applyfunc(sp.simplify) == sp.zeros(3, 1)
    faster = sp.Matrix(list(system.accelerations().values())) - sp.Matrix(list(ideal.accelerations().values()))
    assert (faster - W * c).applyfunc(sp.simplify) == sp.zeros(3, 1)
    normal = rod(lk.laws.Exerted({y: -2, phi: l * cos(phi)}))[0]  # c along G^T: only lambda changes
    assert (normal.reactions().total - ideal.reactions().total).applyfunc(sp.simplify) == sp.zeros(3, 1)
    gone = normal.reactions().multipliers["floor"] - ideal.reactions().multipliers["floor"]
    assert sp.simplify(gone[0]) == 2


def test_influence_includes_the_forces_of_laws():
    """C r_of, with c in r_of, is the change of the other reaction when `of` is released."""
    system, values = rod(LAWS["viscous"], "wall", lk.laws.Viscous(3 * b, slip=HEAD))
    q, v = on_the_constraints(system, values, seed=13)
    state = system.at(q, v, 0.0, values)
    for of, on in (("floor", "wall"), ("wall", "floor")):
        C = np.array(system.influence(of, on).xreplace({phi: q[2]} | values), dtype=float)
        left = system.release(of)
        without = left.at(q, v, 0.0, {p: values[p] for p in left.parameters})
        change = state.reactions[on] - without.reactions[on]
        assert np.abs(change).max() > 0.1
        assert C @ state.reactions[of] == pytest.approx(change, abs=1e-11)


def test_friction_has_no_formulas_and_the_error_names_system_at():
    system, _ = rod(LAWS["coulomb"], "wall")
    for ask in (system.reactions, system.accelerations, system.influence, lambda: system.influence("wall", "floor")):
        with pytest.raises(lk.LienketError, match=r"'floor' has friction.* system\.at\(q, v\) gives"):
            ask()
    with pytest.raises(lk.LienketError, match="'floor' is a contact"):
        system.linearize(symbolic=True)


def test_linearized_formulas_contain_laws():
    """A viscous law is equivalent to the damping force that it exerts."""
    s, z = lk.coordinates("s z")
    k = lk.parameters("k")
    energies = {"kinetic": m * (der(s) ** 2 + der(z) ** 2) / 2, "potential": k * s**2 / 2}
    lawful = lk.System("mass", [s, z], **energies).constrain("rail", z - s, law=lk.laws.Viscous(b, slip=der(s)))
    damped = lk.System("mass", [s, z], **energies, forces={s: -b * der(s)}).constrain("rail", z - s)
    linear = lawful.linearize(symbolic=True, independent=["s", "s'"])
    assert sp.Matrix([[0, 1], [-k / (2 * m), -b / (2 * m)]]) == linear.A
    assert damped.linearize(symbolic=True, independent=["s", "s'"]).A == linear.A


def test_stages_name_laws_and_keep_their_verdicts():
    laws = (LAWS["coulomb"], lk.laws.Unilateral())
    system, _ = rod(laws[0], "wall", laws[1])
    ideal = rod(None, "wall")[0].stages()
    stages = system.stages()
    assert [stage.law for stage in stages] == list(laws)
    assert [stage.law for stage in ideal] == [None, None]
    assert [stage.verdict for stage in stages] == [stage.verdict for stage in ideal]
    lines = stages.text().splitlines()
    assert "holonomic, Coulomb" in lines[2]
    assert "holonomic, Unilateral" in lines[3]
    assert lines[4].startswith("'floor' is not ideal: Coulomb, mu = mu, slip = x' - l*phi'*sin(phi)/2")
    assert lines[5] == "'wall' is not ideal: Unilateral."
    assert "C q'' = f + D^T c" in lines[6]
    assert lines[7] == "Unilateral constraints are shown closed."
    assert "law" not in ideal.text().lower()


def test_the_overview_shows_laws_and_programs():
    free, _ = free_rod()
    law = lk.Coulomb(sp.Float(0.3), slip=FOOT, unilateral=True, impact="poisson", restitution=sp.Rational(1, 2))
    drives = {"u": {x: 1}, "w": {phi: 1}}
    program = lk.Program(x - lk.t, drives, weights={"u": 3}, bounds={"w": (None, mu)}, feedback=2)
    shown = repr(free.constrain("floor", y, law=law).constrain("path", program)).splitlines()
    assert shown[4] == (
        "  floor: y = 0  (holonomic; Coulomb, mu = 0.3, slip = x' - l*phi'*sin(phi)/2, restitution = 1/2, unilateral, "
        "impact = poisson)"
    )
    assert shown[5] == "  path: x - t = 0  (program; by u, w; weights u 3, w 1; w from ... to mu; feedback 4, 4)"
