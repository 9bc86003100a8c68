"""Random trees of rigid bodies with dense placements, stated for lienket, Pinocchio and MuJoCo."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import lienket as lk

GRAVITY = (0.4, -0.7, -9.6)


def rotation(rng):
    """Return a random rotation matrix."""
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q *= np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else Q[:, ::-1]


def place(rng, size):
    """Return a random (rotation, position)."""
    return rotation(rng), size * rng.normal(size=3)


def inertia(rng, mass):
    """Return the inertia about the centre of eight equal particles in general position."""
    points = 0.2 * rng.normal(size=(3, 8))
    S = mass * np.cov(points, bias=True)
    return np.trace(S) * np.eye(3) - (S + S.T) / 2


def parameters_of(R):
    """Return Euler parameters of a rotation matrix, by the eigenvector of the largest eigenvalue of a 4 x 4 matrix."""
    S, a = R + R.T - np.trace(R) * np.eye(3), np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    K = np.block([[np.array([[np.trace(R)]]), a[None, :]], [a[:, None], S]])
    return np.linalg.eigh(K)[1][:, -1]


def product(p, q):
    """Return the Euler parameters of R(p) R(q)."""
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def body_matrix(p):
    """Return L with the angular velocity in body axes 2 L p'."""
    e0, e1, e2, e3 = p
    return np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])


def turned(p):
    """Return R of unit Euler parameters."""
    L, (e0, *e) = body_matrix(p), p
    G = np.hstack([-np.array(e)[:, None], e0 * np.eye(3) + np.cross(np.eye(3), e)])
    return G @ L.T


@dataclass(frozen=True)
class Link:
    """Body, hung by a joint at `first` on body `parent` (-1: the ground) and at `second` on itself; (R, p) each."""

    parent: int
    first: Any
    second: Any
    mass: float
    centre: Any
    inertia: Any
    axis: Any  # None: a free joint

    @classmethod
    def drawn(cls, rng, parent, free=False):
        mass, axis = float(rng.uniform(0.5, 3)), rng.normal(size=3)
        axis = None if free else axis / np.linalg.norm(axis)
        return cls(parent, place(rng, 0.4), place(rng, 0.2), mass, 0.2 * rng.normal(size=3), inertia(rng, mass), axis)


def serial_arm(seed):
    """Return seven links on seven hinges."""
    rng = np.random.default_rng(seed)
    return [Link.drawn(rng, k - 1) for k in range(7)]


def quadruped(seed):
    """Return a trunk that moves freely, with four legs of three hinges each."""
    rng = np.random.default_rng(seed)
    links = [Link.drawn(rng, -1, free=True)]
    for _ in range(4):
        for joint in range(3):
            links.append(Link.drawn(rng, len(links) - 1 if joint else 0))
    return links


def stated(links, point, coordinates="relative"):
    """Return the system: a motor with a parameter tauK in each hinge, a force F at a `point` of the last body."""
    mechanism = lk.spatial.Mechanism("peer", gravity=GRAVITY)
    bodies = []
    for k, link in enumerate(links):
        body = mechanism.body(f"body{k}", mass=link.mass, inertia=link.inertia, centre=link.centre)
        parent = bodies[link.parent] if link.parent >= 0 else mechanism.ground
        a, b = (x.at(*p, rotation=R) for x, (R, p) in ((parent, link.first), (body, link.second)))
        if link.axis is None:
            mechanism.free("trunk", a, b)
        else:
            mechanism.revolute(f"q{k}", a, b, axis=link.axis)
            mechanism.motor(f"motor{k}", f"q{k}", lk.parameters(f"tau{k}"))
        bodies.append(body)
    mechanism.force("F", bodies[-1].at(*point), lk.parameters("Fx Fy Fz"))
    return mechanism.system(coordinates)


def seen_from_joints(links):
    """Yield for each link the place of its joint on its parent's joint, its centre and inertia, in joint axes."""
    for link in links:
        (Ra, pa), (Rb, pb) = link.first, link.second
        if link.parent >= 0:
            Rp, pp = links[link.parent].second
            Ra, pa = Rp.T @ Ra, Rp.T @ (pa - pp)
        yield Ra, pa, Rb.T @ (link.centre - pb), Rb.T @ link.inertia @ Rb


def pinocchio_model(links):
    """Return Pinocchio's model; its joint frames are the second places."""
    import pinocchio as pin

    model, numbers = pin.Model(), []
    model.gravity.linear = np.array(GRAVITY)
    for link, (R, p, centre, J) in zip(links, seen_from_joints(links), strict=True):
        kind = pin.JointModelFreeFlyer() if link.axis is None else pin.JointModelRevoluteUnaligned(link.axis)
        parent = numbers[link.parent] if link.parent >= 0 else 0
        numbers.append(model.addJoint(parent, kind, pin.SE3(R, p), f"joint{len(numbers)}"))
        model.appendBodyToJoint(numbers[-1], pin.Inertia(link.mass, centre, J), pin.SE3.Identity())
    return model


def mujoco_model(links):
    """Return MuJoCo's model; its body frames are the second places."""
    import mujoco

    opened, children = [], {k: [i for i, link in enumerate(links) if link.parent == k] for k in range(-1, len(links))}
    for link, (R, p, centre, J) in zip(links, seen_from_joints(links), strict=True):
        full = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]
        kind = "<freejoint/>" if link.axis is None else f'<joint type="hinge" axis="{_text(link.axis)}"/>'
        opened.append(
            f'<body pos="{_text(p)}" quat="{_text(parameters_of(R))}">{kind}'
            f'<inertial pos="{_text(centre)}" mass="{link.mass!r}" fullinertia="{_text(full)}"/>'
        )

    def subtree(k):
        return opened[k] + "".join(map(subtree, children[k])) + "</body>"

    tree = "".join(map(subtree, children[-1]))
    option = f'<option gravity="{_text(GRAVITY)}"><flag contact="disable"/></option>'
    compiler = '<compiler angle="radian" autolimits="false"/>'
    text = f"<mujoco>{compiler}{option}<worldbody>{tree}</worldbody></mujoco>"
    return mujoco.MjModel.from_xml_string(text)


def _text(numbers):
    return " ".join(repr(float(x)) for x in numbers)
