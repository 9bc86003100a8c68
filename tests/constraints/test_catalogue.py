"""The catalogue: rows vanish on the intended motions and only there, and multipliers are the documented forces."""

import inspect
import math
import random

import numpy as np
import pytest
import sympy as sp
from conftest import CASES

import lienket as lk
from lienket import der
from lienket.constraints import catalogue
from lienket.constraints.catalogue import (
    constant_speed,
    distance,
    fixed_point,
    gear_ratio,
    knife_edge,
    pin,
    prescribed_motion,
    rod,
    rolling,
    slot,
)

sin, cos, t = sp.sin, sp.cos, lk.t
x, y, z, X, Y, Z, theta, phi = COORDINATES = lk.coordinates("x y z X Y Z theta phi")
m, J, r, g, L, w, k, beta = PARAMETERS = lk.parameters("m J r g L w k beta")
NUMBERS = dict(
    zip(PARAMETERS, map(sp.Rational, ("2.3", "0.41", "0.37", "9.81", "1.3", "0.7", "1.6", "0.45")), strict=True)
)
FREE = lk.System(
    "two points and two angles",
    COORDINATES,
    kinetic=m * sum(der(q) ** 2 for q in (x, y, z, X, Y, Z)) / 2 + J * (der(theta) ** 2 + der(phi) ** 2) / 2,
)
OBLIQUE = (cos(theta) * cos(phi), cos(theta) * sin(phi), sin(theta))
a_path = {x: sin(2 * t), y: 1 + t**2, z: cos(t)}  # some motion of the first point


def led(**path):
    """Return a motion by coordinate names; unless named, the first point is on its path and the others are at rest."""
    motions = {lk.coordinates(name): value for name, value in path.items()}
    return {q: sp.Integer(0) for q in COORDINATES} | a_path | motions


def shifted(path, **by):
    return path | {lk.coordinates(name): path[lk.coordinates(name)] + more for name, more in by.items()}


ORBIT = led(X=sin(2 * t) + L * cos(t**2), Y=1 + t**2 + L * sin(t**2))  # the second point around the first
SPHERE = shifted(
    led(),
    X=a_path[x] + L * sin(t) * cos(3 * t),
    Y=a_path[y] + L * sin(t) * sin(3 * t),
    Z=a_path[z] + L * cos(t),
)
BEAD = sp.exp(t) - 2  # position of a bead along its slot
TURNING = led(theta=t, phi=t**2)
SKATE = g * sin(beta) / (2 * w**2)  # Neimark and Fufaev: on a slope a turning skate runs along a cycloid

