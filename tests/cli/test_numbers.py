"""Numbers as they are typed on the command line; text is never run as code."""

import math

import numpy as np
import pytest
import typer

from lienket.cli.numbers import ROW_LIMIT, check_names, number, pairs, positive, times


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2.0),
        ("-0.5", -0.5),
        ("1e-3", 1e-3),
        (" pi/3 ", 1.0471975511965979),
        ("sqrt(2)", math.sqrt(2)),
        ("-2^2", -4.0),
    ],
)
def test_numbers(text, value):
    """The value is rounded once: math.pi / 3 is rounded twice and ends in 76, but pi/3 = 1.04719755119659774615..."""
    assert number(text, "--set") == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "t",
        "nan",
        "inf",
        "1/0",
        "log(0)",
        "sqrt(-1)",
        "1e999",
        "__import__('os')",
        "(1).real",
        "1;2",
        "1, 2",
        "der(t)",
    ],
)
def test_texts_that_are_no_numbers_are_refused(text):
    with pytest.raises(typer.BadParameter):
        number(text, "--set")


@pytest.mark.parametrize("text", ["0", "-1", "-1e-300"])
def test_numbers_that_are_not_positive_are_refused(text):
    with pytest.raises(typer.BadParameter, match="must be positive"):
        positive(text, "--until")


def test_pairs_by_name():
    assert pairs(["m=2", "x'= 0.5", "phi =pi"], "--set") == {"m": 2.0, "x'": 0.5, "phi": math.pi}


@pytest.mark.parametrize("entries", [["m"], ["=2"], ["m="], ["m==2"], ["m=1", "m=2"]])
def test_texts_that_are_no_pairs_are_refused(entries):
    with pytest.raises(typer.BadParameter):
        pairs(entries, "--set")


def test_unknown_names_are_reported_together():
    with pytest.raises(typer.BadParameter) as caught:
        check_names(["mm", "m", "zz"], ["m", "g"], "parameter", "--set")
    assert "'mm', did you mean 'm'?" in str(caught.value)
    assert "'zz'." in str(caught.value)
    assert "It has m, g." in str(caught.value)


def test_a_whole_number_counts_rows():
    assert np.array_equal(times("5", 2.0), [0.0, 0.5, 1.0, 1.5, 2.0])


def test_a_number_with_a_point_is_a_step():
    assert np.array_equal(times("0.5", 2.0), [0.0, 0.5, 1.0, 1.5, 2.0])
    assert np.array_equal(times("2.0", 5.0), [0.0, 2.0, 4.0, 5.0])


@pytest.mark.parametrize(("step", "until"), [("0.1", 0.3), ("0.01", 10.0), ("1/3", 1.0), ("0.7", 2.1), ("3.0", 1.0)])
def test_steps_end_exactly_at_the_end_and_never_repeat_it(step, until):
    rows = times(step, until)
    assert rows[0] == 0.0
    assert rows[-1] == until
    gaps = np.diff(rows)
    assert gaps.min() > 1e-6 * until
    assert gaps.max() <= number(step, "") * (1 + 1e-9)


@pytest.mark.parametrize("text", ["0", "1", str(ROW_LIMIT + 1), "1e-9", "-0.1", "0.0", "x"])
def test_rows_that_are_refused(text):
    with pytest.raises(typer.BadParameter):
        times(text, 10.0)
