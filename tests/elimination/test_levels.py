"""Positions, velocities and accelerations are judged each with their own kind: x' = 0, x = 1, x = 2 cannot hold."""

import pytest

import lienket as lk
from lienket import der
from lienket.errors import StartError

x, y = lk.coordinates("x y")
t = lk.t
FREE = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)


def system(*rows):
    stated = FREE
    for name, row in zip("ABCDE", rows, strict=False):
        stated = stated.constrain(name, row)
    return stated


CONTRADICTORY = {
    "two positions after a velocity": ((der(x), x - 1, x - 2), ("B",)),
    "two moving positions after a velocity": ((der(x) - 1, x - t, x - t - 1), ("B",)),
    "two positions after an acceleration": ((der(x, 2) - 2, x - t**2, x - t**2 - 1), ("B",)),
    "two velocities after an acceleration": ((der(x, 2), der(x) - 1, der(x) - 2), ("B",)),
    "a velocity after a moving position": ((x - t, der(x) - 1, der(x) - 2), ("A",)),
    "a sum of positions after two velocities": (
        (der(x) + der(y), der(x) - der(y), x - 1, y, x + y - 2),
        ("C", "D"),
    ),
    "a position after an integrable velocity": ((der(x) - y * der(y), x - y**2 / 2, x - y**2 / 2 - 1), ("B",)),
    "two rows of one constraint": ((der(x), [x - 1, x - 2]), ("B",)),
}


@pytest.mark.parametrize(("rows", "names"), CONTRADICTORY.values(), ids=CONTRADICTORY)
def test_rows_of_one_level_contradict_each_other_whatever_binds_less(rows, names):
    stated = system(*rows)
    for verdict in (stated.stages()[-1].verdict, list(stated.at([1, 0], [1, 0], t=1.0).verdicts.values())[-1]):
        assert (verdict.status, verdict.depends_on) == ("contradictory", names)
    with pytest.raises(StartError, match=f"{'ABCDE'[len(rows) - 1]!r} is off by"):
        stated.consistent(t=1.0)
    with pytest.raises(StartError, match=f"{'ABCDE'[len(rows) - 1]!r} is off by"):
        stated.simulate(until=1)


@pytest.mark.parametrize(
    ("rows", "names", "adds"),
    [
        ((der(x), x - 1), ("A",), "position"),
        ((der(x), x - 1, 2 * x - 2), ("B",), ""),
        ((der(x, 2), der(x)), ("A",), "velocity"),
        ((der(x, 2), der(x), x - 1), ("A",), "position"),
        ((der(x) - 1, x - t, x - t), ("B",), ""),
    ],
)
def test_what_a_redundant_row_fixes_is_said_at_a_state_too(rows, names, adds):
    stated = system(*rows)
    for verdict in (stated.stages()[-1].verdict, list(stated.at([1, 0], [0, 0], t=1.0).verdicts.values())[-1]):
        assert (verdict.status, verdict.depends_on, verdict.adds) == ("redundant", names, adds)
