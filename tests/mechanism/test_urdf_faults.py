"""Wrong and hostile URDF files: every one gives a ModelFileError with its line, and no other file is opened."""

import sys
import time

import pytest
from urdf_texts import DOUBLE_PENDULUM, joint, link, robot

import lienket as lk
from lienket.errors import ModelFileError
from lienket.mechanism import urdf

UNIT = (1, 1, 1, 0, 0, 0)
SLOW = 10  # [s] longest time for a hostile file; each takes less than a second


def faults(tmp_path, text, name="robot.urdf"):
    """Return the faults of a text as texts."""
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ModelFileError) as caught:
        lk.load(path)
    assert str(path) in str(caught.value)
    return [str(fault) for fault in caught.value.faults]


def line_of(text, part):
    """Return the number of the line that contains a part, from 1."""
    return next(k for k, line in enumerate(text.splitlines(), 1) if part in line)


MASS, PARENT, PLACE = '<mass value="2"/>', '<parent link="base"/>', 'xyz="0.5 0 0"'
END = 'effort="10" velocity="5"/>'  # of the limit of the elbow
BOX = "<visual><geometry><box/></geometry></visual>"
CHANGED = {
    "unknown parent": (PARENT, '<parent link="bas"/>', "joint 'shoulder'", "'bas' is no link", "'base'"),
    "unknown child": ('<child link="lower"/>', '<child link="hand"/>', "joint 'elbow'", "child 'hand' is no link"),
    "no parent": (PARENT, "", "joint 'shoulder'", "no element <parent>"),
    "no link attribute": (PARENT, '<parent lnk="base"/>', "joint 'shoulder'", "no attribute 'link'"),
    "empty link": (PARENT, '<parent link=""/>', "joint 'shoulder'", "<parent> names no link"),
    "no type": ('name="shoulder" type="revolute"', 'name="shoulder"', "joint 'shoulder'", "no attribute 'type'"),
    "unknown type": ('type="continuous"', 'type="continous"', "joint 'elbow'", "did you mean 'continuous'"),
    "no name": ('<joint name="elbow"', "<joint", "<joint> has no attribute 'name'"),
    "no mass": (MASS, "", "link 'upper'", "no element <mass>"),
    "no value": (MASS, "<mass/>", "link 'upper'", "no attribute 'value'"),
    "negative mass": (MASS, '<mass value="-2"/>', "link 'upper', mass", "-2.0 is negative"),
    "no number": (MASS, '<mass value="two"/>', "link 'upper', mass value", "'two' is not a finite number"),
    "infinite": (MASS, '<mass value="inf"/>', "link 'upper', mass value", "'inf' is not a finite number"),
    "not a number": (PLACE, 'xyz="nan 0 0"', "link 'upper', origin xyz", "'nan' is not a finite number"),
    "overflow": (MASS, '<mass value="1e999"/>', "link 'upper', mass value", "'1e999' is too large"),
    "Python's digits": (MASS, '<mass value="1_0"/>', "link 'upper', mass value", "'1_0' is not"),
    "two numbers": (PLACE, 'xyz="0.5 0"', "link 'upper', origin xyz", "3 numbers were expected, not '0.5 0'"),
    "misspelt attribute": (PLACE, 'xzy="0.5 0 0"', "link 'upper'", "'xzy' of <origin> is not known", "'xyz'"),
    "misspelt element": ('<link name="upper">', '<link name="upper"><inertail/>', "<inertail>", "'inertial'"),
    "xacro": (MASS, '<mass value="${m}"/>', "link 'upper', mass value", "'${m}' is not", "xacro"),
    "xacro element": ('<link name="base"/>', '<link name="base"/><xacro:leg/>', "<xacro:leg>", "template"),
    "zero axis": ('xyz="0 1 0"', 'xyz="0 0 0"', "joint 'shoulder', axis", "the axis is zero"),
    "missing entry": (' izz="0.17"', "", "link 'upper'", "no attribute 'izz'"),
    "triangle": ('izz="0.17"', 'izz="0.19"', "link 'upper', inertia", "0.01, 0.17 and 0.19", "never below the third"),
    "not positive": ('ixx="0.01" ixy="0"', 'ixx="0.01" ixy="1"', "link 'upper', inertia", "is negative"),
    "negative damping": ('damping="0.3"', 'damping="-0.3"', "joint 'shoulder', dynamics", "-0.3 is negative"),
    "limits": ('lower="-1.5"', 'lower="2.5"', "joint 'shoulder', limit", "2.5 is above upper = 1.5"),
    "two names": ('<link name="lower">', '<link name="upper">', "a second link has the name 'upper'"),
    "two origins": ('<origin xyz="0 0 2"/>', '<origin/><origin/>', "joint 'shoulder'", "2 elements <origin>"),
    "itself": ('<child link="lower"/>', '<child link="upper"/>', "joint 'elbow'", "are the link 'upper'"),
    "mimics nothing": (END, '/><mimic joint="x"/>', "'elbow', mimic", "there is no joint 'x'"),
    "mimics itself": (END, '/><mimic joint="elbow"/>', "joint 'elbow'", "mimics itself"),
    "box": ('<link name="upper">', f'<link name="upper">{BOX}', "link 'upper', visual", "no attribute 'size'"),
    "other root": ("robot", "sdf", "line 2", "the root element is <sdf>, not <robot>"),
    "empty name": ('name="double pendulum"', 'name=" "', "the name of the robot must be a printable text"),
    "control sign": ('name="elbow"', 'name="el&#x200b;bow"', "the name of the joint must be a printable text"),
    "long name": ('name="elbow"', f'name="{"e" * 300}"', "the name of the joint has 300 characters"),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGED)
