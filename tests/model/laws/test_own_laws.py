"""Laws of users: equal to the package's where they state the same, right where they state something else."""

import pickle

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from own_laws import Drag, Falling, Seal, Twin
from random_cases import random_cases
from scipy.integrate import solve_ivp

import lienket as lk
from lienket import der
from lienket.assembly.models import compiled_model
from lienket.assembly.programs import with_hidden_programs
from lienket.errors import ModelError, ModelFileError

TIGHT = {"rtol": 1e-11, "atol": 1e-13}
share = st.integers(1, 40).map(lambda k: k / 100)
x, y = lk.coordinates("x y")
m, k, v, mu, mu_s = lk.parameters("m k v mu mu_s")


def belt(law, numbers):
    """Return a block on a moving belt, held by a spring."""
    values = dict(zip((m, k, v, mu, mu_s), numbers, strict=True))
    block = lk.System(
        "belt", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=k * x**2 / 2 + 10 * m * y, values=values
    )
    return block.constrain("belt", y, law=law)


def crank(law):
    """Return the slider-crank of the examples with another law of its guide."""
    stated = lk.load("examples/models/slider_crank_friction.toml")
    guide = stated.constraints[0]
    return stated.release("guide").constrain("guide", guide.expressions[0], law=law(guide.law))


def thrown(law):
    """Return a disc thrown onto a floor, with spin."""
    phi = lk.coordinates("phi")
    disc = lk.System(
        "disc", [x, y, phi], kinetic=der(x) ** 2 / 2 + der(y) ** 2 / 2 + der(phi) ** 2 / 4, potential=10 * y
    )
    return disc.constrain("floor", y - 1, law=law(der(x) + der(phi)))


def same_code(one, other):
    """Assert that two systems have the same machine code."""
    digests = []
    for system in (one, other):
        s = with_hidden_programs(system.statement)
        digests.append(compiled_model(s.free, s.constraints, s.parameters).digest)
    assert digests[0] == digests[1]


