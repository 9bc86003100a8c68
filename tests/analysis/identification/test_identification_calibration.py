"""An interval of 95 % contains the true value in 95 of 100 measurements: counted over consecutive seeds.

The number of M intervals that contain it is binomial with mean 0.95 M: of 100 at least 89 with 99.6 %, of 300 between
270 and 297 with 99.98 %, of 2000 between 1870 and 1930 (0.935 to 0.965) with 99.8 %.
"""

import numpy as np
import pytest
from sliding import LAWS, TRUE, measurement

from lienket.analysis.identification.identify import identify


def share(law, count, **options):
    """Return the share of intervals with the true value inside, by parameter, and the share of fits with a warning."""
    fits = [identify(*measurement(law, seed, **options), law) for seed in range(count)]
    inside = {name: np.mean([TRUE[name] in each[name] for each in fits]) for name in fits[0].parameters}
    return inside, np.mean([bool(each.warnings) for each in fits])


@pytest.mark.parametrize("law", LAWS)
def test_a_hundred_measurements(law):
    inside, warned = share(law, 100)
    assert inside["mu"] >= 0.95
    assert min(inside.values()) >= 0.89
    assert warned <= 0.02


@pytest.mark.parametrize("law", LAWS[:2])
def test_two_thousand_measurements_of_linear_laws(law):
    inside, warned = share(law, 2000, n=100)
    assert all(0.935 <= s <= 0.965 for s in inside.values()), inside
    assert warned <= 0.005


@pytest.mark.parametrize("law", LAWS[2:])
def test_three_hundred_measurements_with_the_stribeck_effect(law):
    inside, _ = share(law, 300)
    assert all(0.90 <= s <= 0.99 for s in inside.values()), inside


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS[2:])
def test_two_thousand_measurements_with_the_stribeck_effect(law):
    inside, warned = share(law, 2000)
    assert all(0.935 <= s <= 0.965 for s in inside.values()), inside
    assert warned <= 0.01


@pytest.mark.parametrize("level", [0.5, 0.8])
def test_other_levels(level):
    estimates = [identify(*measurement("coulomb", seed, n=60), level=level)["mu"] for seed in range(1000)]
    deviation = np.sqrt(level * (1 - level) / 1000)
    assert abs(np.mean([TRUE["mu"] in each for each in estimates]) - level) < 3.1 * deviation


def test_few_samples_need_the_quantiles_of_student():
    """With 4 samples and 1 parameter the interval is 3.18 standard errors wide; 1.96 would cover only 86 %."""
    estimates = [identify(*measurement("coulomb", seed, n=4))["mu"] for seed in range(1000)]
    assert abs(np.mean([TRUE["mu"] in each for each in estimates]) - 0.95) < 0.022
    normal = [abs(each.value - TRUE["mu"]) < 1.96 * each.standard_error for each in estimates]
    assert np.mean(normal) < 0.9


def test_with_correlated_noise_the_intervals_are_widened_enough():
    naive, widened = [], []
    for seed in range(400):
        force, normal, slip = measurement("coulomb", seed, n=500, rho=0.8)
        fit = identify(force, normal, slip)
        widened.append(TRUE["mu"] in fit["mu"])
        naive.append(abs(fit["mu"].value - TRUE["mu"]) < 1.96 * fit.sigma / np.linalg.norm(normal))
    assert np.mean(naive) < 0.75  # coverage of the formula for independent noise
    assert np.mean(widened) > 0.91
    assert fit.correlation_time == pytest.approx((1 + 0.8) / (1 - 0.8), rel=0.5)


def test_weights_are_inverse_variances():
    """With half of the samples five times as noisy, weighted intervals keep their level and are narrower."""
    widths, inside = [], []
    for seed in range(400):
        force, normal, slip = measurement("coulomb", seed, n=100, sigma=0.0)
        deviation = np.where(np.arange(100) % 2, 0.5, 2.5)
        force = force + deviation * np.random.default_rng(seed).normal(size=100)
        weighted, plain = (identify(force, normal, slip, weights=w) for w in (1 / deviation**2, None))
        inside.append(TRUE["mu"] in weighted["mu"])
        widths.append(weighted["mu"].standard_error / plain["mu"].standard_error)
    assert 0.91 < np.mean(inside) < 0.985
    # Variances: 1/(sum of weights) beside the mean variance over n, the normal force apart.
    assert np.mean(widths) == pytest.approx(np.sqrt(2 / (1 / 0.25 + 1 / 6.25)) / np.sqrt((0.25 + 6.25) / 2), rel=0.05)