# statement, kind, number of rows, a motion that satisfies it, and a change of that motion that violates it
ENTRIES = {
    "fixed_point": (fixed_point((x, y), (L, sin(t))), "holonomic", 2, led(x=L, y=sin(t)), {"y": t}),
    "fixed_point of a body": (
        fixed_point((x + r * cos(theta), y + r * sin(theta), z), (0, k, 1)),
        "holonomic",
        3,
        led(x=-r * cos(t), y=k - r * sin(t), z=1, theta=t),
        {"theta": 1},
    ),
    "pin": (
        pin((x + r * cos(theta), y + r * sin(theta)), (X, Y)),
        "holonomic",
        2,
        led(theta=3 * t, X=a_path[x] + r * cos(3 * t), Y=a_path[y] + r * sin(3 * t)),
        {"X": k},
    ),
    "distance, plane": (distance((x, y), (X, Y), L), "holonomic", 1, ORBIT, {"X": 1}),
    "distance, space": (distance((x, y, z), [X, Y, Z], L), "holonomic", 1, SPHERE, {"Z": 3}),
    "distance, winch": (distance((0, 0), (x, y), r * phi), "holonomic", 1, led(x=0, y=-r * t, phi=t), {"phi": 1}),
    "rod, plane": (rod((x, y), (X, Y), L), "holonomic", 1, ORBIT, {"X": 1}),
    "rod, space": (rod(sp.Matrix([x, y, z]), (X, Y, Z), L), "holonomic", 1, SPHERE, {"Z": 3}),
    "rod, growing": (rod((0, 0), (x, y), L * t), "holonomic", 1, led(x=L * t * cos(t), y=L * t * sin(t)), {"x": k}),
    "slot, turning in the plane": (
        slot((x, y), (X, 0), (cos(theta), sin(theta))),
        "holonomic",
        1,
        led(X=k, theta=t, x=k + BEAD * cos(t), y=BEAD * sin(t)),
        {"x": 1},
    ),
    "slot, between two points": (
        slot((x, y), (0, 0), (X, Y)),
        "holonomic",
        1,
        led(X=cos(t), Y=t, x=BEAD * cos(t), y=BEAD * t),
        {"y": 1},
    ),
    "slot, in a vertical plane of space": (
        slot((x, y, z), (0, L, 0), (cos(theta), 0, sin(theta))),
        "holonomic",
        2,
        led(theta=t, x=BEAD * cos(t), y=L, z=BEAD * sin(t)),
        {"y": 1},
    ),
    "slot, anywhere in space": (
        slot((x, y, z), (X, 0, 0), OBLIQUE),
        "holonomic",
        2,
        TURNING | dict(zip((x, y, z), [BEAD * e.subs(TURNING) for e in OBLIQUE], strict=True)),
        {"z": 1},
    ),
    "slot, not of unit length": (
        slot((x, y, z), (0, 0, 0), (X, 1, -k)),
        "holonomic",
        2,
        led(X=t, x=BEAD * t, y=BEAD, z=-BEAD * k),
        {"x": 1},
    ),
    "rolling": (rolling((x, y), phi, r), "velocity", 1, led(phi=t**2, x=5 - r * t**2), {"x": t}),
    "rolling, integrated": (rolling((x, y), phi, r, start=k), "holonomic", 1, led(phi=t**2, x=k - r * t**2), {"x": 1}),
    "rolling, on a slope": (
        rolling((x, y), phi, r, (4, 3)),
        "velocity",
        1,
        led(phi=5 * t**2, x=-4 * r * t**2, y=L - 3 * r * t**2),
        {"phi": t},
    ),
    "rolling, on a wedge": (
        rolling((x, y), phi, r, (cos(beta), sin(beta)), surface_velocity=(der(X), 0)),
        "velocity",
        1,
        led(X=sin(t), phi=t**2, x=sin(t) - r * t**2 * cos(beta), y=-r * t**2 * sin(beta)),
        {"X": t},
    ),
    "knife_edge": (
        knife_edge((x, y), theta),
        "velocity",
        1,
        led(theta=w * t, x=SKATE * sin(w * t) ** 2, y=SKATE * (w * t - sin(2 * w * t) / 2)),
        {"theta": 1},
    ),
    "gear_ratio": (gear_ratio(theta, phi, k, L), "holonomic", 1, led(theta=L - k * t**2, phi=t**2), {"phi": 1}),
    "gear_ratio, changing": (
        gear_ratio(der(theta), der(phi), x),
        "velocity",
        1,
        led(x=t, theta=-(t**2) / 2, phi=t),
        {"phi": t},
    ),
    "prescribed_motion": (prescribed_motion(theta, w * t**2), "holonomic", 1, led(theta=w * t**2), {"theta": 1}),
    "prescribed_motion, rate": (prescribed_motion(der(theta), w), "velocity", 1, led(theta=w * t + k), {"theta": t}),
    "constant_speed": (
        constant_speed((der(x), der(y)), k),
        "velocity",
        1,
        led(x=k * sin(w * t) / w, y=k * cos(w * t) / w),
        {"x": t},
    ),
}
each = pytest.mark.parametrize("entry", ENTRIES)


def rows_of(statement):
    return list(statement) if isinstance(statement, list) else [statement]


def along(statement, path, moment):
    """Return the absolute values of the rows on a motion at time `moment`, in 30 digits."""
    rows = [row.subs(path, simultaneous=True).doit().subs(t, moment).subs(NUMBERS) for row in rows_of(statement)]
    return [abs(sp.N(row, 30)) for row in rows]


MOMENTS = (sp.Rational(3, 7), sp.Rational(8, 5))


