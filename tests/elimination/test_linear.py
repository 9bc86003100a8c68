"""Linear systems in symbols: M X = B at random points, and singular ones refused."""

import random

import pytest
import symengine as se

import lienket as lk
from lienket.elimination.linear_solve import is_regular, solve
from lienket.elimination.sampling.on_constraints import points_on
from lienket.language.engine.engine import Engine

x, y = lk.coordinates("x y")
ENGINE = Engine([x, y])
A, B, C = se.symbols("a b c")
POINTS = points_on((), ENGINE, [A, B, C])
MOTION = {ENGINE.t, *ENGINE.q, *ENGINE.v, *ENGINE.a}
ATOMS = [A, B, C, se.sin(ENGINE.q[0]), se.cos(ENGINE.q[1]), ENGINE.q[0], se.Integer(1), se.Integer(0)]


def random_matrix(source, n, k):
    return [[source.choice(ATOMS) * source.choice(ATOMS) + source.choice(ATOMS) for _ in range(k)] for _ in range(n)]


@pytest.mark.parametrize(
    ("n", "seed"),
    [pytest.param(n, k, marks=pytest.mark.slow if k and n > 3 else ()) for n in (1, 2, 3, 4, 5) for k in range(4)],
)
def test_the_solution_solves(n, seed):
    source = random.Random(100 * n + seed)
    M, right = random_matrix(source, n, n), random_matrix(source, n, 2)
    while not is_regular(M, POINTS):
        M = random_matrix(source, n, n)
    X = solve(M, right, POINTS, MOTION)
    for point in POINTS:
        numbers = [[point.numbers(row) for row in matrix] for matrix in (M, X, right)]
        for i in range(n):
            for j in range(2):
                terms = [numbers[0][i][k] * numbers[1][k][j] for k in range(n)]
                gap = abs(float(sum(terms) - numbers[2][i][j]))
                assert gap <= 1e-40 * (1 + sum(abs(float(term)) for term in terms))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_singular_systems_are_refused(n):
    source = random.Random(n)
    M = random_matrix(source, n, n)
    M[-1] = [2 * e + A * f for e, f in zip(M[0], M[1], strict=True)] if n > 2 else [3 * e for e in M[0]]
    assert not is_regular(M, POINTS)
    with pytest.raises(lk.LienketError, match="singular"):
        solve(M, [[se.Integer(1)]] * n, POINTS, MOTION)


def test_a_zero_in_disguise_is_no_pivot():
    s, c = se.sin(ENGINE.q[0]), se.cos(ENGINE.q[0])
    hidden = s**2 + c**2 - 1
    M = [[hidden, A, 0, 0], [A, B, 0, 0], [0, 0, hidden, C], [0, 0, C, 1]]
    M = [[se.sympify(e) for e in row] for row in M]
    X = solve(M, [[se.Integer(1)]] * 4, POINTS, MOTION)
    assert [se.expand(e[0]) for e in X] == [se.expand(e) for e in (1 / A - B / A**2, 1 / A, 1 / C - 1 / C**2, 1 / C)]
