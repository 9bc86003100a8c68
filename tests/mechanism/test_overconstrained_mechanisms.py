"""The five overconstrained systems of tests/data/overconstrained.json as bodies and joints, against trusted motions.

Source of the numbers: tests/data/README.md. Joints give more rows than the formulas of the file, and more redundant
ones (a guide also holds the angle of its block); the motion is the same, and so is every reaction that is unique.
"""

import json
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sympy import cos, sin

import lienket as lk
from lienket import der

CASES = {c["id"]: c for c in json.loads((Path(__file__).parents[1] / "data" / "overconstrained.json").read_text())}
CLOSE = 1e-8  # [1] relative to the largest number of the motion
both = pytest.mark.parametrize("coordinates", ["relative", "absolute"])


def numbers(case):
    """Return the parameters of a case by name."""
    return SimpleNamespace(**tomllib.loads(CASES[case]["model"])["parameters"])


def given(case, joints):
    """Return a start of joints (name of a coordinate, or a linear combination of the file's) as q and q'."""
    order = tomllib.loads(CASES[case]["model"])["coordinates"]
    q, v = (dict(zip(order, CASES[case]["start"][x], strict=True)) for x in "qv")
    return {x: f(q) for x, f in joints.items()} | {f"{x}'": f(v) for x, f in joints.items()}


def run(system, case, start):
    """Return the motion at the times of the case, complete and with a good audit."""
    times = [0.0, *(row["t"] for row in CASES[case]["expected"])]
    motion = system.simulate(start=start, until=times[-1], times=times, rtol=1e-9, atol=1e-11)
    assert motion.outcome.complete, motion.outcome
    assert motion.audit.ok, motion.audit.warnings
    return motion


def compare(case, found):
    """Compare (q, v) by the file's names at all times."""
    order = tomllib.loads(CASES[case]["model"])["coordinates"]
    for k, row in enumerate(CASES[case]["expected"], 1):
        for name, (q, v) in found.items():
            i = order.index(name)
            assert abs(q[k] - row["q"][i]) < CLOSE * np.abs(row["q"]).max(), name
            assert abs(v[k] - row["v"][i]) < CLOSE * np.abs(row["v"]).max(), name


def whole_turns(angle, expected):
    """Return an angle with whole turns added, so that it is the nearest to the expected one."""
    return angle + 2 * np.pi * np.round((expected - angle) / (2 * np.pi))


def angle_of(case, name, body, sign=1):
    """Return angle and rate of a planar body, with the turns of the file; a run at few rows cannot count them."""
    i = tomllib.loads(CASES[case]["model"])["coordinates"].index(name)
    expected = np.array([CASES[case]["start"]["q"][i], *(row["q"][i] for row in CASES[case]["expected"])])
    return whole_turns(sign * body.rotation, expected), sign * body.angular_velocity


def places_of(motion, bodies):
    """Return x and y with their rates of planar bodies, by the letter that the file appends."""
    found = {}
    for name, letter in bodies.items():
        body = motion.bodies[name]
        for k, axis in enumerate("xy"):
            found[f"{axis}{letter}"] = body.position[:, k], body.velocity[:, k]
    return found


# The origin of every body below is its mass centre, as in the file.


@both
def test_trammel_with_crank(coordinates):
    """A rod on two blocks in guides, with a stay and a crank that are not needed."""
    p, case = numbers("trammel_with_crank"), "trammel_with_crank"
    m = lk.planar.Mechanism("trammel", gravity=(0, -p.g))
    block_a, block_b = m.body("A", mass=p.mA), m.body("B", mass=p.mB)
    rod, crank = m.body("rod", mass=p.m, inertia=p.J), m.body("crank", mass=p.mk, inertia=p.Jk)
    m.prismatic("guideA", m.ground.at(0, 0), block_a.at(0, 0))
    m.prismatic("guideB", m.ground.at(0, 0), block_b.at(0, 0), axis=(0, 1))
    m.revolute("pinA", block_a.at(0, 0), rod.at(p.L / 2, 0))
    m.revolute("pinB", block_b.at(0, 0), rod.at(-p.L / 2, 0))
    m.rod("stay", block_a.at(0, 0), block_b.at(0, 0), length=p.L)
    m.revolute("pivot", m.ground.at(0, 0), crank.at(-p.L / 4, 0))
    m.revolute("pin", crank.at(p.L / 4, 0), rod.at(0, 0))
    system = m.system(coordinates)
    start = given(case, {"guideA": lambda x: x["xA"], "guideB": lambda x: x["yB"], "pinA": lambda x: -x["phi"],
                         "pivot": lambda x: x["kappa"]})  # fmt: skip
    motion = run(system, case, system.consistent(start))
    compare(case, places_of(motion, {"A": "A", "B": "B", "rod": "", "crank": "k"}))
    turning = {"phi": -1, "kappa": 1}  # in the file the rod turns clockwise
    for x, name in (("phi", "rod"), ("kappa", "crank")):
        compare(case, {x: angle_of(case, x, motion.bodies[name], turning[x])})


