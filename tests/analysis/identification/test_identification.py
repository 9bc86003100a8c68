"""Identification of friction: exact without noise, warnings exactly where they are due, faults reported."""

import numpy as np
import pytest
from sliding import LAWS, TRUE, measurement
from sympy import cos

import lienket as lk
from lienket import der
from lienket.analysis.identification import contact, contact_on_path
from lienket.analysis.identification.friction_laws import friction, slopes
from lienket.analysis.identification.identify import identify, measured
from lienket.model.measurements import record

N = 200
NOISE = 0.3 * np.random.default_rng(0).normal(size=N)
SPEEDS = np.random.default_rng(1).uniform(0.2, 2.0, N)
BOTH_WAYS = SPEEDS * np.sign(np.random.default_rng(2).normal(size=N))
LOAD = np.full(N, 20.0)


def warnings(force, normal, slip, law="coulomb", **options):
    return identify(force, normal, slip, law, **options).warnings


# Values


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("offset", [False, True])
def test_identification_without_noise_is_exact(law, offset):
    fit = identify(*measurement(law, sigma=0.0, offset=offset), law, offset=offset)
    assert fit.values == pytest.approx({name: TRUE[name] for name in fit.parameters}, rel=1e-7)
    assert ("offset" in fit.parameters) is offset
    assert fit.sigma < 1e-8
    assert fit.warnings == ()


def test_coulomb_is_the_quotient_of_sums():
    """Closed form: mu = -sum F s |N|/sum N^2, standard error sigma/sqrt(sum N^2), t-quantile 1.9720 for 199."""
    force, normal, slip = measurement("coulomb", 4)
    fit = identify(force, normal, slip)
    mu = -np.sum(force * np.sign(slip) * normal) / np.sum(normal**2)
    left = force + mu * normal * np.sign(slip)
    sigma = np.sqrt(np.sum(left**2) / 199)
    error = sigma / np.sqrt(np.sum(normal**2))
    assert fit["mu"].value == pytest.approx(mu, rel=1e-12)
    assert fit.sigma == pytest.approx(sigma, rel=1e-12)
    assert fit["mu"].standard_error == pytest.approx(error, rel=1e-12)
    assert fit["mu"].interval == pytest.approx((mu - 1.9720 * error, mu + 1.9720 * error), rel=1e-6)
    assert fit.degrees_of_freedom == 199
    np.testing.assert_allclose(fit.residuals, left, atol=1e-12)
    np.testing.assert_allclose(fit.covariance, [[error**2]], rtol=1e-12)


@pytest.mark.parametrize("law", LAWS)
def test_slopes_are_the_derivatives_of_the_law(law):
    names = tuple(identify(*measurement(law), law, offset=True).parameters)
    _, normal, slip = measurement(law)
    values = {name: TRUE[name] for name in names}
    J = slopes(names, normal, slip, values)
    for k, name in enumerate(names):
        h = 1e-6
        above, below = (friction(values | {name: TRUE[name] + step}, normal, slip) for step in (h, -h))
        np.testing.assert_allclose(J[:, k], (above - below) / (2 * h), atol=1e-6)


def test_fitted_values_minimize_the_sum_of_squares():
    """The sum of squares is larger at random parameters near the fitted ones."""
    force, normal, slip = measurement("stribeck+viscous", 5)
    fit = identify(force, normal, slip, "stribeck+viscous")
    best = np.sum(fit.residuals**2)
    rng = np.random.default_rng(6)
    for _ in range(50):
        other = {name: value * (1 + 0.01 * rng.normal()) for name, value in fit.values.items()}
        assert np.sum((force - friction(other, normal, slip)) ** 2) > best


def test_sign_of_the_normal_force_has_no_effect():
    force, normal, slip = measurement("stribeck", 1)
    one, other = identify(force, normal, slip, "stribeck"), identify(force, -normal, slip, "stribeck")
    assert one.values == other.values


