"""Solids: closed formulas against integrals over the bodies, composition, holes, turns, parameters, faults."""

import mass_clouds as clouds
import numpy as np
import pytest
import sympy as sp
from scipy.spatial.transform import Rotation

import lienket as lk
from lienket import planar, spatial
from lienket.errors import ModelError

EXACT = 1e-13
m, r, a, b, c, L = lk.parameters("m r a b c L")

IN_SPACE = {  # name -> solid with mass 1, points of the same body
    "rod": (spatial.rod(1, 0.7), clouds.rod(0.7)),
    "disc": (spatial.disc(1, 0.3), clouds.disc(0.3)),
    "ring": (spatial.ring(1, 0.3), clouds.ring(0.3)),
    "cylinder": (spatial.cylinder(1, 0.3, 1.1), clouds.tube(0, 0.3, 1.1)),
    "tube": (spatial.tube(1, 0.2, 0.3, 1.1), clouds.tube(0.2, 0.3, 1.1)),
    "cone": (spatial.cone(1, 0.4, 0.9), clouds.cone(0.4, 0.9)),
    "box": (spatial.box(1, (0.3, 0.5, 0.7)), clouds.box(0.3, 0.5, 0.7)),
    "plate": (spatial.plate(1, (0.3, 0.5)), clouds.box(0.3, 0.5, 0)),
    "sphere": (spatial.sphere(1, 0.3), clouds.sphere(0.3)),
    "shell": (spatial.shell(1, 0.3), clouds.shell(0.3)),
    "capsule": (spatial.capsule(1, 0.3, 0.8), clouds.capsule(0.3, 0.8)),
}
OUTLINE = [(0.1, 0.2), (1.3, 0.1), (1.1, 0.9), (0.7, 0.4), (0.2, 1.2)]  # not convex
IN_PLANE = {
    "rod": (planar.rod(1, 0.7), clouds.rod(0.7)),
    "disc": (planar.disc(1, 0.3), clouds.disc(0.3)),
    "ring": (planar.ring(1, 0.3), clouds.ring(0.3)),
    "plate": (planar.plate(1, (0.3, 0.5)), clouds.box(0.3, 0.5, 0)),
    "polygon": (planar.polygon(1, OUTLINE), clouds.polygon(OUTLINE)),
    "polygon, other way round": (planar.polygon(1, OUTLINE[::-1]), clouds.polygon(OUTLINE)),
    "polygon far away": (
        planar.polygon(1, [(x + 50, y) for x, y in OUTLINE]),
        clouds.polygon([(x + 50, y) for x, y in OUTLINE]),
    ),
}


def freed(made):
    """Return a mechanism whose bodies all move freely: a body without a joint is a fault."""
    for name in made.bodies:
        made.free(f"free_{name}", made.ground, type(made.ground)(made, name))
    return made


def numbers(solid, values=()):
    """Return mass, centre and inertia matrix of a solid; in the plane, of the matrix only the entry zz is stated."""
    values = dict(values)
    value = lambda e: float(e.subs(values))  # noqa: E731
    xx, yy, zz, xy, xz, yz = map(value, solid.inertia)
    return (
        value(solid.mass),
        np.array([*map(value, solid.centre)]),
        np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
    )


def assert_equal(solid, points, masses, tolerance=EXACT, values=()):
    """Compare a solid with a body of points, relative to its size."""
    mass, centre, J = numbers(solid, values)
    m0, c0, J0 = clouds.moments(points, masses)
    size = np.abs(points).max()
    assert abs(mass - m0) <= tolerance * m0
    assert np.abs(centre - c0).max() <= tolerance * size
    if solid.planar:
        assert abs(J[2, 2] - J0[2, 2]) <= tolerance * m0 * size**2
        assert np.count_nonzero(J) <= 1
        assert centre[2] == 0
    else:
        assert np.abs(J - J0).max() <= tolerance * m0 * size**2


@pytest.mark.parametrize("name", IN_SPACE)
def test_solids_in_space_are_integrals(name):
    solid, body = IN_SPACE[name]
    assert_equal(solid, *body)


@pytest.mark.parametrize("name", IN_PLANE)
def test_solids_in_the_plane_are_integrals(name):
    solid, body = IN_PLANE[name]
    assert_equal(solid, *body)


