"""Printed equations of non-ideal systems, parsed again, hold for the numbers of system.at."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import sympy as sp
from rods import HEAD, LAWS, b, mu, on_the_constraints, phi, rod, x, y

import lienket as lk
from lienket import der
from lienket.cli.latex_document import latex_document
from lienket.language.text import read_expression

FORMS = ["full", "reduced", "pseudovelocity", "multipliers"]


def read(text, names):
    """Return the expression of a printed formula."""
    text = re.sub(r"\b([a-z]\w*)''", r"der(\1, 2)", text)
    return read_expression(re.sub(r"\b([a-z]\w*)'", r"der(\1)", text), names)


def lines_of(equations, title, names):
    """Return the lines of a block of the text, as pairs of expressions."""
    lines, inside = [], False
    for line in equations.text().splitlines():
        if not line.startswith(" "):
            inside = line == f"{title}:"
        elif inside:
            lines.append(tuple(read(side, names) for side in line.split(" = ")))
    return lines


def unknowns(state, system):
    """Return the values at a state of the symbols in printed equations."""
    values = {der(z, 2): a for z, a in zip(system.coordinates, state.accelerations, strict=True)}
    values |= {sp.Symbol(f"r_{z.func.__name__}"): r for z, r in zip(system.coordinates, state.reaction, strict=True)}
    values |= {sp.Symbol(f"lambda_{k}"): value for k, value in enumerate(state.multipliers, 1) if np.isfinite(value)}
    return values | {sp.Symbol(name): value for name, value in state.drives.items()}


def check(lines, state, system, values, extra=()):
    """Check that every line holds, up to rounding of its own terms or of all forces."""
    moving = {sp.Derivative(z, lk.t): v for z, v in zip(system.coordinates, state.v, strict=True)}
    resting = dict(zip(system.coordinates, state.q, strict=True)) | values | {lk.t: state.t}
    points = [unknowns(state, system) | dict(extra), moving, resting]
    points = [{k: sp.Float(float(value), 30) for k, value in point.items()} for point in points]
    for left, right in lines:
        terms = [*sp.Add.make_args(left), *sp.Add.make_args(-right)]
        for point in points:
            terms = [e.xreplace(point) for e in terms]
        numbers = [float(e.evalf(30)) for e in terms]
        assert abs(sum(numbers)) <= 1e-11 * max(*map(abs, numbers), 1e-3 * abs(state.h).max()), (left, right)


def names_of(system):
    names = {p.name: p for p in system.parameters} | {str(z.func): z for z in system.coordinates}
    more = [f"lambda_{k}" for k in range(1, 4)] + [f"r_{z.func.__name__}" for z in system.coordinates]
    more += [drive for c in system.constraints for drive, _ in c.drives]
    return names | {name: sp.Symbol(name) for name in more}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wall", ["none", "wall"])
@pytest.mark.parametrize("law", LAWS)
def test_printed_equations_hold_for_the_true_motion(law, wall, form):
    system, values = rod(LAWS[law], wall)
    q, v = on_the_constraints(system, values, seed=3)
    state = system.at(q, v, 0.4, values)
    if state.contacts:
        assert state.contacts["floor"].mode == "slides"
    assert law == "unilateral" or max(map(abs, state.exerted["floor"])) > 0.05
    equations, names = system.equations(form), names_of(system)
    blocks = {title: lines_of(equations, title, names) for title, _ in equations.blocks}
    needs = law not in ("viscous", "exerted") and form != "multipliers"
    assert ("multipliers" in blocks) == needs
    count = {"full": len(q), "reduced": 3 - len(system.constraints), "multipliers": 3}
    assert len(blocks["motion"]) == count.get(form, 3 - len(system.constraints))
    for title in ("motion", "laws", "ideality", "multipliers"):
        check(blocks.get(title, []), state, system, values)
    if law != "unilateral":  # the equations of the ideal system must not hold
        ideal = rod(None, wall)[0].equations(form)
        title = "ideality" if form == "full" else "motion"
        with pytest.raises(AssertionError):
            check(lines_of(ideal, title, names), state, system, values)


@pytest.mark.parametrize("form", FORMS)
def test_equations_of_coupled_frictions_hold(form):
    """With friction at both ends each multiplier appears in the equations of the other."""
    system, values = rod(LAWS["stribeck"], "wall", lk.Coulomb(mu / 2, slip=HEAD, viscous=b))
    q, v = on_the_constraints(system, values, seed=5)
    state = system.at(q, v, 0.0, values)
    assert [contact.mode for contact in state.contacts.values()] == ["slides", "slides"]
    equations, names = system.equations(form), names_of(system)
    for title, lines in equations.blocks:
        printed = lines_of(equations, title, names)
        assert len(printed) == len(lines)
        if title != "constraints":
            check(printed, state, system, values)
    if form != "multipliers":
        assert len(dict(equations.blocks)["multipliers"]) == 2


def test_the_equations_determine_the_friction():
    """Reduced form and rows of the multipliers are as many equations as unknowns, solved here without the package."""
    system, values = rod(LAWS["coulomb"], "wall")
    q, v = on_the_constraints(system, values, seed=7)
    state = system.at(q, v, 0.0, values)
    equations = system.equations("reduced")
    blocks = dict(equations.blocks)
    a = [sp.Symbol(f"a{k}") for k in range(3)]
    normal, sizes = sp.symbols("lambda_1 lambda_2"), np.sign(state.multipliers)
    rows = [left - right for title in ("motion", "multipliers") for left, right in blocks[title]]
    rows += [sp.diff(left, lk.t, 2) for left, _ in blocks["constraints"]]
    rates = {sp.Derivative(z, (lk.t, 2)): u for z, u in zip(system.coordinates, a, strict=True)}
    point = dict(zip(system.coordinates, q, strict=True)) | values
    moving = {der(z): u for z, u in zip(system.coordinates, v, strict=True)}
    signs = {sp.Abs(s): k * s for s, k in zip(normal, sizes, strict=True)}
    rows = [sp.expand(e.xreplace(rates).xreplace(moving).xreplace(point).xreplace(signs)) for e in rows]
    M, right = sp.linear_eq_to_matrix(rows, [*a, normal[0]])  # the force of the wall is not needed
    unknown_values = np.linalg.solve(np.array(M, dtype=float), np.array(right, dtype=float)[:, 0])
    assert unknown_values[:3] == pytest.approx(state.accelerations, rel=1e-11)
    assert unknown_values[3] == pytest.approx(state.multipliers[0], rel=1e-11)


@pytest.mark.parametrize("law", ["coulomb", "viscous"])
def test_pseudovelocities_of_the_user(law):
    """With the velocity of the foot as pseudovelocity, friction depends on it alone."""
    system, values = rod(LAWS[law])
    u, w = lk.coordinates("u w")
    foot = LAWS[law].slip
    equations = system.equations("pseudovelocity", pseudovelocities={"u": foot, "w": der(phi)})
    q, v = on_the_constraints(system, values, seed=9)
    state = system.at(q, v, 0.0, values)
    speed = foot.xreplace({der(x): v[0], der(phi): v[2], phi: q[2]}).xreplace(values)
    rate = sp.diff(foot, lk.t).xreplace({der(z, 2): a for z, a in zip((x, y, phi), state.accelerations, strict=True)})
    rate = rate.xreplace({der(x): v[0], der(phi): v[2]}).xreplace({phi: q[2]} | values)
    extra = {der(u): rate, der(w): state.accelerations[2], u: speed, w: v[2]}
    for title, lines in equations.blocks:
        if title in ("motion", "multipliers"):
            assert not any(right.has(der(x), der(phi)) for _, right in lines)
            check(lines, state, system, values, extra)


def test_a_program_with_feedback_weights_and_bounds():
    """At a state off the program the drives satisfy the printed program with feedback, together with friction."""
    z, s = lk.coordinates("z s")
    M, k, h, most = lk.parameters("M k h most")
    free = lk.System("cart", [z, s], kinetic=M * (der(z) ** 2 + der(s) ** 2) / 2, potential=9.81 * M * s)
    rough = free.constrain("floor", s, law=lk.Coulomb(mu, slip=der(z)))
    drives = {"u": {z: 1}, "w": {z: 2}}
    program = lk.Program(z - h * sp.sin(lk.t), drives, weights={"w": 3}, bounds={"u": (-99, most)}, feedback=k)
    system = rough.constrain("path", program)
    values = {M: 2.0, mu: 0.2, k: 40.0, h: 0.3, most: 500.0}
    state = system.at([0.1, 0.0], [0.5, 0.0], 0.7, values)
    equations, names = system.equations("multipliers"), names_of(system)
    assert [title for title, _ in equations.blocks] == ["motion", "constraints", "programs"]
    for title in ("motion", "programs"):
        check(lines_of(equations, title, names), state, system, values)
    assert abs(state.feedback["u"]) > 1
    assert equations.text().splitlines()[-2:] == [
        "Of all drives that satisfy the programs, those with the smallest u^2 + 3*w^2 are chosen.",
        "Bounds: u >= -99, u <= most; when a drive is at a bound, the error of the programs is minimized.",
    ]
    assert state.drives["w"] / state.drives["u"] == pytest.approx(2 / 3)  # the least of u^2 + 3 w^2 for given u + 2 w
    kept = rough.constrain("path", lk.Program(z - h * sp.sin(lk.t), {"u": {z: 1}})).equations("multipliers")
    assert dict(kept.blocks)["programs"] == ((z - h * sp.sin(lk.t), 0),)
    assert [remark[0] for remark in kept.remarks] == ["floor sticks with "]


def block(law):
    m, g, F = lk.parameters("m g F")
    free = lk.System("block", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y, forces={x: F})
    return free.constrain("floor", y, law=law)


def test_a_block_on_a_rough_floor_reads_as_in_a_textbook():
    assert block(lk.Coulomb(mu, slip=der(x))).equations("reduced").text().splitlines() == [
        "motion:", "  m*x'' = F - mu*abs(lambda_1)*sign(x')",
        "constraints:", "  y = 0",
        "multipliers:", "  m*y'' = lambda_1 - m*g",
        "floor sticks with x' = 0 and lambda_1_t in place of -mu*abs(lambda_1)*sign(x') as long as "
        "abs(lambda_1_t) <= mu*abs(lambda_1).",
    ]  # fmt: skip
    pushing = block(lk.Coulomb(mu, slip=der(x), unilateral=True)).equations("full")
    assert pushing.text().splitlines()[-6:] == [
        "laws:", "  r_x = -mu*lambda_1*sign(x')",
        "multipliers:", "  r_y = lambda_1",
        "floor only pushes: y >= 0, lambda_1 >= 0, lambda_1*y = 0; impacts by Newton's law with restitution 0.",
        "floor sticks with x' = 0 and lambda_1_t in place of -mu*lambda_1*sign(x') as long as "
        "abs(lambda_1_t) <= mu*lambda_1.",
    ]  # fmt: skip


def test_remarks_are_set_below_the_equations():
    equations = block(lk.Coulomb(mu, slip=der(x), unilateral=True)).equations("multipliers")
    assert equations.latex().splitlines() == [
        r"\begin{array}{l}",
        r"\begin{aligned}",
        r"m \ddot{x} &= F - \mu \lambda_{1} \operatorname{sign} \dot{x} \\",
        r"m \ddot{y} &= \lambda_{1} - m g \\",
        r"y &= 0",
        r"\end{aligned} \\[1ex]",
        r"\text{floor only pushes: }y \ge 0\text{, }\lambda_{1} \ge 0\text{, }\lambda_{1} y = 0"
        r"\text{; impacts by Newton's law with restitution }0\text{.} \\[1ex]",
        r"\text{floor sticks with }\dot{x} = 0\text{ and }\lambda_{1,t}\text{ in place of }"
        r"-\mu \lambda_{1} \operatorname{sign} \dot{x}\text{ as long as }\left|\lambda_{1,t}\right| \le \mu \lambda_{1}"
        r"\text{.}",
        r"\end{array}",
    ]
    rows = ET.fromstring(equations.mathml()).findall("./{*}mtable/{*}mtr")  # noqa: S314 -- our own text
    assert len(rows) == 5
    assert "".join(rows[3].itertext()).startswith("floor only pushes:\u00a0y≥0")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", LAWS)
def test_every_law_prints_in_three_notations(law, form):
    equations = rod(LAWS[law], "wall")[0].equations(form)
    text = equations.latex()
    assert text.count("&=") == len(equations.lines)
    assert text.count("{") == text.count("}")
    assert text.count(r"\left") == text.count(r"\right")
    rows = ET.fromstring(equations.mathml()).findall("./{*}mtable/{*}mtr")  # noqa: S314 -- our own text
    assert len(rows) == len(equations.lines) + len(equations.remarks)
    assert bool(equations.remarks) == (law not in ("viscous", "exerted", "smooth"))


def test_symbols_of_multipliers_avoid_parameters_of_laws():
    taken = lk.parameters("lambda_1")
    equations = block(lk.Coulomb(taken, slip=der(x))).equations("multipliers")
    assert "m*x'' = F - lambda_1*abs(mu_1)*sign(x')" in equations.text()


def test_names_of_contacts_with_signs_are_shown_as_they_are():
    m = lk.parameters("m")
    free = lk.System("block", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2)
    equations = free.constrain("50 % of A_1 & <B>", y, law=lk.laws.Unilateral()).equations()
    assert r"\text{50 \% of A\_1 \& <B> only pushes: }" in equations.latex()
    assert "50 % of A_1 & <B> only pushes:" in "".join(ET.fromstring(equations.mathml()).itertext())  # noqa: S314


def test_the_document_of_the_command_line_has_the_remarks():
    text = latex_document("block", block(lk.Coulomb(mu, slip=der(x))).equations("reduced"))
    assert r"\par\noindent $\text{floor sticks with }\dot{x} = 0\text{ and }" in text
    assert text.count("$") == 2
    assert text.index("align*") < text.index(r"\par") < text.index(r"\end{document}")
