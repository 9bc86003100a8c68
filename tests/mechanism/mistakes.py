"""Mistakes in mechanisms, each with where and what is wrong and a word of the advice."""

import math

import lienket as lk


def planar():
    """Return a mechanism with one bar on a hinge, and the bar."""
    machine = lk.planar.Mechanism("machine")
    bar = machine.body("bar", mass=1.0, length=1.0)
    machine.revolute("O", machine.ground.at(0, 0), bar.at(0, 0))
    return machine, bar


def spatial():
    """Return a spatial mechanism with one body on a hinge, and the body."""
    machine = lk.spatial.Mechanism("machine")
    block = machine.body("block", mass=1.0, inertia=(1, 1, 1))
    machine.revolute("O", machine.ground.at(), block.at())
    return machine, block


def hung(machine, name="tip", **given):
    """Add a body on a hinge of its own."""
    body = machine.body(name, **given)
    machine.revolute(f"{name}_hinge", machine.ground.at(), body.at())
    return body


FOREIGN = lk.planar.Mechanism("other").body("foreign", mass=1.0)


def two_joints_of_one_name(m, bar):
    m.revolute("O", m.ground.at(1, 0), hung(m, mass=1).at())


def two_joints_with_one_coordinate(m, bar):
    m.revolute("P", m.ground.at(1, 0), m.body("tip", mass=1).at(), coordinate="O")


def island(m, bar):
    m.revolute("P", m.body("left", mass=1).at(), m.body("right", mass=1).at())


def motor_on_a_weld(m, bar):
    m.weld("W", bar.at(1, 0), m.body("tip", mass=1).at())
    m.motor("M", "W", 1)


def motor_on_a_slot(m, bar):
    m.slot("S", m.ground.at(0, 1), m.body("tip", mass=1, inertia=1).at())
    m.motor("M", "S", 1)


def length_that_moves(m, bar):
    hung(m, mass=1, length=lk.coordinates("y"))


