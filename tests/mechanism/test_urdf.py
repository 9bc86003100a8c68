"""URDF files: closed solutions, accelerations computed from the text without the package, names, data."""

from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from documents import run_document
from urdf_texts import (
    DOUBLE_PENDULUM,
    Reference,
    arm,
    gripper,
    joint,
    link,
    random_values,
    robot,
    rotation,
    state,
    walker,
)

import lienket as lk
from lienket.mechanism import urdf

INERTIA = (0.01, 0.02, 0.025, 0, 0, 0)
ACCURACY = 1e-11  # [1] relative: both sides are right to rounding


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a text as a file: (System, UrdfFacts)."""

    def of(text, name="robot.urdf"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return lk.load(path), urdf.read(path)

    return of


# Motion


@pytest.mark.parametrize("seed", range(5))
def test_the_double_pendulum_has_the_accelerations_of_its_closed_equations(read, seed):
    """With a = q1, b = q1 + q2 below the horizontal: T of two bars, V = -(m1 s1 + m2 l) g sin a - m2 s2 g sin b."""
    system, _ = read(DOUBLE_PENDULUM)
    values = random_values(("shoulder", "elbow"), seed)
    (q1, v1), (q2, v2) = values["shoulder"], values["elbow"]
    m1, m2, l, s1, s2, J1, J2, g, c = 2, 1.5, 1, 0.5, 0.25, 0.17, 0.021, 9.81, 0.3
    a, b, va, vb = q1, q1 + q2, v1, v1 + v2
    M = np.array([[J1 + m1 * s1**2 + m2 * l**2, m2 * l * s2 * np.cos(b - a)], [0, J2 + m2 * s2**2]])
    M[1, 0] = M[0, 1]
    h = np.array(
        [
            (m1 * s1 + m2 * l) * g * np.cos(a) + m2 * l * s2 * np.sin(b - a) * vb**2 - c * v1,
            m2 * s2 * g * np.cos(b) - m2 * l * s2 * np.sin(b - a) * va**2,
        ]
    )
    expected = np.array([[1, 0], [-1, 1]]) @ np.linalg.solve(M, h)
    at, _ = state(system, values)
    assert at.accelerations == pytest.approx(expected, rel=ACCURACY, abs=ACCURACY)


@pytest.mark.parametrize("seed", range(4))
def test_an_arm_with_skew_joints_and_turned_inertias(read, seed):
    text = arm()
    system, _ = read(text)
    reference = Reference(text)
    values = random_values(reference.moving, seed)
    at, names = state(system, values)
    assert names == reference.moving
    expected = reference.accelerations(*zip(*(values[x] for x in reference.moving), strict=True))
    assert at.accelerations == pytest.approx(expected, rel=ACCURACY, abs=ACCURACY * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(4))
def test_a_mimic_joint_follows_the_other_one(read, seed):
    """On the coordinates slide, left with right = -1.5 left + 0.2: S^T M S y'' = S^T h."""
    text = gripper()
    system, facts = read(text)
    reference = Reference(text)
    assert reference.moving == ["slide", "left", "right"]
    (s, vs), (x, vx) = random_values(("slide", "left"), seed).values()
    q, v = [s, x, -1.5 * x + 0.2], [vs, vx, -1.5 * vx]
    M, h = reference.system(q, v)
    S = np.array([[1, 0], [0, 1], [0, -1.5]])
    expected = S @ np.linalg.solve(S.T @ M @ S, S.T @ h)
    at, names = state(system, dict(zip(reference.moving, zip(q, v, strict=True), strict=True)))
    assert names == reference.moving
    assert at.accelerations == pytest.approx(expected, rel=ACCURACY, abs=ACCURACY * np.abs(expected).max())
    element = facts.builder.description().element["right_mimic"]
    assert (element.kind, element.joints) == ("gear", ("right", "left"))
    assert (float(element["ratio"]), float(element["phase"])) == (-1.5, 0.2)


@pytest.mark.parametrize("seed", range(3))
def test_a_floating_base_moves_as_one_on_three_slides_and_three_hinges(read, seed):
    """In the position without turn both have the same velocities for equal rates, with e' = omega/2."""
    free, _ = read(walker("floating"))
    reference = Reference(walker("chain"))
    values = random_values(reference.moving, seed)
    for k in (3, 4, 5):
        values[f"base{k}"] = (0.0, values[f"base{k}"][1])
    given = {x: values[x] for x in reference.moving if not x.startswith("base")}
    for k, x in enumerate("xyz"):
        given[f"root_{x}"] = values[f"base{k}"]
        given[f"root_e{k + 1}"] = (0.0, values[f"base{k + 3}"][1] / 2)
    at, names = state(free, given | {"root_e0": (1.0, 0.0)})
    expected = dict(zip(reference.moving, reference.accelerations(*zip(*values.values(), strict=True)), strict=True))
    found = dict(zip(names, at.accelerations, strict=True))
    common = [x for x in names if x in expected] + ["root_x", "root_y", "root_z"]
    expected |= {f"root_{x}": expected[f"base{k}"] for k, x in enumerate("xyz")}
    size = max(map(abs, expected.values()))
    assert len(common) == 7
    assert [found[x] for x in common] == pytest.approx([expected[x] for x in common], rel=1e-11, abs=1e-11 * size)