def test_published_moments():
    """Entries of common tables (J. L. Meriam, L. G. Kraige, Dynamics, table D/4), about the mass centre."""
    assert planar.polygon(m, [(0, 0), (3, 0), (0, 4)]).inertia[2] == m * (9 + 16 + 25) / sp.Integer(36)  # triangle
    hexagon = [(2, 0), (1, sp.sqrt(3)), (-1, sp.sqrt(3)), (-2, 0), (-1, -sp.sqrt(3)), (1, -sp.sqrt(3))]
    assert sp.simplify(planar.polygon(m, hexagon).inertia[2] - m * 5 * 2**2 / sp.Integer(12)) == 0
    assert spatial.box(m, (a, b, c)).inertia[:3] == (
        m * (b**2 + c**2) / 12,
        m * (a**2 + c**2) / 12,
        m * (a**2 + b**2) / 12,
    )
    assert spatial.sphere(m, r).inertia[:3] == (2 * m * r**2 / 5,) * 3
    assert spatial.shell(m, r).inertia[:3] == (2 * m * r**2 / 3,) * 3
    across = m * (3 * r**2 + L**2) / 12
    assert spatial.cylinder(m, r, L).inertia[:3] == (across, across, m * r**2 / 2)
    assert spatial.cone(m, r, L).centre == (0, 0, L / 4)
    assert spatial.rod(m, L).inertia == (0, m * L**2 / 12, m * L**2 / 12, 0, 0, 0)
    assert spatial.particle(m).inertia == (0,) * 6


def test_limits_of_solids():
    """Thin bodies are limits: box to plate and rod, cylinder to disc and rod, capsule to sphere, tube to ring."""
    thin = sp.Symbol("thin", positive=True)

    def limit(solid):
        return [sp.limit(e, thin, 0) for e in solid.inertia]

    assert limit(spatial.box(m, (a, b, thin))) == list(spatial.plate(m, (a, b)).inertia)
    assert limit(spatial.box(m, (L, thin, thin))) == list(spatial.rod(m, L).inertia)
    assert limit(spatial.cylinder(m, r, thin)) == list(spatial.disc(m, r).inertia)
    assert limit(spatial.cylinder(m, thin, L, "x")) == list(spatial.rod(m, L).inertia)
    assert [sp.simplify(e) for e in limit(spatial.capsule(m, r, thin))] == list(spatial.sphere(m, r).inertia)
    assert limit(spatial.tube(m, r, r, thin)) == list(spatial.ring(m, r).inertia)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("make", [spatial.cylinder, spatial.capsule, spatial.cone])
def test_axis(make, axis):
    """The axis of revolution carries the moment that z has otherwise, and both others are equal."""
    along, across = make(2, 0.3, 0.7).inertia[2], make(2, 0.3, 0.7).inertia[0]
    solid = make(2, 0.3, 0.7, "xyz"[axis])
    assert solid.inertia == (*(along if i == axis else across for i in range(3)), 0, 0, 0)
    assert solid.centre[axis] == make(2, 0.3, 0.7).centre[2]
    assert sum(e != 0 for e in solid.centre) <= 1


@pytest.mark.parametrize("seed", range(8))
def test_composition_is_integration_over_all_bodies(seed):
    """Solids with random masses, places and turns: their sum has the moments of all points together."""
    rng = np.random.default_rng(seed)
    solids, points, masses = [], [], []
    for name in rng.choice(list(IN_SPACE), 4):
        mass, R, shift = rng.uniform(0.5, 3), Rotation.random(rng=rng).as_matrix(), rng.uniform(-1, 1, 3)
        solid, (p, w) = IN_SPACE[name]
        scaled = lk.spatial.SpatialSolid(solid.mass * mass, solid.centre, tuple(e * mass for e in solid.inertia))
        solids.append(scaled.at(*shift, rotation=R))
        points.append(clouds.turned(R, shift, p))
        masses.append(mass * w)
    assert_equal(sum(solids), np.vstack(points), np.hstack(masses))
    assert_equal(solids[0] + (solids[3] + solids[1]) + solids[2], np.vstack(points), np.hstack(masses))


