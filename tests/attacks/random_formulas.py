"""Random formulas of the language: numbers of all kinds, powers of powers, nested cases, functions, tables."""

import sympy as sp

import lienket as lk
from lienket import der

ONE = [sp.sin, sp.cos, sp.tan, sp.exp, sp.tanh, sp.sinh, sp.cosh, sp.atan, sp.Abs, sp.sign]
NUMBERS = [
    1,
    2,
    3,
    -1,
    7,
    sp.Rational(2, 3),
    sp.Rational(-5, 7),
    sp.Rational(1, 2),
    0.1,
    -2.5,
    1e-7,
    3.7e8,
    sp.pi,
    sp.E,
]
NUMBERS += [sp.sqrt(2), sp.pi / 3, sp.exp(2), sp.Rational(4, 9) * sp.pi, -sp.sqrt(3) / 2, sp.GoldenRatio.evalf(15)]
EXPONENTS = [2, 3, -1, -2, sp.Rational(1, 2), sp.Rational(-1, 2), sp.Rational(3, 2), sp.Rational(-2, 3), 0.5, 1.7, 4]


def formula(rng, atoms, depth, tables=()):
    """Return a random formula in the atoms, nested `depth` deep at most; `rng` is random.Random."""
    if depth == 0 or rng.random() < 0.12:
        return sp.sympify(rng.choice(NUMBERS) if rng.random() < 0.35 else rng.choice(atoms))
    kind = rng.choice(["add", "add", "mul", "mul", "div", "pow", "pow", "one", "one", "two", "cases", "scale", "table"])

    def part():
        return formula(rng, atoms, depth - 1, tables)

    if kind == "add":
        return sp.Add(*(part() for _ in range(rng.randint(2, 4))))
    if kind == "mul":
        return sp.Mul(*(part() for _ in range(rng.randint(2, 3))))
    if kind == "div":
        return part() / (part() + rng.choice([2, 3, sp.Rational(5, 3), sp.pi]))
    if kind == "pow":
        base = part()
        return base ** rng.choice(EXPONENTS) if base != 0 else base
    if kind == "scale":
        return sp.Rational(rng.randint(-9, 9) or 1, rng.randint(1, 9)) * part()
    if kind == "one":
        return rng.choice(ONE)(part())
    if kind == "two":
        return rng.choice([sp.Min, sp.Max, sp.atan2])(part(), part())
    if kind == "table" and tables:
        return rng.choice(tables)(part())
    sides = [part(), part()]
    relation = rng.choice([sp.Lt, sp.Le, sp.Gt, sp.Ge])(*sides)
    return sp.Piecewise((part(), relation), (part(), True)) if relation not in (sp.true, sp.false) else part()


def real(e):
    """Return whether a formula is free of infinite, undefined and complex numbers."""
    return not e.has(sp.I, sp.nan, sp.zoo, sp.oo, -sp.oo, sp.arg, sp.re, sp.im, sp.Heaviside, sp.DiracDelta)


def atoms_of(x, y, m, k):
    """Return the symbols of formulas."""
    return [x, y, m, k, lk.t, der(x), der(y)]
