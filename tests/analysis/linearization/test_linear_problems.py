"""The linear systems of the reference problems against differences of consistent motions at their starts."""

import numpy as np
import pytest
from problems import PROBLEMS

WEIGHTS = (3 / 4, -3 / 20, 1 / 60)  # differences of order six
NAMES = """andrews modelica_absolute four_bars_5_fast knife_edge appell_hamel constant_speed rattleback rolling_coin
universal babyboot_bodies flyball_bodies carriage light_cart_rod"""
STEPS = dict.fromkeys(NAMES.split(), 1e-4)
STEPS["heavy_top_singular"] = 1e-2  # its spin of 150 rad/s makes rounding of a start 1e4 times larger


@pytest.mark.parametrize("name", STEPS)
def test_matrix_a_of_a_reference_problem(name):
    problem = PROBLEMS[name]()
    system = problem.system
    start = system.consistent(problem.start, others=False)
    linear = system.linearize(start)
    everything = [*start.names, *(f"{x}'" for x in start.names)]
    indices = [everything.index(state) for state in linear.states]
    x = np.concatenate(list(start))

    def rates(k, d):
        moved = x + d * linear.T[:, k]
        independent = {everything[i]: moved[i] for i in indices}
        guess = {key: moved[i] for i, key in enumerate(everything) if i not in indices}
        q, v = system.consistent(independent, guess=guess, others=False)
        return np.concatenate([v, system.at(q, v).accelerations])[indices]

    columns = []
    for k, index in enumerate(indices):
        step = STEPS[name] * max(1.0, abs(x[index]))
        pairs = enumerate(WEIGHTS, 1)
        columns.append(sum(w * (rates(k, j * step) - rates(k, -j * step)) for j, w in pairs) / step)
    differences = np.array(columns).T
    assert np.max(np.abs(linear.A - differences)) < 1e-9 * np.max(np.abs(differences))


@pytest.mark.parametrize("pair", [("flyball", "flyball_bodies"), ("modelica_relative", "modelica_absolute"),
                                  ("babyboot", "babyboot_bodies")])  # fmt: skip
def test_a_machine_at_rest_has_one_spectrum_in_relative_coordinates_and_of_bodies(pair):
    first, second = (PROBLEMS[name]() for name in pair)
    spectra = []
    for problem in (first, second):
        rest = problem.system.equilibrium(guess=problem.start[0])
        linear = problem.system.linearize(rest)
        assert linear.steady
        spectra.append([np.sort(linear.frequencies), rest.frequencies, rest.stability])
    # Zero frequencies (a machine may turn freely about an axis) are computed to half of the digits.
    assert spectra[0][0] == pytest.approx(spectra[1][0], rel=1e-9, abs=1e-5)
    assert spectra[0][1] == pytest.approx(spectra[1][1], rel=1e-9)
    assert spectra[0][2] == spectra[1][2]