# Of each mistake: what is done to the mechanism, where and what the faults are, and a word of the advice
IN_THE_PLANE = {
    "text for a place": (
        lambda m, bar: m.spring("s", bar.at(), "hook", stiffness=1),
        [("element 's'", "a place body.at(...) was expected, not hook")],
        "",
    ),
    "element on a body of another mechanism": (
        lambda m, bar: m.rod("r", bar.at(), FOREIGN.at(), length=1),
        [("element 'r'", "the body 'foreign' is not part of this mechanism")],
        "",
    ),
    "joint of a body with itself": (
        lambda m, bar: m.revolute("P", bar.at(1, 0), bar.at(0, 0)),
        [("joint 'P'", "both places are on the body 'bar'")],
        "two bodies",
    ),
    "joint of the ground with itself": (
        lambda m, bar: m.revolute("P", m.ground.at(1, 0), m.ground.at(0, 0)),
        [("joint 'P'", "both places are on the ground")],
        "two bodies",
    ),
    "two joints of one name": (two_joints_of_one_name, [("joint 'O'", "the name is taken")], ""),
    "two bodies of one name": (lambda m, bar: m.body("bar"), [("body 'bar'", "the name is taken")], ""),
    "a joint and an element of one name": (
        lambda m, bar: m.motor("O", "O", 1),
        [("element 'O'", "the name is taken")],
        "",
    ),
    "two joints with one coordinate": (
        two_joints_with_one_coordinate,
        [("coordinates", "two joints have the coordinate 'O'")],
        "coordinate=",
    ),
    "a name that is no identifier": (
        lambda m, bar: m.revolute("left hinge", m.ground.at(), m.body("tip", mass=1).at()),
        [
            (
                "joint 'left hinge'",
                "'left hinge' is not a valid name: a name consists of letters, digits and _, and does not start with a "
                "digit",
            )
        ],
        "coordinate=",
    ),
    "negative mass": (lambda m, bar: hung(m, mass=-1), [("body 'tip', mass", "-1 is negative")], ""),
    "negative inertia": (
        lambda m, bar: hung(m, mass=1, inertia=-2),
        [("body 'tip', inertia", "-2 is negative")],
        "",
    ),
    "a mass that is no number": (
        lambda m, bar: hung(m, mass=math.nan),
        [("body 'tip', mass", "nan is not a finite number")],
        "",
    ),
    "a rod with an inertia of its own": (
        lambda m, bar: hung(m, mass=1, inertia=2, length=1),
        [("body 'tip'", "length= makes a uniform rod, whose inertia and centre follow")],
        "Leave them out",
    ),
    "a length that moves": (
        length_that_moves,
        [("body 'tip', length", "y contains coordinates")],
        "parameters",
    ),
    "a mass that depends on time": (
        lambda m, bar: hung(m, mass=1 + lk.t**2),
        [("body 'tip', mass", "t**2 + 1 depends on time")],
        "",
    ),
    "negative stiffness": (
        lambda m, bar: m.spring("s", bar.at(1, 0), m.ground.at(), stiffness=-5),
        [("element 's', stiffness", "-5 is negative")],
        "",
    ),
    "negative damping": (
        lambda m, bar: m.damper("d", bar.at(1, 0), m.ground.at(), damping=-5),
        [("element 'd', damping", "-5 is negative")],
        "",
    ),
    "a rod without length": (
        lambda m, bar: m.rod("r", bar.at(1, 0), m.ground.at(2, 0), length=0),
        [("element 'r', length", "0 is not positive")],
        "",
    ),
    "a rope over one place": (
        lambda m, bar: m.rope("r", [bar.at(1, 0)], length=1),
        [("element 'r'", "a rope needs two places or more")],
        "",
    ),
    "a stop without room": (
        lambda m, bar: m.stop("s", "O", lower=1, upper=-1),
        [("element 's'", "its lower bound 1 is not below the upper one, -1")],
        "",
    ),
    "zero axis": (
        lambda m, bar: m.prismatic("P", bar.at(1, 0), m.body("tip", mass=1).at(), axis=(0, 0)),
        [("joint 'P', axis", "the axis is zero")],
        "direction",
    ),
    "gear with an unknown joint": (
        lambda m, bar: m.gear("g", "O", "shaft", ratio=2),
        [("element 'g'", "there is no joint 'shaft'")],
        "",
    ),
    "motor on a joint without coordinate": (
        motor_on_a_weld,
        [("element 'M'", "the joint 'W' has no coordinate")],
        "",
    ),
    "motor on a joint with two coordinates": (
        motor_on_a_slot,
        [("element 'M'", "the joint 'S' has several: 'S_distance', 'S_angle'")],
        "Name one",
    ),
    "too many components": (
        lambda m, bar: m.force("F", bar.at(), (0, 0, 1)),
        [("element 'F', components", "2 components were expected, not (0, 0, 1)")],
        "",
    ),
    "a body without a joint": (
        lambda m, bar: m.body("lost", mass=1),
        [("body 'lost'", "it has no joint")],
        ".free(",
    ),
    "bodies that the ground does not hold": (
        island,
        [
            ("body 'left'", "it is connected with other bodies only, not with the ground"),
            ("body 'right'", "it is connected with other bodies only, not with the ground"),
        ],
        ".free(",
    ),
}
IN_SPACE = {
    "moments of inertia that no body has": (
        lambda m, block: hung(m, mass=1, inertia=(1, 1, 3)),
        [
            (
                "body 'tip', inertia",
                "no body has the principal moments 1, 1 and 3: the sum of two is never below the third",
            )
        ],
        "units",
    ),
    "a negative principal moment": (
        lambda m, block: hung(m, mass=1, inertia=[[1, 0, 0], [0, 1, 2], [0, 2, 1]]),
        [("body 'tip', inertia", "its principal moment -1 is negative")],
        "units",
    ),
    "an inertia that is not symmetric": (
        lambda m, block: hung(m, mass=1, inertia=[[3, 1, 0], [0, 3, 0], [0, 0, 3]]),
        [("body 'tip', inertia", "the matrix is not symmetric: J_xy = 1 and J_yx = 0")],
        "J_xy = J_yx",
    ),
    "two moments of inertia": (
        lambda m, block: hung(m, mass=1, inertia=(1, 1)),
        [("body 'tip', inertia", "1, 3 or 6 numbers or a 3 x 3 matrix were expected")],
        "",
    ),
    "axes that are no rotation": (
        lambda m, block: m.spring("s", block.at(rotation=[[1, 0, 0], [0, 1, 0], [0, 0, 2]]), m.ground, stiffness=1),
        [("body 'block', place", "the matrix is no rotation: R R^T = 1, det R = 1")],
        "columns",
    ),
    "axes of a mirror": (
        lambda m, block: m.spring("s", block.at(rotation=[[1, 0, 0], [0, 1, 0], [0, 0, -1]]), m.ground, stiffness=1),
        [("body 'block', place", "the matrix is no rotation: R R^T = 1, det R = 1")],
        "columns",
    ),
    "zero axis": (
        lambda m, block: m.revolute("P", block.at(), m.body("tip").at(), axis=(0, 0, 0)),
        [("joint 'P', axis", "the axis is zero")],
        "direction",
    ),
    "parallel axes of a universal joint": (
        lambda m, block: m.universal("U", block.at(), m.body("tip").at(), axes=((1, 0, 0), (-2, 0, 0))),
        [("joint 'U', axes", "both axes are parallel")],
        "different directions",
    ),
    "a screw without pitch": (
        lambda m, block: m.screw("S", block.at(), m.body("tip").at(), pitch=0),
        [("joint 'S', pitch", "the pitch is zero")],
        "revolute",
    ),
    "unknown angles": (
        lambda m, block: m.spherical("B", block.at(), m.body("tip").at(), angles="roll"),
        [("joint 'B', angles", "'roll' is not possible")],
        'angles="xyz"',
    ),
}
# Further mistakes: what is done, where, and a word of what is said