@each
def test_rows_vanish_on_the_intended_motion(entry):
    statement, _, _, path, _ = ENTRIES[entry]
    for moment in MOMENTS:
        assert max(along(statement, path, moment)) < 1e-25


@each
def test_rows_do_not_vanish_on_another_motion(entry):
    statement, _, _, path, change = ENTRIES[entry]
    for moment in MOMENTS:
        assert max(along(statement, shifted(path, **change), moment)) > 1e-3


@each
def test_each_entry_is_a_statement_of_its_kind(entry):
    statement, kind, count, _, _ = ENTRIES[entry]
    constraint = FREE.constrain("c", statement).constraints[-1]
    assert (constraint.kind, len(constraint.expressions)) == (kind, count)


def jacobian(statement, level):
    """Return the derivative of the rows by q or q', which gives the directions of ideal reactions."""
    rates = [der(q) if level else q for q in COORDINATES]
    stand_in = {rate: sp.Symbol(f"u{i}") for i, rate in enumerate(rates)}
    return (
        sp.Matrix([row.xreplace(stand_in) for row in rows_of(statement)])
        .jacobian(list(stand_in.values()))
        .xreplace({symbol: rate for rate, symbol in stand_in.items()})
    )


@each
def test_rows_are_independent_where_they_hold(entry):
    statement, kind, count, path, _ = ENTRIES[entry]
    for moment in MOMENTS:
        G = jacobian(statement, kind == "velocity").subs(path, simultaneous=True).doit().subs(t, moment).subs(NUMBERS)
        assert np.linalg.svd(np.array(G.evalf(), dtype=float), compute_uv=False)[count - 1] > 1e-3


@each
def test_each_entry_can_be_saved_in_a_model_file(entry, tmp_path):
    system = FREE.constrain("c", ENTRIES[entry][0])
    lk.save(system, tmp_path / "model.toml")
    assert lk.load(tmp_path / "model.toml") == system


def test_every_function_is_tried_and_explains_its_arguments():
    assert {entry.split(",")[0].split(" ")[0] for entry in ENTRIES} == set(catalogue.__all__)
    for name in catalogue.__all__:
        function = getattr(catalogue, name)
        assert all(argument in function.__doc__ for argument in inspect.signature(function).parameters)
        assert "= 0" in function.__doc__ and "lambda" in function.__doc__


# Meaning of lambda


def multipliers(system, state, numbers=NUMBERS):
    """Return lambda of A q'' - h = G^T lambda at a state {coordinate: (position, velocity)}, by SymPy alone."""
    q = system.coordinates
    accelerations = [der(c, 2) for c in q]
    rows = [sp.diff(row, t, 2 - c.level) for c in system.constraints for row in c.expressions]
    G = sp.Matrix(rows).jacobian(accelerations)
    g0 = sp.Matrix(rows).xreplace(dict.fromkeys(accelerations, sp.Integer(0)))
    A, h = sp.Matrix(system.free.A), sp.Matrix(system.free.h)
    values = {der(c): v for c, (_, v) in state.items()} | {c: p for c, (p, _) in state.items()} | {t: 0}
    A, h, G, g0 = (e.xreplace(values).subs(numbers) for e in (A, h, G, g0))
    S = G * A.inv() * G.T
    return [float(e) for e in -S.inv() * (G * A.inv() * h + g0)]


def particle(coordinates, potential=0):
    return lk.System(
        "particle", coordinates, kinetic=m * sum(der(q) ** 2 for q in coordinates) / 2, potential=potential
    )


HEAVY = particle([x, y], m * g * y)
WEIGHT = float((m * g).subs(NUMBERS))


@pytest.mark.parametrize(("height", "thrust"), [(-L, -WEIGHT), (L, WEIGHT)], ids=["hanging", "standing"])
def test_a_rod_is_in_tension_below_its_pivot_and_in_thrust_above(height, thrust):
    state = {x: (0, 0), y: (height, 0)}
    assert multipliers(HEAVY.constrain("d", distance((0, 0), (x, y), L)), state) == pytest.approx([thrust])
    (squared,) = multipliers(HEAVY.constrain("d", rod((0, 0), (x, y), L)), state)
    assert 2 * float(L.subs(NUMBERS)) * squared == pytest.approx(thrust)


