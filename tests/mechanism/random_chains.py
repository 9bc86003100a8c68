"""Random chains of mixed joints, their matrices without the package, and evaluation at a random state by SymPy."""

import random
from functools import cached_property

import sympy as sp
from sympy.core.function import AppliedUndef

import lienket as lk
from lienket.mechanism.chains import KinematicChain, prismatic, revolute, rigid

COORDINATES = lk.coordinates("q1 q2 q3")


def at_a_state(matrix, seed=11):
    """Return the largest entry of a matrix at a random state."""
    return max(abs(e) for e in numbers(matrix, seed))


def numbers(matrix, seed=11):
    """Return the entries of a matrix at random q, q', q'', t and parameters; equal names give equal numbers."""
    entries = [sp.sympify(e) for e in sp.Matrix(matrix)]
    moving = {x for e in entries for x in e.atoms(sp.Derivative, AppliedUndef)}
    names = {x: sp.Dummy() for x in moving}
    # Derivatives first: q(t) inside q'(t) must not be replaced before q'(t) itself.
    rates = {x: name for x, name in names.items() if isinstance(x, sp.Derivative)}
    entries = [e.xreplace(rates).xreplace(names) for e in entries]
    symbols = {s: s for e in entries for s in e.free_symbols} | {name: x for x, name in names.items()}
    values = [random.Random(f"{seed} {symbols[s]}").uniform(0.4, 1.6) for s in symbols]
    return sp.lambdify(list(symbols), entries, "math", cse=True)(*values)


def shift(x, y):
    return sp.Matrix([[1, 0, x], [0, 1, y], [0, 0, 1]])


def turn(angle):
    return sp.Matrix([[sp.cos(angle), -sp.sin(angle), 0], [sp.sin(angle), sp.cos(angle), 0], [0, 0, 1]])


def plain(links):
    """Return the product of matrices, multiplied out so that SymPy differentiates it quickly."""
    T = sp.eye(3)
    for t in links:
        T = (T * t).expand()
    return T


class Drawn:
    """A random chain of revolute, prismatic and rigid links moved by q1, q2, q3, with a point on its last link.

    `matrices` are those of the links, made without the package; `T` is their product.
    """

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.name = f"chain {seed}"
        kinds = [self.rng.choice(("revolute", "prismatic")) for _ in COORDINATES]
        kinds[self.rng.randrange(3)] = "revolute"
        joints = list(zip(kinds, self.rng.sample(COORDINATES, 3), strict=True))
        joints.insert(self.rng.randrange(1, 3), ("rigid", None))
        made = [self._link(kind, q) for kind, q in joints]
        self.chain = KinematicChain([link for link, _ in made])
        self.matrices = [matrix for _, matrix in made]
        self.point = self._pair()

    @cached_property
    def T(self):
        return plain(self.matrices)

    def _number(self):
        return sp.Float(self.rng.uniform(-2, 2))  # SymPy is slow with cos(7/10)

    def _pair(self):
        return self._number(), self._number()

    def _link(self, kind, q):
        at, turned, along = self._pair(), self._number(), self._number()
        if kind == "rigid":
            return rigid(at, turned), shift(*at) * turn(turned)
        if kind == "revolute":
            return revolute(q, at, turned), shift(*at) * turn(turned) * turn(q)
        slid = shift(q * sp.cos(along), q * sp.sin(along))
        return prismatic(q, along, at, turned), shift(*at) * slid * turn(turned)
