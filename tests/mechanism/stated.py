"""Mechanisms that use every kind of joint and element, for tests of files and summaries."""

import numpy as np
import sympy as sp

import lienket as lk


def turned(angle, axis):
    """Return the matrix of a turn about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    matrix = np.eye(3)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    matrix[[i, j, i, j], [i, j, j, i]] = [c, c, -s, s]
    return matrix


def four_bar():
    """Build the four-bar of uniform rods with a motor at its crank."""
    bar = lk.planar.Mechanism("four-bar", gravity=(0, -9.81))
    crank = bar.body("crank", mass=1.0, length=0.1)
    coupler = bar.body("coupler", mass=2.0, length=0.3)
    rocker = bar.body("rocker", mass=1.5, length=0.25)
    bar.revolute("O", bar.ground.at(0, 0), crank.at(0, 0))
    bar.revolute("A", crank.at(0.1, 0), coupler.at(0, 0))
    bar.revolute("B", coupler.at(0.3, 0), rocker.at(0.25, 0))
    bar.revolute("C", bar.ground.at(0.3, 0), rocker.at(0, 0))
    bar.motor("M", "O", 0.5)
    return bar


def plane(efforts=True):
    """Build a planar mechanism with every joint and element of the plane, parameters and moved places.

    Its `efforts` depend on the coordinate of a joint, which absolute coordinates do not have.
    """
    m, L, k, g = lk.parameters("m L k g")
    J = sp.Symbol("J_{1,zz}", positive=True)
    values = {m: 2.5, L: sp.Rational(1, 3), k: 40, g: 9.81, J: 0.07}
    it = lk.planar.Mechanism('every "planar" part', gravity=(0, -g), values=values)
    arm = it.body("arm", mass=m, inertia=J, centre=(L / 2, 0.1))
    sledge = it.body("sledge", mass=1.7)
    pin = it.body("pin", mass=0.3, inertia=0.01, centre=(0.01, 0))
    tip = it.body("tip", mass=0.2, length=L)
    wheel = it.body("wheel", mass=1.1, inertia=0.2)
    loose = it.body("loose", mass=0.9, inertia=0.004)
    a = it.revolute("a", it.ground.at(0, 0.2 * sp.sin(3 * lk.t), lk.t / 7), arm.at(0, 0, 0.3)).coordinate
    it.prismatic("slide", it.ground.at(1, 0), sledge.at(), axis=(3, 4), coordinate="s")
    it.slot("groove", arm.at(L, 0), pin.at(0, 0.02), axis=(L, 1))
    it.weld("seam", arm.at(L, 0, sp.pi / 2), tip.at(0, 0))
    it.free("w", it.ground, wheel.at(0.01, 0))
    it.free("flight", it.ground.at(0, 2), loose.at(), coordinate="f")
    it.spring("S", arm.at(L, 0), it.ground.at(1, 1), stiffness=k, length=0.37)
    it.spring("string", sledge, wheel, stiffness=3)
    it.damper("D", arm.at(L, 0), sledge.at(), damping=0.6)
    it.torsion_spring("T", "a", stiffness=k / 10, angle=0.1)
    it.torsion_damper("TD", "slide", damping=0.25)
    state = a * lk.der(a) if efforts else m
    it.motor("M", "w_angle", 0.3 * sp.cos(5 * lk.t) - m * sp.Max(state, 0))
    it.force("push", tip.at(L, 0), (1, 2 * sp.sin(state)), follow=True)
    it.force("pull", loose, (0, 3))
    it.torque("twist", loose.at(1, 1), 0.7 * state)
    it.rolling("road", it.ground.at(0, -1), wheel.at(), radius=0.4, axis=(1, 0.2))
    it.gear("G", "f_angle", "a", ratio=-2.5, phase=0.1)
    it.stop("bounds", "slide", lower=-1, upper=sp.Rational(5, 3), restitution=0.3)
    return it


def loop():
    """Build a slider-crank with a rod, a rope, a rack and a given motion beside it."""
    it = lk.planar.Mechanism("loop")
    crank, rod = it.body("crank", mass=1, length=0.2), it.body("rod", mass=1.3, length=0.7)
    block, rider = it.body("block", mass=0.8), it.body("rider", mass=0.5)
    it.revolute("phi", it.ground.at(), crank.at())
    it.revolute("K", crank.at(0.2, 0), rod.at())
    it.prismatic("x", it.ground.at(), block.at())
    it.revolute("P", rod.at(0.7, 0), block.at())
    it.free("r", it.ground.at(), rider.at())
    it.rod("link", crank.at(0.1, 0), rider.at(0.1, 0), length=1.2)
    it.rope("cord", [it.ground.at(0, 3), rider.at(), it.ground.at(2, 3)], length=4.5)
    it.rack("teeth", "r_angle", "r_x", radius=0.31)
    it.motion("drive", "phi", 0.4 + 7 * lk.t)
    return it


def space():
    """Build a spatial mechanism with every joint and element of space."""
    m, h = lk.parameters("m h")
    it = lk.spatial.Mechanism("every spatial part", values={m: 1.9, h: 0.02})
    names = ["hinge", "slide", "tube", "bolt", "cardan", "ball", "angled", "sheet", "fixed", "flying"]
    bodies = [it.body(name, mass=m, inertia=(0.1, 0.2, 0.15), centre=(0.1, 0, 0.2)) for name in names]
    hinge, slide, tube, bolt, cardan, ball, angled, sheet, fixed, flying = bodies
    skew = turned(0.7, 0) @ turned(-1.1, 2)
    free = it.body("free", mass=3, inertia=skew @ np.diag([1, 2, 2.5]) @ skew.T)
    it.free("m", it.ground, free)
    a = it.revolute("a", it.ground.at(0, 0, 1, rotation=skew), hinge.at(0, 0.1), axis=(1, -2, 0.5)).coordinate
    it.prismatic("s", hinge.at(), slide.at())
    it.cylindrical("c", it.ground.at(lk.t / 10), tube.at(), axis=(0, 1, 0))
    it.screw("b", it.ground.at(), bolt.at(), pitch=h)
    it.universal("u", it.ground.at(), cardan.at(), axes=((1, 0, 0), (0.2, 3, 0)))
    it.spherical("p", it.ground.at(), ball.at(0, 0, 0.3))
    it.spherical("e", it.ground.at(), angled.at(), angles="xyz")
    it.planar("t", it.ground.at(), sheet.at(), axis=(0, 0, 2))
    it.weld("seam", hinge.at(0, 0, 1), fixed.at(rotation=turned(0.4, 1)))
    it.free("f", it.ground, flying.at(0.1, 0, 0.2))
    it.spring("S", hinge.at(1, 0, 0), flying, stiffness=20, length=0.5)
    it.force("push", ball.at(1, 2, 3), (1, 0, sp.sin(a)), follow=True)
    it.torque("twist", flying, (0, 0.1, lk.der(a)))
    it.gear("G", "a", "b", ratio=3)
    return it


def space_loop():
    """Build a spatial four-bar: revolute, spherical, spherical, revolute."""
    it = lk.spatial.Mechanism("RSSR")
    crank = it.body("crank", mass=1, inertia=(0.01, 0.02, 0.02), centre=(0.1, 0, 0))
    rod = it.body("rod", mass=2, inertia=(0.01, 0.3, 0.3), centre=(0.4, 0, 0))
    rocker = it.body("rocker", mass=1.5, inertia=(0.01, 0.1, 0.1), centre=(0.3, 0, 0))
    it.revolute("A", it.ground.at(), crank.at())
    it.spherical("B", crank.at(0.2, 0, 0), rod.at())
    it.spherical("C", rod.at(0.8, 0, 0), rocker.at(0.6, 0, 0))
    it.revolute("D", it.ground.at(0.7, 0, 0.2), rocker.at(), axis=(0, 1, 1))
    it.motor("M", "A", 0.2)
    return it


def systems():
    """Return every mechanism in relative and in absolute coordinates, by name."""
    named = {f"{f.__name__}, {c}": f().system(c) for f in (four_bar, loop, space, space_loop)
             for c in ("relative", "absolute")}  # fmt: skip
    return named | {"plane, relative": plane().system(), "plane, absolute": plane(efforts=False).system("absolute")}