def test_a_whirled_rod_is_stretched_by_the_centrifugal_force():
    pair = particle([x, y, X, Y]).constrain("d", distance((x, y), (X, Y), L))
    state = {x: (-L / 2, 0), y: (0, -w * L / 2), X: (L / 2, 0), Y: (0, w * L / 2)}
    assert multipliers(pair, state) == pytest.approx([float(-(m * w**2 * L / 2).subs(NUMBERS))])


def test_a_held_point_is_carried_by_the_multipliers():
    assert multipliers(HEAVY.constrain("hold", fixed_point((x, y), (0, 0))), {x: (0, 0), y: (0, 0)}) == pytest.approx(
        [0, WEIGHT]
    )


def test_a_slot_pushes_to_the_left_of_its_direction():
    slope = (cos(beta), sin(beta))
    pressed = multipliers(HEAVY.constrain("slope", slot((x, y), (0, 0), slope)), {x: (0, 0), y: (0, 0)})
    assert pressed == pytest.approx([WEIGHT * math.cos(0.45)])
    assert slot((x, y), (0, r), (1, 0)) == [y - r]


def test_the_force_of_a_slot_in_space_is_the_sum_of_lambda_times_normal():
    d = sp.Matrix([2, -3, 6]) / 7
    weight = sp.Matrix([0, 0, -m * g])
    system = particle([x, y, z], m * g * z).constrain("wire", slot((x, y, z), (0, 0, 0), d))
    force = multipliers(system, dict.fromkeys((x, y, z), (0, 0)))
    across = [float(e) for e in ((d.dot(weight) * d - weight).subs(NUMBERS))]
    assert math.hypot(*force) == pytest.approx(math.hypot(*across))


def test_the_disc_of_paper_000():
    case = CASES["rolling_disc_forced"]
    Fx, Fy, M = lk.parameters("Fx Fy M")
    disc = lk.System(
        "disc",
        [x, y, phi],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2,
        potential=m * g * y,
        forces={x: Fx, y: Fy, phi: M},
    ).constrain("contact", slot((x, y), (0, r), (1, 0)))
    numbers = {sp.Symbol(name): value for name, value in case["parameters"].items()}
    state = dict(zip((x, y, phi), zip(case["state"]["q"], case["state"]["qd"], strict=True), strict=True))
    for statement in (rolling((x, y), phi, r, start=0), rolling((x, y), phi, r)):
        forces = multipliers(disc.constrain("rolling", statement), state, numbers)
        assert forces == pytest.approx(case["expected"]["stage2"]["lam"], rel=1e-12)
    assert rolling((x, y), phi, r, start=0) == x + r * phi
    assert rolling((x, y), phi, r) == der(x) + r * der(phi)


def test_the_carriage_of_paper_002_has_its_constraint_matrix():
    case = CASES["carriage"]
    phi1, phi2 = lk.coordinates("phi1 phi2")
    a, b = lk.parameters("a b")
    heading = (cos(theta), sin(theta))
    rows = [
        rolling((x + b * sin(theta), y - b * cos(theta)), phi1, a, heading),
        rolling((x - b * sin(theta), y + b * cos(theta)), phi2, a, heading),
        knife_edge((x, y), theta),
    ]
    q = [x, y, theta, phi1, phi2]
    values = dict(zip(q, case["state"]["q"], strict=True)) | {a: case["parameters"]["a"], b: case["parameters"]["b"]}
    G = sp.Matrix(rows).jacobian([der(c) for c in q]).subs(values)
    assert np.array(G, dtype=float) == pytest.approx(np.array(case["expected"]["G"]), rel=1e-12, abs=1e-15)


def test_a_skater_in_a_left_turn_is_pushed_to_the_left():
    skate = lk.System("skate", [x, y, theta], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(theta) ** 2 / 2)
    force = multipliers(skate.constrain("edge", knife_edge((x, y), theta)), {x: (0, k), y: (0, 0), theta: (0, w)})
    assert force == pytest.approx([float(-(m * k * w).subs(NUMBERS))])  # m v^2/R with R = v/w, to the left


