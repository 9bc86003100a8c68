"""Messages on faults of model files: each fault once, with its own location, and no caret without a line."""

import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.errors import ExpressionError, ModelFileError
from lienket.language.text import read_expression
from lienket.model.file import read_text

HEAD = 'lienket = 1\nname = "mass"\n'
x, y = lk.coordinates("x y")


def faults_of(text):
    with pytest.raises(ModelFileError) as caught:
        read_text(text)
    return caught.value.faults


@pytest.mark.parametrize(
    ("rest", "line", "what"),
    [
        ("coordinates =", 3, "the key coordinates has no value"),
        ("coordinates = \n\n\n", 3, "the key coordinates has no value"),
        ('coordinates = ["x",\n  "y"\n', 3, "the list that begins with [ as the value of coordinates is not closed"),
        ('coordinates = ["x"\nkinetic = "der(x)^2"\n', 3, "the list that begins with [ as the value of coordinates"),
        ('kinetic = """der(x)^2\n\n# "x"\n', 3, 'the text that begins with """ as the value of kinetic is not closed'),
        ("kinetic = '''der(x)^2\n\n", 3, "the text that begins with ''' as the value of kinetic is not closed"),
        ('\nkinetic = "der(x)^2\nforces = 1', 4, 'the text that begins with " as the value of kinetic is not closed'),
        ("[parameters]\nm = {value = 1\n", 4, "the inline table that begins with { as the value of m is not closed"),
        ("[parameters]\nm = {value = ", 4, "the inline table that begins with { as the value of m is not closed"),
        ("# [ { \" '''\nkinetic = ", 4, "the key kinetic has no value"),
        ('a = "\\""\nb = \'\\\'\nkinetic = ', 5, "the key kinetic has no value"),
        ("[parameters\nm = 1", 3, "expected ']' at the end of a table declaration"),
        ("name = 1", 3, "cannot overwrite a value"),
    ],
)  # fmt: skip
def test_unfinished_toml_is_told_with_what_is_unfinished_and_its_line(rest, line, what):
    for text in (HEAD + rest, (HEAD + rest).replace("\n", "\r\n")):
        (fault,) = faults_of(text)
        assert fault.where == "TOML"
        assert fault.what.startswith(f"line {line}: {what}")
        assert "end of document" not in str(fault)
        shown, caret = fault.advice.splitlines()
        assert shown.strip() == text.splitlines()[line - 1].strip()
        assert caret.strip() == "^"


def test_no_prefix_of_a_model_is_without_a_line_of_its_own():
    """However a file is cut off, the message names a line of the file, or keys that are missing."""
    text = HEAD + 'coordinates = [{name = "x", unit = "m"}]\nkinetic = """der(x)^2/2\n+ 0"""\n[parameters]\nm = 1\n'
    for end in range(len(text)):
        try:
            read_text(text[:end])
        except ModelFileError as error:
            message = str(error)
            assert "end of document" not in message
            assert "TOML: line " in message or "TOML" not in message


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "\t"])
def test_an_empty_formula_has_no_caret(text):
    with pytest.raises(ExpressionError) as caught:
        read_expression(text, {})
    assert str(caught.value) == "expected a formula, found an empty text"
    (fault,) = faults_of(HEAD + f'coordinates = ["x"]\nkinetic = "der(x)^2"\npotential = """{text}"""\n')
    assert str(fault) == "potential: expected a formula, found an empty text"


def test_formulas_that_a_file_cannot_hold_are_each_told_at_their_location(tmp_path):
    long = sp.Add(*(sp.sin(k * x) * sp.cos(k * y) for k in range(1, 500)))
    one_term = sp.exp(long)
    system = lk.System("big", [x, y], kinetic=der(x) ** 2 + der(y) ** 2, potential=one_term, forces={y: long})
    system = system.constrain("rod", long - 1)
    with pytest.raises(ModelFileError) as caught:
        lk.save(system, tmp_path / "big.toml")
    faults = caught.value.faults
    assert [f.where for f in faults] == ["potential", "[forces] y", "[[constraints]] 'rod'"]
    for fault in faults:
        assert fault.what.startswith("it cannot be written: ")
        assert "\n" not in fault.what
        assert "has a fault" not in str(fault)
    assert list(tmp_path.iterdir()) == []


def test_an_energy_of_many_terms_is_written_although_one_formula_would_be_too_long(tmp_path):
    energy = sp.Add(*(sp.sin(k * x) for k in range(1, 900)))
    system = lk.System("big", [x], kinetic=der(x) ** 2, potential=energy)
    lk.save(system, tmp_path / "big.toml")
    assert lk.load(tmp_path / "big.toml") == system


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("coordinates = []\nkinetic = 0", 'coordinates = ["x", "y"]'),
        ('coordinates = ["x"]', 'kinetic = "m*der(x)^2/2", or the matrix inertia = [["m"]]'),
        ('coordinates = ["x"]\nkinetic = "der(x)^2"\n[[constraints]]\nname = "c"\nequation = "x"\nkind = "velocity"',
         'Write kind = "holonomic", or leave `kind` out.'),
        ('coordinates = ["x"]\nkinetic = "der(x)^2"\n[[constraints]]\nname="c"\nkind = "holonomic"\nequation="der(x)"',
         'Write kind = "velocity", or leave `kind` out.'),
    ],
)  # fmt: skip
def test_advice_on_a_file_is_in_the_notation_of_files(text, advice):
    told = "\n".join(map(str, faults_of(HEAD + text)))
    assert advice in told
    assert "lk." not in told
