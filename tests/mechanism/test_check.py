"""Check of mechanisms: known freedoms, named redundant rows, proposals, loops, floating bodies, missing inertia."""

from math import cos, hypot, pi, sin

import numpy as np
import pytest

import lienket as lk
from lienket.errors import ModelError

BOTH = pytest.mark.parametrize("coordinates", ["relative", "absolute"])
SOLID = {"mass": 1.0, "inertia": (0.1, 0.2, 0.3)}


def counted(found):
    """Return Gruebler's count, the number of redundant rows, and the true freedom, whose sum must be right."""
    assert found.problem == ""
    assert found.gruebler + len(found.redundant) == found.freedom
    return found.gruebler, len(found.redundant), found.freedom


def four_bar(kind, change=None):
    """Return Gruebler's four-bar in the plane or in space; `change` maps joints to other kinds."""
    bar, change = kind("four-bar"), change or {}
    solid = {"mass": 1.0, "inertia": 0.1}
    crank, coupler, rocker = (bar.body(name, **solid) for name in ("crank", "coupler", "rocker"))
    ground = bar.ground
    for name, a, b in (
        ("O", ground.at(0, 0), crank.at(0, 0)),
        ("A", crank.at(0.1, 0), coupler.at(0, 0)),
        ("B", coupler.at(0.3, 0), rocker.at(0.25, 0)),
        ("C", ground.at(0.3, 0), rocker.at(0, 0)),
    ):
        getattr(bar, change.get(name, "revolute"))(name, a, b)
    return bar


@BOTH
def test_four_bar_in_the_plane(coordinates):
    found = four_bar(lk.planar.Mechanism).check({"O": 0.3}, coordinates)
    assert counted(found) == (1, 0, 1)
    assert found.redundant == found.floating == found.warnings == ()


@BOTH
def test_four_bar_in_space(coordinates):
    """Parallel axes: force along z and both tilts of one joint are redundant for ever (mechanisms 2.8)."""
    found = four_bar(lk.spatial.Mechanism).check({"O": 0.3}, coordinates)
    assert counted(found) == (-2, 3, 1)
    assert [(r.joint, r.row, r.where) for r in found.redundant] == [
        ("C", "force along z", "always"), ("C", "turn about x", "always"), ("C", "turn about y", "always")
    ]  # fmt: skip
    assert all(r.depends_on == ("O", "A", "B") for r in found.redundant)
    assert sorted(p.kind for p in found.proposals) == ["cylindrical", "spherical"]
    assert sum(p.removes for p in found.proposals) == 3
    assert all(r.proposal in {p.change for p in found.proposals} for r in found.redundant)


def test_proposals_for_the_four_bar_remove_all_redundant_rows():
    found = four_bar(lk.spatial.Mechanism).check({"O": 0.3})
    change = {p.name: p.kind for p in found.proposals}
    assert counted(four_bar(lk.spatial.Mechanism, change).check({"O": 0.3})) == (1, 0, 1)


def test_loops():
    found = four_bar(lk.planar.Mechanism).check({"O": 0.3})
    (loop,) = found.loops
    assert loop.cut == "C"
    assert loop.bodies == ("ground", "crank", "coupler", "rocker")
    assert loop.joints == ("O", "A", "B", "C")


def test_it_prints_as_a_table():
    text = str(four_bar(lk.spatial.Mechanism).check({"O": 0.3}))
    assert "6 x 3 - 20 = -2" in text
    assert "true freedom       1" in text
    assert "force along z" in text
    assert "'C' closes ground - crank - coupler - rocker" in text
    assert "3 x 3 - 8 = 1" in str(four_bar(lk.planar.Mechanism).check({"O": 0.3}))


@BOTH
def test_four_bar_that_cannot_close_says_so(coordinates):
    bar = lk.planar.Mechanism("short")
    crank, rocker = bar.body("crank", mass=1, length=0.1), bar.body("rocker", mass=1, length=0.1)
    bar.revolute("O", bar.ground.at(0, 0), crank.at(0, 0))
    bar.revolute("A", crank.at(0.1, 0), rocker.at(0, 0))
    bar.revolute("C", bar.ground.at(1, 0), rocker.at(0.1, 0))
    found = bar.check(coordinates=coordinates)
    assert found.freedom is None
    assert found.redundant == ()
    assert "'C'" in found.problem
    assert "cannot be assembled" in str(found)
    assert found.gruebler == 0
    assert len(found.loops) == 1