def test_units_change_nothing_but_the_numbers():
    force, normal, slip = measurement("stribeck+viscous", 2)
    one = identify(force, normal, slip, "stribeck+viscous")
    other = identify(force / 1e3, normal / 1e3, slip * 1e3, "stribeck+viscous")  # kN, mm/s
    scale = {"mu": 1, "mu_static": 1, "stribeck": 1e3, "viscous": 1e-6}
    for name, factor in scale.items():
        assert other[name].value == pytest.approx(factor * one[name].value, rel=1e-6)
        assert other[name].standard_error == pytest.approx(factor * one[name].standard_error, rel=1e-5)
    assert other.condition == pytest.approx(one.condition, rel=1e-5)


def test_sticking_is_left_out_and_counted():
    force, normal, slip = measurement("coulomb", 3)
    resting = np.r_[force, np.full(50, 99.0)], np.r_[normal, np.full(50, 20.0)], np.r_[slip, np.full(50, 1e-4)]
    fit, without = identify(*resting), identify(force, normal, slip)
    assert (fit.excluded, fit.threshold, len(fit.residuals)) == (50, 1e-3 * np.abs(slip).max(), 200)
    assert fit.values == without.values
    assert "50 with |slip| <= 0.0015 were left out" in str(fit)
    assert identify(*resting, threshold=1e-5).excluded == 0
    assert "More samples stick" in " ".join(warnings(force, normal, slip, threshold=1.2))


def test_result_is_immutable():
    fit = identify(*measurement("coulomb"))
    with pytest.raises(ValueError, match="read-only"):
        fit.residuals[0] = 1
    with pytest.raises(TypeError):
        fit.parameters["mu"] = 1
    with pytest.raises(AttributeError):
        fit.sigma = 0
    np.testing.assert_allclose(fit.friction(20.0, np.array([1.0, -1.0])), np.array([-20, 20]) * fit["mu"].value)


# Warnings


@pytest.mark.parametrize("law", LAWS)
def test_good_measurement_gives_no_warnings(law):
    for seed in range(20):
        assert warnings(*measurement(law, seed), law) == ()


def test_equal_speeds_do_not_separate_viscous_from_dry_friction():
    fit = identify(-0.3 * LOAD - 2.0 + NOISE, LOAD, np.ones(N), "coulomb+viscous")
    assert fit.condition == np.inf
    assert [e.standard_error for e in fit.parameters.values()] == [np.inf, np.inf]
    (warning,) = fit.warnings
    assert warning.startswith("The data do not determine mu and viscous")
    assert "mu is not determined" in str(fit)
    # Speeds within 5 %: determined, but poorly.
    slip = 1 + 0.05 * np.random.default_rng(3).normal(size=N)
    fit = identify(-0.3 * LOAD - 2 * slip + NOISE, LOAD, slip, "coulomb+viscous")
    (warning,) = fit.warnings
    assert warning.startswith("The data hardly separate mu and viscous")
    assert fit.correlation[0, 1] < -0.99
    # At one speed, a varying normal force separates the two parameters.
    load = LOAD + 15 * np.sin(np.arange(N))
    assert warnings(-0.3 * load - 2.0 + NOISE, load, np.ones(N), "coulomb+viscous") == ()


def test_one_direction_does_not_determine_an_offset():
    (warning,) = warnings(-0.3 * LOAD + 1 + NOISE, LOAD, SPEEDS, offset=True)
    assert "mu and offset" in warning and "measure both directions" in warning
    assert warnings(-0.3 * LOAD * np.sign(BOTH_WAYS) + 1 + NOISE, LOAD, BOTH_WAYS, offset=True) == ()
    assert warnings(-0.3 * LOAD + NOISE, LOAD, SPEEDS) == ()


def test_missing_stribeck_effect_is_reported():
    for seed in range(20):
        fit = identify(*measurement("coulomb", seed), "stribeck")
        assert any("show no Stribeck effect" in w or "do not determine" in w for w in fit.warnings), seed