def test_a_free_body_with_a_turned_inertia_obeys_eulers_equations(read):
    """J omega' = -omega x J omega in body axes, J = R J0 R^T; without turn e1'', e2'', e3'' are omega'/2."""
    entries, rpy = (0.3, 0.4, 0.5, 0.02, -0.03, 0.04), (0.4, -0.7, 1.1)
    body = link("body", 2, "0.1 0.2 0.3", entries, " ".join(map(str, rpy)))
    text = robot(
        "thrown", '<link name="world"/>', body, joint("f", "floating", "world", "body", "0 0 0", "0 0 0", "0 0 0")
    )
    system, _ = read(text)
    xx, yy, zz, xy, xz, yz = entries
    R = rotation(*rpy)
    J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    omega, c = np.array([0.5, -1.0, 0.8]), np.array([0.1, 0.2, 0.3])
    turning = np.linalg.solve(J, -np.cross(omega, J @ omega))
    falling = np.array([0, 0, -9.81]) - np.cross(turning, c) - np.cross(omega, np.cross(omega, c))
    at = system.at([0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, *(omega / 2)])
    assert at.accelerations[:3] == pytest.approx(falling, rel=ACCURACY)
    assert at.accelerations[4:] == pytest.approx(turning / 2, rel=ACCURACY)


def test_a_planar_joint_moves_across_its_axis(read):
    """A body on an inclined plane, free to slide: its centre accelerates by the gravity along the plane."""
    body = link("puck", 1.5, "0 0 0", INERTIA)
    text = robot("slope", '<link name="w"/>', body, joint("p", "planar", "w", "puck", "0 0 0", "0.4 0 0", "0 0 3"))
    system, facts = read(text)
    assert facts.coordinates["p"] == ("p_x", "p_y", "p_angle")
    assert system.at([0.1, 0.2, 0.3], [0, 0, 0]).accelerations == pytest.approx([0, -9.81 * np.sin(0.4), 0], abs=1e-13)


def test_a_joint_without_an_axis_turns_about_x(read):
    """A bar along y, hinged about x at its end: (J_xx + m s^2) q'' = -m g s cos q."""
    hinge = joint("h", "revolute", "w", "bar", "0 0 0", "0 0 0", "1 0 0").replace('<axis xyz="1 0 0"/>', "")
    assert "axis" not in hinge
    system, _ = read(robot("bar", '<link name="w"/>', link("bar", 2, "0 0.5 0", (0.17, 0.01, 0.17, 0, 0, 0)), hinge))
    expected = -2 * 9.81 * 0.5 * np.cos(0.4) / (0.17 + 2 * 0.5**2)
    assert system.at([0.4], [0.7]).accelerations == pytest.approx([expected], rel=ACCURACY)


# Data