@BOTH
def test_bennett(coordinates):
    """Linkage "bennett" of the overconstrained ones: Kutzbach -2, freedom 1; th1 = 2 with th2, th3 as they close it."""
    a, alpha, beta = 0.3, 0.6, 1.1
    b = a * sin(beta) / sin(alpha)
    linkage = lk.spatial.Mechanism("Bennett")
    rods = [linkage.body(f"rod{k}", **SOLID) for k in range(3)]
    ends = [linkage.ground.at()]
    ends += [
        rod.at(x, 0, 0, rotation=about_x(twist))
        for rod, x, twist in zip(rods, (a, b, a), (alpha, beta, alpha), strict=True)
    ]
    for k in range(3):
        linkage.revolute(f"th{k + 1}", ends[k], rods[k].at())
    linkage.revolute("th4", ends[3], linkage.ground.at(-b, 0, 0, rotation=about_x(-beta)))
    angles = [2.0, 2.193812342071422, 4.283185307179586]
    found = linkage.check({f"th{k + 1}": angle for k, angle in enumerate(angles)}, coordinates)
    assert counted(found) == (-2, 3, 1)
    assert {r.where for r in found.redundant} == {"always"}


def about_x(angle):
    """Return the rotation about x."""
    c, s = cos(angle), sin(angle)
    return [[1, 0, 0], [0, c, -s], [0, s, c]]


def about_z(angle):
    """Return the rotation about z."""
    c, s = cos(angle), sin(angle)
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]]


def sarrus():
    """Return two plates on two legs of three parallel hinges each, in vertical planes across each other."""
    m = lk.spatial.Mechanism("Sarrus")
    plate = m.body("plate", **SOLID)
    for k, leg in enumerate(("east", "north")):
        turned, hinge = about_z(k * pi / 2), (0, 1, 0)
        lower, upper = m.body(f"{leg}_lower", **SOLID), m.body(f"{leg}_upper", **SOLID)
        foot = np.array(turned) @ (1.0, 0, 0)
        m.revolute(f"{leg}_foot", m.ground.at(*foot, rotation=turned), lower.at(), axis=hinge)
        m.revolute(f"{leg}_knee", lower.at(0, 0, 0.5), upper.at(), axis=hinge)
        m.revolute(f"{leg}_hip", upper.at(0, 0, 0.5), plate.at(*foot, rotation=turned), axis=hinge)
    return m


@BOTH
def test_sarrus(coordinates):
    """Straight-line linkage of Sarrus: five bodies and six hinges, Kutzbach 0, freedom 1."""
    start = {"east_foot": 0.5, "east_knee": -1.0, "east_hip": 0.5}
    guess = {"north_foot": 0.5, "north_knee": -1.0, "north_hip": 0.5}
    found = sarrus().check(start, coordinates, guess=guess)
    assert counted(found) == (0, 1, 1)
    assert found.redundant[0].where == "always"
    assert set(found.redundant[0].depends_on) <= set(sarrus().joints)


def door(hinges=3):
    """Return a door on hinges of one line."""
    m = lk.spatial.Mechanism("door")
    leaf = m.body("leaf", mass=24.0, inertia=(9.0, 10.5, 1.75), centre=(0.45, 0, 0))
    for k in range(hinges):
        m.revolute(f"hinge{k}", m.ground.at(0, 0, k), leaf.at(0, 0, k))
    return m


@BOTH
def test_door_on_three_hinges(coordinates):
    """Linkage "door_three_hinges": 15 rows of rank 5, and one hinge is enough."""
    found = door().check(coordinates=coordinates)
    assert counted(found) == (-9, 10, 1)
    assert [r.joint for r in found.redundant] == ["hinge1"] * 5 + ["hinge2"] * 5
    assert {(p.name, p.kind, p.removes) for p in found.proposals} == {
        ("hinge1", "leave out", 5),
        ("hinge2", "leave out", 5),
    }
    assert all(r.depends_on == ("hinge0",) for r in found.redundant)