@pytest.mark.parametrize("seed", range(8))
def test_composition_in_the_plane(seed):
    rng = np.random.default_rng(seed)
    solids, points, masses = [], [], []
    for name in rng.choice(list(IN_PLANE), 3):
        angle, (x, y) = rng.uniform(-4, 4), rng.uniform(-1, 1, 2)
        solid, (p, w) = IN_PLANE[name]
        solids.append(solid.at(x, y, angle))
        points.append(clouds.turned(Rotation.from_euler("z", angle).as_matrix(), (x, y, 0), p))
        masses.append(w)
    assert_equal(sum(solids), np.vstack(points), np.hstack(masses))


def pseudo_inertia(solid):
    """Return H = [S_c + m c c^T, m c; m c^T, m] with S_c = (tr J/2) I - J."""
    mass, centre, J = numbers(solid)
    S = np.trace(J) / 2 * np.eye(3) - J
    return np.block(
        [[S + mass * np.outer(centre, centre), mass * centre[:, None]], [mass * centre[None, :], np.full((1, 1), mass)]]
    )


@pytest.mark.parametrize("seed", range(5))
def test_pseudo_inertia_adds_and_moves(seed):
    """H of a sum is the sum of both H; H of a moved solid is P H P^T."""
    rng = np.random.default_rng(seed)
    one, other = (IN_SPACE[name][0].at(*rng.uniform(-1, 1, 3)) for name in rng.choice(list(IN_SPACE), 2))
    assert pseudo_inertia(one + other) == pytest.approx(pseudo_inertia(one) + pseudo_inertia(other), abs=EXACT)
    R, shift = Rotation.random(rng=rng).as_matrix(), rng.uniform(-1, 1, 3)
    P = np.block([[R, shift[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
    assert pseudo_inertia(one.at(*shift, rotation=R)) == pytest.approx(P @ pseudo_inertia(one) @ P.T, abs=EXACT)


@pytest.mark.parametrize("name", IN_SPACE)
def test_turns_keep_principal_moments(name):
    solid = IN_SPACE[name][0]
    R = Rotation.from_euler("zxz", [0.3, 1.1, -2.0]).as_matrix()
    before, after = (np.linalg.eigvalsh(numbers(s)[2]) for s in (solid, solid.at(1, 2, 3, rotation=R)))
    assert after == pytest.approx(before, abs=EXACT)


def test_parallel_axes():
    """A solid and a particle of mass M at the distance d: J about the solid's centre is J + M d^2 (Steiner)."""
    M, d = lk.parameters("M d")
    both = spatial.box(m, (a, b, c)) + spatial.particle(M).at(d, 0, 0)
    s = both.centre[0]
    assert sp.simplify(s - M * d / (m + M)) == 0
    about_centre = both.inertia[2] + (m + M) * s**2
    assert sp.simplify(about_centre - (m * (a**2 + b**2) / 12 + M * d**2)) == 0


def test_two_particles():
    """The moment of two particles about their centre is that of the reduced mass at their distance."""
    m1, m2 = lk.parameters("m1 m2")
    both = planar.particle(m1) + planar.particle(m2).at(0, L)
    assert both.mass == m1 + m2
    assert sp.simplify(both.inertia[2] - m1 * m2 / (m1 + m2) * L**2) == 0
    assert sp.simplify(both.centre[1] - m2 * L / (m1 + m2)) == 0
    assert both.centre[0] == 0


def test_symbols_and_numbers_agree():
    """A composition with parameters has the values of the composition with numbers."""
    values = {m: 1.3, r: 0.2, a: 0.4, b: 0.5, c: 0.7, L: 0.9}
    alpha = lk.parameters("alpha")
    R = [[sp.cos(alpha), -sp.sin(alpha), 0], [sp.sin(alpha), sp.cos(alpha), 0], [0, 0, 1]]

    def made(m, r, a, b, c, L, R):
        return spatial.box(2 * m, (a, b, c)).at(0, L, a, rotation=R) + spatial.capsule(m, r, L, "y").without(
            spatial.sphere(m / 9, r)
        )

    with_symbols, with_numbers = made(m, r, a, b, c, L, R), made(*values.values(), sp.Matrix(R).subs(alpha, 0.6))
    for x, y in zip(numbers(with_symbols, {**values, alpha: 0.6}), numbers(with_numbers), strict=True):
        assert x == pytest.approx(y, abs=EXACT)
    assert with_symbols.mass.free_symbols == {m}


def test_holes():
    """A cylinder without a thinner one of the same material is a tube; what is cut out and put back leaves nothing."""
    whole, core = spatial.cylinder(9, 3, 5), spatial.cylinder(4, 2, 5)
    assert whole.without(core).inertia == spatial.tube(5, 2, 3, 5).inertia
    assert whole.without(core).mass == 5
    plate = planar.plate(12, (4, 6)).at(1, 2)
    hole = planar.disc(2, 1).at(2, 3)
    rest = plate.without(hole)
    assert rest.centre == (sp.Rational(12 * 1 - 2 * 2, 10), sp.Rational(12 * 2 - 2 * 3, 10), 0)
    again = rest + hole
    assert (again.mass, again.centre, again.inertia) == (plate.mass, plate.centre, plate.inertia)
    assert rest.shapes == plate.shapes


def test_massless_solids_add_their_shapes_only():
    rod, drawn = planar.rod(2, 3), planar.disc(0, 1).at(5, 5) + planar.line((0, 0), (1, 1))
    assert drawn.mass == 0
    for both in (rod + drawn, drawn + rod):
        assert (both.mass, both.centre, both.inertia) == (rod.mass, rod.centre, rod.inertia)
        assert len(both.shapes) == len(rod.shapes) + len(drawn.shapes)


def test_pendulum_of_a_composed_body():
    """A rod with a disc at its end falls with -(m L/2 + M L) g cos(phi) / (m L^2/3 + M L^2 + M r^2/2)."""
    M, g = 3.0, 9.81
    pendulum = planar.Mechanism("pendulum", gravity=(0, -g), values={L: 0.8, r: 0.2})
    body = pendulum.body("body", solid=planar.rod(1.5, L) + planar.disc(M, r).at(L))
    pendulum.revolute("O", pendulum.ground.at(), body.at())
    expected = -(1.5 * 0.4 + M * 0.8) * g * np.cos(0.3) / (1.5 * 0.64 / 3 + M * 0.64 + M * 0.04 / 2)
    assert pendulum.system().at([0.3], [0.0]).accelerations[0] == pytest.approx(expected, rel=1e-12)


def test_spinning_box():
    """Euler's equations of a free box: J1 w1' = (J2 - J3) w2 w3, with the solid turned in its body."""
    R = Rotation.from_euler("zyx", [0.4, -0.7, 1.1])
    top = spatial.Mechanism("box", gravity=(0, 0, 0))
    body = top.body("box", solid=spatial.box(2, (1, 2, 3)).at(rotation=R.as_matrix()))
    top.free("free", top.ground.at(), body.at())
    w = np.array([0.3, -0.5, 0.8])  # in the axes of the box
    J = 2 / 12 * np.array([13, 10, 5])
    spin = R.apply(np.cross(J * w, w) / J)  # w' in the axes of the body
    rate = R.apply(w)
    state = top.system().at([0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, *rate / 2])
    # e' = w/2 and e'' = w'/2 at e = 0, where the axes of body and ground coincide
    assert 2 * state.accelerations[4:] == pytest.approx(spin, abs=1e-12)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: planar.rod(-1, -2), ["mass: -1 is negative", "length: -2 is not positive"]),
        (lambda: planar.rod(1, "long"), ["length: the text 'long'"]),
        (lambda: spatial.sphere(1, 0), ["radius: 0 is not positive"]),
        (lambda: spatial.box(1, (1, -2, 0)), ["size, y: -2 is not positive", "size, z: 0 is not positive"]),
        (lambda: spatial.box(1, (1, 2)), ["3 lengths were expected, along x, y, z"]),
        (lambda: spatial.plate(1, 2), ["2 lengths were expected, along x, y"]),
        (lambda: spatial.tube(1, 2, 1, 3), ["inner: 2 exceeds the outer radius 1"]),
        (lambda: spatial.disc(1, 1, axis="w"), ["axis: 'w' is none of 'x', 'y', 'z'"]),
        (lambda: spatial.rod("heavy", lk.t), ["mass: the text 'heavy'", "length: t depends on time"]),
        (lambda: planar.disc(1, lk.coordinates("x")), ["contains coordinates"]),
        (
            lambda: planar.polygon(1, [(0, 0), (1, 1), (1, 0), (0, 1)]),
            ["the edges from point 0 and from point 2 cross"],
        ),
        (lambda: planar.polygon(1, [(0, 0), (1, 1), (2, 2)]), ["the area is zero"]),
        (lambda: planar.polygon(1, [(0, 0, 0), 2]), ["point 0: 2 coordinates", "point 1: 2 coordinates", "at least 3"]),
        (lambda: planar.disc(1, 1).without(planar.disc(2, 1)), ["it weighs 2, more than the solid with 1"]),
        (lambda: planar.disc(2, 1).without(planar.disc(1, 3)), ["it does not lie inside the solid"]),
        (lambda: spatial.disc(2, 1).without(spatial.rod(1, 9)), ["it does not lie inside the solid"]),
        (lambda: spatial.disc(2, 1).without(planar.disc(1, 1)), ["a spatial solid was expected, not a PlanarSolid"]),
        (lambda: spatial.rod(1, 1).at(rotation=[[1, 0], [0, 1]]), ["the rotation is no 3 x 3 matrix"]),
        (lambda: spatial.rod(1, 1).at(rotation=-np.eye(3)), ["the matrix is no rotation"]),
        (lambda: spatial.rod(1, 1).at(lk.t), ["depends on time"]),
    ],
)
def test_impossible_solids(make, told):
    with pytest.raises(ModelError) as error:
        make()
    assert [text for text in told if text not in str(error.value)] == []
    assert len(error.value.faults) == len(told)


def test_planar_and_spatial_solids_do_not_add():
    with pytest.raises(TypeError, match="PlanarSolid"):
        planar.disc(1, 1) + spatial.disc(1, 1)
    with pytest.raises(TypeError):
        -planar.disc(1, 1)


def test_solid_and_numbers_make_the_same_body():
    """`solid=`, numbers and `length=` give equal masses, centres and inertias."""
    made = planar.Mechanism("plane")
    made.body("a", mass=2, length=3)
    made.body("b", solid=planar.rod(2, 3))
    made.body("c", mass=2, inertia=sp.Rational(3, 2), centre=(1.5, 0))
    one, two, three = freed(made).description("absolute").bodies
    assert (one.mass, one.centre, one.inertia, one.shapes) == (two.mass, two.centre, two.inertia, two.shapes)
    assert (one.mass, one.centre, one.inertia) == (three.mass, three.centre, three.inertia)
    made = spatial.Mechanism("space")
    made.body("a", mass=2, length=3)
    made.body("b", solid=spatial.rod(2, 3))
    one, two = freed(made).description("absolute").bodies
    assert (one.mass, one.centre, one.inertia, one.shapes) == (two.mass, two.centre, two.inertia, two.shapes)


def test_faults_of_solids_are_collected():
    made = spatial.Mechanism("wrong")
    made.body("twice", mass=1, solid=spatial.rod(1, 1))
    made.body("length", length=1, solid=spatial.rod(1, 1))
    made.body("flat", solid=planar.rod(1, 1))
    made.body("none", solid=7)
    made.body("drawn", mass=1, shapes=[planar.line((0, 0), (1, 1)), "red"])
    with pytest.raises(ModelError) as error:
        freed(made).description("absolute")
    told = [f"{fault.where}: {fault.what}" for fault in error.value.faults]
    both = "a solid and some of mass, inertia, centre and length are given, which the solid brings"
    dimension = "a planar solid was given to a body of a spatial mechanism"
    assert told == [
        f"body 'twice': {both}",
        f"body 'length': {both}",
        f"body 'flat': {dimension}",
        "body 'none': a solid was expected, such as lk.spatial.rod(mass, length), not 7",
        f"body 'drawn', shapes: {dimension}",
        "body 'drawn', shapes: a solid was expected, such as lk.spatial.rod(mass, length), not red",
    ]
    flat = planar.Mechanism("wrong")
    flat.body("deep", solid=spatial.rod(1, 1))
    with pytest.raises(ModelError, match="a spatial solid was given to a body of a planar mechanism"):
        freed(flat).description("absolute")
