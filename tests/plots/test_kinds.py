"""Each kind of plot by name: the data that it shows, and what it says without data."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import MODELS
from matplotlib.text import Text
from stand_in import oscillators, run

import lienket as lk
from lienket import der
from lienket.plots import PANELS, plot, save_all, saving

NEEDED = {  # what the system would need
    "reactions": "constrain(",
    "residuals": "constrain(",
    "contacts": "lk.Coulomb(",
    "events": "lk.Event(",
    "drives": "lk.Program(",
    "outputs": "outputs=",
}


def lines(axes):
    """Return the curves of axes, without vertical lines."""
    return [line for line in axes.get_lines() if line.get_transform() == axes.transData]


def named(axes):
    """Return the curves of axes by their names in the legend."""
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    return dict(zip(texts, (line.get_ydata() for line in lines(axes)), strict=True))


def marks(axes):
    """Return the times of the vertical lines."""
    return [line.get_xdata()[0] for line in axes.get_lines() if line.get_transform() != axes.transData]


def extents(bars):
    """Return begin and end of each bar."""
    return [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in bars.get_paths()]


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]


@pytest.fixture(scope="module")
def belt():
    return lk.load(MODELS / "belt.toml").simulate(until=2)


@pytest.fixture(scope="module")
def crane():
    start = {"s": 0.0, "l": 4.0, "x": 0.1}
    return lk.load(MODELS / "crane.toml").simulate(start=start, guess={"z": 4.0}, times=np.linspace(0, 6, 1001))


@pytest.fixture(scope="module")
def free():
    x, phi = lk.coordinates("x phi")
    m, k, J = lk.parameters("m k J")
    units = {x: "m", phi: "rad", m: "kg", k: "N/m", J: "kg m^2"}
    kinetic = m * der(x) ** 2 / 2 + J * der(phi) ** 2 / 2
    values = {m: 1.0, k: 4.0, J: 1.0}
    system = lk.System("free", [x, phi], kinetic=kinetic, potential=k * x**2 / 2, units=units, values=values)
    outputs = {"push": -k * x, "speed": der(x), "height": 2 * x, "number": lk.t**2}
    return system.simulate(start={"x": 1.0, "phi'": 1.0}, times=np.linspace(0, 1, 1001), outputs=outputs)


@pytest.mark.parametrize("kind", ["reaction", "Motion", "", "all"])
def test_an_unknown_kind_is_an_error_with_the_possible_ones(free, kind):
    with pytest.raises(lk.LienketError) as caught:
        free.plot(kind)
    assert repr(kind) in str(caught.value)
    assert all(name in str(caught.value) for name in ("overview", *PANELS))


@pytest.mark.parametrize("kind", NEEDED)
def test_without_data_the_figure_says_what_is_needed(kind):
    (axes,) = plot(run(oscillators(2)), kind).axes
    assert lines(axes) == []
    (text,) = axes.texts
    assert NEEDED[kind] in text.get_text()
    assert not text.get_parse_math()


def test_events_that_did_not_occur_are_listed():
    x = lk.coordinates("x")
    system = lk.System("mass", [x], kinetic=der(x) ** 2).watch(lk.Event("far away", when=x - 100))
    (axes,) = system.simulate(start={"x'": 1.0}, until=1).plot("events").axes
    assert "far away" in axes.texts[0].get_text()


class TestContacts:
    def test_forces_are_those_of_the_contact(self, belt):
        strip, forces = belt.sampled(1500).plot("contacts").axes
        assert forces.get_ylabel() == "force [N]"
        normal, friction = named(forces)["belt, normal"], named(forces)["belt, friction"]
        np.testing.assert_allclose(normal, 1.2 * 9.81, rtol=1e-12)
        np.testing.assert_allclose(friction, belt.sampled(1500).contacts["belt"].friction, rtol=1e-12)
        assert [text.get_text() for text in strip.get_yticklabels()] == ["belt"]

    def test_bars_join_the_events(self, belt):
        """A contact that sticks from "stops" to "slips" has a bar from the one time to the other."""
        strip = belt.plot("contacts").axes[0]
        drawn = {}
        for text, patch in zip(strip.get_legend().get_texts(), strip.get_legend().get_patches(), strict=True):
            for bars in strip.collections:
                if np.allclose(bars.get_facecolor()[0], patch.get_facecolor()):
                    drawn[text.get_text()] = [
                        (p.vertices[:, 0].min(), p.vertices[:, 0].max()) for p in bars.get_paths()
                    ]
        stops, slips = belt.events["belt stops"], belt.events["belt slips"]
        assert len(stops) == 3
        sticking = [(begin, end) for begin, end in zip(stops, [*slips, 2.0][: len(stops)], strict=True)]
        np.testing.assert_allclose(drawn["sticks"], sticking, rtol=1e-12)
        np.testing.assert_allclose(drawn["slides"], list(zip([0.0, *slips], stops, strict=False)), rtol=1e-12)

    def test_spans_cover_the_run_once(self):
        motion = lk.load(MODELS / "thrown_body.toml").simulate(start={"y": 1.0, "x'": 2.0}, until=2)
        strip = motion.plot("contacts").axes[0]
        bars = sorted(extent for collection in strip.collections for extent in extents(collection))
        assert bars[0][0] == 0
        assert np.isclose(bars[-1][1], 2)
        assert all(np.isclose(a[1], b[0]) for a, b in itertools.pairwise(bars))


class TestEvents:
    def test_a_row_for_each_event_that_occurred(self, belt):
        (axes,) = belt.plot("events").axes
        names = [text.get_text() for text in axes.get_yticklabels()]
        assert names == [name for name, times in belt.events.items() if len(times)]
        for name, line in zip(names, lines(axes), strict=True):
            assert np.array_equal(line.get_xdata(), belt.events[name])
        assert marks(axes) == []

    def test_events_are_marked_in_other_plots(self, belt):
        times = np.sort(np.concatenate(list(belt.events.values())))
        for kind in ("motion", "reactions", "energy", "residuals", "contacts"):
            for axes in belt.plot(kind).axes:
                np.testing.assert_array_equal(marks(axes), times)
        assert "events" in belt.plot("energy").get_suptitle()
        assert "events" in belt.plot().get_suptitle()

    def test_one_mark_for_a_thousand_bounces(self):
        motion = lk.load(MODELS / "thrown_body.toml").simulate(start={"y": 1.0, "x'": 2.0}, until=4)
        times = np.sort(np.concatenate(list(motion.events.values())))
        drawn = marks(motion.plot("energy").axes[0])
        assert len(drawn) < len(times) / 2
        assert all(np.min(np.abs(np.asarray(drawn) - time)) < 0.02 for time in times)


class TestDrives:
    def test_drives_and_errors_by_unit(self, crane):
        force, moment, error = crane.plot("drives").axes
        assert [axes.get_ylabel() for axes in (force, moment, error)] == ["drive [N]", "drive [N m]", "error [m]"]
        assert np.array_equal(named(force)["F"], crane.drives["F"])
        assert np.array_equal(named(moment)["winch"], crane.drives["winch"])
        programmed = 2.5 * (1 - np.cos(np.pi * crane.t / 6))
        np.testing.assert_allclose(named(error)["path"], crane["s"] - programmed, atol=1e-12)

    def test_a_program_kept_exactly_has_no_error(self):
        x = lk.coordinates("x")
        driven = lk.System("mass", [x], kinetic=der(x) ** 2).constrain(
            "law", lk.Program(x - lk.t**2, drives={"F": {x: 1}})
        )
        (axes,) = driven.simulate(until=1).plot("drives").axes
        np.testing.assert_allclose(named(axes)["F"], 4.0, rtol=1e-9)

    def test_a_program_has_no_multiplier(self):
        x = lk.coordinates("x")
        law = lk.Program(x - lk.t**2, drives={"F": {x: 1}})
        motion = lk.System("mass", [x], kinetic=der(x) ** 2).constrain("law", law).simulate(until=1)
        assert not motion.multipliers.any()
        assert titles(motion.plot("reactions")) == ["generalized reactions of the constraints"]


def test_outputs_of_equal_units_share_axes(free):
    figure = free.plot("outputs")
    by_label = {axes.get_ylabel(): named(axes) for axes in figure.axes}
    assert set(by_label) == {"output [N]", "output [m/s]", "output [m]", "output"}
    np.testing.assert_allclose(by_label["output [N]"]["push"], -4 * np.cos(2 * free.t), atol=1e-7)
    np.testing.assert_allclose(by_label["output [m/s]"]["speed"], -2 * np.sin(2 * free.t), atol=1e-7)
    np.testing.assert_allclose(by_label["output [m]"]["height"], 2 * np.cos(2 * free.t), atol=1e-7)


class TestOverview:
    def test_a_free_system_has_no_empty_axes(self, free):
        assert set(titles(free.plot())) == {
            "positions", "velocities", "outputs", "energy and work", "energy imbalance: total - total(0) - work",
        }  # fmt: skip
        assert all(lines(axes) for axes in free.plot().axes)

    def test_a_contact_shows_modes_forces_and_events(self, belt):
        assert {"modes of the contacts", "forces of the contacts", "events"} <= set(titles(belt.plot()))

    def test_programs_show_drives_and_errors(self, crane):
        figure = crane.plot()
        assert {"drives", "errors of the programs"} <= set(titles(figure))
        assert not {"events", "modes of the contacts", "outputs"} & set(titles(figure))

    def test_all_axes_have_the_time_of_the_run(self):
        """A reaction that begins late is drawn over the whole run."""
        motion = lk.load(MODELS / "thrown_body.toml").simulate(start={"y": 1.0, "x'": 2.0}, until=4)
        assert np.isnan(motion.multipliers[0, 0])
        for axes in motion.plot().axes:
            low, high = axes.get_xlim()
            assert low <= 0
            assert high >= 4
            assert high - low < 4.4


@pytest.mark.parametrize(("model", "names"), [
    ("belt", {"overview", "motion", "reactions", "contacts", "events", "energy", "residuals"}),
    ("free", {"overview", "motion", "outputs", "energy"}),
])  # fmt: skip
def test_the_files_are_those_of_the_kinds_with_data(model, names, request, tmp_path, monkeypatch):
    monkeypatch.setattr(saving, "png", lambda figure: figure.get_suptitle().encode())
    save_all(request.getfixturevalue(model), tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == names


def test_a_rounding_error_does_not_fill_the_axes(belt):
    """The multiplier of the belt is the weight, constant up to rounding; the block stays on the belt."""
    low, high = belt.plot("reactions").axes[1].get_ylim()
    assert high - low > 1
    left, _ = belt.plot("motion").axes
    assert len(lines(left)) == 2


def boxes(texts):
    """Return the extents of the texts that are shown, in pixels, from left to right."""
    shown = [text.get_window_extent() for text in texts if text.get_visible() and text.get_text()]
    return sorted(((box.x0, box.x1) for box in shown), key=lambda box: box[0])


def long_names():
    """Return a run with long names, contacts, rank events and reactions on points."""
    motion = run(
        oscillators(3, constraints=["a rather long name of a rod", "another one"]), undetermined=("another one",)
    )
    return replace(motion, t=np.linspace(0, 0.02, 50), rank_events=(SimpleNamespace(t=0.01),))


@pytest.mark.parametrize("which", ["belt", "crane", "long names"])
def test_labels_do_not_overlap(which, request):
    figure = plot(long_names() if which == "long names" else request.getfixturevalue(which))
    figure.draw_without_rendering()
    for axes in figure.axes:
        left, right = (axes.get_tightbbox().x0, axes.get_window_extent().x1)
        assert left >= 0
        ticks = boxes(label for label in axes.get_xticklabels() if axes.xaxis.get_tick_params()["labelbottom"])
        titles_of_axes = boxes(child for child in axes.get_children() if isinstance(child, Text))
        for row in (ticks, titles_of_axes):
            assert all(a[1] < b[0] for a, b in itertools.pairwise(row))
        if axes.get_legend():
            extent = axes.get_legend().get_window_extent()
            assert right <= extent.x0
            assert extent.x1 <= figure.bbox.x1