def test_a_drive_supplies_the_torque_of_acceleration_and_load():
    flywheel = lk.System("flywheel", [theta], kinetic=J * der(theta) ** 2 / 2, forces={theta: -L})
    driven = flywheel.constrain("drive", prescribed_motion(theta, w * t**2 / 2))
    assert multipliers(driven, {theta: (0, 0)}) == pytest.approx([float((J * w + L).subs(NUMBERS))])


def test_a_climber_at_constant_speed_is_driven_by_his_weight_along_the_path():
    climbing = HEAVY.constrain("speed", constant_speed((der(x), der(y)), k))
    (multiplier,) = multipliers(climbing, {x: (0, k * sp.Rational(4, 5)), y: (0, k * sp.Rational(3, 5))})
    assert 2 * float(k.subs(NUMBERS)) * multiplier == pytest.approx(WEIGHT * 3 / 5)


# Geometry


@pytest.mark.parametrize("slope", [0, sp.pi / 6, sp.pi, -2])
def test_the_material_point_in_contact_has_no_velocity_along_the_line(slope):
    """The row is the velocity along the line of the rim point in contact, as a material point of the disc."""
    e, n = sp.Matrix([cos(slope), sin(slope)]), sp.Matrix([-sin(slope), cos(slope)])
    now = sp.Symbol("now")
    turned = phi - now  # the angle turned since the moment of contact
    R = sp.Matrix([[cos(turned), -sin(turned)], [sin(turned), cos(turned)]])
    touching = sp.Matrix([x, y]) - r * R * n
    velocity = touching.diff(t).subs(now, phi)
    assert sp.simplify(e.dot(velocity) - rolling((x, y), phi, r, e)) == 0


def test_a_belt_is_a_surface_velocity_or_a_displacement():
    by_velocity = rolling((x, y), phi, r, surface_velocity=(w, 0))
    assert der(rolling((x, y), phi, r, start=w * t)) == by_velocity
    assert rolling((x, y), phi, r, surface_velocity=(0, k)) == rolling((x, y), phi, r)


def test_the_lengths_of_along_do_not_matter():
    once, twice = (rolling((x, y), phi, r, along) for along in ((k, L), (2 * k, 2 * L)))
    assert sp.simplify(once - twice) == 0
    assert rolling((x, y), phi, r, (cos(theta), sin(theta))).atoms(sp.Pow) == set()


def test_gears_have_one_velocity_where_they_touch():
    """The first wheel has radius r around the origin, the second, turning by `phi`, r k outside or around it."""
    for ratio, centre in ((k, r + r * k), (-k, r - r * k)):
        touch = sp.Matrix([r, 0])
        first = der(theta) * touch[0]
        second = der(phi) * (touch[0] - centre)
        meshing = sp.solve(der(gear_ratio(theta, phi, ratio)), der(theta))[0]
        assert sp.expand((first - second).subs(der(theta), meshing)) == 0


def test_a_pin_to_the_ground_is_a_fixed_point():
    point = (x + r * cos(theta), y + r * sin(theta))
    assert pin(point, (k, 2)) == fixed_point(point, (k, 2))
    assert pin((x, y), (X, Y)) == [-row for row in pin((X, Y), (x, y))]


def test_the_squared_form_is_the_distance_times_a_positive_factor():
    over = distance((x, y, z), (X, Y, Z), L)
    assert sp.expand(over * (over + 2 * L) - rod((x, y, z), (X, Y, Z), L)) == 0


def test_a_rod_of_any_extent_has_polynomial_rows():
    assert rod((x, y), (X, Y), L).is_polynomial(x, y, X, Y)


def directions():
    source = random.Random(11)
    axes = [tuple(s if i == j else 0 for i in range(3)) for j in range(3) for s in (1, -1)]
    planes = [(3, 0, -4), (0, -4, 3), (-1, 1, 0)]
    return axes + planes + [tuple(source.randint(-9, 9) or 1 for _ in range(3)) for _ in range(12)] + [(1, 1, -1000)]