def test_speeds_that_miss_the_stribeck_effect():
    fast = BOTH_WAYS + 0.4 * np.sign(BOTH_WAYS)
    force = friction({name: TRUE[name] for name in ("mu", "mu_static", "stribeck")}, LOAD, fast) + NOISE / 20
    assert any("extrapolated" in w for w in warnings(force, LOAD, fast, "stribeck"))
    slow = BOTH_WAYS / 100
    force = friction({name: TRUE[name] for name in ("mu", "mu_static", "stribeck")}, LOAD, slow) + NOISE / 20
    assert any("hardly separate" in w or "end of the range" in w for w in warnings(force, LOAD, slow, "stribeck"))


def test_law_that_lacks_a_term_is_reported():
    for law in ("coulomb+viscous", "stribeck"):
        assert any("lacks a term" in w for w in warnings(*measurement(law, 1), "coulomb"))


def test_correlated_noise_few_samples_and_wrong_signs():
    for rho, correlated in ((0.0, False), (0.8, True)):
        messages = warnings(*measurement("coulomb", 1, n=500, rho=rho))
        assert any("correlated in time" in w for w in messages) is correlated
    few = "6 samples are few to determine mu: the intervals are unreliable."
    assert warnings(*measurement("coulomb", n=6)) == (few,)
    force, normal, slip = measurement("coulomb")
    assert any("mu is negative" in w for w in warnings(-force, normal, slip))


# Faults


@pytest.mark.parametrize(
    ("arrays", "options", "what"),
    [
        ((LOAD[:3], LOAD, LOAD), {}, "the lengths differ: tangential has 3, normal has 200, slip has 200"),
        ((LOAD, LOAD, LOAD[:, None]), {}, "slip: one number for each sample was expected, not the shape (200, 1)"),
        ((LOAD, np.where(SPEEDS < 0.3, np.nan, 1), LOAD), {}, "normal: sample"),
        ((["a"], [1], [1]), {}, "tangential: an array of numbers was expected"),
        (([], [], []), {}, "not the shape (0,)"),
        ((LOAD, 0 * LOAD, LOAD), {}, "without a normal force there is no dry friction"),
        ((LOAD, LOAD, 0 * LOAD), {}, "0 samples, with |slip| > 0, of 200 are not enough"),
        (
            (LOAD[:3], LOAD[:3], SPEEDS[:3]),
            {"law": "stribeck"},
            "3 samples are not enough to determine mu, mu_static, stri",
        ),
        ((LOAD, LOAD, LOAD), {"law": "stribek"}, "did you mean 'stribeck'?"),
        ((LOAD, LOAD, LOAD), {"level": 95}, "a probability between 0 and 1, not 95"),
        ((LOAD, LOAD, LOAD), {"threshold": -1}, "zero or more, not -1"),
        ((LOAD, LOAD, LOAD), {"weights": 0 * LOAD}, "weights must be positive"),
        ((LOAD, LOAD, LOAD), {"weights": LOAD[:3]}, "weights has 3"),
    ],
)
def test_faults(arrays, options, what):
    with pytest.raises(lk.ModelError) as caught:
        identify(*arrays, **options)
    assert what in str(caught.value)


def test_all_faults_are_reported_together():
    with pytest.raises(lk.ModelError) as caught:
        identify(LOAD[:3], np.full(N, np.inf), LOAD, law="viscous", level=0)
    assert len(caught.value.faults) == 4


# The contact


def test_parts_of_a_force_along_its_path():
    rng = np.random.default_rng(8)
    for k in (2, 3):
        F, v = rng.normal(size=(50, k)), rng.normal(size=(50, k))
        parts = contact(F, v)
        np.testing.assert_allclose(parts.tangential * parts.slip, np.sum(F * v, axis=1), atol=1e-12)  # the power
        np.testing.assert_allclose(parts.tangential**2 + parts.normal**2, np.sum(F**2, axis=1), atol=1e-12)
        np.testing.assert_allclose(parts.slip, np.linalg.norm(v, axis=1), atol=1e-12)
    turned = contact([[0.0, 3.0]], [[-2.0, 0.0]], tangent=(5, 0))
    assert [float(part[0]) for part in turned] == [0.0, 3.0, -2.0]
    upright = contact(
        [[1.0, 2.0, 3.0]], [[1.0, 0.0, 0.0]], normal=(7, 0, 2)
    )  # the part of the normal across the path is along z
    assert [float(part[0]) for part in upright] == [1.0, 3.0, 1.0]
    resting = contact([[1.0, 2.0]], [[0.0, 0.0]])
    assert [float(part[0]) for part in resting] == [0.0, 0.0, 0.0]


