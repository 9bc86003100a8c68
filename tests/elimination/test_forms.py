"""The forms of the equations: each holds for the motion of the KKT system, and each can be printed."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import sympy as sp
from conftest import IDEAL, MODELS
from sympy import cos, sin

import lienket as lk
from lienket import der

FORMS = ["full", "reduced", "pseudovelocity", "multipliers"]
t = lk.t


def motion(here):
    """Return accelerations, total reaction and multipliers at a state by the KKT system, with numpy alone."""
    state = here.state()
    A, h, G, g0 = state.A, state.h, state.G, state.g0
    n, s = len(h), len(g0)
    solution = np.linalg.solve(np.block([[A, -G.T], [G, np.zeros((s, s))]]), np.concatenate([h, -g0]))
    return solution[:n], G.T @ solution[n:], solution[n:]


def substituted(here, expression, extra):
    """Return the number of an expression at the state with accelerations, reactions and multipliers inserted."""
    point = {k: sp.Float(float(v), 30) for k, v in extra.items()}
    point |= {sp.Derivative(x, t): sp.Float(v, 30) for x, v in zip(here.system.coordinates, here.v, strict=True)}
    resting = {x: sp.Float(q, 30) for x, q in zip(here.system.coordinates, here.q, strict=True)}
    resting |= {p: sp.Float(v, 30) for p, v in here.values.items()} | {t: sp.Float(here.t, 30)}
    return float(expression.xreplace(point).xreplace(resting).evalf(30))


def consistent_velocities(here):
    """Return the velocities of the state projected onto G q' + b0 = 0."""
    state = here.state()
    rates = np.concatenate([row.velocity for row in state._numbers.rows])
    here.v = here.v - np.linalg.pinv(state.G) @ rates
    return here


@pytest.mark.parametrize("model", IDEAL)
@pytest.mark.parametrize("form", ["full", "reduced", "multipliers"])
def test_printed_equations_hold_for_the_true_motion(model, form, at_random):
    system = lk.load(MODELS / f"{model}.toml")
    here = at_random(system, seed=2)
    a, r, multipliers = motion(here)
    extra = {der(x, 2): value for x, value in zip(system.coordinates, a, strict=True)}
    extra |= {sp.Symbol(f"r_{x.func.__name__}"): value for x, value in zip(system.coordinates, r, strict=True)}
    extra |= {sp.Symbol(f"lambda_{k}"): value for k, value in enumerate(multipliers, 1)}
    blocks = dict(system.equations(form).blocks)
    assert len(system.equations(form)) == {"full": 2, "reduced": 1, "multipliers": 1}[form] * len(a) + (
        len(multipliers) if form == "multipliers" else 0
    )
    for title in ("motion", "ideality") if form == "full" else ("motion",):
        for left, right in blocks[title]:
            terms = [substituted(here, e, extra) for e in (*sp.Add.make_args(left), *sp.Add.make_args(-right))]
            assert abs(sum(terms)) <= 1e-10 * sum(map(abs, terms))
    stated = [e for c in system.constraints for e in c.expressions]
    assert [left for left, _ in blocks["constraints"]] == stated


# An orthogonal D of the squeezer's six rows would fill many pages; by pivots it is a few lines.
@pytest.mark.parametrize(
    ("model", "choice"),
    [(m, c) for m in IDEAL if m != "appell_hamel" for c in ("pivot", "orthogonal") if (m[0], c) != ("a", "orthogonal")],
)
def test_the_pseudovelocity_form_gives_the_true_accelerations(model, choice, at_random):
    """M pi'' = f, q'' = D pi'' + gamma, at velocities q' = D pi' + d; the plus sign of paper 001 is wrong."""
    system = lk.load(MODELS / f"{model}.toml")
    here = consistent_velocities(at_random(system, seed=4))
    equations = system.equations("pseudovelocity", choice=choice)
    D, d = here.number(equations["D"]), here.number(equations["d"])[:, 0]
    pi = np.linalg.lstsq(D, here.v - d, rcond=None)[0]
    assert D @ pi + d == pytest.approx(here.v, abs=1e-12)
    values = {f"pi{k}": value for k, value in enumerate(pi, 1)}
    named = {lk.coordinates(k): sp.Symbol(k) for k in values}
    M = here.number(equations["M"].xreplace(named), **values)
    f = here.number(equations["f"].xreplace(named), **values)[:, 0]
    gamma = here.number(equations["gamma"].xreplace(named), **values)[:, 0]
    true, _, _ = motion(here)
    accelerations = D @ np.linalg.solve(M, f) + gamma
    assert accelerations == pytest.approx(true, rel=1e-9, abs=1e-9 * np.abs(true).max())
    state = here.state()
    printed = D @ np.linalg.solve(M, D.T @ (state.h + state.A @ gamma)) + gamma
    if np.abs(D.T @ state.A @ gamma).max() > 1e-6:
        assert np.abs(printed - true).max() > 1e-3 * np.abs(true).max()