@pytest.mark.parametrize("d", directions())
def test_a_slot_in_space_binds_two_directions_whatever_its_own(d):
    normals = sp.Matrix(slot((x, y, z), (0, 0, 0), d)).jacobian([x, y, z])
    assert (normals * sp.Matrix(d)).applyfunc(sp.simplify).is_zero_matrix
    first, second = (np.array(normals.row(i).evalf(), dtype=float).ravel() for i in (0, 1))
    assert first @ second == pytest.approx(0, abs=1e-12)
    assert np.cross(first, second) @ np.array(d, dtype=float) > 0.5
    general = all(d)
    assert np.linalg.norm(second) == pytest.approx(1) and (not general or np.linalg.norm(first) == pytest.approx(1))


def test_a_slot_that_turns_in_a_plane_of_space_never_fails():
    for components in ((cos(theta), sin(theta), 0), (0, cos(theta), sin(theta)), (sin(theta), 0, cos(theta))):
        normals = sp.Matrix(slot((x, y, z), (0, 0, 0), components)).jacobian([x, y, z])
        assert sp.simplify((normals * normals.T) - sp.eye(2)).is_zero_matrix


def test_a_unit_direction_is_recognised_however_it_is_written():
    assert not any(p.exp == sp.Rational(1, 2) for row in slot((x, y, z), (0, 0, 0), OBLIQUE) for p in row.atoms(sp.Pow))


# Arguments


def test_points_are_accepted_in_any_form():
    expected = rod((x, y), (0, L), k)
    for b in (
        [0, L],
        sp.Matrix([0, L]),
        sp.ImmutableMatrix([[0, L]]),
        np.array([0, L]),
        sp.Tuple(0, L),
        (e for e in (0, L)),
    ):
        assert rod(sp.Matrix([x, y]), b, k) == expected
    assert rod((x, y), np.array([0.5, 1.0]), 0.25) == (sp.Rational(1, 2) - x) ** 2 + (1 - y) ** 2 - sp.Rational(1, 16)


