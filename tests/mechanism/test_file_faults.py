"""Faults of files of bodies and joints: each has the right sentence at its place, and all are told at once."""

import pytest

import lienket as lk
from lienket.errors import ModelFileError
from lienket.mechanism.file import read_text

HEAD = """
lienket = 1
name = "pendulum"
mechanism = "planar"
{head}
[parameters]
m = 2
b = 3
{parameters}
"""
ROD = '[[bodies]]\nname = "rod"\nmass = "m"\nlength = 0.5\n'
HINGE = '[[joints]]\nname = "hinge"\nkind = "revolute"\na = "ground"\nb = "rod"\n'
SPACE = HEAD.replace("planar", "spatial")
BALL = '[[bodies]]\nname = "ball"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n'


def faults_of(text):
    """Return (where, what, advice) of every fault of a file."""
    with pytest.raises(ModelFileError) as caught:
        read_text(text, "bar.toml")
    assert str(caught.value).startswith("The model file bar.toml has ")
    return [(fault.where, fault.what, fault.advice) for fault in caught.value.faults]


def planar(more="", head="", parameters="", bodies=ROD, joints=HINGE):
    """Return the text of a pendulum with something more in it."""
    return HEAD.format(head=head, parameters=parameters) + bodies + joints + more


def spatial(joint, bodies=BALL):
    """Return the text of a spatial mechanism with a joint."""
    return (
        SPACE.format(head="", parameters="") + bodies + f'[[joints]]\nname = "j"\na = "ground"\nb = "ball"\n{joint}\n'
    )


def joint(text):
    """Return one more joint."""
    return f'[[joints]]\nname = "J"\n{text}\n'


def element(text):
    """Return an element."""
    return f'[[elements]]\nname = "E"\n{text}\n'


def test_the_pendulum_of_these_tests_has_no_faults():
    assert read_text(planar()).names == ("hinge",)
    assert read_text(spatial('kind = "spherical"')).names == ("j_e0", "j_e1", "j_e2", "j_e3")


STRUCTURE = [
    (planar(element('kind = "springs"')), "[[elements]] 'E', kind", "did you mean 'spring'?", "Allowed: 'spring'"),
    (planar(element('kind = "motor"\njoint = "hinge"')), "[[elements]] 'E', effort", "this key is missing", ""),
    (planar(bodies=ROD.replace("mass", "mas")), "[[bodies]] 'rod', mas", "did you mean 'mass'?", "Known here: name"),
    (planar(joint('kind = "weld"\na = "rod"\nb = {bodi = "rod"}')), "[[joints]] 'J', b, bodi", "mean 'body'?", "Known"),
    (planar(joints=HINGE.replace('"ground"', "3")), "[[joints]] 'hinge', a", "a text in quotes or a table", ""),
    (planar(head='potential = "m"'), "potential", "there is no such key", "bodies, joints and elements"),
    (planar(head='coordinates = "relativ"'), "coordinates", "did you mean 'relative'?", "Allowed: 'relative', 'abs"),
    (planar().replace("[[bodies]]", "[bodies]"), "bodies", "it is a single table", "double brackets"),
    (ROD.join(["lienket = 1\n", HINGE]), "mechanism", "this key is missing", "Allowed: 'planar', 'spatial'."),
]