def joint_on_a_foreign_body(m, bar):
    m.revolute("P", bar.at(1, 0), FOREIGN.at())


def motor_on_a_ball(m, block):
    m.spherical("B", m.ground.at(), m.body("tip", mass=1, inertia=1).at())
    m.motor("M", "B", 1)


def motor_on_an_euler_parameter(m, block):
    m.spherical("B", m.ground.at(), m.body("tip", mass=1, inertia=1).at())
    m.motor("M", "B_e1", 1)


def coordinate_named_like_a_parameter(m, bar):
    k = lk.parameters("k")
    m.revolute("P", bar.at(k, 0), m.body("tip", mass=1).at(), coordinate="k")


def lost_body_beside_a_wrong_spring(m, bar):
    m.spring("s", bar.at(1, 0), m.ground.at(), stiffness=-5)
    m.body("lost", mass=1)


BY_A_WORD = {
    "a joint on a body of another mechanism": (planar, joint_on_a_foreign_body, "joint 'P'", "'foreign'"),
    "a lost body beside another fault": (planar, lost_body_beside_a_wrong_spring, "body 'lost'", "no joint"),
    "a motor on a spherical joint": (spatial, motor_on_a_ball, "element 'M'", "Euler parameters"),
    "a motor on an Euler parameter": (spatial, motor_on_an_euler_parameter, "element 'M'", "Euler parameter"),
    "a coordinate named like a parameter": (planar, coordinate_named_like_a_parameter, "joint 'P'", "parameter"),
    "a gear of a joint with itself": (
        planar, lambda m, bar: m.gear("g", "O", "O", ratio=2), "element 'g'", "same coordinate",
    ),
    "a rod on one body": (
        planar, lambda m, bar: m.rod("r", bar.at(), bar.at(1, 0), length=2), "element 'r'", "the body 'bar'",
    ),
    "an effort with a coordinate that does not exist": (
        planar, lambda m, bar: m.motor("M", "O", lk.coordinates("zz")), "element 'M'", "zz",
    ),
}  # fmt: skip