@both
def test_door_on_three_hinges(coordinates):
    """Three hinges on one line; two of them are not needed."""
    p, case = numbers("door_three_hinges"), "door_three_hinges"
    gravity = (p.g * np.sin(p.tilt), 0, -p.g * np.cos(p.tilt))
    m = lk.spatial.Mechanism("door", gravity=gravity)
    door = m.body("door", mass=p.m, inertia=(p.Jx, p.Jy, p.Jz))
    for name, height in (("middle", 0), ("lower", -p.h), ("upper", p.h)):
        m.revolute(name, m.ground.at(0, 0, height), door.at(-p.e, 0, height))
    system = m.system(coordinates)
    motion = run(system, case, system.consistent(given(case, {"middle": lambda x: x["c"]})))
    body = motion.bodies["door"]
    found = {x: (body.position[:, k], body.velocity[:, k]) for k, x in enumerate("xyz")}
    compare(
        case, found | {"c": (np.arctan2(body.rotation[:, 1, 0], body.rotation[:, 0, 0]), body.angular_velocity[:, 2])}
    )
    state = motion.at(0.0)
    assert not state.joints["upper"].unique and not state.joints["middle"].unique
    statuses = [verdict.status for verdict in state.verdicts.values()]
    assert statuses.count("contradictory") == 0 and statuses.count("redundant") >= 2
    for k, row in enumerate(CASES[case]["expected"], 1):  # together they carry what one hinge would carry
        force = sum(motion.joints[name].force[k] for name in ("lower", "middle", "upper"))
        np.testing.assert_allclose(force, row["reaction"][:3], rtol=0, atol=CLOSE * np.abs(row["reaction"]).max())


def turn_about_x(angle):
    """Return the matrix of a turn about x."""
    return np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])


@pytest.mark.parametrize("coordinates", ["relative", pytest.param("absolute", marks=pytest.mark.slow)])
def test_bennett_linkage(coordinates):
    """Four skew hinges that move all the same: Kutzbach's count is -2, the freedom 1."""
    p, case = numbers("bennett"), "bennett"
    m = lk.spatial.Mechanism("Bennett linkage", gravity=(0, 0, -p.g))
    lengths, twists = (p.a, p.b, p.a), (p.alpha, p.beta, p.alpha)
    end = m.ground.at()
    for k, (mass, length, twist) in enumerate(zip((p.m1, p.m2, p.m3), lengths, twists, strict=True), 1):
        rod = m.body(f"rod{k}", mass=mass, length=length)
        m.revolute(f"th{k}", end, rod.at())
        end = rod.at(length, 0, 0, rotation=turn_about_x(twist))
    m.revolute("closing", m.ground.at(-p.b, 0, 0, rotation=turn_about_x(-p.beta)), end)
    system = m.system(coordinates)
    names = ("th1", "th2", "th3")
    motion = run(system, case, system.consistent(given(case, {x: lambda q, x=x: q[x] for x in names})))
    expected = np.array([CASES[case]["start"]["q"], *(row["q"] for row in CASES[case]["expected"])])
    joints = {x: motion.joints[x] for x in names}
    compare(case, {x: (whole_turns(joints[x].q[:, 0], expected[:, k]), joints[x].v[:, 0]) for k, x in enumerate(names)})
    if coordinates == "relative":
        compare(case, {x: (motion.q[:, k], motion.v[:, k]) for k, x in enumerate(names)})