PLANAR = [
    (
        planar(joints=HINGE.replace('"rod"', '"rode"')),
        "[[joints]] 'hinge', b",
        "not part of this mechanism, did you mean 'rod'?",
    ),
    (planar(joints=HINGE.replace('"rod"', '"ground"')), "[[joints]] 'hinge'", "both places are on the ground"),
    (planar(bodies=ROD.replace('"m"', "-2")), "[[bodies]] 'rod', mass", "-2 is negative"),
    (planar(bodies=ROD + ROD), "[[bodies]] 'rod'", "the name is taken"),
    (planar(bodies=ROD.replace("0.5", "0")), "[[bodies]] 'rod', length", "0 is not positive"),
    (planar(bodies=ROD + ROD.replace("rod", "lost")), "[[bodies]] 'lost'", "it has no joint"),
    (
        planar(bodies=ROD.replace("length", "inertia").replace("0.5", "[1, 1, 1]")),
        "[[bodies]] 'rod', inertia",
        "one number",
    ),
    (
        planar(joint('kind = "prismatic"\na = "ground"\nb = "rod"\naxis = [0, 0]')),
        "[[joints]] 'J', axis",
        "the axis is zero",
    ),
    (
        planar(joint('kind = "prismatic"\na = "ground"\nb = "rod"\naxis = [1, 0, 0]')),
        "[[joints]] 'J', axis",
        "2 components",
    ),
    (planar(HINGE), "[[joints]] 'hinge'", "the name is taken"),
    (planar(joints=HINGE.replace('"hinge"', '"the hinge"')), "[[joints]] 'the hinge'", "is not a valid name"),
    (
        planar(joints=HINGE + "axis = [0, 0, 1]\n"),
        "[[joints]] 'hinge', axis",
        "in the plane a joint of the kind 'revolute' has no",
    ),
    (
        planar(joint('kind = "spherical"\na = "ground"\nb = "rod"')),
        "[[joints]] 'J'",
        "no joint of the kind 'spherical' in the plane",
    ),
    (
        planar(joints=HINGE.replace('a = "ground"', 'a = {body = "ground", rotation = [[1]]}')),
        "[[joints]] 'hinge', a, rotation",
        "no matrix",
    ),
    (
        planar(element('kind = "spring"\na = "rod"\nb = "ground"\nstiffness = -1')),
        "[[elements]] 'E', stiffness",
        "-1 is negative",
    ),
    (
        planar(element('kind = "motor"\njoint = "hing"\neffort = 1')),
        "[[elements]] 'E'",
        "no joint 'hing', did you mean 'hinge'?",
    ),
    (planar(element('kind = "rope"\npoints = ["rod"]\nlength = 1')), "[[elements]] 'E'", "two places or more"),
    (
        planar(element('kind = "stop"\njoint = "hinge"\nlower = 2\nupper = 1')),
        "[[elements]] 'E'",
        "is not below the upper",
    ),
    (
        planar(element('kind = "motor"\njoint = "hinge"\neffort = "der(hinge, 2)"')),
        "[[elements]] 'E', effort",
        "no derivative above the velocity",
    ),
    (
        planar(element('kind = "motor"\njoint = "hinge"\neffort = "cc*der(hinge)"')),
        "[[elements]] 'E', effort",
        "unknown name 'cc'",
    ),
    (planar(bodies=ROD.replace('"m"', '"m*hinge"')), "[[bodies]] 'rod', mass", "contains coordinates"),
    (planar(bodies=ROD.replace('"m"', '"m*t"')), "[[bodies]] 'rod', mass", "depends on time"),
    (planar(head="gravity = [0, 0, 1]"), "gravity", "2 components were expected"),
    (planar(head='cut = ["hings"]'), "cut", "there is no joint 'hings', did you mean 'hinge'?"),
    (planar(head='released = ["hinge"]'), "released", "the mechanism has no constraint 'hinge'"),
    (planar(parameters="hinge = 3"), "[parameters] hinge", "hinge is a coordinate of the mechanism"),
    (
        planar(parameters="v = {value = 1}\n[units]\nhing = 'm'"),
        "units",
        "hing is not a coordinate, did you mean 'hinge'?",
    ),
    (planar('[[constraints]]\nname = "C"\nequation = "m - b"\n'), "[[constraints]] 'C'", "contains no coordinate"),
    (planar('[[events]]\nname = "E"\nwhen = "hinge"\nrelease = ["C"]\n'), "event 'E'", "there is no constraint 'C'"),
    (planar(bodies="", joints="[[bodies]]\nname = 'ground'\n"), "[[bodies]] 'ground'", "it is the fixed body"),
    ('lienket = 1\nname = "empty"\nmechanism = "planar"\n', "bodies", "there are none"),
    (
        planar(head='coordinates = "absolute"', bodies=ROD.replace('"rod"', '"a rod"'), joints=""),
        "[[bodies]] 'a rod'",
        "is not a valid name",
    ),
]

SPATIAL = [
    (
        spatial('kind = "spherical"', BALL.replace("[0.1, 0.1, 0.1]", "[1, 1, 3]")),
        "[[bodies]] 'ball', inertia",
        "no body has the principal moments",
    ),
    (spatial('kind = "screw"\npitch = 0'), "[[joints]] 'j', pitch", "the pitch is zero"),
    (spatial('kind = "universal"\naxes = [[1, 0, 0], [2, 0, 0]]'), "[[joints]] 'j', axes", "both axes are parallel"),
    (spatial('kind = "slot"'), "[[joints]] 'j'", "there is no joint of the kind 'slot' in space"),
    (
        spatial('kind = "weld"').replace('a = "ground"', 'a = {body = "ground", angle = 1}'),
        "[[joints]] 'j', a, angle",
        "no angle",
    ),
    (
        spatial('kind = "weld"').replace(
            'a = "ground"', 'a = {body = "ground", rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]}'
        ),
        "[[joints]] 'j', a",
        "no rotation",
    ),
]


