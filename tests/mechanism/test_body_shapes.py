"""Shapes: those of solids have the solid's inertia; default ones connect the joints and scale with the mechanism."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases
from scipy.spatial.transform import Rotation

import lienket as lk
from lienket import planar, spatial
from lienket.mechanism.building.outline import outline
from lienket.model.bodies import Shape

NUMBERS = {  # kind -> number of points (None: two or more), of sizes
    "line": (None, 0),
    "polygon": (None, 0),
    "circle": (1, 1),
    "sphere": (1, 1),
    "capsule": (2, 1),
    "cylinder": (2, 1),
    "box": (1, 3),
}
seeds = st.integers(0, 2**32 - 1)


def drawn(mechanism, name):
    return mechanism.description().body[name].shapes


def points(shape):
    return np.array(shape.points, float)


def four_bar(unit=1):
    """Return the planar four-bar whose lengths are multiples of `unit`."""
    bar = planar.Mechanism("four-bar")
    crank, rocker = bar.body("crank", mass=1, length=unit), bar.body("rocker", mass=1, inertia=1)
    coupler = bar.body("coupler", mass=2, inertia=1, centre=(unit, unit))
    bar.revolute("O", bar.ground.at(0, 0), crank.at(0, 0))
    bar.revolute("A", crank.at(unit, 0), coupler.at(0, 0))
    bar.revolute("B", coupler.at(3 * unit, 0), rocker.at(2 * unit, 0))
    bar.revolute("C", bar.ground.at(3 * unit, 0), rocker.at(0, 0))
    slider = bar.body("slider", mass=1)
    bar.revolute("D", coupler.at(2 * unit, unit), slider.at())
    bar.prismatic("E", bar.ground.at(0, unit), slider.at(), axis=(3, 4))
    bob = bar.body("bob", mass=1, centre=(0, -unit))
    bar.revolute("F", coupler.at(2 * unit, unit), bob.at())
    bar.free("G", bar.ground.at(9 * unit, 0), bar.body("mass", mass=1).at())
    return bar


def spatial_arm(unit=1):
    """Return an open chain in space whose lengths are multiples of `unit`."""
    arm = spatial.Mechanism("arm")
    hub, link = arm.body("hub", mass=1, inertia=1), arm.body("link", mass=1, inertia=1, centre=(unit, 0, 0))
    arm.revolute("a", arm.ground.at(), hub.at(), axis=(1, 2, 2))
    arm.spherical("b", hub.at(), link.at())
    platform = arm.body("platform", mass=1, inertia=1)
    arm.prismatic("c", link.at(4 * unit, 0, 0), platform.at(), axis=(0, 1, 0))
    for k, (x, y) in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)]):
        arm.spring(f"s{k}", arm.ground.at(x * unit, y * unit, 0), platform.at(x * unit, y * unit, 0), stiffness=1)
    frame = arm.body("frame", mass=1, inertia=1)
    arm.weld("d", platform.at(), frame.at())
    for k, at in enumerate([(1, 0, 0), (0, 1, 0), (0, 0, 1)]):
        arm.damper(f"d{k}", arm.ground.at(), frame.at(*(unit * e for e in at)), damping=1)
    ball = arm.body("ball", mass=1)
    arm.free("e", arm.ground.at(), ball.at())
    return arm


@pytest.mark.parametrize("make", [four_bar, spatial_arm])
def test_every_body_has_shapes_with_sizes(make):
    kinds = set()
    for body in make().description().bodies:
        assert body.shapes
        for shape in body.shapes:
            count, sizes = NUMBERS[shape.kind]
            assert len(shape.points) == count or (count is None and len(shape.points) >= 2)
            assert len(shape.sizes) == sizes
            assert all(size > 0 for size in shape.sizes)
            kinds.add(shape.kind)
    assert kinds == (
        {"line", "polygon", "circle"} if make is four_bar else {"capsule", "polygon", "sphere", "cylinder"}
    )


@pytest.mark.parametrize("make", [four_bar, spatial_arm])
def test_shapes_scale_with_the_mechanism(make):
    """All lengths of the drawing are homogeneous: k times the mechanism gives k times every number of every shape.

    With a parameter as unit of length, the drawing is the one of numbers.
    """
    unit = lk.parameters("unit")
    for body, larger, stated in zip(*(make(u).description().bodies for u in (1, 7, unit)), strict=True):
        for shape, big, symbolic in zip(body.shapes, larger.shapes, stated.shapes, strict=False):
            assert big.kind == shape.kind
            assert points(big) == pytest.approx(7 * points(shape), rel=1e-14)
            assert [float(e) for e in big.sizes] == pytest.approx([7 * float(e) for e in shape.sizes], rel=1e-14)
            assert all(e.free_symbols <= {unit} for e in symbolic.expressions())
            assert all(sp.expand(e / unit).is_number for e in symbolic.sizes)


def test_links_join_their_joints():
    bar = four_bar()
    (crank,), (rocker,) = drawn(bar, "crank"), drawn(bar, "rocker")
    assert (crank.kind, crank.points) == ("line", ((0, 0, 0), (1, 0, 0)))
    assert (rocker.kind, set(rocker.points)) == ("line", {(0, 0, 0), (2, 0, 0)})
    (coupler,) = drawn(bar, "coupler")
    assert (coupler.kind, set(coupler.points)) == ("polygon", {(0, 0, 0), (3, 0, 0), (2, 1, 0)})


def test_links_with_parameters_join_their_joints():
    (rocker,) = drawn(four_bar(L := lk.parameters("L")), "rocker")
    assert (rocker.kind, set(rocker.points)) == ("line", {(0, 0, 0), (2 * L, 0, 0)})
    (platform, *_) = drawn(spatial_arm(L), "platform")
    assert platform.kind == "capsule"


def test_blocks_and_cylinders_follow_the_axes_of_turned_places():
    """The axis is stated in the axes of the first place; on the body, the turn of the place is added."""
    made = planar.Mechanism("slide")
    made.prismatic("s", made.ground.at(), made.body("slider", mass=1).at(0, 0, 0.4), axis=(1, 0))
    (block,) = drawn(made, "slider")
    side = np.diff(points(block), axis=0)[0]
    assert side[:2] / np.linalg.norm(side) == pytest.approx([np.cos(0.4), np.sin(0.4)], abs=1e-14)
    R = Rotation.from_euler("zyx", [0.4, -0.7, 1.1]).as_matrix()
    made = spatial.Mechanism("hinge")
    made.revolute("h", made.ground.at(), made.body("wheel", mass=1, inertia=1).at(rotation=R), axis=(0, 1, 0))
    (wheel,) = drawn(made, "wheel")
    assert np.cross(np.diff(points(wheel), axis=0)[0], R[:, 1]) == pytest.approx(0, abs=1e-14)


def test_slider_bob_and_free_body():
    """A block along its slide; a bar with a circle at the mass centre; a circle where there is one point only."""
    bar = four_bar()
    (block,) = drawn(bar, "slider")
    sides = np.diff(points(block), axis=0)
    assert np.cross(sides[0], (3, 4, 0)) == pytest.approx(0, abs=1e-14)
    assert sides[1] @ (3, 4, 0) == pytest.approx(0, abs=1e-14)
    assert points(block).mean(axis=0) == pytest.approx(0, abs=1e-14)
    line, circle = drawn(bar, "bob")
    assert set(line.points) == {(0, 0, 0), (0, -1, 0)}
    assert (circle.kind, circle.points) == ("circle", ((0, -1, 0),))
    (mass,) = drawn(bar, "mass")
    assert (mass.kind, mass.points) == ("circle", ((0, 0, 0),))
    assert mass.sizes[0] == pytest.approx(np.hypot(3, 1) / 20)  # of the coupler, the largest body


def test_shapes_in_space():
    arm = spatial_arm()
    (hub,) = drawn(arm, "hub")  # a cylinder about the axis of its revolute joint
    along = np.diff(points(hub), axis=0)[0]
    assert np.cross(along, (1, 2, 2)) == pytest.approx(0, abs=1e-14)
    (platform,) = drawn(arm, "platform")
    assert platform.kind == "polygon"
    assert {p[:2] for p in platform.points} == {(1, 1), (-1, 1), (-1, -1), (1, -1)}
    spokes = drawn(arm, "frame")  # four points that are in no plane
    assert [shape.kind for shape in spokes] == ["capsule"] * 4
    assert [points(shape)[0] for shape in spokes] == [pytest.approx([0.25] * 3)] * 4
    (ball,) = drawn(arm, "ball")
    assert ball.kind == "sphere"


@random_cases(100)
@given(seeds, st.integers(3, 9), st.booleans())
def test_outlines_enclose_all_joints(seed, count, in_plane):
    """A convex polygon: its corners are joints, every joint is inside, also in a plane that is turned in space."""
    rng = np.random.default_rng(seed)
    flat = np.hstack([rng.normal(size=(count, 2)), np.zeros((count, 1))])
    R = np.eye(3) if in_plane else Rotation.random(rng=rng).as_matrix()
    placed = flat @ R.T + (0 if in_plane else rng.normal(size=3))
    stated = [tuple(map(sp.Float, p)) for p in placed]
    (shape,) = outline(stated, in_plane)
    assert shape.kind == "polygon"
    assert set(shape.points) <= set(stated)
    corners = flat[[stated.index(p) for p in shape.points]]
    edges = np.roll(corners, -1, axis=0) - corners
    sides = [np.cross(edge, p - a)[2] for a, edge in zip(corners, edges, strict=True) for p in flat]
    assert min(sides) > -1e-7 or max(sides) < 1e-7


def test_points_on_a_line_are_one_bar():
    stated = [tuple(map(sp.Integer, p)) for p in ((1, 1, 0), (3, 3, 0), (0, 0, 0), (2, 2, 0))]
    (shape,) = outline(stated, True)
    assert (shape.kind, set(shape.points)) == ("line", {stated[1], stated[2]})


def test_wheel_on_a_line_has_its_radius():
    r = lk.parameters("r")
    disc = planar.Mechanism("disc")
    wheel = disc.body("wheel", mass=1, inertia=1)
    disc.free("free", disc.ground.at(), wheel.at())
    disc.rolling("road", disc.ground.at(), wheel.at(), radius=r)
    circle, spoke = drawn(disc, "wheel")
    assert (circle.kind, circle.points, circle.sizes) == ("circle", ((0, 0, 0),), (r,))
    assert spoke.points == ((0, 0, 0), (r, 0, 0))


def test_places_moved_by_time_are_drawn_at_the_start():
    made = planar.Mechanism("moved")
    body = made.body("body", mass=1, inertia=1)
    made.revolute("O", made.ground.at(lk.t, 0), body.at(0, 0))
    made.spring("k", made.ground.at(), body.at(2 + sp.sin(lk.t), 0), stiffness=1)
    (line,) = drawn(made, "body")
    assert line.points == ((0, 0, 0), (2, 0, 0))
    slider = made.body("slider", mass=1)
    made.prismatic("s", body.at(), slider.at(0, 0, sp.pi / 2 + lk.t**2))
    (block,) = drawn(made, "slider")
    side = np.diff(points(block), axis=0)[0]
    assert side[:2] == pytest.approx([0, np.linalg.norm(side)], abs=1e-14)


def test_own_shapes_replace_the_others():
    """Solids without mass, lines and shapes, alone or in a sequence; mass and inertia are not changed."""
    made = planar.Mechanism("own")
    ring = Shape("circle", ((sp.S.Zero,) * 3,), (sp.S.One,))
    one = made.body(
        "one", mass=1, inertia=2, shapes=[planar.line((0, 0), (1, 0), (1, 1)), planar.disc(9, 2).at(1, 1), ring]
    )
    two = made.body("two", solid=planar.rod(3, 1), shapes=planar.plate(0, (1, 2)))
    made.revolute("O", made.ground.at(), one.at())
    made.revolute("A", one.at(1, 0), two.at())
    first, second = made.description().bodies
    assert [shape.kind for shape in first.shapes] == ["line", "circle", "line", "circle"]
    assert first.shapes[0].points == ((0, 0, 0), (1, 0, 0), (1, 1, 0))
    assert (first.mass, first.inertia[2]) == (1, 2)
    assert [shape.kind for shape in second.shapes] == ["polygon"]
    assert second.mass == 3


def test_shapes_stay_with_the_system():
    """Shapes are part of the statement: kept by constrain and release, counted in equality."""
    one, other = planar.Mechanism("one"), planar.Mechanism("one")
    for made, shapes in ((one, None), (other, planar.disc(0, 1))):
        body = made.body("body", mass=1, inertia=1, shapes=shapes)
        made.revolute("O", made.ground.at(), body.at())
    system = one.system()
    assert system == one.system()
    assert system != other.system()
    with_row = system.constrain("held", lk.coordinates("O"))
    assert with_row.statement.free.mechanism.bodies == system.statement.free.mechanism.bodies


# The shapes of a solid determine its inertia.


def inertia_of_shape(shape, m):
    """Return centre and inertia of a uniform body of the shape's geometry alone."""
    p, sizes = points(shape), [float(e) for e in shape.sizes]
    centre = p.mean(axis=0)
    R = np.array(shape.rotation, float).reshape(3, 3) if shape.rotation else np.eye(3)
    if shape.kind == "box":
        x, y, z = sizes
        return centre, R @ np.diag([y**2 + z**2, x**2 + z**2, x**2 + y**2]) @ R.T * m / 12
    if shape.kind == "sphere":
        return centre, 2 / 5 * m * sizes[0] ** 2 * np.eye(3)
    if shape.kind == "circle":
        return centre, m * sizes[0] ** 2 / 4 * (np.eye(3) + np.outer(R[:, 2], R[:, 2]))
    if shape.kind == "polygon":  # a parallelogram with the sides u, v
        u, v = p[1] - p[0], p[2] - p[1]
        S = m / 12 * (np.outer(u, u) + np.outer(v, v))
        return centre, np.trace(S) * np.eye(3) - S
    length = np.linalg.norm(p[1] - p[0])
    n, r = (p[1] - p[0]) / length, sizes[0] if sizes else 0.0
    if shape.kind == "capsule":
        v1, v2 = length, 4 * r / 3
        m1, m2 = m * v1 / (v1 + v2), m * v2 / (v1 + v2)
        own = 2 / 5 - (3 / 8) ** 2  # of a half ball across its axis, about its centre at 3 r/8
        along = m1 * r**2 / 2 + m2 * 2 / 5 * r**2
        across = m1 * (3 * r**2 + length**2) / 12 + m2 * (own * r**2 + (length / 2 + 3 * r / 8) ** 2)
    else:
        along, across = m * r**2 / 2, m * (3 * r**2 + length**2) / 12
    return centre, across * np.eye(3) + (along - across) * np.outer(n, n)


