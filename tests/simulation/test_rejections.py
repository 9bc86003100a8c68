"""Reasons why a step is rejected: each has its sentence and its factor of the step."""

from lienket.simulation.memory import Rejections, rejections
from lienket.simulation.outcome import REJECTION_TEXTS
from lienket.simulation.run.native.advance import SHRINK


def test_each_reason_has_a_sentence_of_its_own_and_a_factor():
    assert set(REJECTION_TEXTS) == set(rejections)
    assert len(set(REJECTION_TEXTS.values())) == len(Rejections._fields)
    assert len(SHRINK) == len(Rejections._fields) + 1


def test_only_an_implicit_method_is_said_not_to_converge():
    assert [k for k, text in REJECTION_TEXTS.items() if "implicit" in text] == [rejections.NOT_CONVERGED]
    assert "singular position" in REJECTION_TEXTS[rejections.NO_BRIDGE]
