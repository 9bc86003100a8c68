"""Docstrings of the result classes: examples run; numpydoc sections name every parameter, result and attribute."""

import dataclasses
import doctest
import importlib
import inspect
import re
from functools import cached_property
from pathlib import Path

import pytest

import lienket as lk

ROOT = Path(__file__).parent.parent
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

PUBLIC = {  # module: its public classes and functions
    "kernels.state": "State",
    "kernels.contact_state": "ContactState",
    "kernels.audit": "Audit",
    "free_system.lagrange": "FreeSystem",
    "free_system.matrix_form": "MatrixForm",
    "free_system.printed": "PrintedEquations",
    "elimination.stage": "Stage",
    "elimination.stage_table": "Stages",
    "elimination.verdict": "Verdict",
    "elimination.forms.equations": "Equations",
    "reactions.reactions": "Reactions",
    "reactions.influence": "Influence",
    "reactions.hidden_programs.result": "HiddenPrograms HiddenRow",
    "assembly.evaluation.compiled_system": "CompiledSystem",
    "assembly.evaluation.compiled_contacts": "CompiledContactSystem",
    "simulation.start.start": "Start",
    "simulation.outcome": "Outcome",
    "simulation.events.history": "Switch",
    "results.audit.run_audit": "RunAudit",
    "analysis.equilibrium.result": "Equilibrium Equilibria",
    "analysis.linearization.result": "Linearization",
    "analysis.linearization.symbolic_system": "LinearFormulas",
    "analysis.sensitivity.result": "Sensitivity SensitivityAudit Along",
    "analysis.drives.result": "Drive DriveAudit",
    "analysis.identification.result": "Identified Estimate",
    "analysis.identification.contact": "MeasuredContact",
    "analysis.identification.identify": "identify measured",
    "model.measurements.record": "Record",
    "model.measurements.reading": "record",
}
INTERNAL = {  # fields of result classes that only the package itself reads
    "State": "_numbers _chain _judge _without _on_constraints _parts",
    "FreeSystem": "engine kinetic inside_Q inside_N",
    "Stage": "engine rows inside_beta inside_H inside_D inside_C inside_f inside_gamma inside_d",
    "Stages": "chain",
    "CompiledSystem": "model",
    "CompiledContactSystem": "model coordinates parameters values system stated_outputs optimize models",
    "Start": "of",
    "Switch": "problem",
    "RunAudit": "run",
}
WITH_EXAMPLES = ("identify", "measured", "record", "Record")  # every function and method has an example


def members_of(cls):
    """Return the public functions and properties that a class defines in its body, and indexing, by name."""
    fields = getattr(cls, "__dataclass_fields__", {})  # the default of a field may be a function
    for name, member in vars(cls).items():
        if name in fields or (name.startswith("_") and name != "__getitem__"):
            continue
        if inspect.isfunction(member) or isinstance(member, (property, cached_property)):
            yield name, member


def public_objects():
    """Return every public class, function, method and property as (dotted name, object)."""
    for module, names in PUBLIC.items():
        for name in names.split():
            thing = getattr(importlib.import_module(f"lienket.{module}"), name)
            yield name, thing
            if inspect.isclass(thing):
                yield from ((f"{name}.{member}", value) for member, value in members_of(thing))


OBJECTS = [pytest.param(name, thing, id=name) for name, thing in public_objects()]
FUNCTIONS = [p for p in OBJECTS if inspect.isfunction(p.values[1])]
CLASSES = [p for p in OBJECTS if inspect.isclass(p.values[1])]
WITH_DOCTESTS = [p for p in OBJECTS if ">>>" in (p.values[1].__doc__ or "")]


def sections_of(docstring):
    """Return the numpydoc sections of a docstring as {title: text}."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}$", inspect.cleandoc(docstring or ""), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def entries_of(section):
    """Return the names described in a section: "q, v : ndarray" gives q and v."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", section, flags=re.MULTILINE)
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def test_there_are_examples():
    assert {p.values[0].split(".")[0] for p in WITH_DOCTESTS} >= {"State", "Stages", "Equations", "Drive", "identify"}


@pytest.mark.parametrize(("name", "thing"), WITH_DOCTESTS)
def test_the_examples_run(name, thing, monkeypatch):
    """Every example prints its result; relative paths begin at the repository's root; lk and der are imported."""
    monkeypatch.chdir(ROOT)
    names = {"lk": lk, "der": lk.der}
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(thing.__doc__), names, name, name, 0)
    failures = []
    doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize(("name", "thing"), FUNCTIONS)
def test_parameters_and_result_are_described(name, thing):
    sections, signature = sections_of(thing.__doc__), inspect.signature(thing)
    assert entries_of(sections.get("Parameters", "")) == [x for x in signature.parameters if x != "self"]
    assert ("Returns" in sections) == (signature.return_annotation not in (None, "None"))
    if name.split(".")[0] in WITH_EXAMPLES:
        assert ">>> " in sections.get("Examples", ""), "no example"


@pytest.mark.parametrize(("name", "thing"), CLASSES)
def test_attributes_are_described(name, thing):
    """The section names every field that users read, and no attribute that does not exist."""
    described = entries_of(sections_of(thing.__doc__).get("Attributes", ""))
    fields = [f.name for f in dataclasses.fields(thing)] if dataclasses.is_dataclass(thing) else []
    fields += getattr(thing, "_fields", ())
    internal = INTERNAL.get(name, "").split()
    assert set(internal) <= set(fields)
    assert set(fields) - set(internal) <= set(described)
    assert all(x in fields or hasattr(thing, x) for x in described)


@pytest.mark.parametrize(("name", "thing"), OBJECTS)
def test_the_summary_is_one_sentence(name, thing):
    summary, _, rest = inspect.cleandoc(thing.__doc__).partition("\n")
    assert summary.endswith("."), summary
    assert not rest or rest.startswith("\n"), "no blank line below the summary"
    if inspect.isfunction(thing):
        assert summary.split()[0] in ("Return", "Fit", "Identify"), summary
    else:
        assert summary.split()[0] not in ("Return", "The", "What", "How"), summary