def test_pseudovelocities_of_the_user_give_the_carriage_its_known_equations():
    """(m + 2C/a^2) v' = m0 L omega^2 and (J + 2C b^2/a^2) omega' = -m0 L v omega (theory 13.4), drives added."""
    carriage = lk.load(MODELS / "carriage.toml")
    x, y, theta, _, _ = carriage.coordinates
    m0, m1, k0, L, a, b, A, C, tau1, tau2 = lk.parameters("m0 m1 k0 L a b A C tau1 tau2")
    ahead = cos(theta) * der(x) + sin(theta) * der(y)
    equations = carriage.equations("pseudovelocity", pseudovelocities={"v": ahead, "omega": der(theta)})
    v, omega = lk.coordinates("v omega")
    inertia = sp.diag(m0 + 2 * m1 + 2 * C / a**2, m0 * k0**2 + 2 * m1 * b**2 + 2 * A + 2 * C * b**2 / a**2)
    forces = sp.Matrix([m0 * L * omega**2 - (tau1 + tau2) / a, -m0 * L * v * omega - b * (tau1 - tau2) / a])
    assert (equations["M"] - inertia).expand() == sp.zeros(2, 2)
    assert (equations["f"] - forces).expand() == sp.zeros(2, 1)
    assert sp.Matrix([[cos(theta), sin(theta), 0, -1 / a, -1 / a]]) == equations["D"][:, 0].T
    assert "(m0 + 2*m1 + 2*C/a^2)*v' =" in equations.text()


def test_a_rheonomic_constraint_has_a_shift_of_velocity():
    """A bead on a rod turning at the rate w: d is phi' = w, and the centrifugal force acts on the bead."""
    s, phi = lk.coordinates("s phi")
    m, w = lk.parameters("m w")
    bead = lk.System("bead", [s, phi], kinetic=m * (der(s) ** 2 + s**2 * der(phi) ** 2) / 2)
    equations = bead.constrain("turning", phi - w * t).equations("pseudovelocity")
    assert equations["d"] == sp.Matrix([0, w])
    assert equations["M"] == sp.Matrix([[m]])
    assert equations["f"] == sp.Matrix([m * s * w**2])


def test_velocities_that_enter_nonlinearly_keep_the_form_without_the_shift():
    equations = lk.load(MODELS / "appell_hamel.toml").equations("pseudovelocity")
    assert [title for title, _ in equations.blocks] == ["motion", "constraints"]
    assert equations["M"].shape == (2, 2)