FAULTS = [
    (lambda: fixed_point((x, y), (0, 0, 0)), "fixed_point", "arguments point, at: point has 2 components and at has 3"),
    (
        lambda: fixed_point((x, y), (X, 0)),
        "fixed_point",
        "at[0]: it must be a given function of time, but it contains X",
    ),
    (lambda: fixed_point((der(x), y), (0, 0)), "fixed_point", "argument point[0]: it contains x', but a position"),
    (lambda: pin(x, (0, 0)), "pin", "argument a: 2 or 3 expressions were expected, not x alone"),
    (lambda: pin(3, (0, 0)), "pin", "argument a: 2 or 3 expressions were expected, not 3 alone"),
    (lambda: pin((x, y), ()), "pin", "argument b: 2 or 3 expressions were expected, not none"),
    (lambda: pin((x, y), (x,)), "pin", "argument b: 2 or 3 expressions were expected, not 1"),
    (lambda: pin(sp.eye(2), (x, y)), "pin", "argument a: 2 or 3 expressions were expected, not 4"),
    (lambda: pin({x, y}, (0, 0)), "pin", "argument a: 2 or 3 expressions were expected, not {"),
    (lambda: pin("xy", (0, 0)), "pin", "argument a: 2 or 3 expressions were expected, not 'xy' of type str"),
    (lambda: pin((x, "y"), (0, 0)), "pin", "argument a[1]: the text 'y' is not an expression"),
    (lambda: pin((x, None), (0, 0)), "pin", "argument a[1]: an expression was expected, not None"),
    (lambda: pin((x, y), (0, math.nan)), "pin", "argument b[1]: nan is not a finite number"),
    (lambda: distance((x, y), (0, 0, 0), L), "distance", "arguments a, b: a has 2 components and b has 3 components"),
    (lambda: distance((x, y), (0, 0), -2), "distance", "argument length: -2 is not positive"),
    (lambda: distance((x, y), (0, 0), (L,)), "distance", "argument length: an expression was expected"),
    (lambda: rod((x, y), (0, 0), 0.0), "rod", "argument length: 0 is not positive"),
    (lambda: rod((x, y), (0, 0), sp.Symbol("l", negative=True)), "rod", "argument length: l is not positive"),
    (lambda: rod((x, y), (0, 0), "L"), "rod", "argument length: the text 'L' is not an expression"),
    (lambda: rod((x, y), (0, 0), der(x)), "rod", "argument length: it contains x'"),
    (lambda: slot((x, y), (0, 0), (0, 0.0)), "slot", "argument direction: the zero vector has no direction"),
    (lambda: slot((x, y), (0, 0), (sin(phi) ** 2 + cos(phi) ** 2 - 1, 0)), "slot", "direction: the zero vector"),
    (lambda: slot((x, y), (0, 0), (1, 0, 0)), "slot", "and direction has 3 components"),
    (lambda: slot((x, y), (0, 0), theta), "slot", "argument direction: 2 or 3 expressions were expected"),
    (lambda: rolling((x, y, z), phi, r), "rolling", "argument centre: 2 expressions were expected, not 3"),
    (lambda: rolling((x, y), (phi,), r), "rolling", "argument angle: an expression was expected"),
    (lambda: rolling((x, y), phi, x), "rolling", "argument radius: it must be a constant, but it contains x"),
    (lambda: rolling((x, y), phi, 0), "rolling", "argument radius: 0 is not positive"),
    (lambda: rolling((x, y), phi, r, (0, 0)), "rolling", "argument along: the zero vector"),
    (lambda: rolling((x, y), phi, r, surface_velocity=w), "rolling", "argument surface_velocity: 2 expressions"),
    (lambda: rolling((x, y), phi, r, surface_velocity=(der(X, 2), 0)), "rolling", "velocity[0]: it contains X''"),
    (lambda: rolling((x, y), phi, r, (cos(theta), 1), start=0), "rolling", "along[0]: it must be a constant, but"),
    (lambda: rolling((x, y), phi, r, start=0, surface_velocity=(w, 0)), "rolling", "argument start: it is given"),
    (lambda: rolling((x, y), phi, r, start=X), "rolling", "argument start: it must be a given function of time"),
    (lambda: knife_edge((x, y, z), theta), "knife_edge", "argument point: 2 expressions were expected, not 3"),
    (lambda: knife_edge((x, y), der(theta)), "knife_edge", "argument heading: it contains theta'"),
    (lambda: gear_ratio(theta, phi, 0), "gear_ratio", "argument ratio: with the ratio 0"),
    (lambda: gear_ratio(theta, phi, x), "gear_ratio", "argument ratio: it must be a constant, but it contains x"),
    (lambda: gear_ratio(theta, der(phi), k), "gear_ratio", "second: it is an angular velocity, but first is an angle"),
    (lambda: gear_ratio("theta", phi, k), "gear_ratio", "argument first: the text 'theta' is not an expression"),
    (lambda: prescribed_motion(theta, phi), "prescribed_motion", "argument law: it must be a given function of time"),
    (lambda: prescribed_motion("theta", 0), "prescribed_motion", "argument expression: the text 'theta'"),
    (lambda: constant_speed((x, y), k), "constant_speed", "argument velocity: it contains no derivative"),
    (lambda: constant_speed((), k), "constant_speed", "argument velocity: some expressions were expected, not none"),
    (lambda: constant_speed(der(x), k), "constant_speed", "argument velocity: some expressions were expected"),
    (lambda: constant_speed((der(x, 2),), k), "constant_speed", "argument velocity[0]: it contains x''"),
    (lambda: constant_speed((der(x), der(y)), 0), "constant_speed", "argument speed: 0 is not positive"),
]


@pytest.mark.parametrize(("call", "function", "message"), FAULTS)
def test_a_fault_names_the_function_and_the_argument(call, function, message):
    with pytest.raises(lk.ModelError) as caught:
        call()
    assert str(caught.value).startswith(f"catalogue.{function} has ") and message in str(caught.value)


def test_all_faults_are_reported_at_once():
    with pytest.raises(lk.ModelError) as caught:
        rod("a", (x, y, "z"), "L")
    assert [fault.where for fault in caught.value.faults] == ["argument a", "argument b[2]", "argument length"]
