"""The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (Proc. R. Soc. A 463, 2007), in nine coordinates.

z points down, the ground is z = 0. Coordinates: x, y, z of the rear wheel's centre, yaw, roll and pitch of the rear
frame, the rotations of both wheels and the steer angle. Two wheels touch the ground and roll: two holonomic and four
nonholonomic rows.
"""

import numpy as np
import sympy as sp

import lienket as lk
from lienket import der

WHEELBASE, TRAIL, TILT, GRAVITY = 1.02, 0.08, sp.pi / 10, 9.81
REAR = {"radius": 0.3, "mass": 2.0, "across": 0.0603, "spin": 0.12}
FRONT = {"radius": 0.35, "mass": 3.0, "across": 0.1405, "spin": 0.28}
FRAME = {"mass": 85.0, "centre": (0.3, -0.9), "inertia": (9.2, 11.0, 2.8, 2.4)}
FORK = {"mass": 4.0, "centre": (0.9, -0.7), "inertia": (0.05892, 0.06, 0.00708, -0.00756)}

# M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for roll and steer, with the numbers of the paper's benchmark.
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C1 = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])


def published(speed):
    """Return the four eigenvalues at a forward speed, from the published matrices."""
    K, inverse = GRAVITY * K0 + speed**2 * K2, np.linalg.inv(M)
    unit, zero = np.eye(2), np.zeros((2, 2))
    return np.linalg.eigvals(np.block([[zero, unit], [-inverse @ K, -speed * inverse @ C1]]))


def turn(axis, angle):
    """Return the rotation about an axis, 0, 1 or 2."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = sp.eye(3)
    R[i, i] = R[j, j] = sp.cos(angle)
    R[i, j], R[j, i] = -sp.sin(angle), sp.sin(angle)
    return R


def bicycle():
    """Return the system; its coordinates are x y z yaw roll pitch rear front steer."""
    x, y, z, yaw, roll, pitch, rear, front, steer = q = lk.coordinates("x y z yaw roll pitch rear front steer")
    e1, e2, e3 = (sp.eye(3)[:, k] for k in range(3))
    B = turn(2, yaw) * turn(0, roll) * turn(1, pitch)
    H = B * turn(1, TILT) * turn(2, steer) * turn(1, -TILT)
    turning = der(yaw) * e3 + der(roll) * turn(2, yaw) * e1 + der(pitch) * turn(2, yaw) * turn(0, roll) * e2
    steering = turning + der(steer) * B * turn(1, TILT) * e3
    rear_centre = sp.Matrix([x, y, z])
    head = rear_centre + B * sp.Matrix([WHEELBASE + TRAIL, 0, REAR["radius"]])  # where the steer axis meets the ground
    front_centre = head + H * sp.Matrix([-TRAIL, 0, -FRONT["radius"]])
    T, V = 0, 0
    for body, R, spin, start, (a, c) in (
        (FRAME, B, turning, rear_centre, (FRAME["centre"][0], FRAME["centre"][1] + REAR["radius"])),
        (FORK, H, steering, head, (FORK["centre"][0] - WHEELBASE - TRAIL, FORK["centre"][1])),
    ):
        centre, inside = start + R * sp.Matrix([a, 0, c]), R.T * spin
        xx, yy, zz, xz = body["inertia"]
        T += body["mass"] * moved(centre) / 2 + (xx * inside[0] ** 2 + yy * inside[1] ** 2 + zz * inside[2] ** 2) / 2
        T += xz * inside[0] * inside[2]
        V -= body["mass"] * GRAVITY * centre[2]
    contacts = []
    for wheel, R, carried, centre, angle in (
        (REAR, B, turning, rear_centre, rear),
        (FRONT, H, steering, front_centre, front),
    ):
        axle = R * e2
        omega = carried + der(angle) * axle
        T += wheel["mass"] * moved(centre) / 2 + wheel["across"] * omega.dot(omega) / 2
        T += (wheel["spin"] - wheel["across"]) * omega.dot(axle) ** 2 / 2
        V -= wheel["mass"] * GRAVITY * centre[2]
        down = (e3 - axle[2] * axle) / sp.sqrt(1 - axle[2] ** 2)
        contacts.append((centre + wheel["radius"] * down, centre.diff(lk.t) + omega.cross(wheel["radius"] * down)))
    system = lk.System("bicycle", q, kinetic=T, potential=V)
    for name, (point, slip) in zip(("rear", "front"), contacts, strict=True):
        system = system.constrain(f"{name} contact", point[2]).constrain(f"{name} rolling", [slip[0], slip[1]])
    return system


def moved(centre):
    """Return the square of a point's velocity."""
    return sum(der(e) ** 2 for e in centre)


def straight(speed):
    """Return the state upright and straight ahead along x."""
    q = [0, 0, -REAR["radius"], 0, 0, 0, 0, 0, 0]
    return q, [speed, 0, 0, 0, 0, 0, -speed / REAR["radius"], -speed / FRONT["radius"], 0]