def same_motion(one, other, **run):
    """Assert that two systems have the same motion, bit for bit, and return one."""
    a, b = (system.simulate(**run) for system in (one, other))
    for name in ("t", "q", "v", "accelerations", "multipliers"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert [str(s) for s in a.switches] == [str(s) for s in b.switches]
    for name, reaction in a.reactions.items():
        np.testing.assert_array_equal(reaction, b.reactions[name])
    assert a.audit.ok and b.audit.ok
    return a


stribeck = st.sampled_from([None, 0.2, sp.Rational(1, 2)])
numbers = st.tuples(share.map(lambda z: 1 + z), share.map(lambda z: 20 * z), share, share, share).map(
    lambda z: (z[0], z[1], z[2], z[3], z[3] + z[4])  # static friction is at least sliding friction
)


@random_cases(12)
@given(numbers, stribeck, st.sampled_from([None, 0.01]), st.sampled_from([0, 0.1]))
def test_a_twin_of_coulomb_on_a_belt(values, fall, smooth, viscous):
    """The same formulas give the same equations, machine code, states and motions."""
    more = {"slip": der(x) - v, "mu_static": mu_s, "stribeck": fall, "viscous": viscous, "smooth": smooth}
    one, other = belt(lk.Coulomb(mu, **more), values), belt(Twin(mu, **more), values)
    same_code(one, other)
    assert str(one.equations()) == str(other.equations())
    tables = [str(s.stages()).replace("Coulomb", "Twin") for s in (one, other)]
    assert [sorted(text.replace(",", "").replace(".", "").split()) for text in tables[:1]] == [
        sorted(text.replace(",", "").replace(".", "").split()) for text in tables[1:]
    ]
    for velocity in ([0.3, 0.0], [float(values[2]), 0.0]):
        a, b = one.at([0.1, 0], velocity), other.at([0.1, 0], velocity)
        np.testing.assert_array_equal(a.accelerations, b.accelerations)
        np.testing.assert_array_equal(a.reactions["belt"], b.reactions["belt"])
        assert a.contacts == b.contacts
    same_motion(one, other, start={"x": 0.0, "x'": 0.0}, until=2)


@random_cases(4)
@given(st.sampled_from([0.05, 0.12, 0.16]))
def test_a_twin_of_coulomb_in_a_slider_crank(coefficient):
    one = crank(lambda law: law)
    other = crank(lambda law: Twin(law.mu, law.mu_static, slip=law.slip))
    same_code(one, other)
    values, start = {"mu": coefficient, "Md": 0}, {"phi": 0.3, "phi'": 4.0}
    motion = same_motion(one, other, values=values, start=start, guess={"theta": 0.1}, until=1.5)
    drives = [system.drive(motion, drives={"M": {"phi": 1}}, values=values) for system in (one, other)]
    np.testing.assert_array_equal(drives[0].drives["M"], drives[1].drives["M"])
    code = [system.compile().evaluate(motion.t, motion.q, motion.v, values) for system in (one, other)]
    np.testing.assert_array_equal(code[0].accelerations, code[1].accelerations)
    np.testing.assert_array_equal(code[0].modes["guide"], code[1].modes["guide"])


@pytest.mark.parametrize("impact", ["newton", "poisson"])
@pytest.mark.parametrize("restitution", [0, 0.5, 0.8])
def test_a_twin_of_coulomb_in_a_bouncing_disc(impact, restitution):
    more = {"unilateral": True, "restitution": restitution, "impact": impact}
    one = thrown(lambda slip: lk.Coulomb(0.3, slip=slip, **more))
    other = thrown(lambda slip: Twin(0.3, slip=slip, **more))
    motion = same_motion(one, other, start={"x": 0, "y": 1.5, "phi": 0, "x'": 2.0, "phi'": 1.0}, until=1.2)
    assert motion.switches


# Laws that the package does not have


@random_cases(6)
@given(share, st.floats(0.5, 2), st.floats(1, 3))
def test_a_falling_coefficient_against_scipy(coefficient, scale, speed):
    """A block slides on a level floor: x'' = -g mu/(1 + (x'/scale)^2) until it rests, which it keeps doing."""
    block = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * y)
    rough = block.constrain("floor", y, law=Falling(coefficient, scale, slip=der(x)))
    rest = solve_ivp(
        lambda t, z: [z[1], -9.81 * coefficient / (1 + (z[1] / scale) ** 2)], (0, 1e4), [0, speed],
        events=lambda t, z: z[1], rtol=1e-12, atol=1e-14, method="DOP853", max_step=10,
    )  # fmt: skip
    time = speed * (1 + (speed / scale) ** 2 / 3) / (9.81 * coefficient)  # of the closed solution
    assert rest.t_events[0][0] == pytest.approx(time, rel=1e-9)
    motion = rough.simulate(start={"x": 0.0, "x'": speed}, until=1.5 * time, **TIGHT)
    (stop,) = motion.switches
    assert stop.t == pytest.approx(time, rel=1e-8)
    assert motion.q[-1, 0] == pytest.approx(rest.y_events[0][0][0], rel=1e-8)
    assert motion.contacts["floor"].mode[-1] == "sticks"
    limit = -9.81 * coefficient
    assert rough.at([0, 0], [scale, 0]).contacts["floor"].friction == pytest.approx(limit / 2, rel=1e-12)


