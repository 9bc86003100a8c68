"""Every answer that judges itself does it in one way, and docs/audit.md lists every threshold of the judgement."""

import re
from pathlib import Path

import numpy as np
import pytest

import lienket as lk
from lienket import der
from lienket.foundation.assessment import Assessment
from lienket.kernels import audit_limits

PAGE = Path(__file__).parents[1] / "docs" / "audit.md"
LONG = "the hinge between the crank and the coupler"  # two names that agree in their first 40 characters
x, y = lk.coordinates("x y")
k = lk.parameters("k")
free = lk.System("pendulum", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * y, values={k: 1.0})
pendulum = free.constrain("rod", x**2 + y**2 - k)
named = free.constrain(f"{LONG} left", y + 1).constrain(f"{LONG} right", x - 2)


def state(good):
    return pendulum.at([0.6, -0.8 if good else -0.9], [0, 0]).audit


def contradictory(good):
    system = free.constrain("a", x - 1) if good else free.constrain("a", x - 1).constrain("b", x - 2)
    return system.at([1, 0], [0, 0]).audit


def run(good):
    oscillator = lk.System("oscillator", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2)
    return oscillator.simulate(start={"x": 1}, until=30, method="rattle", step=0.01 if good else 1.0).audit


def drive(good):
    column = {"F": {x: 1}} if good else {"F": {y: 1}}
    point = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
    return point.drive({x: lk.t**2, y: 0 * lk.t}, column, times=np.linspace(0, 1, 5)).audit


def sensitivity(good):
    from lienket.analysis.sensitivity.result import sensitivity_audit

    if good:
        return pendulum.sensitivity(start={"x": 0.6}, guess={"y": -1}, until=1, by=["k"]).audit
    return sensitivity_audit(1e-3, 1e-3, "forward", 2)


def identified(good):
    slip = np.linspace(-1, 1, 200 if good else 8)
    noise = 0.1 * np.random.default_rng(0).normal(size=len(slip))
    return lk.laws.identify(-0.3 * 50 * np.sign(slip) + noise, np.full(len(slip), 50.0), slip)


ANSWERS = [state, contradictory, run, drive, sensitivity, identified]


@pytest.mark.parametrize("good", [True, False])
@pytest.mark.parametrize("answer", ANSWERS)
def test_every_assessment_has_one_shape(answer, good):
    audit = answer(good)
    assert isinstance(audit, Assessment)
    assert audit.ok is good
    assert audit.ok == (not audit.warnings)
    assert isinstance(audit.warnings, tuple) and all(w.endswith(".") for w in audit.warnings)
    assert str(audit) == audit.text() == "\n".join([*audit.facts(), *audit.warnings])


def test_names_are_not_cut_so_that_two_look_alike():
    state = named.at([2, -1], [0, 0]).audit
    motion = named.simulate(until=0.1).audit
    for audit in (state, motion):
        lines = [line for line in str(audit).splitlines() if line.startswith(LONG)]
        assert len({line.split("  ")[0] for line in lines}) == 2
        assert len({len(line) for line in lines}) == 1  # columns are as wide as the names need


def test_a_long_name_of_a_contact_is_written_out():
    floor = free.constrain(f"{LONG} left", y, law=lk.Coulomb(0.1, slip=der(x)))
    text = floor.simulate(start={"x'": 1.0}, until=0.1).audit.text()
    for label in ("work of", "contact"):
        assert f"{label} {LONG} left " in text


def test_the_page_lists_every_threshold_with_its_value():
    """The table of docs/audit.md has exactly the constants of kernels/audit_limits.py."""
    source = Path(audit_limits.__file__).read_text(encoding="utf-8")
    stated = {m[1]: float(m[2]) for m in re.finditer(r"^([A-Z_]+) = (\S+)  # \[", source, re.M)}
    listed = {m[1]: float(m[2]) for m in re.finditer(r"^\| `([A-Z_]+)` \| (\S+) \|", PAGE.read_text("utf-8"), re.M)}
    assert stated == {name: getattr(audit_limits, name) for name in stated}
    assert listed == stated


def test_every_line_of_the_table_says_what_is_compared():
    table = PAGE.read_text(encoding="utf-8").partition("## Thresholds")[2]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert rows
    for row in rows:
        _, value, unit, compared = (cell.strip() for cell in row.strip("| ").split(" | ", 3))
        assert float(value) > 0 and unit and len(compared) > 10
