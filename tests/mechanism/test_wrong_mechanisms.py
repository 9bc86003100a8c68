"""Wrong mechanisms: each mistake has its sentence, and all mistakes are reported in one error."""

import math

import pytest
from mistakes import BY_A_WORD, IN_SPACE, IN_THE_PLANE, planar, spatial

import lienket as lk

CASES = [
    *((planar, name, *case) for name, case in IN_THE_PLANE.items()),
    *((spatial, name, *case) for name, case in IN_SPACE.items()),
]


def faults_of(machine, **given):
    """Return where and what of the faults with which a mechanism is refused, and their advice."""
    with pytest.raises(lk.ModelError, match="machine") as caught:
        machine.system(**given)
    return [(fault.where, fault.what) for fault in caught.value.faults], [f.advice for f in caught.value.faults]


@pytest.mark.parametrize(("begin", "name", "mistake", "faults", "advice"), CASES, ids=[c[1] for c in CASES])
def test_a_mistake_has_its_sentence(begin, name, mistake, faults, advice):
    machine, body = begin()
    machine.system()  # right so far
    mistake(machine, body)  # raises nothing
    found, advised = faults_of(machine)
    assert found == faults
    assert advice in advised[-1]


CONNECTIONS = {"two joints with one coordinate", "a body without a joint", "bodies that the ground does not hold"}


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize(("cases", "begin"), [(IN_THE_PLANE, planar), (IN_SPACE, spatial)], ids=["plane", "space"])
def test_all_mistakes_are_reported_at_once(cases, begin, coordinates):
    """Faults of connections come last, when all else is right; names that mistakes share are further faults."""
    machine, body = begin()
    expected = []
    for name, (mistake, faults, _) in cases.items():
        if name not in CONNECTIONS:
            mistake(machine, body)
            expected += faults
    found, _ = faults_of(machine, coordinates=coordinates)
    further = [fault for fault in found if fault not in expected]
    assert [fault for fault in expected if fault not in found] == []
    assert {what for _, what in further} == {"the name is taken"}
    assert len(found) == len(set(found)) > 10


def test_check_reports_the_same_faults():
    machine, bar = planar()
    for mistake in ("negative stiffness", "zero axis", "gear with an unknown joint"):
        IN_THE_PLANE[mistake][0](machine, bar)
    faults, _ = faults_of(machine)
    with pytest.raises(lk.ModelError) as caught:
        machine.check()
    assert [(fault.where, fault.what) for fault in caught.value.faults] == faults


def test_wrong_requests():
    machine, _ = planar()
    found, _ = faults_of(machine, coordinates="absolut", cut=["P"])
    assert found == [
        ("cut", "there is no joint 'P'"),
        ("coordinates", "'absolut' is neither 'relative' nor 'absolute'"),
    ]
    empty = lk.planar.Mechanism("machine without bodies")
    assert faults_of(empty)[0] == [("bodies", "there are none")]


def test_names_of_bodies_in_absolute_coordinates():
    """They become names of coordinates; in relative coordinates any printable text will do."""
    machine, _ = planar()
    machine.revolute("P", machine.ground.at(), machine.body("left arm", mass=1.0, length=1.0).at())
    assert len(machine.system().coordinates) == 2
    ((where, what),), (advice,) = faults_of(machine, coordinates="absolute")
    assert where == "body 'left arm'" and "'left arm' is not a valid name" in what and "NAME_x" in advice


def test_a_misspelt_keyword_is_named_by_python():
    machine, bar = planar()
    with pytest.raises(TypeError, match="'stifness'"):
        machine.spring("s", bar.at(), machine.ground.at(), stifness=1)


def test_a_name_close_to_a_known_one_is_proposed():
    machine, _ = planar()
    machine.revolute("shoulder", machine.ground.at(), machine.body("arm", mass=1.0, length=1.0).at())
    machine.motor("M", "sholder", 1)
    assert faults_of(machine)[0] == [("element 'M'", "there is no joint 'sholder', did you mean 'shoulder'?")]


# A loop that cannot close: links of lengths 1 and b over a distance D miss by D - 1 - b or b - 1 - D


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize(("b", "distance"), [(1.0, 5.0), (0.5, 1.75), (4.0, 1.0)])
def test_a_loop_that_cannot_close(b, distance, coordinates):
    machine, bar = planar()
    link = machine.body("link", mass=1.0, length=b)
    machine.revolute("A", bar.at(1, 0), link.at(0, 0))
    machine.revolute("B", link.at(b, 0), machine.ground.at(distance, 0))
    gap = max(distance - 1 - b, b - 1 - distance)
    with pytest.raises(lk.LienketError, match=rf"at the joint 'B': its two places stay {gap:.4g} apart"):
        machine.system(coordinates).consistent({})


def test_a_loop_that_cannot_close_with_a_given_value():
    """The crank's end at the angle q is sqrt(1 + D^2 - 2 D cos q) from the other support."""
    machine, bar = planar()
    link = machine.body("link", mass=1.0, length=1.0)
    machine.revolute("A", bar.at(1, 0), link.at(0, 0))
    machine.revolute("B", link.at(1, 0), machine.ground.at(1.5, 0))
    gap = math.sqrt(1 + 1.5**2 - 3 * math.cos(2.0)) - 1
    with pytest.raises(lk.LienketError, match=f"'B': its two places stay {gap:.4g} apart.*O = 2 held"):
        machine.system().consistent({"O": 2.0})


@pytest.mark.parametrize("name", BY_A_WORD)
def test_a_mistake_is_refused_with_the_word_that_helps(name):
    begin, mistake, where, word = BY_A_WORD[name]
    machine, body = begin()
    mistake(machine, body)
    found, advised = faults_of(machine)
    assert any(
        place.startswith(where) and word in what + advice for (place, what), advice in zip(found, advised, strict=True)
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m, bar: m.body("other", mas=1), "'mas', did you mean 'mass'"),
        (lambda m, bar: m.spring("s", bar.at(), m.ground, stifness=1), "'stifness', did you mean 'stiffness'"),
        (lambda m, bar: m.system(coordinate="absolute"), "'coordinate', did you mean 'coordinates'"),
    ],
)
def test_a_misspelt_keyword_has_a_suggestion(call, words):
    with pytest.raises(TypeError, match=words):
        call(*planar())
