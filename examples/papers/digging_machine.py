"""Paper 003: a digging machine of two arms, whose scoop follows a line through soil with a measured force.

python examples/papers/digging_machine.py

phi1 is the angle of the arm OA to the horizontal, phi2 the angle of AB to OA; x is horizontal, y points down. The
scoop, a particle of mass m, is at the end of AB, at (b*l, 0) in its frame: b = -beta for the machine that the paper
states, b = +beta in half of its formulas. Two motors with the moments M1 and M2 keep the scoop on the line x - y - a =
0. The soil is not an ideal constraint: its measured force (Xe, Ye) acts on the scoop. digging_record.py continues with
a record of this force over time.
"""

import numpy as np
import sympy as sp
from board import lines, remark, show, title
from sympy import cos, sin

import lienket as lk
from lienket import der
from lienket.mechanism.chains import KinematicChain, force_at, inertia_matrix, particle, potential_energy, revolute

m, l, b, g, a, Xe, Ye = lk.parameters("m l b g a Xe Ye")  # noqa: E741
M1, M2, mu = lk.parameters("M1 M2 mu")
phi1, phi2 = COORDINATES = lk.coordinates("phi1 phi2")

MACHINE = {m: 35.0, l: 1.6, b: -0.8, g: 9.81, a: 2.2603639725814104}
SOIL = {Xe: -210.0, Ye: -95.0}
MOMENTS = {M1: 180.0, M2: 60.0}
FRICTION = {mu: 0.35}
POSITION, VELOCITY = (0.55, 2.1), (0.43, -2.2348427051285644)

# The machine in terms of transmission matrices
ARM = KinematicChain([revolute(phi1), revolute(phi2, at=(l, 0))])
SCOOP = (b * l, 0)
BODIES = [particle(ARM, m, SCOOP)]
X, Y = ARM.position(SCOOP)
LINE = X - Y - a
f = sp.Matrix([[LINE.diff(phi1), LINE.diff(phi2)]])
THETA = sp.pi / 4  # angle of the line to the x axis: t = (cos, sin), n = (-sin, cos)

DRIVES = {
    "M1_zero": {"M2": {phi2: 1}},
    "min_norm": {"M1": {phi1: 1}, "M2": {phi2: 1}},
    "along_f_T": {"mu": {phi1: f[0], phi2: f[1]}},
}

# Numerical functions: the Jacobian of the scoop at q; its acceleration at q, q', q''
JACOBIAN = sp.lambdify(COORDINATES, ARM.jacobian(SCOOP, COORDINATES).subs(MACHINE))
ACCELERATION = sp.lambdify(
    (*COORDINATES, *map(der, COORDINATES), *(der(q, 2) for q in COORDINATES)),
    list(ARM.acceleration(SCOOP).subs(MACHINE)),
)


def machine(forces: dict, values: dict) -> lk.System:
    """Return the two arms and the scoop under the generalized forces."""
    A, V = inertia_matrix(BODIES, COORDINATES), potential_energy(BODIES, (0, g))
    return lk.System("digging machine", COORDINATES, inertia=A, potential=V, forces=forces, values=MACHINE | values)


def build(choice: str = "min_norm", soil: tuple | None = None) -> lk.System:
    """Return the machine on the line; `choice` is a key of DRIVES, `soil` the force on the scoop, default (Xe, Ye)."""
    forces = force_at(ARM, SCOOP, soil or (Xe, Ye))
    return machine(forces, {} if soil else SOIL).constrain("line", lk.Program(LINE, drives=DRIVES[choice]))


def smooth_wall() -> lk.System:
    """Return the machine with the line as an ideal constraint, a smooth wall, and given moments of the motors."""
    return machine({phi1: M1, phi2: M2}, MOMENTS).constrain("line", LINE)


def rough_wall() -> lk.System:
    """Return the machine at a wall with dry friction; the row has length 1, so that lambda is the normal force."""
    along = (X + Y).diff(lk.t) / sp.sqrt(2)
    system = machine({phi1: M1, phi2: M2}, MOMENTS | FRICTION)
    return system.constrain("line", LINE / sp.sqrt(2), law=lk.Coulomb(mu, slip=along))


def scoop_acceleration(state: object) -> np.ndarray:
    """Return the acceleration of the scoop in x and y."""
    return np.array(ACCELERATION(*state.q, *state.v, *state.accelerations))


def tidy(formulas: object) -> sp.Matrix:
    """Return the formulas simplified and factored."""
    return sp.Matrix(formulas).applyfunc(lambda e: sp.factor(sp.trigsimp(sp.expand(e))))


def velocity_forces() -> tuple[sp.Matrix, sp.Matrix]:
    """Return Q0 (29) and Q* (30): Q0_i = q'^T (dA/dq_i) q'/2 and Q* = sum of (dA/dq_i) q' q_i'."""
    A, rates = sp.Matrix(build().free.A), sp.Matrix([der(phi1), der(phi2)])
    slopes = [A.diff(q) for q in COORDINATES]
    Q0 = sp.Matrix([(rates.T * slope * rates)[0] / 2 for slope in slopes])
    return Q0, slopes[0] * rates * rates[0] + slopes[1] * rates * rates[1]


