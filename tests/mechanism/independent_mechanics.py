"""Kinematics and forces of drawn mechanisms in NumPy, written without the package, exact to rounding.

A jet is an array (3, 4, 4): a frame T(t) and its first two derivatives by time, so that velocities and accelerations
of all bodies come from products of 4 x 4 matrices alone (Leibniz), with no formula for centripetal or Coriolis terms.
"""

from itertools import pairwise

import numpy as np

X, Y, Z = np.eye(3)


def skew(n):
    return np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])


def vee(M):
    return np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]]) / 2


def turned(n, angle):
    return np.eye(3) + np.sin(angle) * skew(n) + (1 - np.cos(angle)) * skew(n) @ skew(n)


def frame(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def jet(R, p):
    """Return the jet of rotations (3, 3, 3) and places (3, 3), each with two derivatives."""
    T = np.zeros((3, 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[0, 3, 3] = R, p, 1
    return T


def times(*jets):
    total = jets[0]
    for B in jets[1:]:
        A = total
        total = np.array([A[0] @ B[0], A[1] @ B[0] + A[0] @ B[1], A[2] @ B[0] + 2 * A[1] @ B[1] + A[0] @ B[2]])
    return total


def inverse(T):
    """Return the jet of the inverse: S T = 1 differentiated twice."""
    S = np.linalg.inv(T[0])
    S1 = -S @ T[1] @ S
    return np.array([S, S1, -(S @ T[2] + 2 * S1 @ T[1]) @ S])


def shift_jet(direction, x):
    return jet([np.eye(3), np.zeros((3, 3)), np.zeros((3, 3))], np.outer(x, direction))


def turn_jet(n, x):
    R, N = turned(n, x[0]), skew(n)
    return jet([R, N @ R * x[1], N @ R * x[2] + N @ N @ R * x[1] ** 2], np.zeros((3, 3)))


def of_parameters(p, s):
    """Return G(p) L(s)^T, which is bilinear; R(p) = G(p) L(p)^T."""
    G = np.column_stack([-p[1:], p[0] * np.eye(3) + skew(p[1:])])
    L = np.column_stack([-s[1:], s[0] * np.eye(3) - skew(s[1:])])
    return G @ L.T


def euler_jet(p):
    R = of_parameters
    return jet(
        [
            R(p[0], p[0]),
            R(p[1], p[0]) + R(p[0], p[1]),
            R(p[2], p[0]) + 2 * R(p[1], p[1]) + R(p[0], p[2]),
        ],
        np.zeros((3, 3)),
    )


def parameters_of(R):
    """Return Euler parameters of a rotation: the eigenvector of 4 p p^T - 1, formed of the matrix, to 3."""
    K = np.zeros((4, 4))
    K[0, 0] = np.trace(R)
    K[0, 1:] = K[1:, 0] = 2 * vee(R)
    K[1:, 1:] = R + R.T - np.trace(R) * np.eye(3)
    return np.linalg.eigh(K)[1][:, -1]


def in_plane(n):
    """Return the directions of the coordinates of a planar joint in space."""
    x = Y if abs(n[0]) > 1 - 1e-9 else X
    u = x - (x @ n) * n
    u /= np.linalg.norm(u)
    return u, np.cross(n, u)


def factors(link, planar):
    """Return the elementary motions of a joint in their order: (shift or turn, direction, index, factor)."""
    n = link.axis
    if link.kind == "planar":
        u, w = in_plane(n)
        return [("shift", u, 0, 1), ("shift", w, 1, 1), ("turn", n, 2, 1)]
    return {
        "weld": [],
        "revolute": [("turn", n, 0, 1)],
        "prismatic": [("shift", n, 0, 1)],
        "cylindrical": [("shift", n, 0, 1), ("turn", n, 1, 1)],
        "slot": [("shift", n, 0, 1), ("turn", Z, 1, 1)],
        "screw": [("shift", n, 0, link.pitch / (2 * np.pi)), ("turn", n, 0, 1)],
        "universal": [("turn", n, 0, 1), ("turn", link.second_axis, 1, 1)],
        "xyz": [("turn", e, k, 1) for k, e in enumerate((X, Y, Z))],
        "spherical": [("euler", X, 0, 1)],
        "free": [("shift", X, 0, 1), ("shift", Y, 1, 1)]
        + ([("turn", Z, 2, 1)] if planar else [("shift", Z, 2, 1), ("euler", X, 3, 1)]),
    }[link.kind]


def joint_jet(link, planar, q):
    """Return the jet J of a joint for its coordinates q (3 x f): values, rates, second rates."""
    total = np.zeros((3, 4, 4))
    total[0] = np.eye(4)
    for what, n, k, c in factors(link, planar):
        if what == "euler":
            each = euler_jet(q[:, k : k + 4])
        else:
            each = (shift_jet if what == "shift" else turn_jet)(n, c * q[:, k])
        total = times(total, each)
    return total


def joint_motions(link, planar, q):
    """Return the twists (w, v) of the second point in its own axes, of each of its motions (6 x freedom).

    For Euler parameters these are the three turns of the second place.
    """
    J = joint_jet(link, planar, np.array([q, 0 * q, 0 * q]))[0]
    twists = []
    for k in range(len(q)):
        rate = joint_jet(link, planar, np.array([q, np.eye(len(q))[k], 0 * q]))[1]
        body = np.linalg.inv(J) @ rate
        twists.append(np.r_[vee(body[:3, :3]), body[:3, 3]])
    if any(what == "euler" for what, *_ in factors(link, planar)):
        twists[-4:] = [np.r_[e, 0, 0, 0] for e in (X, Y, Z)]
    return np.array(twists).reshape(-1, 6).T


def twist_of(T):
    """Return the twist (w, v) of a jet in its own axes."""
    body = np.linalg.inv(T[0]) @ T[1]
    return np.r_[vee(body[:3, :3]), body[:3, 3]]


def complement(S, planar):
    """Return an orthonormal basis of the twists that a joint prevents; only those of the plane if `planar`."""
    known = np.column_stack([S, np.eye(6)[:, [0, 1, 5]]]) if planar else S
    U, sizes, _ = np.linalg.svd(known, full_matrices=True)
    return U[:, np.count_nonzero(sizes > 1e-9) :]


class Motion:
    """Bodies of a drawn mechanism in a state (q, v, a) of its coordinates, relative or absolute."""

    def __init__(self, drawn, names, state, absolute=False):
        self.drawn, self.absolute, self.names = drawn, absolute, names
        self.value = {name: np.array(x) for name, x in zip(names, np.transpose(state), strict=True)}
        self.T = {"ground": jet([np.eye(3), 0 * np.eye(3), 0 * np.eye(3)], np.zeros((3, 3)))}
        if absolute:
            for body in drawn.bodies:
                x = np.array([self.value[f"{body.name}{s}"] for s in drawn.free_suffixes]).T
                centre = frame(np.eye(3), -body.centre)
                moved = joint_jet(drawn.free_joint, drawn.planar, x)
                self.T[body.name] = np.array([M @ centre for M in moved])
            return
        todo = [link for link in drawn.links if link.name not in drawn.cut]
        while todo:
            link = next(x for x in todo if x.first.body in self.T or x.second.body in self.T)
            todo.remove(link)
            J = joint_jet(link, drawn.planar, self.coordinates(link))
            P, S = link.first.jet(), link.second.jet()
            if link.first.body in self.T:
                self.T[link.second.body] = times(self.T[link.first.body], P, J, inverse(S))
            else:
                self.T[link.first.body] = times(self.T[link.second.body], S, inverse(J), inverse(P))

    def coordinates(self, link):
        """Return the coordinates of a joint of the tree (3 x f)."""
        return np.array([self.value[x] for x in link.coordinates]).reshape(-1, 3).T

    def between(self, link):
        """Return the jet of the second place of a joint seen from the first."""
        A = times(self.T[link.first.body], link.first.jet())
        return times(inverse(A), self.T[link.second.body], link.second.jet())

    def point(self, body, r):
        """Return position, velocity and acceleration of a point of a body."""
        return self.T[body] @ np.r_[r, 1] @ np.eye(4)[:, :3]

    def rotation(self, body):
        return self.T[body][0, :3, :3]

    def turning(self, body):
        """Return angular velocity and angular acceleration of a body."""
        R = self.T[body][:, :3, :3]
        return vee(R[1] @ R[0].T), vee(R[2] @ R[0].T)

    def rate(self, name):
        """Return the rate of a coordinate of any joint, from the motion of the bodies."""
        link, k = self.drawn.coordinate[name]
        S = joint_motions(link, self.drawn.planar, link.q)
        return np.linalg.lstsq(S, twist_of(self.between(link)), rcond=None)[0][k]

    def errors(self):
        """Return what must vanish of the velocities: of joints that are cut, elements that hold, Euler parameters."""
        drawn, found = self.drawn, []
        for link in drawn.links:
            if absolute_or_cut(link, drawn, self.absolute):
                S = joint_motions(link, drawn.planar, link.q)
                found.append(complement(S, drawn.planar).T @ twist_of(self.between(link)))
            elif link.euler:
                x = self.coordinates(link)[:, -4:]
                found.append([x[0] @ x[1]])
        if self.absolute and not drawn.planar:
            parameters = [np.array([self.value[f"{b.name}_e{k}"] for k in range(4)]).T for b in drawn.bodies]
            found += [[p[0] @ p[1]] for p in parameters]
        cut = {x for link in drawn.links if absolute_or_cut(link, drawn, self.absolute) for x in link.coordinates}
        found.append([self.value[x][1] - self.rate(x) for x in self.names if x in cut])  # angles that count turns
        found += [part.errors(self) for part in drawn.parts]
        return np.concatenate([np.zeros(0), *found])


def absolute_or_cut(link, drawn, absolute):
    return absolute or link.name in drawn.cut


def constraint_matrix(drawn, names, q, absolute=False):
    """Return (G, b) of G v + b = 0 for all that is held, from the motion with unit rates; rows of any scale."""
    n = len(names)

    def errors(v):
        return Motion(drawn, names, np.array([q, v, np.zeros(n)]), absolute).errors()

    b = errors(np.zeros(n))
    return np.array([errors(e) - b for e in np.eye(n)]).reshape(n, len(b)).T, b


def null_space(G):
    if not len(G):
        return np.eye(G.shape[1]), np.inf
    _, sizes, V = np.linalg.svd(G / np.maximum(np.linalg.norm(G, axis=1), 1e-12)[:, None])
    rank = np.count_nonzero(sizes > 1e-9)
    return V[rank:].T, sizes[:rank].min(initial=np.inf)


def effort_wrench(link, k, motion, planar):
    """Return force and torque on the second body, at the second point, of a unit effort along coordinate k."""
    A = (motion.T[link.first.body][0] @ link.first.jet()[0])[:3, :3]
    q, axes, n = link.q, [], A.copy()
    for what, e, index, _ in factors(link, planar):
        if what == "shift":
            if index == k and link.kind != "screw":
                return A @ e, np.zeros(3)
        else:
            axes.append((index, n @ e))
            n = n @ turned(e, q[index])
    S = np.array([e for _, e in axes])
    dual = np.linalg.pinv(S).T  # torques that work on one turn alone, in the span of the axes
    return np.zeros(3), dual[[index for index, _ in axes].index(k)]


def rope_pulls(points):
    """Return the forces on the points of a rope for the tension 1."""
    forces = np.zeros((len(points), 3))
    for k, (a, b) in enumerate(pairwise(points)):
        e = (b - a) / np.linalg.norm(b - a)
        forces[k] += e
        forces[k + 1] -= e
    return forces