def test_limits_are_data(read):
    _, facts = read(DOUBLE_PENDULUM)
    assert facts.limits == {
        "shoulder": urdf.JointLimit(-1.5, 1.5, 30.0, 4.0),
        "elbow": urdf.JointLimit(None, None, 10.0, 5.0),
    }
    assert (facts.name, facts.root, facts.builder.bodies) == ("double pendulum", "base", ("upper", "lower"))
    assert facts.notes == ()


def test_damping_is_an_element_named_after_the_joint(read):
    _, facts = read(DOUBLE_PENDULUM)
    damper = facts.builder.description().element["shoulder_damping"]
    assert (damper.kind, damper.joints, float(damper["damping"])) == ("torsion_damper", ("shoulder",), 0.3)
    assert facts.builder.elements == ("shoulder_damping",)


def test_names_of_coordinates_are_identifiers(read):
    names = ["elbow", "joint-1", "joint_1", "arm/elbow", "2nd", "pi", "joint 1", "épaule-été", "++"]
    links = ['<link name="l0"/>', *(link(f"l{k + 1}", 1, "0 0 1", INERTIA) for k in range(len(names)))]
    joints = [joint(x, "revolute", f"l{k}", f"l{k + 1}", "0 0 1", "0 0 0", "1 0 0") for k, x in enumerate(names)]
    system, facts = read(robot("names", *links, *joints))
    expected = ["elbow", "joint_1_2", "joint_1", "arm_elbow", "q_2nd", "pi_", "joint_1_3", "epaule_ete", "q"]
    assert [facts.coordinates[x] for x in names] == [(x,) for x in expected]
    assert [str(x.func) for x in system.coordinates] == expected
    assert [x for x in names if any(repr(x) in note for note in facts.notes)] == [
        x for x, y in zip(names, expected, strict=True) if x != y
    ]


def test_coordinates_and_elements_do_not_take_names_of_other_joints(read):
    links = ['<link name="a"/>', *(link(x, 1, "0 0 1", INERTIA) for x in "bcde")]
    damped = '<dynamics damping="1"/>'
    joints = [
        joint("root", "floating", "a", "b", "0 0 0", "0 0 0", "1 0 0"),
        joint("root_x", "revolute", "b", "c", "0 0 0", "0 0 0", "1 0 0", damped),
        joint("root_x_damping", "fixed", "c", "d", "0 0 0", "0 0 0", "1 0 0"),
        joint("root_2_e3", "fixed", "d", "e", "0 0 0", "0 0 0", "1 0 0"),
    ]
    system, facts = read(robot("taken", *links, *joints))
    assert facts.coordinates["root"] == tuple(f"root_3_{x}" for x in ("x", "y", "z", "e0", "e1", "e2", "e3"))
    assert facts.builder.elements == ("root_x_damping_2",)
    assert len(system.coordinates) == 8


def test_what_is_left_out_is_said_once(read):
    more = """<transmission name="t"><type>x</type></transmission><transmission name="u"/>
      <gazebo reference="base"><sensor type="ray"/></gazebo>"""
    text = DOUBLE_PENDULUM.replace("</robot>", f"{more}</robot>").replace('friction="0"', 'friction="0.2"')
    text = text.replace('<limit effort="10"', '<safety_controller k_velocity="1"/><limit effort="10"')
    mesh = '<visual><geometry><mesh filename="package://arm/upper.stl"/></geometry><material name="red"/></visual>'
    text = text.replace('<link name="upper">', f'<link name="upper">{mesh}')
    system, facts = read(text)
    assert len(facts.notes) == 6
    for word in ("mesh 'package://arm/upper.stl'", "friction 0.2", "2 elements <transmission>", "<gazebo>",
                 "<safety_controller>", "<material>"):  # fmt: skip
        assert sum(word in note for note in facts.notes) == 1, word
    assert system == read(DOUBLE_PENDULUM)[0]


