"""Count + redundant rows = true freedom, on random mechanisms at their zero position; proposals carried out.

Every body stands anywhere, and the points of every joint coincide with equal axes, so that all coordinates are zero and
any joint between any two bodies closes its loop. Half of the axes are those of the ground, which makes rows redundant.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import lienket as lk
from lienket.analysis.mechanism_check.held_wrenches import held_by, seat_of
from lienket.analysis.mechanism_check.number_algebra import NumberAlgebra
from lienket.mechanism.joints import kind_of
from lienket.mechanism.state import MechanismState

HELD = {
    "revolute": 5,
    "prismatic": 5,
    "cylindrical": 4,
    "screw": 5,
    "universal": 4,
    "spherical": 3,
    "planar": 3,
    "weld": 6,
}
HELD_IN_THE_PLANE = {"revolute": 2, "prismatic": 2, "slot": 1, "weld": 3}
WITH_AXIS = {"revolute", "prismatic", "cylindrical", "screw", "planar", "slot"}
RANK = 1e-7  # [1] singular value of rows of length 1 that is zero
SLOW = [pytest.param(k, marks=pytest.mark.slow) for k in (1, *range(3, 30), 42)]
seeds = pytest.mark.parametrize("seed", [0, 2, *SLOW])
kinds = pytest.mark.parametrize("kind", [lk.planar.Mechanism, lk.spatial.Mechanism])


def turned(rng, planar):
    """Return a random rotation matrix, or none of them in half of the cases."""
    if rng.random() < 0.5:
        return np.eye(3)
    if planar:
        a = rng.uniform(-3, 3)
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else -Q


class Drawn:
    """Random bodies and joints, from which mechanisms are built with other kinds of joints as well."""

    def __init__(self, kind, seed):
        rng = np.random.default_rng(seed)
        self.kind, self.planar = kind, kind is lk.planar.Mechanism
        table = HELD_IN_THE_PLANE if self.planar else HELD
        self.bodies = {"ground": (np.zeros(3), np.eye(3))}
        for k in range(rng.integers(1, 5)):
            self.bodies[f"b{k}"] = (self.flat(rng.normal(size=3)), turned(rng, self.planar))
        names = list(self.bodies)
        pairs = [(names[rng.integers(0, k)], names[k]) for k in range(1, len(names))]
        for _ in range(rng.integers(0, 4)):
            pairs.append(tuple(names[i] for i in rng.choice(len(names), 2, replace=False)))
        self.joints = []
        for k, (a, b) in enumerate(pairs):
            point, axes = self.flat(rng.normal(size=3)), turned(rng, self.planar)
            self.joints.append((f"j{k}", str(rng.choice(list(table))), a, b, point, axes))
        self.rows = sum(table[joint[1]] for joint in self.joints)

    def flat(self, x):
        return x * (1, 1, 0) if self.planar else x

    def place(self, m, body, point, axes):
        origin, own = self.bodies[body]
        at = own.T @ (point - origin)
        turn = own.T @ axes
        holder = m.ground if body == "ground" else self.made[body]
        if self.planar:
            return holder.at(at[0], at[1], np.arctan2(turn[1, 0], turn[0, 0]))
        return holder.at(*at, rotation=turn)

    def absolute_position(self):
        """Return the coordinates of all bodies."""
        q = []
        for name, (origin, axes) in self.bodies.items():
            if name != "ground" and self.planar:
                q += [*origin[:2], np.arctan2(axes[1, 0], axes[0, 0])]
            elif name != "ground":
                x, y, z, w = Rotation.from_matrix(axes).as_quat()
                q += [*origin, w, x, y, z]
        return q

    def mechanism(self, change=None):
        """Return the mechanism, with other (kind, axes) of some joints; the kind "leave out" omits one."""
        m = self.kind("drawn")
        inertia = 0.3 if self.planar else (0.3, 0.4, 0.5)
        self.made = {name: m.body(name, mass=1.0, inertia=inertia) for name in self.bodies if name != "ground"}
        for name, kind, a, b, point, axes in self.joints:
            new, given = (change or {}).get(name, (kind, ()))
            if new == "leave out":
                continue
            more = {"pitch": 0.7} if new == "screw" else {}
            if new == "universal":
                more["axes"] = given or ((1, 0, 0), (0, 1, 0))
            elif new in WITH_AXIS and given:
                more["axis"] = given[0][:2] if self.planar else given[0]
            getattr(m, new)(name, *(self.place(m, body, point, axes) for body in (a, b)), **more)
        return m


@seeds
@kinds
def test_count_and_redundant_rows_make_the_true_freedom(kind, seed):
    """The freedom is n - rank G of the system itself, in both kinds of coordinates, and the lists agree."""
    drawn, found = Drawn(kind, seed), {}
    m = drawn.mechanism()
    each = 3 if drawn.planar else 6
    for coordinates in ("relative", "absolute"):
        found[coordinates] = m.check(coordinates=coordinates)
        assert found[coordinates].problem == ""
        assert found[coordinates].gruebler == each * (len(drawn.bodies) - 1) - drawn.rows
        assert found[coordinates].gruebler + len(found[coordinates].redundant) == found[coordinates].freedom
    names = [[(r.joint, r.row, r.depends_on) for r in each.redundant] for each in found.values()]
    assert names[0] == names[1]
    assert freedom_of(m.system("absolute"), drawn.absolute_position()) == found["absolute"].freedom


@seeds
@kinds
def test_relative_coordinates_have_the_same_freedom(kind, seed):
    """n - rank G of the joints' own coordinates is the freedom that the rows on bodies give."""
    m = Drawn(kind, seed).mechanism()
    coordinates = m.system().coordinates
    if coordinates:  # a tree of welds alone has none
        zero = [1.0 if str(x.func).endswith("_e0") else 0.0 for x in coordinates]
        assert freedom_of(m.system(), zero) == m.check().freedom


