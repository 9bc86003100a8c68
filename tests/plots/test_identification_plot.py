"""The figure of an identified law shows its samples, its curve and its residuals."""

import numpy as np

from lienket.analysis.identification.identify import identify
from lienket.plots.identification import SAMPLE_LIMIT


def identified_law(n):
    rng = np.random.default_rng(0)
    slip = rng.uniform(-1, 1, n)
    return identify(-0.3 * 20 * np.sign(slip) + rng.normal(size=n), np.full(n, 20.0), slip)


def test_the_figure_shows_law_and_residuals():
    result = identified_law(300)
    law, time, slip, sizes = result.plot().axes
    np.testing.assert_array_equal(slip.get_lines()[0].get_xdata(), result.slip)
    np.testing.assert_array_equal(slip.get_lines()[0].get_ydata(), result.residuals)
    np.testing.assert_array_equal(time.get_lines()[0].get_xdata(), result.rows)
    left, right, dots = law.get_lines()
    np.testing.assert_allclose(right.get_ydata(), -20 * result["mu"].value)
    np.testing.assert_allclose(left.get_ydata(), 20 * result["mu"].value)
    np.testing.assert_allclose(dots.get_ydata(), result.tangential)  # the normal force is constant
    assert [text.get_text() for text in law.get_legend().get_texts()] == ["measured", "law"]
    assert np.isclose(sum(bar.get_height() * bar.get_width() for bar in sizes.patches), 1)


def test_very_many_samples_are_thinned_out():
    dots = identified_law(3 * SAMPLE_LIMIT).plot().axes[2].get_lines()[0]
    assert SAMPLE_LIMIT / 2 < len(dots.get_xdata()) <= SAMPLE_LIMIT


def test_without_noise_there_is_still_a_figure():
    slip = np.linspace(0.1, 1, 50)
    result = identify(-6 * np.ones(50), np.full(50, 20.0), slip)
    figure = result.plot()
    figure.canvas.draw()
    assert len(figure.axes) == 4