def test_a_joint_that_moves_no_mass_is_noted(read):
    text = robot("tip", '<link name="a"/>', link("b", 1, "0 0 1", INERTIA), '<link name="c"/><link name="d"/>',
                 joint("j", "revolute", "a", "b", "0 0 0", "0 0 0", "1 0 0"),
                 joint("k", "revolute", "b", "c", "0 0 0", "0 0 0", "1 0 0"),
                 joint("l", "fixed", "c", "d", "0 0 0", "0 0 0", "1 0 0"))  # fmt: skip
    _, facts = read(text)
    (note,) = facts.notes
    assert "'k'" in note
    assert "no mass" in note


def test_a_robot_is_saved_as_a_model_file(read, tmp_path):
    system, _ = read(gripper().replace('"left"', '"left-1"'))
    lk.save(system, tmp_path / "gripper.toml")
    assert lk.load(tmp_path / "gripper.toml") == system


def test_shapes(read):
    """Boxes with their own axes, cylinders by both ends, spheres; collision geometry where nothing visual is drawn."""
    turned = '<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>', '<origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/>'
    parts = '<box size="1 2 3"/>', '<cylinder radius="0.5" length="4"/>'
    drawn = zip(turned, parts, strict=True)
    visual = "".join(f"<visual>{origin}<geometry>{part}</geometry></visual>" for origin, part in drawn)
    visual += '<collision><geometry><sphere radius="9"/></geometry></collision>'
    solid = '<collision><geometry><sphere radius="0.25"/></geometry></collision>'
    text = DOUBLE_PENDULUM.replace('<link name="upper">', f'<link name="upper">{visual}')
    _, facts = read(text.replace('<link name="lower">', f'<link name="lower">{solid}'))
    upper, lower = (body.shapes for body in facts.builder.description().bodies)
    assert [shape.kind for shape in upper] == ["box", "cylinder"]
    assert upper[0].points == ((1, 0, 0),)
    assert upper[0].sizes == (1, 2, 3)
    assert upper[0].rotation == (0, -1, 0, 1, 0, 0, 0, 0, 1)
    assert upper[1].points == ((-2, 0, 1), (2, 0, 1))
    assert [(s.kind, s.points, s.sizes) for s in lower] == [("sphere", ((0, 0, 0),), (sp.Rational(1, 4),))]


def test_a_file_can_fill_a_mechanism_with_other_gravity_and_more_elements(tmp_path):
    (tmp_path / "moon.urdf").write_text(DOUBLE_PENDULUM)
    mechanism = lk.spatial.Mechanism("moon", gravity=(0, 0, -1.62))
    facts = urdf.read(tmp_path / "moon.urdf", mechanism)
    assert facts.builder is mechanism
    g = 1.62
    mechanism.motor("M", "elbow", -1.5 * g * 0.25)  # both against the weights of horizontal bars, which turn downwards
    mechanism.motor("N", "shoulder", -(2 * g * 0.5 + 1.5 * g * 1.25))
    assert mechanism.system().at([0, 0], [0, 0]).accelerations == pytest.approx([0, 0], abs=1e-13)


def test_the_inertia_of_the_root_is_not_needed(read):
    """Neither its mass nor an inertia that no body has matters: the root is the ground."""
    heavy = '<inertial><mass value="7"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial>'
    system, facts = read(DOUBLE_PENDULUM.replace('<link name="base"/>', f'<link name="base">{heavy}</link>'))
    assert system == read(DOUBLE_PENDULUM)[0]
    assert facts.notes == ("Line 3, link 'base': it is the ground, so that its mass is left out.",)


def test_a_link_called_ground_that_is_not_the_root_gets_another_name(read):
    text = DOUBLE_PENDULUM.replace("upper", "ground")
    system, facts = read(text)
    assert facts.builder.bodies == ("ground_link", "lower")
    expected = read(DOUBLE_PENDULUM)[0].at([0.1, 0.2], [0.3, 0.4]).accelerations
    assert system.at([0.1, 0.2], [0.3, 0.4]).accelerations == pytest.approx(expected, rel=1e-15)


def test_the_page_prints_what_it_shows(monkeypatch, tmp_path):
    assert (Path(__file__).parents[2] / "docs" / "urdf.md").exists()
    monkeypatch.chdir(tmp_path)
    run_document("urdf", 8)