@random_cases(6)
@given(share, share, st.floats(0.1, 2))
def test_a_push_is_a_generalized_force(area, weight, speed):
    """A law with a push alone gives the motion of the same force stated as a force."""
    a = lk.parameters("a")
    free = lk.System("boat", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=weight * x, values={a: area})
    pushed = free.constrain("water", y, law=Drag(a, {x: der(x)}, wet=True))
    stated = lk.System(
        "boat", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=weight * x, values={a: area},
        forces={x: -2 * a * der(x) * sp.Abs(der(x))},
    ).constrain("water", y)  # fmt: skip
    motions = [s.simulate(start={"x": 0, "y": 0, "x'": speed}, times=[0, 0.5, 2], **TIGHT) for s in (pushed, stated)]
    np.testing.assert_allclose(motions[0].q, motions[1].q, rtol=1e-10, atol=1e-11)
    force = -2 * area * motions[0].v[:, 0] * np.abs(motions[0].v[:, 0])
    np.testing.assert_allclose(motions[0].reactions["water"][:, 0], force, rtol=1e-12)
    assert sp.simplify(pushed.accelerations()[x] - stated.accelerations()[x]) == 0


@random_cases(6)
@given(st.floats(-0.5, 0.5), st.floats(-20, 20))
def test_a_share_of_the_reaction_without_modes(part, load):
    """The guide y = 0 carries lambda = load and pushes along x with part lambda: x'' = part load, whatever its sign."""
    free = lk.System("slide", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, forces={y: -load})
    system = free.constrain("guide", y, law=Seal(part, x))
    state = system.at([0, 0], [1, 0])
    np.testing.assert_allclose(state.accelerations, [part * load, 0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(state.reactions["guide"], [part * load, load], rtol=1e-12, atol=1e-12)
    motion = system.simulate(start={"x": 0.0, "x'": 1.0}, times=[0, 2])
    assert motion.q[-1, 0] == pytest.approx(2 + part * load * 2, rel=1e-9, abs=1e-9)
    assert "friction" not in state.contacts and not motion.switches
    assert system.drive(motion, drives={"F": {x: 1}}).drives["F"] == pytest.approx(0, abs=1e-9)
    with pytest.raises(lk.LienketError, match="depends on the size of its own reaction"):
        system.reactions()


def test_inputs_and_parameters_that_only_a_law_brings():
    """A coefficient that follows a temperature, stated when the run begins: x'' = -10 mu0 (1 - 0.02 T(t))."""
    T, mu0 = lk.inputs("T"), lk.parameters("mu0")
    block = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=10 * y, inputs=[T])
    rough = block.constrain("floor", y, law=Twin(mu0 * (1 - T / 50), slip=der(x)))
    assert [p.name for p in rough.parameters] == ["mu0"]
    state = rough.with_inputs({"T": 5 * lk.t}).at([0, 0], [1, 0], t=4, values={"mu0": 0.5})
    np.testing.assert_allclose(state.accelerations, [-10 * 0.5 * 0.6, 0], rtol=1e-12, atol=1e-12)
    motion = rough.simulate({"mu0": 0.5}, inputs={"T": 5 * lk.t}, start={"x": 0.0, "x'": 10.0}, times=[0, 2])
    assert motion.v[-1, 0] == pytest.approx(10 - 5 * (2 - 0.1 * 2), rel=1e-9)  # integral of 5 (1 - 0.1 t)


# Statements, files, messages


def test_laws_are_values():
    """Equal laws make equal systems, also after pickling; another class with equal fields is another law."""
    one, other = (belt(Falling(mu, 0.2, slip=der(x)), (1, 2, 0, 0.3, 0.4)) for _ in range(2))
    assert one == other and hash(one.statement) == hash(other.statement)
    again = pickle.loads(pickle.dumps(one))
    assert again == one and again.constraints[0].law == one.constraints[0].law
    assert belt(Twin(mu, slip=der(x)), (1, 2, 0, 0.3, 0.4)) != belt(lk.Coulomb(mu, slip=der(x)), (1, 2, 0, 0.3, 0.4))


@pytest.mark.parametrize(
    "law",
    [
        Falling(mu, sp.Rational(1, 5), slip=der(x) - v, unilateral=True, restitution=0.5, impact="poisson"),
        Twin(mu, mu_s, 0.1, slip=der(x), viscous=k, smooth=0.01),
        Drag(mu, {x: der(x)}, wet=True),
        Seal(0.1, x),
    ],
)
def test_files(law, tmp_path):
    """A file keeps the law if its class is named, and says what is missing if it is not."""
    system = belt(law, (1, 2, 0, 0.3, 0.4))
    path = tmp_path / "belt.toml"
    lk.save(system, path)
    assert lk.load(path, laws=[type(law)]) == system
    assert lk.load(path, laws=[Drag, Seal, Falling, Twin]) == system
    with pytest.raises(ModelFileError) as error:
        lk.load(path)
    assert f"'{law.kind}'" in str(error.value) and "'coulomb', 'viscous', 'exerted', 'unilateral'" in str(error.value)
    assert "lk.load(path, laws=[...])" in str(error.value)
    motion = system.simulate(start={"x": 0.1, "y": 0.0}, until=0.2)
    lk.save(motion, tmp_path / "motion.npz")
    loaded = lk.load(tmp_path / "motion.npz", laws=[type(law)])
    np.testing.assert_array_equal(loaded.reactions["belt"], motion.reactions["belt"])
    with pytest.raises(lk.LienketError, match="laws"):
        lk.load(tmp_path / "motion.npz")


def test_names_in_latex_in_fields(tmp_path):
    r"""Coordinates named \theta keep their names in columns and formulas of a law."""
    theta, c = lk.coordinates(r"\theta"), lk.parameters("c_{1}")
    system = lk.System("disc", [theta, y], kinetic=der(theta) ** 2 + der(y) ** 2, values={c: 2})
    system = system.constrain("shaft", y, law=Drag(c, {theta: der(theta)}))
    lk.save(system, tmp_path / "disc.toml")
    again = lk.load(tmp_path / "disc.toml", laws=[Drag])
    assert again == system
    assert again.at([0, 0], [3, 0]).accelerations[0] == pytest.approx(-9.0)


def test_a_file_of_ideal_constraints_is_read_with_laws_too():
    disc = lk.load("examples/models/rolling_disc.toml", laws=[Falling])
    assert disc == lk.load("examples/models/rolling_disc.toml")


class NoKind(lk.laws.Friction):
    """A law without a word in files."""

    def coefficient(self, speed):
        """Return a constant."""
        return sp.Rational(1, 3)


class Same(lk.laws.Friction):
    """A law with the word of another one."""

    kind = "coulomb"


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ([NoKind], "NoKind has no word in files"),
        ([Same], "Coulomb and Same have the same kind 'coulomb'"),
        ([Falling(1, 1)], "subclasses of lk.laws.Law"),
        (Falling, None),
    ],
)
def test_laws_that_cannot_be_loaded(laws, message):
    if message is None:
        assert lk.load("examples/models/belt.toml", laws=laws) == lk.load("examples/models/belt.toml")
        return
    with pytest.raises(TypeError, match=message):
        lk.load("examples/models/belt.toml", laws=laws)


