"""Random linkages with redundant rows: their runs against the same motion in minimal coordinates."""

import numpy as np
import pytest
from attacks.attack_cases import attack_cases
from attacks.overconstrained_families import Overconstrained, random_linkage
from sympy import cos, sin

import lienket as lk
from lienket import der

TIMES = (0.0, 0.3, 0.7, 1.2)
FLAT_GRID, EXTENDED_LIFT, TALLER_LIFT = 138, 197, 113  # seeds whose motions pass positions with several dependent rows
LIFT_OF_TWO, LIFT_OF_FIVE = 41, 59  # seeds of lifts whose rows change along the motion
TALLEST_LIFT = 173  # seed of a lift that becomes ten times as fast before it passes such a position


def turned(angles_or_lengths: np.ndarray) -> np.ndarray:
    """Return numbers that do not change if an angle changes by a whole turn, and that determine small lengths."""
    return np.concatenate([np.cos(angles_or_lengths), np.sin(angles_or_lengths)], axis=-1)


def planar_twin(linkage: Overconstrained) -> lk.System:
    """Return a chain of bars of the family `in_space` stated in the plane, by x, y and angle, with independent rows."""
    values = {str(p): float(x) for p, x in linkage.system.values.items()}
    bars = len(linkage.q) // 6
    T, V, rows, free, end = 0, 0, [], [], (0, 0)
    for k in range(bars):
        x, y, c = lk.coordinates(f"x{k} y{k} c{k}")
        half = values[f"l{k}"] / 2
        way = (half * cos(c), half * sin(c))
        rows.append((f"hinge {k}", [x - way[0] - end[0], y - way[1] - end[1]]))
        end = (x + way[0], y + way[1])
        T += values["m"] * (der(x) ** 2 + der(y) ** 2) / 2 + values["J"] * der(c) ** 2 / 2
        V += values["m"] * values["g"] * y
        free += [x, y, c]
    rows.append(("ground", [end[0] - values[f"l{bars}"], end[1]]))
    system = lk.System("planar", free, kinetic=T, potential=V)
    for name, expressions in rows:
        system = system.constrain(name, expressions)
    return system


def expected(linkage: Overconstrained) -> np.ndarray:
    """Return the positions at the times, by an independent statement without redundant rows."""
    settings = {"until": TIMES[-1], "times": TIMES, "rtol": 1e-11, "atol": 1e-13}
    if linkage.minimal is not None:
        run = linkage.minimal.simulate(start=(linkage.s, linkage.s_rate), **settings)
        assert run.outcome.complete, run.outcome
        return np.array([linkage.positions(s) for s in run.q])
    planar = [i for k in range(len(linkage.q) // 6) for i in (6 * k, 6 * k + 1, 6 * k + 5)]
    run = planar_twin(linkage).simulate(start=(linkage.q[planar], linkage.v[planar]), **settings)
    assert run.outcome.complete, run.outcome
    q = np.zeros((len(TIMES), len(linkage.q)))
    q[:, planar] = run.q
    return q


def assert_right(name: str, linkage: Overconstrained, system: lk.System) -> None:
    """Assert that the run of a system is that in minimal coordinates, to 1e-6."""
    run = system.simulate(start=(linkage.q, linkage.v), until=TIMES[-1], times=TIMES, rtol=1e-9, atol=1e-11)
    assert run.outcome.complete, (name, run.outcome)
    assert run.audit.ok, (name, run.audit.warnings)
    assert np.abs(turned(run.q) - turned(expected(linkage))).max() < 1e-6, name


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("seed", attack_cases(4))
def test_runs_as_in_minimal_coordinates(seed: int, backwards: bool) -> None:
    name, linkage = random_linkage(seed)
    assert_right(name, linkage, linkage.reversed if backwards else linkage.system)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [FLAT_GRID, EXTENDED_LIFT])
def test_positions_where_several_more_rows_become_dependent(seed: int) -> None:
    name, linkage = random_linkage(seed)
    assert_right(name, linkage, linkage.system)


@pytest.mark.parametrize("seed", [LIFT_OF_TWO, LIFT_OF_FIVE])
@pytest.mark.parametrize("backwards", [False, True])
def test_lifts_are_singular_where_they_are_extended_or_folded(seed: int, backwards: bool) -> None:
    """Its bars are parallel there, sin 2 s = 0; a run names no other positions, though its rows change.

    A step that passes a position accurately without a bridge need not name it.
    """
    _, linkage = random_linkage(seed)
    s = linkage.minimal.simulate(start=(linkage.s, linkage.s_rate), until=1.2, times=np.linspace(0, 1.2, 1201)).q[:, 0]
    passed = np.flatnonzero(np.diff(np.sign(np.sin(2 * s)))) * 1e-3
    system = linkage.reversed if backwards else linkage.system
    events = system.simulate(start=(linkage.q, linkage.v), until=1.2, rtol=1e-9, atol=1e-11).rank_events
    assert len(events) >= 1
    for event in events:
        assert np.count_nonzero((event.begin - 1e-3 <= passed) & (passed <= event.end)) == 1
        assert event.end - event.begin < 0.1


@pytest.mark.slow
def test_a_position_passed_ten_times_as_fast_as_the_last_one() -> None:
    name, linkage = random_linkage(TALLEST_LIFT)
    assert_right(name, linkage, linkage.reversed)


def test_lift_with_independent_rows_passes_its_extended_position() -> None:
    name, linkage = random_linkage(TALLER_LIFT)
    system = linkage.system
    for constraint in system.constraints:
        if constraint.name.startswith("guide"):
            system = system.release(constraint.name)
    assert_right(name, linkage, system)