def test_each_fault_is_named_with_its_line(tmp_path, case):
    old, new, *expected = CHANGED[case]
    assert old in DOUBLE_PENDULUM
    text = DOUBLE_PENDULUM.replace(old, new)
    found = faults(tmp_path, text)
    here = [fault for fault in found if all(word in fault for word in expected)]
    assert len(here) == 1, found
    assert "line " in here[0]


def test_the_line_is_that_of_the_element(tmp_path):
    text = (
        DOUBLE_PENDULUM.replace('izz="0.17"', 'izz="9"')
        .replace('xyz="0 2 0"', 'xyz="0 0 0"')
        .replace('"1.5"/>', '"x"/>')
    )
    assert [fault.partition(",")[0] for fault in faults(tmp_path, text)] == [
        f"line {line_of(text, part)}" for part in ('izz="9"', 'mass value="x"', 'xyz="0 0 0"')
    ]


def test_all_faults_of_a_file_are_reported_at_once(tmp_path):
    """Ten changes that do not hide each other give ten faults."""
    apart = ["negative mass", "triangle", "unknown type", "zero axis", "negative damping"]
    apart += ["misspelt attribute", "limits", "empty name", "mimics nothing", "box"]
    text = DOUBLE_PENDULUM
    for case in apart:
        old, new, *_ = CHANGED[case]
        assert old in text
        text = text.replace(old, new)
    assert len(faults(tmp_path, text)) == 10


