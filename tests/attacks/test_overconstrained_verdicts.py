"""Random overconstrained linkages: true freedom from stages, redundant rows from states, rows in both orders."""

import numpy as np
import pytest
from attack_cases import attack_cases
from overconstrained_families import random_linkage


@pytest.mark.parametrize("seed", attack_cases(2))
def test_states_name_what_is_redundant(seed):
    """The rows left over are redundant always, none contradictory, also where the state is typed in seven digits."""
    _, linkage = random_linkage(seed + 1)  # the first few are small
    noise = np.random.default_rng(seed).normal(size=len(linkage.q))
    for system in (linkage.system, linkage.reversed):
        for offset in (0.0, 1e-6):
            state = system.at(linkage.q + offset * noise, linkage.v)
            verdicts = state.verdicts.values()
            assert {verdict.status for verdict in verdicts} == {"independent", "redundant"} or len(verdicts) == 1
            assert sum(len(verdict.rows) for verdict in verdicts) == len(state.G) - linkage.rank
            assert all(verdict.always for verdict in verdicts if verdict.status == "redundant")


FOLDED_LIFT = 50021  # seed: at the first points of a lift, whose first stage is folded, earlier rows become dependent


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted({*attack_cases(6), FOLDED_LIFT}))
def test_stages_have_the_true_freedom(seed):
    _, linkage = random_linkage(seed)
    for system in (linkage.system, linkage.reversed):
        assert system.stages().freedom == linkage.freedom
