"""Attack on files: random statements are saved, loaded, pickled and copied, and each is an equal system.

Formulas of every kind, names in LaTeX and Greek, assumptions, tables, inputs, laws, programs, events, loads, units.
"""

import copy
import pickle
import random
import tempfile
from pathlib import Path

import pytest
import sympy as sp
from attack_cases import attack_cases
from random_formulas import atoms_of, formula, real

import lienket as lk
from lienket import der
from lienket.errors import ModelFileError

NAMES = ["x y m k", "q_1 q_2 m_1 k_1", r"\theta \varphi \mu_{1} k_{ab}", "α β μ_0 λ", "X Y M1 K1"]
ASSUMPTIONS = [{}, {}, {"positive": True}, {"real": True}, {"nonnegative": True}]


def drawn_formula(rng, atoms, depth, tables=()):
    """Return a random formula that is a real number somewhere; SymPy itself fails at some."""
    for _ in range(100):
        try:
            e = formula(rng, atoms, rng.randint(0, depth), tables)
            if real(e):
                return e
        except (RecursionError, TypeError, ValueError, KeyError, AttributeError, NotImplementedError):
            continue
    return sp.Integer(1)


def drawn_law(rng, x, numbers):
    """Return a law whose coefficients are formulas of parameters, or None."""
    c = [sp.Rational(rng.randint(1, 9), 10) * rng.choice([1, *numbers]) for _ in range(4)]
    laws = [
        None, lk.laws.Unilateral(sp.Rational(1, 3)), lk.laws.Viscous(c[0], slip=der(x)),
        lk.Coulomb(c[0], slip=der(x)), lk.Coulomb(c[0], slip=2 * der(x), unilateral=True, restitution=0.25),
        lk.Coulomb(c[0], slip=der(x), mu_static=c[0] + c[1], stribeck=c[2], viscous=c[3]),
        lk.Coulomb(c[0], slip=der(x), smooth=0.01), lk.laws.Exerted({x: c[0] * der(x)}),
    ]  # fmt: skip
    return rng.choice(laws)


def drawn_event(rng, number, x, y, m, atoms, names):
    """Return a random event of a system with these constraints."""
    when = drawn_formula(rng, atoms, 2) + x
    more = [
        {}, {"terminal": True}, {"direction": rng.choice(["rising", "falling"])},
        {"set": {m: m * sp.Rational(2, 3) + drawn_formula(rng, [m, x, der(y)], 1)}},
        {"velocities": {der(y): -der(y) / 3 + x}}, {"release": rng.choice(names)} if names else {},
        {"add": {f"new{number}": x**2 - sp.Rational(2, 3) / (sp.cos(y) + 2)}},
    ]  # fmt: skip
    return lk.Event(f"event {number}", when, **rng.choice(more))


def drawn_system(seed):
    """Return a random system."""
    rng = random.Random(seed)
    names = rng.choice(NAMES).split()
    x, y = (lk.coordinates(name) for name in names[:2])
    m, k = (lk.parameters(name, **rng.choice(ASSUMPTIONS)) for name in names[2:])
    F = lk.inputs("F")
    tables = [lk.table("road", [0, 1, 2.5], [0.1, 1, -1 / 3], rng.choice(["linear", "cubic"]), "hold")]
    atoms = [*atoms_of(x, y, m, k), F]
    with_mass = sp.Rational(rng.randint(1, 5), rng.randint(1, 5)) * m
    system = lk.System(
        f"random {seed}", [x, y],
        kinetic=with_mass * der(x) ** 2 / (2 + sp.cos(y)) + (k**2 + 1) * der(y) ** 2 / 2,
        potential=drawn_formula(rng, [x, y, m, k, lk.t], 3, tables),
        dissipation=rng.choice([0, sp.Rational(2, 3) * der(x) ** 2]),
        forces={x: drawn_formula(rng, atoms, 4, tables), y: F + drawn_formula(rng, atoms, 2, tables)},
        loads=[lk.Force(at=[x, y], components=[m * F, sp.pi], name="wind")] if rng.random() < 0.3 else (),
        inputs=[F], units={x: "fathom", m: "stone"} if rng.random() < 0.3 else None,
        values={m: rng.choice([2, 0.1, sp.Rational(2, 3)]), k: rng.choice([1, 1e-3, sp.pi / 4])},
    )  # fmt: skip
    constraints = []
    for number in range(rng.randint(0, 2)):
        expression = x - y + drawn_formula(rng, [x, y, m, k, lk.t], 2, tables)
        system = system.constrain(f"c{number}", expression, law=drawn_law(rng, y, [m, k]))
        constraints.append(f"c{number}")
    if rng.random() < 0.3:
        bounds = rng.choice([{}, {"u": (-m, m)}, {"u": (None, k / 3)}, {"u": (0, 0)}])
        program = lk.Program(y - sp.sin(lk.t) / 3, drives={"u": {y: m / 3, x: 1}}, bounds=bounds, feedback=2)
        system = system.constrain("go", program)
    if rng.random() < 0.5:
        events = [drawn_event(rng, k, x, y, m, atoms[:-1], constraints) for k in range(rng.randint(1, 2))]
        system = system.watch(*events)
    return system.with_inputs({"F": rng.choice([None, 2.5, lk.t / 3, m * x / (3 * (sp.cos(y) + 2))])})


@pytest.mark.parametrize("seed", attack_cases(12))
def test_a_saved_system_is_read_back_equal(seed):
    try:
        system = drawn_system(seed)
    except lk.ModelError:  # a statement that cannot be made: 1/0, a formula without a coordinate, an ITE of SymPy
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.toml")
        try:
            lk.save(system, path)
        except ModelFileError as error:
            if "infinite or too large" in str(error):  # sinh(1e9) is no double
                return
            raise
        assert lk.load(path) == system
    for other in (pickle.loads(pickle.dumps(system)), copy.deepcopy(system), copy.copy(system)):
        assert other == system and hash(other) == hash(system)


def drawn_fraction(rng, x, m):
    """Return a rational number times powers of sums, which SymPy writes as it likes: 2/3/(cos(x) + 2)."""
    value = sp.Rational(rng.randint(-9, 9) or 1, rng.randint(2, 9))
    for _ in range(rng.randint(1, 3)):
        part = rng.choice([sp.cos(x), sp.sin(x) / 3, x**2, m * x, sp.exp(-x), m / 7]) * rng.choice([1, 2, 3])
        value *= (part + rng.choice([2, 3, sp.Rational(5, 3), sp.pi])) ** rng.choice(
            [-2, -1, -1, 1, sp.Rational(-1, 2)]
        )
    return value


@pytest.mark.parametrize("seed", attack_cases(20))
def test_a_fraction_over_a_sum_is_read_back_equal(seed, tmp_path):
    rng = random.Random(seed)
    x, m = lk.coordinates("x"), lk.parameters("m")
    force = sum(drawn_fraction(rng, x, m) for _ in range(rng.randint(1, 2)))
    system = lk.System("body", [x], kinetic=der(x) ** 2 / 2, forces={x: force})
    lk.save(system, tmp_path / "model.toml")
    assert lk.load(tmp_path / "model.toml") == system