SOLIDS = {
    "box": spatial.box(2, (0.3, 0.5, 0.7)),
    "sphere": spatial.sphere(2, 0.4),
    "cylinder": spatial.cylinder(2, 0.3, 0.8, "x"),
    "capsule": spatial.capsule(2, 0.3, 0.8, "y"),
    "disc": spatial.disc(2, 0.3, "x"),
    "disc about y": spatial.disc(2, 0.3, "y"),
    "plate": spatial.plate(2, (0.3, 0.5)),
    "rod": spatial.rod(2, 0.6),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_shapes_of_solids_have_their_inertia(name):
    """Turned and shifted in any way, the first shape has the solid's mass centre and inertia."""
    rng = np.random.default_rng(5)
    for _ in range(5):
        solid = SOLIDS[name].at(*rng.uniform(-1, 1, 3), rotation=Rotation.random(rng=rng).as_matrix())
        solid = solid.at(*rng.uniform(-1, 1, 3), rotation=Rotation.random(rng=rng).as_matrix())
        centre, J = inertia_of_shape(solid.shapes[0], 2)
        xx, yy, zz, xy, xz, yz = map(float, solid.inertia)
        assert [float(e) for e in solid.centre] == pytest.approx(centre, abs=1e-14)
        assert np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) == pytest.approx(J, abs=1e-14)


def test_open_sizes_are_set_from_the_mechanism():
    """A thin rod and a particle have no radius of their own: 1/40 and 1/20 of the length of the mechanism."""
    made = spatial.Mechanism("sizes")
    body = made.body("body", solid=spatial.rod(1, 8) + spatial.particle(2).at(8, 0, 0))
    made.revolute("O", made.ground.at(), body.at())
    rod, particle = drawn(made, "body")
    assert (rod.kind, rod.sizes) == ("capsule", (pytest.approx(8 / 40),))
    assert (particle.kind, particle.sizes) == ("sphere", (pytest.approx(8 / 20),))