def test_what_is_no_tree(tmp_path):
    a, b, c, d = (link(x, 1, "0 0 0", UNIT) for x in "abcd")

    def fixed(name, parent, child):
        return joint(name, "fixed", parent, child, "0 0 0", "0 0 0", "1 0 0")

    (two,) = faults(tmp_path, robot("r", a, b, c, fixed("j", "a", "c"), fixed("k", "b", "c"), fixed("l", "a", "b")))
    assert "link 'c': it is the child of 2 joints: 'j' (line 8), 'k' (line 10)" in two
    (roots,) = faults(tmp_path, robot("r", a, b, c, fixed("j", "a", "c")))
    assert "2 are the child of no joint: 'a' (line 2), 'b' (line 4)" in roots
    (ring,) = faults(tmp_path, robot("r", a, b, c, fixed("j", "a", "b"), fixed("k", "b", "c"), fixed("l", "c", "a")))
    assert (
        "'a' -> 'b' -> 'c' -> 'a'" in ring or "'b' -> 'c' -> 'a' -> 'b'" in ring or "'c' -> 'a' -> 'b' -> 'c'" in ring
    )
    (apart,) = faults(
        tmp_path, robot("r", a, b, c, d, fixed("j", "a", "b"), fixed("k", "c", "d"), fixed("l", "d", "c"))
    )
    assert "links carry each other in a loop" in apart
    (alone,) = faults(tmp_path, robot("r", a))
    assert "its only link 'a' is the ground" in alone
    (nothing,) = faults(tmp_path, robot("r"))
    assert "no element <link>" in nothing


def test_mimic_joints_in_a_ring_and_of_joints_without_one_coordinate(tmp_path):
    parts = [link(x, 1, "0 0 0", UNIT) for x in "abcd"]
    for k, (kind, other) in enumerate((("revolute", "j1"), ("revolute", "j0"), ("fixed", "j0"))):
        more = f'<mimic joint="{other}"/>'
        parts.append(joint(f"j{k}", kind, "abcd"[k], "abcd"[k + 1], "0 0 0", "0 0 0", "1 0 0", more))
    found = faults(tmp_path, robot("r", *parts))
    assert len(found) == 2
    assert "joint 'j2', mimic: a joint that mimics another has one coordinate" in found[1]
    assert "it mimics itself: 'j0' -> 'j1' -> 'j0'" in found[0]


# Hostile files

