"""The benchmark bicycle in nine coordinates with six constraints has the published eigenvalues."""

import numpy as np
import pytest
from bicycle import bicycle, published, straight


@pytest.fixture(scope="module")
def system():
    return bicycle()


@pytest.mark.parametrize("speed", [0.0, 1.0, 4.0, 5.0, 7.0, 10.0])
def test_the_benchmark_bicycle_has_its_published_eigenvalues(system, speed):
    linear = system.linearize(*straight(speed))
    assert len(linear.states) == 10
    assert linear.steady
    # The other six states (position, heading, wheel angles, forward speed) have zero eigenvalues.
    expected = np.concatenate([published(speed), np.zeros(6)])
    points = 20 * np.exp(2j * np.pi * np.arange(13) / 13)
    determinants = [np.linalg.det(s * np.eye(10) - linear.A) for s in points]
    assert determinants == pytest.approx([np.prod(s - expected) for s in points], rel=1e-9)


def test_published_eigenvalues_at_five_metres_per_second(system):
    """The paper's eigenvalues at 5 m/s: castering, capsize and weave."""
    values = system.linearize(*straight(5.0)).eigenvalues
    for number in (-14.07838969279822, -0.32286642900409, -0.77534188219585 + 4.46486771378823j):
        assert np.min(np.abs(values - number)) < 1e-9


@pytest.mark.parametrize(("speed", "stable"), [(4.0, False), (4.35, True), (5.9, True), (6.1, False)])
def test_bicycle_is_stable_between_weave_and_capsize(system, speed, stable):
    """The bicycle is stable from 4.292 m/s, where weave becomes damped, to 6.024 m/s, where capsize begins."""
    linear = system.linearize(*straight(speed))
    assert linear.stable is stable