@BOTH
def test_door_on_a_tilted_line(coordinates):
    """Two hinges on any line: five rows are redundant, though rounding leaves residuals in rows without gradient."""
    axis = np.array([0.3, 0.4, 0.5]) / np.linalg.norm([0.3, 0.4, 0.5])
    m = lk.spatial.Mechanism("door")
    leaf = m.body("leaf", **SOLID)
    for k, point in enumerate((0.1 * axis, 0.7 * axis)):
        m.revolute(f"hinge{k}", m.ground.at(*np.add(point, (0.1, 0.2, 0.7))), leaf.at(*point), axis=axis)
    assert counted(m.check({"hinge0": 0.3}, coordinates)) == (-4, 5, 1)


@BOTH
def test_welds_alone(coordinates):
    """A body on two welds has no coordinates, freedom 0, and all rows of the second weld are redundant."""
    for kind, rows in ((lk.planar.Mechanism, 3), (lk.spatial.Mechanism, 6)):
        m = kind("block")
        block = m.body("block", mass=1, inertia=1)
        m.weld("one", m.ground.at(0.1, 0.7), block.at(0.1, 0.7))
        m.weld("two", m.ground.at(0.3, 0.9), block.at(0.3, 0.9))
        found = m.check(coordinates=coordinates)
        assert counted(found) == (-rows, rows, 0)
        assert [(p.name, p.kind) for p in found.proposals] == [("two", "leave out")]


@BOTH
def test_parallelogram_with_five_cranks(coordinates):
    """Six bodies and ten hinges in the plane: count -2, freedom 1, a redundant row for each crank beyond the second."""
    m = lk.planar.Mechanism("parallelogram")
    coupler = m.body("coupler", mass=1, inertia=0.1)
    for k in range(5):
        crank = m.body(f"crank{k}", mass=1, length=0.5)
        m.revolute(f"foot{k}", m.ground.at(k, 0), crank.at(0, 0))
        m.revolute(f"pin{k}", crank.at(0.5, 0), coupler.at(k, 0))
    angles = {f"foot{k}": 0.7 for k in range(5)} | {f"pin{k}": -0.7 for k in range(5)}
    found = m.check(angles, coordinates)
    assert counted(found) == (-2, 3, 1)
    assert [r.joint for r in found.redundant] == ["pin2", "pin3", "pin4"]
    assert {r.where for r in found.redundant} == {"always"}
    assert sum(p.removes for p in found.proposals) == 3


def test_flat_parallelogram_is_free_at_this_position_only():
    """All hinges of a parallelogram on one line: freedom 2 there, 1 beside it."""
    m = lk.planar.Mechanism("flat")
    a, b, c = (m.body(name, mass=1, inertia=1) for name in "abc")
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("B", a.at(1, 0), b.at(0, 0))
    m.revolute("C", b.at(3, 0), c.at(1, 0))
    m.revolute("D", m.ground.at(3, 0), c.at(0, 0))
    found = m.check()
    assert counted(found) == (1, 1, 2)
    assert found.freedom_nearby == 1
    assert [r.where for r in found.redundant] == ["only at this position"]
    assert [r.proposal for r in found.redundant] == [""]
    assert "2 here and 1 beside it" in found.warnings[0]


@BOTH
def test_slider_crank(coordinates):
    for kind, count in ((lk.planar.Mechanism, (1, 0, 1)), (lk.spatial.Mechanism, (-2, 3, 1))):
        m = kind("slider-crank")
        crank, rod, slider = (m.body(name, mass=1, inertia=0.1) for name in ("crank", "rod", "slider"))
        m.revolute("O", m.ground.at(0, 0), crank.at(0, 0))
        m.revolute("A", crank.at(0.1, 0), rod.at(0, 0))
        m.revolute("B", rod.at(0.4, 0), slider.at(0, 0))
        m.prismatic("S", m.ground.at(0, 0), slider.at(0, 0), axis=(1, 0) if kind is lk.planar.Mechanism else (1, 0, 0))
        assert counted(m.check({"O": 0.5}, coordinates)) == count