@pytest.mark.parametrize(("text", "where", "what", "advice"), STRUCTURE)
def test_structure(text, where, what, advice):
    found = [fault for fault in faults_of(text) if fault[0] == where]
    assert any(what in f[1] and advice in f[2] for f in found), faults_of(text)


@pytest.mark.parametrize(("text", "where", "what"), PLANAR + SPATIAL)
def test_the_sentence_stands_at_the_place_of_the_fault(text, where, what):
    assert any(f[0] == where and what in f[1] for f in faults_of(text)), faults_of(text)


def test_no_advice_is_in_the_notation_of_python():
    """Advice names keys of the file, not arguments and methods."""
    for text, *_ in PLANAR + SPATIAL:
        for _, _, advice in faults_of(text):
            assert "lk." not in advice and ".body(" not in advice and "=." not in advice and ".at(" not in advice


def test_all_faults_are_told_at_once():
    bodies = ROD.replace('"m"', "-2") + '[[bodies]]\nname = "block"\nmass = "mm"\n'
    joints = HINGE + joint('kind = "prismatic"\na = "rod"\nb = "block"\naxis = [0, 0]')
    elements = element('kind = "spring"\na = "rod"\nb = "blok"\nstiffness = -1')
    found = {fault[0] for fault in faults_of(planar(elements, bodies=bodies, joints=joints))}
    assert found == {"[[bodies]] 'rod', mass", "[[bodies]] 'block', mass", "[[joints]] 'J', axis",
                     "[[elements]] 'E', stiffness", "[[elements]] 'E'"}  # fmt: skip


def test_faults_of_structure_do_not_hide_the_others():
    """What cannot be read is left out, and nothing is said that follows from its absence."""
    bodies = ROD.replace("mass", "mas") + '[[bodies]]\nname = "block"\nmass = -1\n'
    joints = HINGE + joint('kind = "prismatik"\na = "rod"\nb = "block"') + '[[joints]]\nkind = "weld"\na = "block"\n'
    elements = element('kind = "motor"\njoint = "J"\neffort = "sin(J) + cc"')
    more = '[[constraints]]\nname = "C"\nequation = "hinge + J + b + k"\n'
    text = planar(elements + more, bodies=bodies, joints=joints, parameters="c = [1]\nk = {value = 1, unit = 3}")
    assert {where for where, _, _ in faults_of(text)} == {
        "[parameters] c", "[parameters] k, unit", "[[bodies]] 'rod', mas", "[[joints]] 'J', kind",
        "[[joints]] number 3, name", "[[joints]] number 3, b", "[[bodies]] 'block', mass",
    }  # fmt: skip


def test_text_is_never_run_as_python(tmp_path):
    marker = tmp_path / "ran"
    for text in (f"__import__('pathlib').Path('{marker}').touch()", f"open('{marker}', 'w')", "(lambda: 1)()"):
        for place in (ROD.replace('"m"', f'"{text}"'), ROD.replace("0.5", f'"{text}"')):
            assert faults_of(planar(bodies=place))
    assert not marker.exists()


def test_deep_nesting_is_a_clean_error():
    deep = "[" * 5000 + "]" * 5000
    with pytest.raises(ModelFileError):
        read_text(planar(head=f"gravity = {deep}"))
    with pytest.raises(ModelFileError):
        read_text(planar(bodies=ROD.replace('"m"', f'"{"(" * 3000}m{")" * 3000}"')))


def test_a_file_of_formulas_is_read_as_before():
    text = 'lienket = 1\nname = "mass"\ncoordinates = ["x"]\nkinetic = "der(x)^2/2"\n'
    assert read_text(text).free.mechanism is None
    with pytest.raises(ModelFileError, match="kinetc: there is no such key, did you mean 'kinetic'"):
        read_text(text.replace("kinetic", "kinetc"))


def test_the_file_is_named_and_nothing_is_written_half(tmp_path):
    path = tmp_path / "bar.toml"
    path.write_text(planar(bodies=ROD.replace('"m"', "-2")))
    with pytest.raises(ModelFileError, match=str(path)):
        lk.load(path)
