"""Bodies in space with Euler parameters: a heavy top, a pendulum on a universal joint, Kane's babyboot."""

import numpy as np
from sympy import cos, sin

import lienket as lk
from lienket import der

from .problem import Problem, expect, from_file, published
from .spatial import Body, free_bodies, parameters_of, rates_of, rotation


def heavy_top(spare=1) -> Problem:
    """State a fast top with its centre of mass at (0, 1, 0) of the body; the fixed point is the origin."""
    entry = published()["heavy_top"]
    params = entry["params"]
    m, J1, J2, J3, g = lk.parameters("m J1 J2 J3 g")
    top = Body("top", m, (J1, J2, J3), spare)
    values = {"m": params["m"], "g": params["g"]} | dict(zip(("J1", "J2", "J3"), params["J"], strict=True))
    system = free_bodies("heavy top", [top], g, values).constrain("fixed point", list(top.point([0, -1, 0])))
    omega = np.array(entry["initial_state"]["omega_body"])
    p = [1.0, 0, 0, 0]
    start = ([0, 1, 0, *p], [*np.cross(omega, [0, 1, 0]), *rates_of(p, omega)])
    quantities = {"Euler parameters": lambda row: row.q[3:]}
    return Problem("heavy_top", system, start, from_file("heavy_top", quantities))


def universal(spare=1) -> Problem:
    """State a pendulum on a universal joint at the origin (Chrono and ADAMS, Universal_Case03), with its reactions.

    ADAMS gives force and torque on the ground at the joint, in space.
    """
    params = published()["adams_universal03"]["params"]
    m, J1, J3, g = lk.parameters("m J1 J3 g")
    body = Body("rod", m, (J1, J1, J3), spare)
    values = {"m": params["m"], "J1": params["I"][0], "J3": params["I"][2], "g": params["g"]}
    p = np.array([np.cos(np.pi / 4), np.sin(np.pi / 4) * 0.707107, -np.sin(np.pi / 4) * 0.707107, 0])
    p /= np.linalg.norm(p)
    ground = rotation(p)[:, 0]
    pinned = free_bodies("pendulum on a universal joint", [body], g, values).constrain(
        "pin", list(body.point([0, 0, 2]))
    )
    system = pinned.constrain("cross", ground @ body.axis(1))
    start = ([*(-rotation(p) @ [0, 0, 2]), *p], [0] * 7)

    def torque(row):
        """Return the torque on the ground: the cross holds ground.y = 0 and exerts lambda (y x ground) on the body."""
        return -row.multipliers[4] * np.cross(rotation(row.q[3:])[:, 1], ground)

    reactions = tuple(
        expect(e["t"], e["quantity"], {"force": lambda row: -row.reactions["pin"][:3], "torque": torque}[e["quantity"]],
               e["value"], e["trusted_digits"])
        for e in published()["adams_universal03"]["reactions"]
    )  # fmt: skip
    expected = from_file("adams_universal03", {"COM xyz": lambda row: row.q[:3]})
    return Problem("universal", system, start, expected + reactions)


def babyboot() -> Problem:
    """State Kane's babyboot in two angles: a pendulum A about x and a plate B turning on its long axis; chaotic."""
    entry = published()["babyboot"]
    g, IAx, IBx, IBy, IBz, LA, LB, mA, mB = lk.parameters("g IAx IBx IBy IBz LA LB mA mB")
    a, b = lk.coordinates("qA qB")
    about = IAx + mA * LA**2 + mB * LB**2 + IBx * cos(b) ** 2 + IBy * sin(b) ** 2
    system = lk.System("babyboot", [a, b], kinetic=about * der(a) ** 2 / 2 + IBz * der(b) ** 2 / 2,
                       potential=-g * (mA * LA + mB * LB) * cos(a), values=entry["params"])  # fmt: skip
    degrees = [entry["initial_state"]["qA_deg"], entry["initial_state"]["qB_deg"]]
    angles = from_file("babyboot", {"qA_deg,qB_deg": lambda row: np.rad2deg(row.q)}, scale=1.0, least=CHAOS)
    rates = from_file("babyboot", {"qA',qB'": lambda row: row.v}, scale=np.deg2rad(28), least=CHAOS)
    return Problem("babyboot", system, (np.deg2rad(degrees), [0, 0]), angles + rates, rtol=1e-13)


CHAOS = 1e-5
"""The file's tolerance in degrees; a change of the start grows 7e6 times in 10 s, in the rates 28 times more."""


def babyboot_bodies(spare=1e-3) -> Problem:
    """State the babyboot as two bodies: 14 coordinates, two lengths of Euler parameters and 10 rows of hinges."""
    entry = published()["babyboot"]
    g, IAx, IBx, IBy, IBz, LA, LB, mA, mB = lk.parameters("g IAx IBx IBy IBz LA LB mA mB")
    A, B = Body("A", mA, (IAx, IAx, IAx), spare), Body("B", mB, (IBx, IBy, IBz), spare)
    system = free_bodies("babyboot of bodies", [A, B], g, entry["params"])
    system = system.constrain("hinge", [*A.point([0, 0, LA]), A.axis(1)[0], A.axis(2)[0]])
    along = [B.axis(2) @ A.axis(0), B.axis(2) @ A.axis(1)]
    system = system.constrain("plate", [*(B.r - A.point([0, 0, LA - LB])), *along])
    first = np.deg2rad([entry["initial_state"]["qA_deg"], entry["initial_state"]["qB_deg"]])
    pA, pz = parameters_of(0, first[0]), parameters_of(2, first[1])
    pB = [pA[0] * pz[0], pA[1] * pz[0], -pA[1] * pz[3], pA[0] * pz[3]]
    length = [entry["params"]["LA"], entry["params"]["LB"]]
    centres = [-rotation(pA) @ [0, 0, l] for l in length]
    start = ([*centres[0], *pA, *centres[1], *pB], [0] * 14)
    return Problem("babyboot_bodies", system, start, babyboot_directions(), rtol=1e-13)


def babyboot_directions():
    """Return the angles as cosines and sines: of A in space, and of B about A."""
    value = published()["babyboot"]["expected"][0]["value"]
    a, b = np.deg2rad(value)

    def directions(row):
        A, B = rotation(row.q[3:7]), rotation(row.q[10:14])
        return [A[1, 1], A[2, 1], *(A[:, :2].T @ B[:, 0])]

    expected = [np.cos(a), np.sin(a), np.cos(b), np.sin(b)]
    return (expect(10.0, "directions", directions, expected, 15, scale=np.deg2rad(1), least=CHAOS),)