def stewart(lower):
    """Return a platform on six legs: `lower` joint at the ground, slide in the leg, ball at the platform."""
    m = lk.spatial.Mechanism("Stewart")
    platform = m.body("platform", **SOLID)
    for k in range(6):
        at_foot, at_top = 2 * pi * (k // 2) / 3 + (-0.3, 0.3)[k % 2], 2 * pi * (k // 2) / 3 + (-0.7, 0.7)[k % 2]
        foot, top = np.array([2 * cos(at_foot), 2 * sin(at_foot), 0]), np.array([cos(at_top), sin(at_top), 0])
        z = np.add(top, (0, 0, 2.0)) - foot
        length = np.linalg.norm(z)
        z = z / length
        x = np.cross((0.0, 1.0, 0.0), z)
        x = x / np.linalg.norm(x)
        axes = np.column_stack([x, np.cross(z, x), z])
        tube, piston = (m.body(f"{name}{k}", **SOLID) for name in ("tube", "piston"))
        more = {"axes": ((1, 0, 0), (0, 1, 0))} if lower == "universal" else {}
        getattr(m, lower)(f"foot{k}", m.ground.at(*foot, rotation=axes), tube.at(), **more)
        m.prismatic(f"leg{k}", tube.at(0, 0, length), piston.at(), axis=(0, 0, 1))
        m.spherical(f"top{k}", piston.at(), platform.at(*top, rotation=axes))
    return m


@pytest.mark.parametrize(("lower", "freedom"), [("universal", 6), ("spherical", 12)])
@pytest.mark.parametrize("coordinates", ["relative", pytest.param("absolute", marks=pytest.mark.slow)])
def test_stewart_platform(lower, freedom, coordinates):
    """Kutzbach's 6 x 13 - 6 x 12 = 6; with balls at both ends every leg may spin, 12."""
    assert counted(stewart(lower).check(coordinates=coordinates)) == (freedom, 0, freedom)


@BOTH
@pytest.mark.parametrize(("braces", "count"), [("ac", (0, 0, 0)), ("ac bd", (-1, 1, 0)), ("", (1, 0, 1))])
def test_trusses(braces, count, coordinates):
    """Square of bars on a fixed base: with one diagonal it is stiff, with two over-stiff, with none it moves."""
    corners = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (1.0, 1.0), "d": (0.0, 1.0)}
    m, pins = lk.planar.Mechanism("truss"), {}
    pins = {"a": m.ground.at(0, 0), "b": m.ground.at(1, 0)}
    for bar in ["bc", "ad", "dc", *braces.split()]:
        first, second = corners[bar[0]], corners[bar[1]]
        length = hypot(second[0] - first[0], second[1] - first[1])
        angle = np.arctan2(second[1] - first[1], second[0] - first[0])
        body = m.body(bar, mass=1, length=length)
        for end, x in zip(bar, (0, length), strict=True):
            place = body.at(x, 0, -angle)
            if end in pins:
                m.revolute(f"{bar}_{end}", pins[end], place)
            else:
                pins[end] = place
    found = m.check(coordinates=coordinates)
    assert counted(found) == count
    assert {r.where for r in found.redundant} <= {""}


@BOTH
def test_free_body(coordinates):
    for kind, freedom in ((lk.planar.Mechanism, 3), (lk.spatial.Mechanism, 6)):
        m = kind("free")
        body = m.body("body", mass=1, inertia=0.1)
        m.free("f", m.ground.at(), body.at())
        found = m.check(coordinates=coordinates)
        assert counted(found) == (freedom, 0, freedom)
        assert found.floating == found.loops == found.warnings == ()


@BOTH
def test_floating_bodies(coordinates):
    """A pair of bodies on one hinge without support, and a single body; together with a pendulum."""
    for kind, each in ((lk.planar.Mechanism, 3), (lk.spatial.Mechanism, 6)):
        m = kind("floating")
        names = ("a", "b", "alone", "pendulum")
        a, b, _, pendulum = (m.body(name, mass=1, inertia=0.1) for name in names)
        m.revolute("floating", a.at(1, 0), b.at())
        m.revolute("pin", m.ground.at(), pendulum.at())
        found = m.check(coordinates=coordinates)
        assert found.floating == ("a", "b", "alone")
        assert counted(found) == (2 * each + 2, 0, 2 * each + 2)
        assert "'a'" not in str(found.problem)
        with pytest.raises(ModelError, match="alone"):
            m.system()