@pytest.mark.parametrize(
    ("definitions", "message"),
    [
        ({"v": lambda x, y, th: der(x)}, "1 are given for 2 freedoms"),
        ({"v": lambda x, y, th: der(x) ** 2, "w": lambda x, y, th: der(th)}, "linear in the velocities"),
        ({"v": lambda x, y, th: der(x) + 1, "w": lambda x, y, th: der(th)}, "without a constant term"),
        ({"x": lambda x, y, th: der(x), "w": lambda x, y, th: der(th)}, "this name is taken"),
        ({"sin": lambda x, y, th: der(x), "w": lambda x, y, th: der(th)}, "word of the formula language"),
        (
            {"v": lambda x, y, th: lk.coordinates("zz"), "w": lambda x, y, th: der(th)},
            "zz(t) is not a coordinate of the system",
        ),
        ({"v": lambda x, y, th: sin(th) * der(x) - cos(th) * der(y), "w": lambda x, y, th: der(th)}, "singular"),
    ],
)
def test_unsuitable_pseudovelocities_are_refused(definitions, message):
    carriage = lk.load(MODELS / "carriage.toml")
    x, y, theta, _, _ = carriage.coordinates
    with pytest.raises(lk.LienketError, match=re.escape(message)):
        carriage.equations("pseudovelocity", pseudovelocities={k: f(x, y, theta) for k, f in definitions.items()})


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("model", IDEAL)
def test_every_form_prints_in_three_notations(model, form):
    equations = lk.load(MODELS / f"{model}.toml").equations(form)
    lines = len(equations.lines)
    assert equations.latex().count("&=") == lines
    assert equations.latex().count("{") == equations.latex().count("}")
    assert sum(" = " in line for line in equations.text().splitlines()) == lines
    assert len(ET.fromstring(equations.mathml()).findall(".//{*}mtr")) >= lines  # noqa: S314 -- our own text
    assert str(equations) == equations.text()
    assert [eq.lhs - eq.rhs for eq in equations] == [left - right for left, right in equations.lines]
    assert equations._repr_latex_().startswith("$")
    assert "\\dot" not in equations.latex("primes")


def test_the_full_form_of_the_disc_is_that_of_paper_000():
    x, y, phi = lk.coordinates("x y phi")
    m, J, r, g = lk.parameters("m J r g")
    free = lk.System(
        "disc", [x, y, phi], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2, potential=m * g * y
    )
    rolling = free.constrain("contact", y - r).constrain("rolling", x + r * phi)
    lines = rolling.equations("full", choice="orthogonal").text().splitlines()
    assert [line.strip() for line in lines] == [
        "motion:", "m*x'' = r_x", "m*y'' = r_y - m*g", "J*phi'' = r_phi",
        "constraints:", "y - r = 0", "x + r*phi = 0",
        "ideality:", "r*r_x - r_phi = 0",
    ]  # fmt: skip
    reduced = rolling.equations("reduced", choice="orthogonal").text().splitlines()
    assert reduced[1].strip() == "m*r*x'' - J*phi'' = 0"


def test_symbols_for_reactions_avoid_names_of_parameters():
    x = lk.coordinates("x")
    r_x, m = lk.parameters("r_x m")
    system = lk.System("body", [x], kinetic=m * der(x) ** 2 / 2, forces={x: r_x}).constrain("held", x)
    assert "m*x'' = R_x + r_x" in system.equations("full").text()


def test_a_program_shows_its_drives():
    text = lk.load(MODELS / "digging_machine.toml").equations("multipliers").text()
    assert "+ M1" in text or "M1 +" in text
    for form in ("full", "reduced", "pseudovelocity"):
        with pytest.raises(lk.LienketError, match="'line' is a program"):
            lk.load(MODELS / "digging_machine.toml").equations(form)


@pytest.mark.parametrize("form", ["ful", "", 3])
def test_forms_that_do_not_exist(form):
    with pytest.raises(lk.LienketError, match="There is no form"):
        lk.load(MODELS / "rolling_disc.toml").equations(form)
    with pytest.raises(lk.LienketError, match="belong to equations"):
        lk.load(MODELS / "rolling_disc.toml").equations("full", pseudovelocities={"v": 0})


@pytest.mark.parametrize("model", [m for m in IDEAL if m != "andrews_squeezer"])
def test_explicit_accelerations_are_the_true_ones(model, at_random):
    system = lk.load(MODELS / f"{model}.toml")
    here = at_random(system, seed=6)
    accelerations = here.number(sp.Matrix(list(system.accelerations().values())))[:, 0]
    true, _, _ = motion(here)
    assert accelerations == pytest.approx(true, rel=1e-9, abs=1e-9 * np.abs(true).max())


def test_constraints_nonlinear_in_the_accelerations_have_forms_but_no_formulas():
    x, y = lk.coordinates("x y")
    m, c = lk.parameters("m c")
    system = lk.System("particle", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2)
    system = system.constrain("size", der(x, 2) ** 2 + der(y, 2) ** 2 - c**2)
    assert "2*lambda_1*x''" in system.equations("multipliers").text()
    for ask in (system.accelerations, system.reactions, lambda: system.equations("pseudovelocity")):
        with pytest.raises(lk.LienketError, match="nonlinear in the accelerations"):
            ask()