def test_the_velocity_follows_from_measured_positions():
    t = np.linspace(0, 1, 11)
    points = np.column_stack([t**3, t**2])  # a cubic spline is exact for cubic polynomials
    parts = contact_on_path(np.ones((11, 2)), t, points)
    np.testing.assert_allclose(parts.slip, np.hypot(3 * t**2, 2 * t), atol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: contact([1.0, 2.0], [1.0, 2.0]),
        lambda: contact(np.ones((5, 2)), np.ones((4, 2))),
        lambda: contact(np.ones((5, 2)), np.ones((5, 2)), tangent=(0, 0)),
        lambda: contact(np.ones((5, 2)), np.ones((5, 2)), tangent=(1, 0, 0)),
        lambda: contact_on_path(np.ones((5, 2)), np.zeros(5), np.ones((5, 2))),
    ],
)
def test_shapes_that_do_not_fit(call):
    with pytest.raises(lk.LienketError):
        call()


def slope_and_record(axes):
    """Return a record of the contact force on a mass driven along y = x/2, its motion, and the exact parts."""
    x, y = lk.coordinates("x y")
    mass = lk.System("mass", [x, y], kinetic=der(x) ** 2 + der(y) ** 2, forces={x: 20 * cos(4 * lk.t)})
    motion = mass.constrain("line", y - x / 2).simulate(start={"x": 0, "x'": 0.2}, until=5)
    t = np.linspace(0.0, 4.9, 400)
    along = np.array([2.0, 1.0]) / np.sqrt(5)
    slip = motion.sampled(t).v @ along
    normal = 10 + 3 * np.sin(7 * t)
    tangential = -0.3 * normal * np.sign(slip) + 0.2 * np.random.default_rng(9).normal(size=400)
    fixed = tangential[:, None] * along + normal[:, None] * np.array([-1.0, 2.0]) / np.sqrt(5)
    values = fixed if axes == "fixed" else np.column_stack([tangential, normal])
    return record({"t": t, "X": values[:, 0], "Y": values[:, 1]}), motion, (x, y), (tangential, normal, slip)


@pytest.mark.parametrize("axes", ["fixed", "path"])
def test_from_a_record_and_a_motion(axes):
    measuring, motion, (x, y), exact = slope_and_record(axes)
    parts = measured(measuring, motion, at=(x, y), axes=axes, curve=y - x / 2)
    for part, wanted in zip(parts, exact, strict=True):
        np.testing.assert_allclose(part, wanted, atol=1e-9)
    assert 0.3 in identify(*parts)["mu"]
    if axes == "fixed":  # without a stated tangent, the direction of the velocity is taken
        parts = measured(measuring, motion, at=(x, y))
        np.testing.assert_allclose(parts.slip, np.abs(exact[2]), atol=1e-9)
        assert identify(*parts)["mu"].value == pytest.approx(identify(*exact)["mu"].value, rel=1e-6)


def test_only_common_times_of_record_and_motion_are_used():
    measuring, motion, (x, y), _ = slope_and_record("fixed")
    early = record({"t": measuring.t - 2.0, "X": measuring["X"], "Y": measuring["Y"]})
    assert len(measured(early, motion, at=(x, y)).slip) == np.sum(early.t >= 0)
    late = record({"t": measuring.t + 9.0, "X": measuring["X"], "Y": measuring["Y"]})
    with pytest.raises(lk.ModelError) as caught:
        measured(late, motion, at=(x, y), components=("X",), axes="polar")
    assert len(caught.value.faults) == 3