def test_a_law_without_a_word_is_not_saved(tmp_path):
    system = belt(NoKind(slip=der(x)), (1, 2, 0, 0.3, 0.4))
    assert system.at([0, 0], [1, 0])["x''"] == pytest.approx(-10 / 3)
    with pytest.raises(ModelFileError, match=r"law NoKind: it has no word in files\n *Write kind = "):
        lk.save(system, tmp_path / "belt.toml")


class Halved(lk.Coulomb):
    """Coulomb's law with half the coefficient, under the word of Coulomb's law."""

    def coefficient(self, speed):
        """Return one half of Coulomb's coefficient."""
        return super().coefficient(speed) / 2


def test_a_law_with_the_word_of_another_is_not_saved(tmp_path):
    """A subclass of Coulomb's law has its friction, but a file would turn it into Coulomb's law."""
    system = belt(Halved(mu, slip=der(x)), (1, 2, 0, 0.3, 0.4))
    assert system.at([0, 0], [1, 0])["x''"] == pytest.approx(-10 * 0.15)
    with pytest.raises(ModelFileError, match="law Halved: its word in files, 'coulomb', is that of Coulomb"):
        lk.save(system, tmp_path / "belt.toml")


class Foreign(lk.laws.Friction):
    """A law with a symbol, a function of time and a speed at which it is infinite, none of them in its fields."""

    def coefficient(self, speed):
        """Return a coefficient of things that no field has."""
        return lk.parameters("mu7") / speed * lk.coordinates("z")