def derivation() -> None:
    """Print the derivation in the order of the paper, (24) to (36)."""
    title("The transmission matrices, and the position of the scoop: T r = t1 t2 (b l, 0, 1)")
    for number, link in enumerate(ARM.links, start=1):
        show(**{f"t{number}": link.t.matrix, f"t{number}1": link.t.matrix * link.omega})
    show(T=ARM.T, B=ARM.position(SCOOP))
    remark(
        "Paper: r = (-beta l, 0, 1), the potential (27) and the forces (28) have b = -beta; A (25), its inverse "
        "(26), (29), (30), the acceleration and f0 have b = +beta. One signed b describes both machines. The axis "
        "with phi1 = 0 is Ox, not Oy, and y points down; a in the body coordinates (a, 0) is not the a of (24)."
    )

    free = build().free
    title("The inertia matrix (25), its inverse (26), the weight (27), the soil (28)")
    show(A=free.A, A_inverse=tidy(sp.Matrix(free.A).inv()), det_A=tidy([sp.Matrix(free.A).det()])[0])
    remark("Paper: a22 in (25) and the last entry of (26) contain beta instead of beta^2. A is singular at phi2 = 0.")
    weight, soil = force_at(ARM, SCOOP, (0, m * g)), force_at(ARM, SCOOP, (Xe, Ye))
    show(Q_pi=sp.Matrix([weight[q] for q in COORDINATES]), R=sp.Matrix([soil[q] for q in COORDINATES]))
    remark(
        "Paper: the factors are in the order r^T t11^T t2^T instead of r^T t2^T t11^T. The first term of R1 lacks its "
        "sign and has a plus before its X. The force is (-X, -Y) before (28) and (X, Y) in (34); (X, Y) is correct."
    )

    title("The velocity terms (29), (30)")
    Q0, Q_star = velocity_forces()
    show(Q0=tidy(Q0), Q_star=tidy(Q_star))
    remark("Paper: Q0 is a column in (8), not a row, and the vector on both sides in (29) is q', not q'_1 or q'_2.")
    program()
    components()


def program() -> None:
    """Print the line as a program and the condition for the moments, (31) to (33)."""
    title("The acceleration of the scoop, and f q'' + f0 = 0 (31)")
    show(acceleration=ARM.acceleration(SCOOP))
    (row,) = build().stages()
    show(f=row.rows.G, f0=row.rows.g0)
    remark(
        "Paper: f1 and f2 contain wrong signs, and f0 lacks a factor l. The acceleration has a superfluous l, and sin "
        "instead of cos in the terms with phi2'^2. In (5), f0 lacks the velocities."
    )
    title("The remainder of (33)")
    show(left=collapsed())
    remark(
        "This must be zero. Two motors can push a particle on two arms in any direction: velocities and the tangential "
        "force cancel in (33). With M1 = 0 it gives M2 = -(b l^2 sin(phi2)/a)(m g - Xe + Ye) on the line. This needs a "
        "different from 0: M2 cannot keep a line through O, because its force on the scoop points to O."
    )
    remark(
        "Paper: M1 = 0 does not fix the link OA; it is a joint without a motor. The matrix of the motion (17) is (25), "
        "not (26)."
    )


def collapsed() -> sp.Expr:
    """Return (33) after cancellation: the acceleration across the line, x'' - y''."""
    c1, s1, c12, s12 = cos(phi1), sin(phi1), cos(phi1 + phi2), sin(phi1 + phi2)
    motors = (c12 - s12) * M1 - ((c12 - s12) + (c1 - s1) / b) * M2
    return motors / (m * l * sin(phi2)) - g + (Xe - Ye) / m


def components() -> None:
    """Print the tangential and normal force, (34) to (36)."""
    title("Along the line and across it: (X, Y) = V (tangential, normal), (34) and (36)")
    V = sp.Matrix([[cos(THETA), -sin(THETA)], [sin(THETA), cos(THETA)]])
    show(V=V, V_inverse=V.T)
    tangential, normal = lk.parameters("Ft Fn")
    given = force_at(ARM, SCOOP, (tangential, normal), turned=THETA)
    show(R=tidy([given[q] for q in COORDINATES]))
    remark(
        "Paper: (22) and (35) add V R to generalized forces; the transposed Jacobian before V R is missing. The "
        "friction is F in one line and -F in the next; it opposes the motion, so it is -F along t if the scoop moves "
        "along t. (16), D R < 0, is not a condition, since the sign of a column of D is arbitrary; a dissipative wall "
        "satisfies q'^T R <= 0."
    )


def numbers() -> dict:
    """Return the machine at one state for each choice of drives, and with a smooth or rough wall instead of drives."""
    walls = {"smooth wall": smooth_wall(), "rough wall": rough_wall()}
    systems = {choice: build(choice) for choice in DRIVES} | walls
    return {name: system.at(POSITION, VELOCITY) for name, system in systems.items()}


if __name__ == "__main__":
    derivation()
    title("Numbers at one state: the moments M1, M2 that keep the line")
    for choice, state in numbers().items():
        if choice in DRIVES:
            show(**{choice: state.reactions["line"], "scoop": scoop_acceleration(state)})
    remark(
        "One equation for two moments: each choice keeps the scoop on the line, with a different acceleration along it."
    )
    lines(numbers()["smooth wall"].audit)
    contact = numbers()["rough wall"].contacts["line"]
    show(pressure=contact.normal, friction=contact.friction)
    remark("A wall with friction, mu = 0.35: the friction depends on the reaction and changes it in turn.")
