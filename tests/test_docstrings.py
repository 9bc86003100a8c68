"""Docstrings of the public interface: examples run; numpydoc sections name every parameter and the result."""

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

MODULES = (  # module, public names in it; the public methods and properties of classes are included
    ("lienket.system", "System"),
    ("lienket.trajectory", "Trajectory"),
    ("lienket.results.run_columns", "RunColumns"),
    ("lienket.language.symbols", "coordinates parameters der"),
    ("lienket.language.data_functions", "function table"),
    ("lienket.language.input_functions", "inputs Sampled"),
    ("lienket.files", "load save"),
    ("lienket.errors", "LienketError ModelError"),
    ("lienket.model.event", "Event"),
    ("lienket.model.force", "Force"),
    ("lienket.model.constraint", "Holonomic Velocity Acceleration Program"),
    ("lienket.model.reaction_symbols", "multiplier reaction"),
    ("lienket.model.laws", "Coulomb Viscous Exerted Unilateral Law Friction LawForce"),
    ("lienket.model.laws", "expression column flag word"),
    ("lienket.model.measurements", "record"),
    ("lienket.analysis.identification.identify", "identify measured"),
    ("lienket.constraints.catalogue", "fixed_point pin distance rod slot gear_ratio prescribed_motion constant_speed"),
    ("lienket.constraints.catalogue", "rolling knife_edge"),
)
INTERNAL = ("mapped", "renamed", "parts", "printed_friction", "friction", "expressions")  # only the package calls them
INTERNAL += ("check", "force", "coefficient")  # laws define them; docs/own-laws.md has the examples
WITHOUT_EXAMPLES = ()  # modules whose functions and methods need no example


def members_of(cls):
    """Return the functions and properties that a class defines in its body, by name."""
    for name, member in vars(cls).items():
        if isinstance(member, (classmethod, staticmethod)):
            member = member.__func__
        if inspect.isfunction(member) or isinstance(member, (property, cached_property)):
            yield name, member


def public_objects():
    """Return every public class, function, method and property as (module, dotted name, object)."""
    for module, names in MODULES:
        for name in names.split():
            thing = getattr(importlib.import_module(module), name)
            yield module, name, thing
            if inspect.isclass(thing):
                yield from ((module, f"{name}.{member}", value) for member, value in members_of(thing))


OBJECTS = [pytest.param(*item, id=f"{item[0]}:{item[1]}") for item in public_objects()]
FUNCTIONS = [
    p
    for p in OBJECTS
    if inspect.isfunction(p.values[2]) and not p.values[1].split(".")[-1].startswith(("_", *INTERNAL))
]
RESULTS = ("State", "Trajectory")
"""Classes that users read and annotate with, but do not construct."""
CLASSES = [p for p in OBJECTS if inspect.isclass(p.values[2])]


@pytest.fixture(scope="module")
def crank():
    return lk.load(ROOT / "examples" / "models" / "slider_crank.toml")


@pytest.fixture
def names(crank, monkeypatch):
    """Return the names that examples use without importing them; relative paths begin at the repository's root."""
    monkeypatch.chdir(ROOT)
    return {"lk": lk, "der": lk.der, "crank": crank}


def sections_of(docstring):
    """Return the numpydoc sections of a docstring as {title: text}."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}$", inspect.cleandoc(docstring or ""), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def entries_of(section):
    """Return the names described in a section: "q, v : array_like" gives q and v."""
    heads = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", section, flags=re.MULTILINE)
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def arguments_of(function):
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


@pytest.mark.parametrize(("module", "name", "thing"), OBJECTS)
def test_the_examples_run(module, name, thing, names):
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(thing.__doc__ or ""), names, name, module, 0)
    failures = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    runner.run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize(("module", "name", "thing"), FUNCTIONS)
def test_parameters_and_result_are_described(module, name, thing):
    sections, arguments = sections_of(thing.__doc__), arguments_of(thing)
    assert entries_of(sections.get("Parameters", "")) == arguments
    returns = inspect.signature(thing).return_annotation not in (None, "None")
    assert ("Returns" in sections) == returns
    if module not in WITHOUT_EXAMPLES:
        assert ">>> " in sections.get("Examples", ""), "no example"


@pytest.mark.parametrize(("module", "name", "thing"), CLASSES)
def test_classes_describe_what_is_constructed_or_read(module, name, thing):
    sections = sections_of(thing.__doc__)
    constructed = thing.__init__ is not Exception.__init__ and arguments_of(thing) and name not in RESULTS
    if constructed and name in (*lk.__all__, *lk.laws.__all__):
        assert "Parameters" in sections
    if "Parameters" in sections:
        assert entries_of(sections["Parameters"]) == arguments_of(thing)
    annotated = {name for base in thing.__mro__ for name in inspect.get_annotations(base)}
    for attribute in entries_of(sections.get("Attributes", "")):
        assert hasattr(thing, attribute) or attribute in annotated, attribute


@pytest.mark.parametrize(("module", "name", "thing"), OBJECTS)
def test_the_summary_is_one_sentence(module, name, thing):
    if name.split(".")[-1].startswith("_") and not thing.__doc__:
        return
    summary, _, rest = inspect.cleandoc(thing.__doc__).partition("\n")
    assert summary.endswith("."), summary
    assert not rest or rest.startswith("\n"), "no blank line below the summary"