class Shared(lk.laws.Law):
    """A law that does not say that it depends on the reaction."""

    def force(self, name, coordinates):
        """Return a share of the reaction."""
        return lk.laws.LawForce(share=sp.S.One, direction=((x, sp.S.One),))


class Astray(lk.laws.Law):
    """A law that acts on something that is no coordinate, with an acceleration."""

    def force(self, name, coordinates):
        """Return a plain number and an acceleration."""
        return lk.laws.LawForce(push=((lk.coordinates("z"), 1.5), (x, der(x, 2))))


class Plain(lk.laws.Law):
    """A law whose force is a plain number."""

    def force(self, name, coordinates):
        """Return a number."""
        return lk.laws.LawForce(push=((x, 1.5),))


def test_a_force_may_be_a_plain_number():
    system = belt(Plain(), (1, 2, 0, 0.3, 0.4))
    assert system.at([0, 0], [0, 0])["x''"] == pytest.approx(1.5)
    assert system.simulate(start={"x": 0.0}, until=0.1).audit.ok
    assert "1.5" in str(system.equations())


@pytest.mark.parametrize(
    ("law", "faults"),
    [
        (Astray, ["its force acts on z(t), which is not a coordinate", "its force contains x''"]),
        (
            lambda: Foreign(slip=der(x)),
            ["its force contains mu7", "its force contains z", "at the speed 0 is not finite", "Make it a field"],
        ),
        (Shared, ["depends_on_reaction is False"]),
        (lambda: Falling(0.3, -1, slip=der(x)), ["scale must be positive, but is -1"]),
        (lambda: Falling(0.3, lk.t, slip=der(x)), ["scale: only numbers and parameters are allowed here"]),
        (lambda: Falling(0.3, 1), ["it needs slip"]),
        (lambda: Falling(None, 1, slip=der(x)), ["law, mu: an expression was expected"]),
        (lambda: Falling(0.3, 1, slip=der(x), restitution=0.5), ["only a unilateral contact has restitution"]),
        (lambda: Falling(0.3, 1, slip=der(x), unilateral=1), ["unilateral must be True or False"]),
        (lambda: Falling(0.3, 1, slip=der(x), impact="hard"), ["impact must be 'newton' or 'poisson', not 'hard'"]),
        (lambda: Drag(1, 3), ["Drag expects a mapping from coordinate to force"]),
        (lambda: Falling, ["it must be lk.Coulomb"]),
    ],
)
def test_faults_of_a_law(law, faults):
    with pytest.raises(ModelError) as error:
        belt(law(), (1, 2, 0, 0.3, 0.4))
    for fault in faults:
        assert fault in str(error.value)


def test_faults_of_numbers():
    system = belt(Falling(mu, mu_s, slip=der(x)), (1, 2, 0, 0.3, 0.4))
    with pytest.raises(ModelError, match="'belt': scale must be positive, but is -2"):
        system.at([0, 0], [1, 0], values={"mu_s": -2})


def test_the_text_of_a_law():
    system = belt(Falling(mu, 2, slip=der(x), unilateral=True, impact="poisson"), (1, 2, 0, 0.3, 0.4))
    text = "Falling, mu = mu, scale = 2, slip = x', unilateral, impact = poisson"
    assert text in str(system) and text in str(system.stages())
