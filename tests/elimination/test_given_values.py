"""Linkages that move only with special lengths: their freedom with the numbers of the model, and what is redundant."""

import json
from pathlib import Path

import numpy as np
import pytest
from sympy import cos, sin

import lienket as lk
from lienket import der

CASES = {case["id"]: case for case in json.loads((Path(__file__).parents[1] / "data/overconstrained.json").read_text())}
ORDERS = ("model", "model_reversed")


def load(case, order, tmp_path):
    path = tmp_path / f"{order}.toml"
    path.write_text(case[order], encoding="utf-8")
    return lk.load(path)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", [n if n != "bennett" else pytest.param(n, marks=pytest.mark.slow) for n in CASES])
def test_stages_find_the_true_freedom(name, order, tmp_path):
    stages = load(CASES[name], order, tmp_path).stages()
    assert stages.freedom == CASES[name]["freedom"]
    assert sum(len(stage.verdict.rows) for stage in stages) == CASES[name]["redundant_count"]
    assert all(stage.verdict.status != "contradictory" for stage in stages)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", CASES)
def test_verdicts_at_a_state_count_the_redundant_rows(name, order, tmp_path):
    """Also beside the constraints: as with numbers typed in seven digits, nothing becomes independent."""
    case, system = CASES[name], load(CASES[name], order, tmp_path)
    q, v = np.array(case["start"]["q"]), np.array(case["start"]["v"])
    noise = np.random.default_rng(0).normal(size=len(q))
    for offset in (0.0, 1e-9, 1e-6):
        verdicts = system.at(q + offset * noise, v).verdicts.values()
        assert sum(len(verdict.rows) for verdict in verdicts) == case["redundant_count"]
        assert {verdict.status for verdict in verdicts} <= {"independent", "redundant"}
        assert all(verdict.always for verdict in verdicts if verdict.status == "redundant")


def test_accelerations_beside_the_constraints_are_those_on_them(tmp_path):
    case, system = CASES["bennett"], load(CASES["bennett"], "model", tmp_path)
    q, v = np.array(case["start"]["q"]), np.array(case["start"]["v"])
    on, beside = system.at(q, v), system.at(q + 1e-7 * np.array([1, -2, 1]), v)
    assert beside.accelerations == pytest.approx(on.accelerations, rel=1e-5)


A1, A2, A3 = lk.coordinates("alpha beta gamma")
a, b, c, J, share = lk.parameters("a b c J share")


def parallelogram(values):
    """Return a four-bar of cranks a and c and coupler b over a ground b, with a second coupler of length b."""
    free = lk.System("loop", [A1, A2, A3], kinetic=J * sum(der(x) ** 2 for x in (A1, A2, A3)) / 2, values=values)
    loop = [a * cos(A1) + b * cos(A2) - b - c * cos(A3), a * sin(A1) + b * sin(A2) - c * sin(A3)]
    gap = [b + share * (c * cos(A3) - a * cos(A1)), share * (c * sin(A3) - a * sin(A1))]
    return free.constrain("loop", loop).constrain("second coupler", gap[0] ** 2 + gap[1] ** 2 - b**2)


def test_equal_cranks_make_the_second_coupler_redundant_with_these_values():
    values = {"a": 0.4, "b": 1.3, "c": 0.4, "J": 1.0, "share": 0.5}
    moving = parallelogram(values)
    verdict = moving.stages()["second coupler"].verdict
    assert (verdict.status, verdict.with_values) == ("redundant", True)
    assert verdict.sentence == "'second coupler' is redundant with these values: it follows from 'loop'."
    assert moving.at([1.1, 0, 1.1], [0, 0, 0]).verdicts["second coupler"] == verdict
    assert moving.stages().freedom == 1
    assert not parallelogram({**values, "c": 0.45}).stages()["second coupler"].satisfied


def test_equal_numbers_of_different_parameters_agree():
    """x = a and x = c contradict each other in general, and agree if both are 2."""
    x, y = lk.coordinates("x y")
    for numbers, status in (
        ({}, "contradictory"),
        ({"a": 2, "c": 2}, "redundant"),
        ({"a": 2, "c": 3}, "contradictory"),
    ):
        free = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, values=numbers)
        assert free.constrain("one", x - a).constrain("other", x - c).stages()["other"].verdict.status == status


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units_do_not_change_the_freedom(unit):
    values = {"a": 0.4 * unit, "b": 1.3 * unit, "c": 0.4 * unit, "J": 1.0, "share": 0.5}
    assert parallelogram(values).stages().freedom == 1