@both
def test_two_motors(coordinates):
    """A parallelogram with a given motion in both cranks; what is unique of the reactions is right, too."""
    p, case = numbers("two_motors"), "two_motors"
    m = lk.planar.Mechanism("parallelogram", gravity=(0, -p.g))
    a, b = m.body("a", mass=p.ma, inertia=p.Ja), m.body("b", mass=p.mb, inertia=p.Jb)
    coupler, pendulum = m.body("p", mass=p.mp, inertia=p.Jp), m.body("w", mass=p.mw, inertia=p.Jw)
    m.revolute("pivot_a", m.ground.at(0, 0), a.at(-p.l / 2, 0))
    m.revolute("pivot_b", m.ground.at(p.D, 0), b.at(-p.l / 2, 0))
    m.revolute("pin_a", a.at(p.l / 2, 0), coupler.at(-p.D / 2, 0))
    m.revolute("pin_b", b.at(p.l / 2, 0), coupler.at(p.D / 2, 0))
    m.revolute("hook", coupler.at(0, 0), pendulum.at(0, p.c))
    for x in "ab":
        m.motion(f"motor_{x}", f"pivot_{x}", p.s0 + p.s1 * sin(p.w * lk.t))
    system = m.system(coordinates)
    start = given(case, {"pivot_a": lambda x: x["phia"], "pivot_b": lambda x: x["phib"],
                         "pin_a": lambda x: x["phip"] - x["phia"], "hook": lambda x: x["phiw"]})  # fmt: skip
    motion = run(system, case, system.consistent(start))
    found = places_of(motion, {x: x for x in "abpw"})
    compare(case, found | {f"phi{x}": angle_of(case, f"phi{x}", motion.bodies[x]) for x in "abpw"})
    assert motion.joints["hook"].unique.all()
    for k, row in enumerate(CASES[case]["expected"], 1):
        unique, atol = row["unique_multipliers"], CLOSE * np.abs(row["reaction"]).max()
        multiplier = {CASES[case]["row_names"][int(x)]: value for x, value in unique.items()}
        for name, sign in (("pivot a", 1), ("pivot b", 1), ("pin a", -1), ("pin b", -1)):
            upwards = motion.joints[name.replace(" ", "_")].force[k, 1]
            assert abs(upwards - sign * multiplier[f"{name} [1]"]) < atol
        hook = [multiplier["hook [0]"], multiplier["hook [1]"]]
        np.testing.assert_allclose(motion.joints["hook"].force[k], hook, rtol=0, atol=atol)


def test_cart_on_two_wheels():
    """Wheels as bodies; that they roll is stated by formulas on top: both say the same about the sideways velocity."""
    p, case = numbers("cart_two_wheels"), "cart_two_wheels"
    m = lk.spatial.Mechanism("cart", gravity=(0, 0, 0))
    cart = m.body("cart", mass=p.m, inertia=(0.1, p.J, p.J - p.C))  # the wheels' C/2 about the vertical are in J
    m.planar("at", m.ground.at(), cart.at())
    for k, side in ((1, 1), (2, -1)):
        wheel = m.body(f"wheel{k}", inertia=(p.C / 2, p.C, p.C / 2))
        m.revolute(f"phi{k}", cart.at(-p.a, side * p.b, 0), wheel.at(), axis=(0, 1, 0))
    system = m.system()
    x, y, theta, phi = (*lk.coordinates("at_x at_y at_angle"), lk.coordinates("phi1 phi2"))
    for k, side in ((0, p.b), (1, -p.b)):
        speed = (
            der(x) + (p.a * sin(theta) - side * cos(theta)) * der(theta),
            der(y) - (p.a * cos(theta) + side * sin(theta)) * der(theta),
        )
        system = system.constrain(f"sideways {k}", -sin(theta) * speed[0] + cos(theta) * speed[1])
        ahead = cos(theta) * speed[0] + sin(theta) * speed[1]
        system = system.constrain(f"rolls {k}", ahead - p.r * der(phi[k]))
    start = tuple(CASES[case]["start"].values())
    motion = run(system, case, start)
    names = ("x", "y", "theta", "phi1", "phi2")
    compare(case, {name: (motion.q[:, k], motion.v[:, k]) for k, name in enumerate(names)})
    wheels = motion.bodies["wheel1"].position - motion.bodies["wheel2"].position
    np.testing.assert_allclose(np.linalg.norm(wheels, axis=1), 2 * p.b, rtol=1e-12)