def test_faults_are_told_together():
    m = lk.planar.Mechanism("wrong")
    body = m.body("body", mass=-1)
    m.revolute("A", m.ground.at(), body.at())
    m.revolute("A", m.ground.at(), body.at())
    m.prismatic("B", body.at(), body.at())
    with pytest.raises(ModelError) as error:
        m.check()
    text = str(error.value)
    assert "negative" in text
    assert "taken" in text
    assert "both places are on" in text
    with pytest.raises(ModelError, match="there are none"):
        lk.planar.Mechanism("empty").check()


def test_thin_rod_between_two_balls():
    """A thin rod between two balls spins about itself without inertia; a universal joint at one end stops it."""
    for kind, warned in (("spherical", 1), ("universal", 0)):
        m = lk.spatial.Mechanism("link")
        arm, rod, slider = m.body("arm", **SOLID), m.body("rod", mass=1, length=1), m.body("slider", **SOLID)
        m.revolute("O", m.ground.at(), arm.at())
        m.spherical("A", arm.at(0, 0.3, 0), rod.at())
        more = {"axes": ((0, 1, 0), (0, 0, 1))} if kind == "universal" else {}
        getattr(m, kind)("B", rod.at(1, 0, 0), slider.at(), **more)
        m.prismatic("S", m.ground.at(1, 0.3, 0), slider.at(), axis=(1, 0, 0))
        found = m.check()
        assert counted(found) == (2, 0, 2) if warned else counted(found) == (1, 0, 1)
        assert len(found.warnings) == warned
        if warned:
            assert "'rod' has no inertia about the direction x of its axes" in found.warnings[0]


def test_bodies_without_inertia():
    """A particle on a hinge resists, on a free joint its turns do not; a massless body resists nothing."""
    m = lk.planar.Mechanism("particles")
    hung, loose, empty = m.body("hung", mass=1, centre=(1, 0)), m.body("loose", mass=1), m.body("empty")
    m.revolute("A", m.ground.at(), hung.at())
    m.free("B", m.ground.at(), loose.at())
    m.prismatic("C", m.ground.at(), empty.at())
    loose_warning, empty_warning = m.check().warnings
    assert "'loose' has no moment of inertia" in loose_warning
    assert "'empty' has no mass" in empty_warning
    space = lk.spatial.Mechanism("particle")
    space.free("B", space.ground.at(), space.body("loose", mass=1).at())
    (warning,) = space.check().warnings
    assert "'loose' has no inertia in any direction" in warning


def test_massless_link_between_masses_is_no_fault():
    """A massless coupler is fixed by its joints in a four-bar whose other bodies have inertia."""
    m = lk.planar.Mechanism("four-bar")
    crank, coupler = m.body("crank", mass=1, inertia=1), m.body("coupler")
    rocker = m.body("rocker")
    m.revolute("O", m.ground.at(0, 0), crank.at(0, 0))
    m.revolute("A", crank.at(0.1, 0), coupler.at(0, 0))
    m.revolute("B", coupler.at(0.3, 0), rocker.at(0.25, 0))
    m.revolute("C", m.ground.at(0.3, 0), rocker.at(0, 0))
    assert m.check({"O": 0.3}).warnings == ()


@BOTH
def test_elements_count_their_rows(coordinates):
    """Gear, rack, rod, rope and given motion hold one row each, a wheel on a line two."""
    m = lk.planar.Mechanism("elements")
    a, b, c, d = (m.body(name, mass=1, inertia=0.1) for name in "abcd")
    m.revolute("A", m.ground.at(0, 0), a.at())
    m.revolute("B", m.ground.at(1, 0), b.at())
    m.prismatic("C", m.ground.at(0, 2), c.at())
    m.free("D", m.ground.at(0, 0), d.at(0, 0))
    assert counted(m.check(coordinates=coordinates)) == (6, 0, 6)
    m.gear("g", "A", "B", ratio=-2)
    m.rack("r", "A", "C", radius=0.1)
    m.motion("go", "A", 0.1 * lk.t**2)
    assert counted(m.check(coordinates=coordinates)) == (3, 0, 3)
    m.rolling("wheel", m.ground.at(0, 0), d.at(0, 0), radius=0.5)
    assert counted(m.check({"D_y": 0.5} if coordinates == "relative" else None, coordinates)) == (1, 0, 1)
    m.rod("stay", m.ground.at(-4, 3.5), d.at(0, 0), length=5.0)
    m.rope("rope", [m.ground.at(0, 3), c.at(0, 0), m.ground.at(1, 2)], length=2.0)
    found = m.check(coordinates=coordinates)
    assert counted(found) == (-1, 1, 0)
    assert found.redundant[0].joint == "rope"