ENTITIES = "".join(f'<!ENTITY l{k + 1} "{f"&l{k};" * 10}">' for k in range(9))
LAUGHS = f'<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY l0 "ha">{ENTITIES}]><robot name="&l9;"/>'
NAME = "n" * 1_000_000
HOSTILE = {
    "empty": (b"", "it is empty"),
    "blank": (b" \n ", "it is empty"),
    "no UTF-8": (b'<robot name="\xff"/>', "not UTF-8"),
    "another encoding": ('<?xml version="1.0" encoding="latin-1"?><robot name="é"/>', "the encoding 'latin-1'"),
    "UTF-16": (DOUBLE_PENDULUM.encode("utf-16"), "not UTF-8"),
    "NUL": (b"<robot name='a\x00'/>", "XML, line 1"),
    "no XML": (b"robot: {name: arm}", "XML, line 1"),
    "comment only": (b"<!-- robot -->", "there is no element"),
    "truncated": (DOUBLE_PENDULUM.partition("<mass value=\"1.5")[0], "<inertial> of line 11 is closed"),
    "truncated tag": (DOUBLE_PENDULUM[:-3], "the file ends before <robot> of line 2 is closed"),
    "wrong order": (b"<robot><link></robot></link>", "another element is closed while <link> of line 1 is open"),
    "two attributes": (b'<robot name="a" name="b"/>', "duplicate attribute"),
    "unknown entity": (b'<robot name="&me;"/>', "undefined entity"),
    "billion laughs": (LAUGHS, "document type"),
    "external entity": ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>', "document type"),
    "external type": ('<!DOCTYPE robot SYSTEM "http://example.invalid/robot.dtd"><robot name="a"/>', "document type"),
    "parameter entity": ('<!DOCTYPE r [<!ENTITY % x SYSTEM "http://example.invalid/x"> %x;]><robot/>', "document type"),
    "100000 levels": ("<robot>" * 100_000 + "</robot>" * 100_000, "more than 64 levels"),
    "nested links": ('<robot name="r">' + "<link>" * 100_000, "more than 64 levels"),
    "60000 elements": ('<robot name="r">' + "<a/>" * 60_000 + "</robot>", "more than 50000 elements"),
    "2000 links": (robot("r", *(f'<link name="l{k}"/>' for k in range(2000))), "2000 elements <link>"),
    "40000 faults": ('<robot name="r"><link name="l">' + "<visual/>\n" * 40_000 + "</link></robot>", "more faults"),
    "long name": (f'<robot name="r"><link name="{NAME}"/></robot>', "has 1000000 characters"),
    "long tag": (f'<robot name="r"><{NAME}/></robot>', "<robot> has no element <link>"),
    "long root": (f"<{NAME}/>", "the root element is <nnnnn"),
    "long number": (DOUBLE_PENDULUM.replace('"2"', f'"{"1" * 10**6}"'), "a number was expected"),
    "long axis": (DOUBLE_PENDULUM.replace('"0 1 0"', f'"{"0 " * 10**6}"'), "3 numbers were expected"),
    "long reference": (DOUBLE_PENDULUM.replace('link="lower"/>', f'link="{NAME}"/>'), "(1000000 characters)"),
    "long mimic": (DOUBLE_PENDULUM.replace('velocity="5"/>', f'/><mimic joint="{NAME}"/>'), "(1000000 characters)"),
    "too large": (b" " * (5 * 2**20), "larger than 4 MiB"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_are_refused_quickly_in_a_short_message(tmp_path, case):
    text, expected = HOSTILE[case]
    begin = time.perf_counter()
    found = faults(tmp_path, text)
    assert time.perf_counter() - begin < SLOW
    assert sum(expected in fault for fault in found) == 1, found
    assert max(map(len, found)) < 1000
    assert len(found) <= 101


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "missing.urdf", tmp_path):
        with pytest.raises(ModelFileError):
            urdf.read(path)


def test_a_thousand_unknown_links_are_reported_quickly(tmp_path):
    """The nearest name is searched for the first ones only."""
    links = [f'<link name="{"x" * 200}{k}"/>' for k in range(1000)]
    joints = [
        joint(f"j{k}", "fixed", f"{'y' * 200}{k}", f"{'x' * 200}{k}", "0 0 0", "0 0 0", "1 0 0") for k in range(1000)
    ]
    begin = time.perf_counter()
    assert len(faults(tmp_path, robot("r", *links, *joints))) == 101
    assert time.perf_counter() - begin < SLOW


OPENED = []


def test_nothing_but_the_file_is_opened_and_no_connection_is_made(tmp_path):
    mesh = tmp_path / "upper.stl"
    mesh.write_text("solid")
    files = ("upper.stl", f"file://{mesh}", "package://a/upper.stl", "http://example.invalid/a.stl")
    texture = '<material name="m"><texture filename="{0}"/></material>'
    visual = f'<visual><geometry><mesh filename="{{0}}"/></geometry>{texture}</visual>'
    drawn = "".join(visual.format(file) for file in files)
    path = tmp_path / "robot.urdf"
    path.write_text(DOUBLE_PENDULUM.replace('<link name="upper">', f'<link name="upper">{drawn}'))
    lk.load(path)  # modules are imported
    watched = []

    def watch(event, arguments):
        if watched and (event.startswith(("socket.", "urllib.", "subprocess.")) or event in ("open", "os.listdir")):
            OPENED.append(str(arguments[0]))

    sys.addaudithook(watch)
    watched.append(True)
    lk.load(path)
    urdf.read(path)
    watched.clear()
    assert [str(path)] * 2 == OPENED


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_long_chains_are_read(tmp_path, count):
    """A chain of 1000 links is the largest that is read."""
    links = ['<link name="l0"/>', *(link(f"l{k}", 1, "0 0 0", UNIT) for k in range(1, count))]
    joints = [joint(f"j{k}", "continuous", f"l{k - 1}", f"l{k}", "0 0 1", "0 0 0", "1 0 0") for k in range(1, count)]
    path = tmp_path / "chain.urdf"
    path.write_text(robot("chain", *links, *joints))
    assert len(lk.load(path).coordinates) == count - 1
