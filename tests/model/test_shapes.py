"""Data fitted into classes: fitting data come out unchanged, misfits are reported with their path."""

import tomllib
from dataclasses import MISSING, dataclass, field
from typing import Annotated, Literal

import pytest
from conftest import MODELS
from schema_validator import valid

from lienket.model.file.json_schema import json_schema
from lienket.model.file.reading import read_text
from lienket.model.file.typed_toml import Misfit, fit


@dataclass(frozen=True)
class Inner:
    size: float
    note: str | None = None


@dataclass(frozen=True)
class Outer:
    number: int | float
    inner: Inner
    kind: Annotated[Literal["a", "b"], "One of two."] = "a"
    either: str | list[int] | Inner = ""
    pair: tuple[str, float] = ("", 0.0)
    many: tuple[Inner, ...] = ()
    named: dict[str, list[float]] = field(default_factory=dict)


WHOLE = {"number": 2, "inner": {"size": 1.5}}


def misfits(**changes):
    return fit(WHOLE | changes, Outer)[1]


def test_data_that_fit_come_out_unchanged():
    assert fit(WHOLE, Outer) == (Outer(2, Inner(1.5)), [])
    changes = {
        "kind": "b",
        "either": [1, 2],
        "pair": ["x", 3],
        "many": [{"size": 0.5, "note": "n"}],
        "named": {"k": [1]},
    }
    fitted, wrong = fit(WHOLE | changes, Outer)
    assert not wrong
    assert fitted == Outer(2, Inner(1.5), "b", [1, 2], ("x", 3.0), (Inner(0.5, "n"),), {"k": [1.0]})
    assert [type(fitted.number), type(fitted.pair[1]), type(fitted.named["k"][0])] == [int, float, float]


def test_a_union_is_resolved_by_the_type_of_the_value():
    assert fit(WHOLE | {"either": {"size": 1.0}}, Outer)[0].either == Inner(1.0)
    assert misfits(either={"size": "x"}) == [Misfit(("either", "size"), "x", "a number")]
    assert misfits(either=[1, True]) == [Misfit(("either", 1), True, "a whole number")]
    wanted = "a text in quotes or a list in square brackets or a table"
    assert misfits(either=0.5) == [Misfit(("either",), 0.5, wanted)]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"number": True}, Misfit(("number",), True, "a number")),
        ({"number": "2"}, Misfit(("number",), "2", "a number")),
        ({"inner": {"size": 10**400}}, Misfit(("inner", "size"), 10**400, "a number")),
        ({"inner": {"size": 1.0, "note": 3}}, Misfit(("inner", "note"), 3, "a text in quotes")),
        ({"inner": {}}, Misfit(("inner", "size"))),
        ({"inner": {"size": 1.0, "sise": 2}}, Misfit(("inner", "sise"), 2, known=("size", "note"))),
        ({"kind": "c"}, Misfit(("kind",), "c", "one of the allowed values", allowed=("a", "b"))),
        ({"pair": ["x"]}, Misfit(("pair",), ["x"], "a list of 2")),
        ({"many": [{"size": 1.0}, 2]}, Misfit(("many", 1), 2, "a table")),
        ({"named": {"k": [0.5, "x"]}}, Misfit(("named", "k", 1), "x", "a number")),
    ],
)
def test_a_misfit_is_reported_with_its_path(changes, expected):
    assert misfits(**changes) == [expected]


def test_all_misfits_are_reported_together():
    wrong = fit({"inner": {"size": ""}, "kind": 1, "other": 0}, Outer)[1]
    assert [misfit.path for misfit in wrong] == [("inner", "size"), ("kind",), ("number",), ("other",)]
    assert wrong[2].value is MISSING


def test_unknown_keys_are_ignored_on_request():
    assert fit(WHOLE | {"later": 1}, Outer, ignore_unknown=True) == (Outer(2, Inner(1.5)), [])


# The JSON Schema agrees with the shapes.


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_schema_admits_every_example_and_nothing_damaged(path):
    data, schema = tomllib.loads(path.read_text()), json_schema()
    assert valid(data, schema, schema)
    read_text(path.read_text())
    for key, wrong in [("lienket", 2), ("name", 1), ("coordinates", "x"), ("forces", {"x": []}), ("kind", "x")]:
        assert not valid(data | {key: wrong}, schema, schema)
    assert not valid({key: data[key] for key in data if key != "name"}, schema, schema)