def test_second_motor_is_redundant():
    """Linkage "two_motors": both cranks of a parallelogram are driven alike."""
    m = lk.planar.Mechanism("two motors")
    a, b, p, w = (m.body(name, mass=1, inertia=0.1) for name in "abpw")
    m.revolute("A", m.ground.at(0, 0), a.at())
    m.revolute("B", m.ground.at(1, 0), b.at())
    m.revolute("AP", a.at(0.5, 0), p.at(-0.5, 0))
    m.revolute("BP", b.at(0.5, 0), p.at(0.5, 0))
    m.revolute("hook", p.at(0, 0), w.at(0, 0.35))
    for name in "AB":
        m.motion(f"motor{name}", name, -1.1 + 0.6 * lk.t)
    found = m.check({"A": -1.1, "B": -1.1, "AP": 1.1})
    assert counted(found) == (0, 1, 1)
    (redundant,) = found.redundant
    assert (redundant.joint, redundant.row) == ("motorB", "given motion")
    assert "motorA" in redundant.depends_on
    assert "hook" not in redundant.depends_on
    assert redundant.proposal.startswith("leave out 'motor")


def test_elliptic_trammel():
    """Linkage "trammel_with_crank": the stay and the crank are both redundant, freedom 1."""
    m, L = lk.planar.Mechanism("trammel"), 1.2
    A, B = m.body("A", mass=0.7, inertia=0.1), m.body("B", mass=1.1, inertia=0.1)
    rod, crank = m.body("rod", mass=1.6, inertia=0.192), m.body("crank", mass=0.5, inertia=0.015)
    m.prismatic("xA", m.ground.at(0, 0), A.at())
    m.prismatic("yB", m.ground.at(0, 0), B.at(), axis=(0, 1))
    m.revolute("pinA", A.at(), rod.at(L / 2, 0))
    m.revolute("pinB", B.at(), rod.at(-L / 2, 0))
    m.rod("stay", A.at(), B.at(), length=L)
    m.revolute("pivot", m.ground.at(), crank.at())
    m.revolute("pin", crank.at(L / 2, 0), rod.at())
    found = m.check({"xA": L * cos(0.7), "yB": L * sin(0.7), "pinA": -0.7, "pivot": 0.7})
    assert counted(found) == (-1, 2, 1)
    assert {r.where for r in found.redundant} == {"always"}
    assert {r.joint for r in found.redundant} == {"pin", "stay"}


def test_numbers_of_parameters():
    """Where lengths are parameters, the rank is that of their numbers."""
    l = lk.parameters("l")
    m = lk.planar.Mechanism("bars", values={"l": 1.0})
    a, b, c = (m.body(name, mass=1, inertia=1) for name in "abc")
    m.revolute("A", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("B", a.at(1, 0), b.at(0, 0))
    m.revolute("C", b.at(3, 0), c.at(l, 0))
    m.revolute("D", m.ground.at(3, 0), c.at(0, 0))
    assert counted(m.check({"A": 0.4, "B": -0.4})) == (1, 0, 1)
    problem = m.check({"A": 0.4}, values={"l": 9.0}).problem
    assert "'D'" in problem
    with pytest.raises(ModelError, match="nothing"):
        m.check(values={"nothing": 1.0})


def test_what_acts_with_forces_holds_nothing():
    """Springs, dampers, motors and stops add no rows; a motor's joint is not proposed to lose its coordinate."""
    bar = four_bar(lk.spatial.Mechanism)
    before = bar.check({"O": 0.3})
    bar.torsion_spring("s", "C", stiffness=2.0)
    bar.motor("m", "C", 1.0)
    after = bar.check({"O": 0.3})
    assert (after.gruebler, after.freedom, after.rows) == (before.gruebler, before.freedom, before.rows)
    assert {p.kind for p in after.proposals if p.name == "C"} <= {"cylindrical"}
    assert sum(p.removes for p in after.proposals) == 3
    plane = four_bar(lk.planar.Mechanism)
    low = lk.parameters("low")
    plane.stop("end", "O", lower=low)
    assert counted(plane.check({"O": 0.3}, values={"low": -1.0})) == (1, 0, 1)