def freedom_of(system, q):
    """Return n - rank G of a system at a position, at which all constraints hold."""
    state = system.at(q, [0.0] * len(q))
    assert max(state.audit.residuals["position"].values(), default=0) < 1e-12
    if not state.G.size:
        return len(q)
    sizes = np.linalg.norm(state.G, axis=1, keepdims=True)
    return len(q) - np.linalg.matrix_rank(state.G / np.where(sizes > 1e-12, sizes, 1.0), tol=RANK)


@seeds
@kinds
def test_proposals_keep_the_freedom_and_remove_rows(kind, seed):
    """Carried out, the proposals remove as many redundant rows as they say."""
    drawn = Drawn(kind, seed)
    before = drawn.mechanism().check()
    if before.freedom_nearby not in (None, before.freedom):
        return  # they are those of the neighbouring positions
    after = drawn.mechanism({p.name: (p.kind, p.axes) for p in before.proposals}).check()
    if after.freedom is None and "opposite directions" in str(after.problem):
        pytest.xfail("a guess of 0 leads to axes in opposite directions, and no guess is given")
    assert after.freedom == before.freedom
    assert len(after.redundant) == len(before.redundant) - sum(p.removes for p in before.proposals)


@pytest.mark.parametrize("name", sorted(HELD))
def test_a_joint_holds_the_wrenches_of_its_rows(name):
    """The wrenches that name redundant rows span those of the rows that the joint has when it is cut."""
    drawn = Drawn(lk.spatial.Mechanism, 3)
    drawn.joints = [("j", name, "ground", "b0", np.array([0.3, 0.2, -0.4]), turned(np.random.default_rng(8), False))]
    drawn.bodies = {key: drawn.bodies[key] for key in ("ground", "b0")}
    m = drawn.mechanism()
    q = {"revolute": [0.4], "prismatic": [0.4], "cylindrical": [0.4, 0.6], "screw": [0.5], "universal": [0.4, 0.7]}.get(
        name
    )
    q = {"spherical": [0.8, 0.6, 0, 0], "planar": [0.3, 0.1, 0.5], "weld": []}[name] if q is None else q
    state = MechanismState(m.description(), NumberAlgebra(q, {}))
    joint, length = state.description.joints[0], 1.7
    seat = seat_of(joint, state, length)
    turn = np.kron(np.eye(2), seat.axes)
    own = held_by(seat).wrenches @ turn.T
    rows = kind_of(joint).rows(joint, state.relative(joint), state.algebra, False)
    stated = np.array([[*row.force, *(np.array(row.torque, dtype=float) / length)] for row in rows], dtype=float)
    assert len(own) == len(stated) == HELD[name]
    assert np.allclose(own @ own.T, np.eye(len(own)), atol=1e-12)
    assert (
        np.linalg.matrix_rank(np.vstack([own, stated]), tol=1e-9) == len(own) == np.linalg.matrix_rank(stated, tol=1e-9)
    )
