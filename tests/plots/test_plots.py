"""The figures show the data of the trajectory, whatever its size and outcome."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import MODELS
from stand_in import oscillators, run

import lienket as lk
from lienket.plots import plot
from lienket.plots.panels.motion import groups
from lienket.plots.panels.residuals import SMALLEST_RESIDUAL
from lienket.plots.style import LEGEND_LIMIT

overview = plot
motion, reactions, energy, residuals = (
    partial(plot, kind=kind) for kind in ("motion", "reactions", "energy", "residuals")
)
ALL = [motion, reactions, energy, residuals, overview]


def lines(axes):
    """Return the curves of axes, without the vertical lines at rank events."""
    return [line for line in axes.get_lines() if line.get_transform() == axes.transData]


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


@pytest.fixture(scope="module")
def andrews():
    return run(lk.load(MODELS / "andrews_squeezer.toml"), rows=1200)


@pytest.fixture(scope="module")
def crank():
    return run(lk.load(MODELS / "slider_crank.toml"), rows=1200)


def test_motion_shows_positions_and_velocities(andrews):
    left, right = motion(andrews).axes
    for axes, columns in ((left, andrews.q), (right, andrews.v)):
        assert len(lines(axes)) == 7
        assert all(np.array_equal(line.get_xdata(), andrews.t) for line in lines(axes))
        assert np.array_equal(np.column_stack([line.get_ydata() for line in lines(axes)]), columns)
    assert legend(right) == list(andrews.coordinate_names)
    looks = {(line.get_color(), line.get_linestyle()) for line in lines(right)}
    assert len(looks) == 7


def test_units_are_on_the_labels_if_they_were_stated(crank, andrews):
    left, right = motion(crank).axes
    assert [left.get_ylabel(), right.get_ylabel(), left.get_xlabel()] == ["q [rad]", "q' [rad/s]", "t [s]"]
    assert energy(crank).axes[0].get_ylabel() == "energy [J]"
    left, right = motion(andrews).axes
    assert [left.get_ylabel(), right.get_ylabel(), left.get_xlabel()] == ["q", "q'", "t"]
    assert energy(andrews).axes[0].get_ylabel() == "energy"


def test_without_a_unit_of_time_no_second_is_invented():
    left, right = motion(run(oscillators(2, units={"x1": "mm", "x2": "mm"}))).axes
    assert [left.get_ylabel(), left.get_xlabel()] == ["q [mm]", "t"]
    assert "s]" not in right.get_ylabel()


def test_each_unit_has_axes_of_its_own():
    trajectory = run(oscillators(3, units={"x1": "m", "x2": "rad", "x3": "m"}))
    assert groups(trajectory) == [[0, 2], [1]]
    figure = motion(trajectory)
    assert [len(lines(axes)) for axes in figure.axes] == [2, 2, 1, 1]
    assert [figure.axes[0].get_ylabel(), figure.axes[2].get_ylabel()] == ["q [m]", "q [rad]"]
    assert len({line.get_color() for axes in figure.axes[::2] for line in lines(axes)}) == 3


def test_small_motions_are_not_hidden_by_large_ones():
    q = np.array([[1.0, 2e-4, 0.0, -30.0], [2.0, 1e-4, 0.0, 10.0]])
    curves = SimpleNamespace(q=q, system=oscillators(4))
    assert groups(curves) == [[0, 3], [1, 2]]
    assert groups(SimpleNamespace(q=np.zeros((2, 4)), system=oscillators(4))) == [[0, 1, 2, 3]]


def test_forty_coordinates_have_a_scale_instead_of_a_legend():
    trajectory = run(oscillators(40))
    left, right, scale = motion(trajectory).axes
    assert len(lines(left)) == len(lines(right)) == 40 > LEGEND_LIMIT
    assert left.get_legend() is None
    assert right.get_legend() is None
    assert len({tuple(line.get_color()) for line in lines(left)}) == 40
    names = [text.get_text() for text in scale.get_yticklabels()]
    assert names[0] == "x1"
    assert set(names) <= set(trajectory.coordinate_names)


def test_reactions_show_the_component_on_each_coordinate():
    trajectory = run(oscillators(3, constraints=["one", "two"]), rows=1200)
    above = reactions(trajectory).axes[0]
    drawn = dict(zip(legend(above), lines(above), strict=True))
    assert set(drawn) == {f"{c} on x{k}" for c in ("one", "two") for k in (1, 2, 3)}
    for constraint, reaction in trajectory.reactions.items():
        for k in range(3):
            assert np.array_equal(drawn[f"{constraint} on x{k + 1}"].get_ydata(), reaction[:, k])


def test_the_multiplier_of_each_row_is_drawn(andrews):
    above, below, scale = reactions(andrews).axes
    assert len(lines(above)) == 3 * 7 > LEGEND_LIMIT  # so that a scale of names stands beside it
    assert "loop over B on beta" in [text.get_text() for text in scale.get_yticklabels()]
    assert np.array_equal(np.column_stack([line.get_ydata() for line in lines(below)]), andrews.multipliers)
    assert legend(below) == [f"{name}, row {k}" for name in andrews.constraints for k in (1, 2)]


def test_a_constraint_has_one_colour_in_all_axes():
    above, below = reactions(run(oscillators(4, constraints=["one", "two", "three"]))).axes
    colours = {name: line.get_color() for name, line in zip(legend(below), lines(below), strict=True)}
    assert len(set(colours.values())) == 3
    for name, line in zip(legend(above), lines(above), strict=True):
        assert line.get_color() == colours[name.split(" on ")[0]]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines(above)}) == len(lines(above))


def test_rank_events_are_vertical_lines():
    events = (SimpleNamespace(t=2.5), SimpleNamespace(t=7.0))
    for axes in reactions(run(oscillators(3, constraints=["one"]), rank_events=events)).axes:
        upright = [line for line in axes.get_lines() if line not in lines(axes)]
        assert [line.get_xdata()[0] for line in upright] == [2.5, 7.0]


def test_an_undetermined_reaction_is_a_gap():
    trajectory = run(oscillators(3, constraints=["one", "two"]), rows=1200, undetermined=("one",))
    above = reactions(trajectory).axes[0]
    gaps = {name: np.isnan(line.get_ydata()) for name, line in zip(legend(above), lines(above), strict=True)}
    assert np.array_equal(gaps["one on x2"], np.isnan(trajectory.reactions["one"]).any(axis=1))
    assert gaps["one on x2"].any()
    assert not gaps["two on x2"].any()
    assert "not determined" in above.get_title(loc="right")
    assert reactions(run(oscillators(3, constraints=["one"]))).axes[0].get_title(loc="right") == ""


def test_energy_shows_its_parts_and_the_imbalance(crank):
    above, below = energy(crank).axes
    assert legend(above) == ["kinetic", "potential", "total", "work"]
    for line, part in zip(lines(above), legend(above), strict=True):
        assert np.array_equal(line.get_ydata(), getattr(crank.energy, part))
    (line,) = lines(below)
    assert np.array_equal(line.get_ydata(), crank.energy.imbalance)


def test_residuals_by_level_and_constraint():
    rolling = oscillators(2).constrain("place", lk.coordinates("x1")).constrain("speed", lk.der(lk.coordinates("x2")))
    trajectory = run(rolling, rows=1200)
    figure = residuals(trajectory)
    assert [axes.get_title(loc="left").split()[-1] for axes in figure.axes] == [
        "positions",
        "velocities",
        "accelerations",
    ]
    assert [len(lines(axes)) for axes in figure.axes] == [1, 2, 2]
    for axes, level in zip(figure.axes, ("position", "velocity", "acceleration"), strict=True):
        assert axes.get_yscale() == "log"
        for line, heights in zip(lines(axes), trajectory.residuals[level].values(), strict=True):
            assert np.array_equal(line.get_ydata(), np.maximum(heights, SMALLEST_RESIDUAL))


def test_residuals_of_zero_are_drawn_at_the_smallest_level():
    for axes in residuals(run(oscillators(2, constraints=["one"]), size=0.0)).axes:
        (line,) = lines(axes)
        assert (line.get_ydata() == SMALLEST_RESIDUAL).all()
        low, high = axes.get_ylim()
        assert low < SMALLEST_RESIDUAL < high
        assert "1e-17" in axes.get_title(loc="right")


def test_few_rows_are_joined_by_dense_output():
    trajectory = run(oscillators(2), rows=12)
    (line, _) = lines(motion(trajectory).axes[0])
    assert len(line.get_xdata()) == 1000
    assert np.array_equal(line.get_ydata(), trajectory.sampled(line.get_xdata()).q[:, 0])
    (line, _) = lines(motion(run(oscillators(2), rows=12, dense=False)).axes[0])
    assert len(line.get_xdata()) == 12


def test_errors_are_drawn_at_the_rows_themselves():
    """Between rows dense output has an error of its own, which the figures must not show."""
    trajectory = run(oscillators(2, constraints=["one"]), rows=12)
    for figure in (residuals(trajectory), overview(trajectory).subfigs[1].subfigs[-1]):
        assert [len(line.get_xdata()) for axes in figure.axes for line in lines(axes)] == [12, 12, 12]
    above, below = energy(trajectory).axes
    assert [len(lines(axes)[0].get_xdata()) for axes in (above, below)] == [1000, 12]
    assert np.array_equal(lines(below)[0].get_ydata(), trajectory.energy.imbalance)


@pytest.mark.parametrize("show", ALL)
def test_a_single_row_is_a_dot(show):
    figure = show(run(oscillators(3, constraints=["one"]), rows=1, until=0.0))
    drawn = [line for axes in figure.axes for line in lines(axes)]
    assert drawn
    assert {line.get_marker() for line in drawn} == {"o"}


def test_names_of_constraints_are_plain_text():
    name = "_costs $5 and $6, says a name that goes on and on and on"
    above, below = reactions(run(oscillators(2, constraints=[name]))).axes
    for axes in (above, below):
        for text in axes.get_legend().get_texts():
            assert text.get_text().startswith("_costs $5 and $6")
            assert not text.get_parse_math()
            assert len(text.get_text()) < len(name)
    assert [text[-6:] for text in legend(above)] == [" on x1", " on x2"]


def panels(figure):
    """Return the panels of an overview, down the first column, then down the second."""
    return [panel for column in figure.subfigs for panel in column.subfigs]


def test_the_overview_holds_the_figures_of_every_kind_with_data(andrews):
    parts = [show(andrews) for show in (motion, reactions, energy, residuals)]
    for panel, part in zip(panels(overview(andrews)), parts, strict=True):
        for drawn, axes in zip(panel.axes, part.axes, strict=True):
            assert drawn.get_title(loc="left") == axes.get_title(loc="left")
            for line, other in zip(lines(drawn), lines(axes), strict=True):
                assert np.array_equal(line.get_ydata(), other.get_ydata(), equal_nan=True)


def test_the_overview_of_a_free_system_is_motion_and_energy():
    titles = [axes.get_title(loc="left") for axes in overview(run(oscillators(2))).axes]
    assert titles == ["positions", "velocities", "energy and work", "energy imbalance: total - total(0) - work"]
