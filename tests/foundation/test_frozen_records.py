"""Records behave like frozen data classes of the standard library."""

import copy
import dataclasses
import inspect
import pickle

import pytest

from lienket.foundation import frozen_dataclass


def classes(decorator):
    """Return one set of classes, made by this decorator."""

    @decorator(frozen=True)
    class Point:
        """A point."""

        x: float
        y: float = 2.0
        tags: list = dataclasses.field(default_factory=list)
        hidden: int = dataclasses.field(default=0, repr=False)

    @decorator(frozen=True)
    class Named(Point):
        """A point with one more field."""

        name: str = "N"

    @decorator(frozen=True, eq=False, repr=False)
    class Bare:
        """A record equal to itself alone."""

        x: float

    @decorator(frozen=True)
    class Own:
        """A record with its own hash and repr."""

        x: float

        def __hash__(self):
            return 7

        def __repr__(self):
            return "mine"

    @decorator(frozen=True)
    class Checked:
        """A record that checks its value."""

        x: float

        def __post_init__(self):
            if self.x < 0:
                raise ValueError("negative")

    return Point, Named, Bare, Own, Checked


STANDARD, QUICK = classes(dataclasses.dataclass), classes(frozen_dataclass.dataclass)


@frozen_dataclass.dataclass(frozen=True)
class Kept:
    """A record that can be pickled."""

    x: float
    y: tuple = ()


def outcome(classes, what):
    """Return the result, or the type of the error; records as text, so that two sets of classes can be compared."""
    try:
        result = what(*classes)
    except Exception as error:
        return type(error)
    return repr(result) if dataclasses.is_dataclass(result) else result


@pytest.mark.parametrize(
    "what",
    [
        lambda P, N, B, O, C: P(1),
        lambda P, N, B, O, C: P(1, 3, [4], 5).hidden,
        lambda P, N, B, O, C: P(y=5, x=1),
        lambda P, N, B, O, C: P(1, tags=[1]),
        lambda P, N, B, O, C: P(),
        lambda P, N, B, O, C: P(y=1),
        lambda P, N, B, O, C: P(1, 2, [], 0, 5),
        lambda P, N, B, O, C: P(1, x=1),
        lambda P, N, B, O, C: P(1, 2, [], 0, z=1),
        lambda P, N, B, O, C: P(1, z=1),
        lambda P, N, B, O, C: P(1).tags is P(1).tags,
        lambda P, N, B, O, C: N(1, name="q"),
        lambda P, N, B, O, C: N(1) == P(1),
        lambda P, N, B, O, C: P(1) == P(1.0),
        lambda P, N, B, O, C: P(1) == 1,
        lambda P, N, B, O, C: P(1) != P(2),
        lambda P, N, B, O, C: hash(P(1)),
        lambda P, N, B, O, C: hash(P(1, 2, (), 3)) == hash(P(1, 2, (), 3)),
        lambda P, N, B, O, C: hash(O(1)),
        lambda P, N, B, O, C: O(1) == O(1),
        lambda P, N, B, O, C: B(1) == B(1),
        lambda P, N, B, O, C: repr(B(1)).endswith(">"),
        lambda P, N, B, O, C: setattr(P(1), "x", 2),
        lambda P, N, B, O, C: setattr(P(1), "other", 2),
        lambda P, N, B, O, C: delattr(P(1), "x"),
        lambda P, N, B, O, C: dataclasses.replace(P(1), y=7),
        lambda P, N, B, O, C: dataclasses.replace(P(1), z=7),
        lambda P, N, B, O, C: dataclasses.asdict(N(1)),
        lambda P, N, B, O, C: [f.name for f in dataclasses.fields(N)],
        lambda P, N, B, O, C: copy.deepcopy(P(1, 2, [3])),
        lambda P, N, B, O, C: C(1),
        lambda P, N, B, O, C: C(-1),
        lambda P, N, B, O, C: P.__match_args__,
        lambda P, N, B, O, C: [(p.name, p.kind) for p in inspect.signature(N).parameters.values()],
        lambda P, N, B, O, C: [p.default for p in inspect.signature(C).parameters.values()],
    ],
)
def test_records_are_frozen_data_classes(what):
    assert outcome(QUICK, what) == outcome(STANDARD, what)


def test_records_can_be_pickled_and_counted_by_their_values():
    assert pickle.loads(pickle.dumps(Kept(1, (2, 3)))) == Kept(1, (2, 3))
    assert len({Kept(1), Kept(1.0), Kept(2)}) == 2


def test_a_record_that_is_not_frozen_is_refused():
    with pytest.raises(TypeError, match="frozen"):
        frozen_dataclass.dataclass(frozen=False)


def test_an_error_names_the_class_and_what_is_missing():
    with pytest.raises(TypeError, match=r"Kept\(x, y\) is missing the argument x"):
        Kept(y=())


@pytest.mark.parametrize("changes", [{}, {"y": 7}, {"x": 0, "tags": [2]}, {"hidden": 4}])
def test_replace_is_that_of_the_standard_library(changes):
    Point, Named, _, _, Checked = QUICK
    for original in (Point(1, 2, [3], 4), Named(1)):
        vars(original)["kept"] = "a cached property"  # not a field
        copied = frozen_dataclass.replace(original, **changes)
        assert copied == dataclasses.replace(original, **changes)
        assert vars(copied) == vars(dataclasses.replace(original, **changes))
    with pytest.raises(TypeError, match=r"has no z"):
        frozen_dataclass.replace(Point(1), z=7)
    value = next(iter(vars(Checked(1))))
    with pytest.raises(ValueError):  # what __post_init__ refuses
        frozen_dataclass.replace(Checked(1), **{value: -1})


def test_defaults_are_the_same_in_every_call():
    """The defaults that follow the positional arguments are collected once; factories make new objects each time."""
    Point = QUICK[0]
    first, second = Point(1), Point(1)
    assert first == second and first.tags is not second.tags
    assert vars(Kept(1)) == vars(Kept(1)) == {"x": 1, "y": ()}
