"""Questions for sensitivities that have no answer are refused with the reason and the remedy."""

import numpy as np
import pytest
import sympy as sp
from problems.four_bars import flat_times, four_bars, four_bars_start

import lienket as lk
from lienket import der
from lienket.analysis.sensitivity.run_derivatives import refusal

x, y = lk.coordinates("x y")
m, l, g = lk.parameters("m l g")


def pendulum():
    kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2
    system = lk.System("pendulum", [x, y], kinetic=kinetic, potential=m * g * y, values={m: 2, l: 1, g: 9.81})
    return system.constrain("rod", x**2 + y**2 - l**2)


OPTIONS = {"start": {"x": 0.6}, "guess": {"y": -0.8}, "until": 0.2}


def refused(match, system=None, **options):
    with pytest.raises(lk.LienketError, match=match):
        (system or pendulum()).sensitivity(**({"by": ["m"]} | OPTIONS | options))


def test_names():
    refused(r"by: mm is neither a parameter nor a start value of this system, did you mean 'm'\?", by=["mm"])
    refused(r"by: x'' is neither", by=["x''"])
    refused(r"by: m occurs twice", by=["m", m])
    refused(r"by: it is empty", by=[])
    refused(r"of: z is no state, acceleration, multiplier or output of this run", of=["z"])
    refused(r"of: rod\[1\] is no", of=["rod[1]"])
    with pytest.raises(lk.ModelError) as caught:  # all faults together
        pendulum().sensitivity(
            by=["q"], of=["w"], mode="sideways", method="bdf", outputs={"a": sp.Symbol("b")}, **OPTIONS
        )
    assert len(caught.value.faults) == 5


def test_symbols_are_names_too():
    result = pendulum().sensitivity(by=[m, x, der(x)], of=[y, der(y), der(x, 2)], **OPTIONS)
    assert result.by == ("m", "x", "x'")
    assert result.of == ("y", "y'", "x''")
    assert pendulum().sensitivity(by="l", of="x", **OPTIONS)["x", "l"] == pytest.approx(
        pendulum().sensitivity(by=["l", "m"], **OPTIONS)["x", "l"], rel=1e-12
    )


@pytest.mark.parametrize("method", ["bdf", "rattle", "ida"])
def test_methods_without_derivatives_are_refused(method):
    refused(rf"method: steps of '{method}' cannot be differentiated\n.*'dop853', 'radau5' or 'auto'", method=method)


def test_modes():
    refused(r"mode: 'backward' is unknown", mode="backward")
    refused(r"mode: the adjoint gives derivatives at the end of the run only", mode="adjoint", along=True)


def test_a_run_that_does_not_reach_its_end():
    system = lk.System("falls into the centre", [x], kinetic=der(x) ** 2 / 2, potential=-m / x, values={m: 1})
    with pytest.raises(lk.LienketError, match="did not reach its end"):
        system.sensitivity(start={"x": 1.0}, until=5, by=["m"])


def test_a_run_over_a_singular_position():
    """A run that steps over a singular position of a parallelogram, where both branches meet, is refused.

    A row 1e-6 before such a position can only be made by a step over it; see tests/simulation/test_singular.py.
    """
    options = {"start": four_bars_start(1, 3), "until": 10.0, "rtol": 1e-6, "atol": 1e-6}
    system = four_bars(1, times=(10.0,)).system
    before = system.sensitivity(**options | {"until": 0.2}, by=[system.coordinates[0]])
    assert before.audit.ok and before.audit.residual < 1e-10
    over = system.simulate(**options, times=flat_times(1, 3, 10.0) - 1e-6)
    assert over.statistics.bridges > 0
    assert "stepped over a singular position" in refusal(over._run)


def test_run_past_singular_positions_is_refused_or_reported_by_its_audit():
    """Rounding decides whether a run steps over a singular position or passes near it; both are reported."""
    system = four_bars(1, times=(10.0,)).system
    options = {"start": four_bars_start(1, 3), "until": 10.0, "by": [system.coordinates[0]]}
    for tolerance in (1e-4, 1e-5, 1e-6, 1e-7):
        refused, ok = "", False
        try:
            audit = system.sensitivity(**options, rtol=tolerance, atol=tolerance).audit
            ok = audit.ok or audit.singular == 0
        except lk.LienketError as error:
            refused = str(error)
        assert not ok
        assert not refused or "stepped over a singular position" in refused


def test_multipliers_of_redundant_constraints():
    system = pendulum().constrain("same", 2 * (x**2 + y**2 - l**2))
    with pytest.raises(lk.LienketError, match=r"multipliers cannot be differentiated, since 'same' depends on other"):
        system.sensitivity(by=["m"], of=["rod[0]"], **OPTIONS)


def test_access_to_the_result():
    result = pendulum().sensitivity(by=["m", "l"], of=["x"], **OPTIONS)
    assert result.along is None
    with pytest.raises(lk.LienketError, match="no derivative by something named 'g'"):
        result["x", "g"]
    with pytest.raises(lk.LienketError, match="no derivative of something named 'y'"):
        result["y", "l"]
    with pytest.raises(lk.LienketError, match="no derivative named 'x'"):
        result["x"]
    with pytest.raises(ValueError, match="read-only"):
        result.values[0, 0] = 1


def test_text():
    result = pendulum().sensitivity(by=["m", "l"], of=["x", "x'"], **OPTIONS)
    head, *rows = result.text().splitlines()
    assert head.split() == ["by", "m", "by", "l"]
    assert [row.split()[0] for row in rows] == ["x", "x'"]
    np.testing.assert_allclose([float(c) for c in rows[0].split()[1:]], result.values[0], rtol=1e-7, atol=1e-14)
    assert "Derivatives of 'pendulum' at t = 0.2" in repr(result) and "tangent space" in repr(result)


def test_outputs_are_differentiated_with_the_state_unless_something_is_named():
    result = pendulum().sensitivity(by=["m"], outputs={"x": 2 * x, "pull": m * der(y, 2)}, **OPTIONS)
    assert result.of == ("x", "y", "x'", "y'", "output x", "pull")
    assert result["output x", "m"] == pytest.approx(2 * result["x", "m"], abs=1e-12)


def test_python_functions_without_derivatives_are_named():
    law = lk.function("law", lambda s: np.tanh(s), arguments=1)
    system = lk.System("spring", [x], kinetic=m * der(x) ** 2 / 2, forces={x: -law(x)}, values={m: 1})
    with pytest.raises(lk.LienketError, match="law"):
        system.sensitivity(start={"x": 1.0}, until=1.0, by=["m"])


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_an_expression_without_a_finite_derivative(mode):
    system = lk.System("root", [x], kinetic=m * der(x) ** 2 / 2, forces={x: -sp.sqrt(x)}, values={m: 1})
    with pytest.raises(lk.LienketError, match=r"not finite between t = 0 and .* root at 0"):
        system.sensitivity(start={"x'": 1.0}, until=0.5, by=["m", "x'"], mode=mode)
