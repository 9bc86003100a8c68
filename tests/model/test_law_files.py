"""Laws of constraints and options of programs in files: equal systems are read back, faults name their table."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket import der
from lienket.errors import ModelError, ModelFileError
from lienket.model.file import read_text
from lienket.model.file.writing import write_text

x, y, phi = lk.coordinates("x y phi")
m, g, k, mu, w = lk.parameters("m g k mu w")
BLOCK = """
lienket = 1
name = "block"
coordinates = ["x", "y", "phi"]
kinetic = "m*(der(x)^2 + der(y)^2 + der(phi)^2)/2"
parameters = {m = 2, mu = 0.3, k = {}}
"""
FLOOR = '[[constraints]]\nname = "floor"\nequation = "y"\n'
SERVO = '[[constraints]]\nname = "servo"\nkind = "program"\nequation = "x - t"\n'


def free():
    return lk.System("block", [x, y, phi], kinetic=m * (der(x) ** 2 + der(y) ** 2 + der(phi) ** 2) / 2)


# Round trips

positive = st.floats(1e-3, 1e3) | st.integers(1, 50) | st.fractions("1/99", 9, max_denominator=99)
coefficient = positive | st.sampled_from([mu, mu * sp.exp(-k * sp.Abs(x)), k + sp.sin(phi) ** 2, mu / (1 + lk.t)])
constant = positive | st.sampled_from([k, k**2 + 1, sp.sqrt(k) * mu])
share = st.floats(0, 1) | st.fractions(0, 1, max_denominator=20) | st.sampled_from([k, 0, 1])
slip = st.sampled_from(
    [der(x), der(x) - k, der(x) + x * der(phi) * sp.cos(phi), 2 * der(y) - der(phi) / 3, der(x) - lk.t]
)
impact = st.sampled_from(["newton", "poisson"])


@st.composite
def coulomb(draw):
    unilateral = draw(st.booleans())
    sliding, sticking = draw(coefficient), draw(coefficient)
    if sp.sympify(sliding).is_number and sp.sympify(sticking).is_number:
        sliding, sticking = sorted([sliding, sticking])
    return lk.Coulomb(
        sliding,
        slip=draw(slip),
        mu_static=sticking,
        stribeck=draw(st.none() | constant),
        viscous=draw(st.just(0) | coefficient),
        unilateral=unilateral,
        restitution=draw(share) if unilateral else 0,
        impact=draw(impact),
        smooth=draw(st.none() | constant),
    )


viscous = st.builds(lk.laws.Viscous, coefficient, slip)
unilateral = st.builds(lk.laws.Unilateral, share, impact)
forces = st.dictionaries(
    st.sampled_from([x, y, phi]), st.sampled_from([k * der(x), -mu * y, 3, sp.tanh(phi)]), min_size=1
)
laws = coulomb() | viscous | unilateral | forces.map(lk.laws.Exerted) | st.builds(lk.Coulomb, coefficient, slip)


@random_cases(150)
@given(laws)
def test_every_law_survives_the_round_trip(law):
    system = free().constrain("floor", y - sp.sin(x), law=law)
    again = read_text(write_text(system.statement))
    assert again == system.statement
    assert again.constraints[0].law == system.constraints[0].law is not None


bound = st.none() | st.floats(-50, -0.5) | st.just(-k), st.none() | st.floats(0.5, 50) | st.just(k) | st.integers(1, 9)


@random_cases(120)
@given(
    st.dictionaries(st.sampled_from(["motor", "hand wheel"]), constant),
    st.dictionaries(st.sampled_from(["motor", "hand wheel"]), st.tuples(*bound)),
    st.none() | constant | st.tuples(constant, constant) | st.just((0, 3)) | st.just((w**2, 2 * w)),
    st.sampled_from([x - lk.t, der(x) - sp.cos(lk.t)]),
)
def test_every_option_of_a_program_survives_the_round_trip(weights, bounds, feedback, program):
    drives = {"motor": {x: 1, phi: k}, "hand wheel": {y: 2, x: sp.cos(phi)}}
    system = free().constrain("servo", lk.Program(program, drives, weights, bounds, feedback))
    assert read_text(write_text(system.statement)) == system.statement


def test_a_file_states_what_python_states():
    text = BLOCK + FLOOR.replace('"y"', '"y - x"') + (
        'law = {kind = "coulomb", mu = "mu", slip = "der(x)", mu_static = 0.4, stribeck = "k/2", viscous = 0.1, '
        'unilateral = true, restitution = "1/2", impact = "poisson"}\n'
        '[[constraints]]\nname = "oil"\nequation = "phi"\n'
        'law = {kind = "viscous", coefficient = "k", slip = "der(x)"}\n'
        '[[constraints]]\nname = "soil"\nequation = "phi - x"\n'
        'law = {kind = "exerted", forces = {x = "-k*t", phi = 2}}\n'
        '[[constraints]]\nname = "wall"\nequation = "x"\n[constraints.law]\nkind = "unilateral"\n'
    ) + SERVO + (
        'drives = {M = {x = 1}, F = {x = 1, y = "k"}, P = {y = 1}}\nweights = {M = 2}\n'
        'bounds = {M = [-5, "k"], F = [-inf, 3.5]}\nfeedback = 4\n'
    )  # fmt: skip
    half = sp.Rational(1, 2)
    friction = lk.Coulomb(
        mu, slip=der(x), mu_static=0.4, stribeck=k / 2, viscous=0.1, unilateral=True, restitution=half, impact="poisson"
    )
    servo = lk.Program(
        x - lk.t, {"M": {x: 1}, "F": {x: 1, y: k}, "P": {y: 1}}, {"M": 2}, {"M": (-5, k), "F": (None, 3.5)}, (16, 8)
    )
    kinetic = m * (der(x) ** 2 + der(y) ** 2 + der(phi) ** 2) / 2
    stated = lk.System("block", [x, y, phi], kinetic=kinetic, values={m: 2, mu: 0.3}).constrain(
        "floor", y - x, law=friction
    )
    stated = stated.constrain("oil", phi, law=lk.laws.Viscous(k, der(x)))
    stated = stated.constrain("soil", phi - x, law=lk.laws.Exerted({x: -k * lk.t, phi: 2}))
    stated = stated.constrain("wall", x, law=lk.laws.Unilateral()).constrain("servo", servo)
    assert lk.System.from_statement(read_text(text)) == stated


def test_a_law_beside_a_statement_in_an_event(tmp_path):
    oil = lk.laws.Viscous(k, slip=der(x))
    system = free().watch(lk.Event("land", when=y, add={"floor": (lk.Holonomic(y), oil)}))
    assert system.events[0].constraints[0].law == oil
    lk.save(system, tmp_path / "block.toml")
    assert lk.load(tmp_path / "block.toml") == system


# Faults


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('law = {mu = 0.3, slip = "der(x)"}', ["'floor', law, kind: this key is missing", "'coulomb', 'viscous'"]),
        ('law = {kind = "dry", mu = 0.3}', ["'floor', law, kind: one of the allowed values was expected, not 'dry'"]),
        ('law = {kind = "coulom"}', ["allowed values was expected, not 'coulom', did you mean 'coulomb'?"]),
        ('law = {kind = 3}', ["'floor', law, kind: one of the allowed values"]),
        ('law = "coulomb"', ["'floor', law: a table was expected, not 'coulomb'"]),
        ('law = {kind = "coulomb", mu = 0.3}', ["'floor', law, slip: this key is missing"]),
        ('law = {kind = "coulomb", slip = "der(x)", my = 1}', ["law, mu: this key is missing", "law, my: there is no"]),
        ('law = {kind = "viscous", mu = 0.3, slip = "der(x)"}', ["law, coefficient: this key", "law, mu: there is no"]),
        ('law = {kind = "unilateral", slip = "der(x)"}', ["law, slip: there is no such key", "restitution, impact"]),
        ('law = {kind = "exerted"}', ["law, forces: this key is missing"]),
        ('law = {kind = "exerted", forces = {}}', ["law: Exerted expects a mapping"]),
        ('law = {kind = "exerted", forces = {z = 1}}', ["law: it acts on z, which is not a coordinate"]),
        ('law = {kind = "exerted", forces = {x = "q"}}', ["law, forces.x: unknown name 'q'"]),
        ('law = {kind = "coulomb", mu = "mü", slip = "der(x)"}', ["'floor', law, mu: ", "column 1"]),
        ('law = {kind = "coulomb", mu = -1, slip = "der(x)"}', ["law: mu must not be negative, but is -1"]),
        ('law = {kind = "coulomb", mu = 1, mu_static = 0.5, slip = "der(x)"}', ["mu_static = 1/2 is less than mu = 1"]),
        ('law = {kind = "coulomb", mu = nan, slip = "der(x)"}', ["law, mu: nan is not a finite number"]),
        ('law = {kind = "coulomb", mu = 1, slip = "x"}', ["law: slip contains no velocity"]),
        ('law = {kind = "coulomb", mu = 1, slip = "der(x)^2"}', ["law: slip must be linear"]),
        ('law = {kind = "coulomb", mu = 1, slip = "der(x, 2)"}', ["law, slip: it contains x''"]),
        ('law = {kind = "coulomb", mu = 1, slip = "der(x)", smooth = "x"}', ["smooth: only numbers and parameters"]),
        ('law = {kind = "coulomb", mu = 1, slip = "der(x)", stribeck = 1}', ["stribeck needs mu_static"]),
        ('law = {kind = "coulomb", mu = 1, slip = "der(x)", unilateral = "yes"}', ["unilateral: true or false was"]),
        ('law = {kind = "coulomb", mu = 1, slip = "der(x)", restitution = 0.5}', ["only a unilateral contact has",
                                                                                  "unilateral = true"]),
        ('law = {kind = "unilateral", restitution = 2}', ["restitution must lie between 0 and 1"]),
        ('law = {kind = "unilateral", impact = "hertz"}', ["law, impact: one of the allowed values", "'poisson'"]),
        ('feedback = 3\nbounds = {M = [0, 1]}', ["only a program has bounds and feedback", 'kind = "program"']),
    ],
)  # fmt: skip
def test_faults_of_a_law_name_the_constraint(lines, words):
    with pytest.raises(ModelFileError) as caught:
        read_text(BLOCK + FLOOR + lines, "block.toml")
    text = str(caught.value)
    assert "[[constraints]] 'floor'" in text
    assert all(word in text for word in words), text


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('law = {kind = "unilateral"}', "law: a program is realised by drives"),
        ("bounds = {M = [1]}", "bounds, M: a list of 2 was expected"),
        ("bounds = {M = 5}", "bounds, M: a list in square brackets was expected"),
        ("bounds = {M = [3, -3]}", "bounds.M: the lower bound, 3, exceeds the upper bound, -3"),
        ("bounds = {M = [inf, 3]}", "bounds.M: the least cannot be inf"),
        ("bounds = {M = [0, -inf]}", "bounds.M: the most cannot be -inf"),
        ("bounds = {M = [nan, 3]}", "bounds.M: nan is not a finite number"),
        ('bounds = {M = ["", 3]}', "bounds.M"),
        ("bounds = {N = [-1, 3]}", "bounds: there is no drive 'N'"),
        ("weights = {M = 0}", "the weight of drive 'M' must be positive"),
        ('weights = {M = "2*"}', "weights.M"),
        ("feedback = [1, 2, 3]", "feedback: a list of 2 was expected"),
        ("feedback = -2", "feedback: the rate must be positive"),
        ('feedback = "x"', "only numbers and parameters are allowed here"),
        ("feedback = inf", "feedback: inf is not a finite number"),
    ],
)  # fmt: skip
def test_faults_of_a_program_name_the_constraint(lines, words):
    with pytest.raises(ModelFileError) as caught:
        read_text(BLOCK + SERVO + "drives = {M = {x = 1}}\n" + lines, "block.toml")
    assert "[[constraints]] 'servo'" in str(caught.value) and words in str(caught.value), str(caught.value)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({mu: -0.1}, "'floor': mu must not be negative, but is -0.1"),
        ({mu: 0.6}, "'floor': mu_static = 0.5 is less than mu = 0.6"),
        ({k: -1}, "'floor': restitution must lie between 0 and 1, but is -1"),
        ({k: 2}, "'floor': restitution must lie between 0 and 1, but is 2"),
        ({w: -1}, "'servo': the lower bound of drive 'M', 1, exceeds its upper bound, -1"),
        ({w: -1}, "'servo': the gain of the feedback must not be negative, but is -2"),
        ({g: 0}, "'servo': the weight of drive 'M' must be positive, but is 0"),
    ],
)
def test_invalid_numbers_in_laws_and_programs_are_refused(values, words):
    friction = lk.Coulomb(mu, slip=der(x), mu_static=sp.Rational(1, 2), unilateral=True, restitution=k)
    servo = lk.Program(phi - lk.t, {"M": {phi: 1}}, {"M": g}, {"M": (-w, w)}, w)
    system = free().constrain("floor", y, law=friction).constrain("servo", servo)
    numbers = {m: 1, mu: 0.3, k: 0.5, w: 2, g: 1} | values
    for asked in (
        lambda: system.at([0, 0, 0], [1, 0, 1], 0.0, numbers),
        lambda: system.simulate(numbers, until=1.0),
        lambda: system.consistent({"x": 1}, numbers),
    ):
        with pytest.raises(ModelError) as caught:
            asked()
        assert words in str(caught.value), str(caught.value)


def test_all_faults_of_all_laws_are_reported_together():
    wall = FLOOR.replace("floor", "wall")
    with pytest.raises(ModelFileError) as shapes:
        read_text(f'{BLOCK}{FLOOR}law = {{kind = "dry"}}\n{wall}law = {{kind = "coulomb", mu = 1}}\n', "block.toml")
    assert len(shapes.value.faults) == 2
    with pytest.raises(ModelFileError) as caught:
        read_text(
            f'{BLOCK}{FLOOR}law = {{kind = "coulomb", mu = -1, slip = "x", stribeck = 0}}\n'
            f'{wall}law = {{kind = "unilateral", restitution = 7}}\n{SERVO}drives = {{M = {{z = 1}}}}\nfeedback = -1',
            "block.toml",
        )
    assert len(caught.value.faults) >= 6


def test_a_contact_added_by_an_event_is_refused():
    land = lk.Event("land", when=y, add={"floor": (y, lk.Coulomb(mu, slip=der(x)))})
    with pytest.raises(ModelError, match="event 'land': 'floor' is a contact, and an event cannot add a contact"):
        free().watch(land)


def test_all_faults_of_events_are_reported_together():
    """Faults of an event itself and faults of the event in its system are reported together."""
    z = lk.coordinates("z")
    with pytest.raises(ModelError) as caught:
        free().watch(
            lk.Event("one", when=x, direction="down", release="rod", set={"h": 1}),
            lk.Event("two", when=z + lk.reaction("rope"), terminal="yes"),
            lk.Event("three", when=sp.Integer(3)),
            lk.Event("four", when="x", add={"a": y, "b": z}),
        )
    text = str(caught.value)
    for words in (
        "no direction 'down'", "no constraint 'rod'", "h is not a parameter", "z(t) is not among", "'rope'",
        "`terminal`", "'three': its condition is 3", "event 'four'", "constraint 'b'",
    ):  # fmt: skip
        assert words in text, text
    assert len(caught.value.faults) == 9, text
