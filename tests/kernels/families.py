"""Families of systems whose inertia, forces, rows and laws are parameters: compiled once, drawn thousands of times.

    A q'' = f + r,      sum_j G_kj q_j + g_k t^2/2 = 0,      slip_k = sum_j T_kj q_j'

with constant A, f, G, g, T, so that at t = 0 and q = 0 the rows are G q'' + g = 0 without further terms.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy as sp

import lienket as lk
from lienket import der, laws


def letters(prefix, *shape):
    """Return an array of parameters."""
    names = np.ndindex(*shape)
    return np.array([lk.parameters(prefix + "_".join(map(str, at))) for at in names], dtype=object).reshape(shape)


@dataclass(frozen=True)
class Drawn:
    """Numbers of one system of a family: A (n x n), f (n), G (s x n), g (s), T (s x n), `more` by name; G v = 0."""

    A: np.ndarray
    f: np.ndarray
    G: np.ndarray
    g: np.ndarray
    T: np.ndarray
    more: dict
    v: np.ndarray

    @property
    def values(self):
        numbers = {}
        n = len(self.f)
        for i in range(n):
            numbers |= {f"A{i}_{j}": self.A[i, j] for j in range(i, n)}
        for prefix in "fGgT":
            array = getattr(self, prefix)
            numbers |= {prefix + "_".join(map(str, at)): array[at] for at in np.ndindex(array.shape)}
        for prefix, array in self.more.items():
            numbers |= {prefix + "_".join(map(str, at)): array[at] for at in np.ndindex(np.shape(array))}
        return numbers

    def state_of(self, system):
        """Return `system.at` at q = 0 with these numbers."""
        names = {p.name for p in system.parameters}
        values = {name: float(x) for name, x in self.values.items() if name in names}
        return system.at(np.zeros(len(self.f)), self.v, 0.0, values)


@cache
def family(n, kinds, drives=(), exact=False):
    """Return the system with n coordinates and a constraint of each kind, named c0, c1, ...

    "ideal", "exerted" (c_kj on q_j), "viscous" (b_k), "coulomb" and "unilateral" (mu_k, static_k), "program" with the
    columns E of `drives`, weights w and, unless `exact`, bounds least and most.
    """
    q = [lk.coordinates(f"q{i}") for i in range(n)]
    s = len(kinds)
    A = sp.Matrix(n, n, lambda i, j: lk.parameters(f"A{min(i, j)}_{max(i, j)}"))
    f, G, g, T = letters("f", n), letters("G", s, n), letters("g", s), letters("T", s, n)
    system = lk.System("drawn", q, inertia=A, forces=dict(zip(q, f, strict=True)))
    for k, kind in enumerate(kinds):
        expression = sum(x * y for x, y in zip(G[k], q, strict=True)) + g[k] * lk.t**2 / 2
        slip = sum(x * der(y) for x, y in zip(T[k], q, strict=True))
        mu, static = lk.parameters(f"mu{k} static{k}")
        law = {
            "ideal": lambda k=k: None,
            "exerted": lambda k=k: laws.Exerted({y: lk.parameters(f"c{k}_{j}") for j, y in enumerate(q)}),
            "viscous": lambda k=k, slip=slip: laws.Viscous(lk.parameters(f"b{k}"), slip=slip),
            "coulomb": lambda mu=mu, s=static, slip=slip: lk.Coulomb(mu, slip=slip, mu_static=s),
            "unilateral": lambda mu=mu, s=static, slip=slip: lk.Coulomb(mu, slip=slip, mu_static=s, unilateral=True),
            "smooth": lambda: laws.Unilateral(),
            "program": lambda: None,
        }[kind]()
        stated = program(expression, q, k, drives, exact) if kind == "program" else expression
        system = system.constrain(f"c{k}", stated, law=law)
    return system


def program(expression, q, k, drives, exact):
    """Return the program of constraint k: the pairs (k, count) of `drives` state its number of drives."""
    count = dict(drives)[k]
    names = [f"u{k}_{p}" for p in range(count)]
    columns = {name: {y: lk.parameters(f"E{k}_{p}_{j}") for j, y in enumerate(q)} for p, name in enumerate(names)}
    weights = {name: lk.parameters(f"w{k}_{p}") for p, name in enumerate(names)}
    if exact:
        return lk.Program(expression, drives=columns, weights=weights)
    bounds = {name: lk.parameters(f"least{k}_{p} most{k}_{p}") for p, name in enumerate(names)}
    return lk.Program(expression, drives=columns, weights=weights, bounds=bounds)


def drawn(rng, n, s, redundant=0, **more):
    """Return numbers for n coordinates and s rows, the last `redundant` of which follow from the others."""
    M = np.eye(n) + 0.4 * rng.normal(size=(n, n)) / np.sqrt(n)
    G, g = rng.normal(size=(s, n)), rng.normal(size=s)
    if redundant:
        K = rng.integers(-2, 3, size=(redundant, s - redundant)) + 0.5
        G[s - redundant :], g[s - redundant :] = K @ G[: s - redundant], K @ g[: s - redundant]
    v = rng.normal(size=n)
    v -= np.linalg.pinv(G) @ (G @ v)
    return Drawn(M @ M.T, 3 * rng.normal(size=n), G, g, rng.normal(size=(s, n)), more, v)


def close(actual, expected, rel=1e-11, least=0.0):
    """Assert that arrays agree, relative to the largest number in either, or to `least` if that is more."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    size = max(np.max(np.abs(actual), initial=0.0), np.max(np.abs(expected), initial=0.0), least)
    assert actual.shape == expected.shape
    assert np.max(np.abs(actual - expected), initial=0.0) <= rel * size, (actual, expected)
