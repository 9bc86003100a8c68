"""Andrews' squeezer at two states of its motion, against accelerations and multipliers computed in quadruple precision.

The problem is that of the Test Set for IVP Solvers 2.4, chapter II-13, whose printed accelerations and multipliers at
t = 0.03 agree with these to 6 or 7 digits. Its multipliers have the other sign, A q'' + G^T lambda = h.
"""

import numpy as np
import pytest
import symengine as se
from conftest import MODELS

import lienket as lk
from lienket import derivation
from lienket.reactions.reaction_problem import reaction_problem
from lienket.reactions.reactions import METHODS

START = [-0.06171389001427645, 0, 0.45527981916307037, 0.22266839016588588, 0.48736497954384256, -0.22266839016588588,
         1.2305474445498212]  # fmt: skip
Q = [15.810771195153707, -15.756371058411839, 0.0408222401196458, -0.5347301163420796, 0.524409965879954,
     0.5347301163420796, 1.048080741041938]  # fmt: skip
V = [1139.9203022591062, -1424.3792951775401, 11.032911910618594, 19.29337410503204, 0.5735699148295025,
     -19.29337410503204, 0.3231791492491309]  # fmt: skip
A = [-24631.763122874636, 51850.31963646423, 324102.6007075786, 566749.4220009954, 16743.635418345446,
     -566749.4220009954, 9826.507801544163]  # fmt: skip
LAMBDA = [199.17534810453864, -29.755309974971762, 23.06654361162215, 31.452725275771137, 22.64249478639438,
          11.617392352611256]  # fmt: skip


def squeezer():
    return lk.load(MODELS / "andrews_squeezer.toml")


def test_accelerations_and_multipliers_at_the_start():
    state = squeezer().at(START, [0] * 7)
    assert state.accelerations == pytest.approx(
        [14222.4439199541, -10666.8329399656, 0, 0, 0, 0, 0], rel=1e-12, abs=1e-9
    )
    assert state.multipliers == pytest.approx([-98.5668703962411, 6.12268834425566, 0, 0, 0, 0], rel=1e-12, abs=1e-11)
    assert state.audit.ok


def test_accelerations_and_multipliers_in_motion():
    state = squeezer().at(Q, V)
    assert state.accelerations == pytest.approx(A, rel=1e-12)
    assert state.multipliers == pytest.approx([-x for x in LAMBDA], rel=1e-12)
    assert state.audit.ok
    assert [v.status for v in state.verdicts.values()] == ["independent"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_formulas_of_every_method_give_the_same_reaction(method):
    system = squeezer()
    chain = derivation.stages(system.statement)
    engine = chain.engine
    point = dict(zip([*engine.q, *engine.v], [*Q, *V], strict=True))
    point |= {engine.inward(p): float(x) for p, x in system.values.items()}
    symbols = sorted(point, key=str)
    formulas = se.Lambdify(symbols, METHODS[method](reaction_problem(chain)))
    expected = system.at(Q, V).reaction
    reaction = formulas([point[s] for s in symbols])
    assert np.abs(reaction - expected).max() <= 1e-10 * np.abs(expected).max()
