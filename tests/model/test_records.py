"""Records are read from every supported source; all faults are reported at once, with line or row and column."""

import pickle
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket.model.measurements import record

T = np.array([0.0, 0.5, 1.0, 1.5, 2.5])
X, Y = T**2 - 1, 3 * T


def faults(source, **options):
    with pytest.raises(lk.ModelError) as caught:
        record(source, **options)
    return [f"{fault.where}: {fault.what}" for fault in caught.value.faults]


@pytest.fixture
def file(tmp_path):
    def write(text, name="cut.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
        return path

    return write


def same(loaded):
    assert loaded.components == ("X", "Y")
    np.testing.assert_array_equal(loaded.t, T)
    np.testing.assert_array_equal(loaded.values, np.column_stack([X, Y]))
    return loaded


# Sources


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_files(file, mark, end, encoding):
    rows = [mark.join(map(repr, map(float, row))) for row in zip(T, X, Y, strict=True)]
    text = end.join(["# Versuch 3, µ unbekannt", "", mark.join("tXY"), *rows, ""])
    same(record(file(text, encoding=encoding)))


@pytest.mark.parametrize("mark", [";", "\t"])
def test_a_decimal_comma(file, mark):
    rows = [mark.join(repr(float(x)).replace(".", ",") for x in row) for row in zip(T, X, Y, strict=True)]
    same(record(file("\n".join([mark.join("tXY"), *rows]))))


def test_quotes_and_a_separator_at_the_end_of_every_line(file):
    rows = [f'{t!r},"{x!r}",{y!r},' for t, x, y in zip(T.tolist(), X.tolist(), Y.tolist(), strict=True)]
    loaded = record(file("\n".join(['"t, measured [s]","X",Y,', *rows])), time="t, measured")
    assert same(loaded).units == {"t": "s"}


def test_arrays_mappings_and_frames(file, tmp_path):
    import pandas

    columns = {"t": T, "X": X, "Y": list(Y)}
    same(record(columns))
    same(record(np.column_stack([T, X, Y]), columns=["t", "X", "Y"]))
    same(record(file("\n".join(f"{t},{x},{y}" for t, x, y in zip(T, X, Y, strict=True))), columns=["t", "X", "Y"]))
    same(record(pandas.DataFrame(columns)))
    same(record(pandas.DataFrame(columns).set_index("t")))
    pandas.DataFrame(columns).to_parquet(tmp_path / "cut.parquet")
    same(record(tmp_path / "cut.parquet"))
    same(record(str(tmp_path / "cut.parquet")))


def test_only_the_selected_columns_have_to_be_numbers(file):
    text = "t,note,Y,X\n" + "".join(f"{t},ok,{y},{x}\n" for t, x, y in zip(T, X, Y, strict=True))
    same(record(file(text), components=("X", "Y")))
    assert "column 'note': line 2: 'ok' is not a finite number" in faults(file(text))


def test_a_record_is_immutable_and_copies_its_source():
    mine = X.copy()
    loaded = record({"t": T, "X": mine, "Y": Y})
    mine[:] = 0
    same(loaded)
    with pytest.raises(ValueError, match="read-only"):
        loaded.values[0] = 1
    with pytest.raises(TypeError):
        loaded.units["X"] = "N"
    with pytest.raises(lk.LienketError, match="did you mean 'X'"):
        loaded["x"]
    same(pickle.loads(pickle.dumps(loaded)))


# Units


def test_units_in_the_heads_and_below_them(file):
    body = "".join(f"{t},{x},{y}\n" for t, x, y in zip(T, X, Y, strict=True))
    for head in ("t [s],X [kN],Y\n", "t,X,Y\ns,kN,\n", "t (s),X,Y\n,[kN],-\n"):
        assert record(file(head + body)).units == {"t": "s", "X": "kN"}
    assert record(file("t,X,Y\n" + body), units={"Y": "N"}).units == {"Y": "N"}
    assert record({"t [s]": T, "X [kN]": X, "Y": Y}, units={"X": "kN", "t": "s"}).units["X"] == "kN"
    (only,) = faults(file("t [ms],X,Y\n" + body), units={"t": "s"})
    assert only == "column 't': the source states 'ms', but units=... states 's'"
    (only,) = faults(file("t,X [N],Y\ns,kN,kN\n" + body))
    assert only == "column 'X': its header states 'N', but line 2 states 'kN'"
    assert record(file("t,X [N m],Y\n" + body), units={"X": "m N"}).units["X"] == "m N"  # the same unit
    assert faults({"t": T, "X": X}, units={"x": "N"}) == ["units: there is no column 'x', did you mean 'X'?"]


def test_a_row_with_an_empty_cell_is_not_taken_for_units(file):
    assert faults(file("t,X\n,1\n1,1\n2,1\n3,1\n")) == ["column 't': line 2: the cell is empty"]


# Faults


def test_all_faults_of_a_file_are_reported_with_their_lines(file):
    text = "# head\nt,X\n0,1\n1,one\n2,nan\n2,3,4\n1,inf\n3,\n3,1\n4,1_0\n5,1\n400,0x1\n"
    messages = faults(file(text))
    assert messages == [
        "columns: line 6 has 3 cells, but 2 columns are named",
        "column 'X': line 4: 'one' is not a finite number",
        "column 'X': line 5: 'nan' is not a finite number",
        "column 'X': line 7: 'inf' is not a finite number",
        "column 'X': line 8: the cell is empty",
        "column 'X': line 10: '1_0' is not a finite number",
        "column 'X': and 1 more of this kind",
        "column 't': line 9: 3 repeats 3 in line 8",
        "column 't': line 7: 1 is earlier than 2 in line 5",
        "column 't': line 11: a gap from 5 to 400, 395 times the median 1",
    ]


def test_all_faults_of_arrays_are_reported_with_their_rows():
    messages = faults({"t": [0.0, 1.0, 1.0, 0.5, 2.0], "X": [0.0, np.nan, 1.0, np.inf, 2.0]})
    assert messages == [
        "column 'X': row 1: 'nan' is not a finite number",
        "column 'X': row 3: 'inf' is not a finite number",
        "column 't': row 2: 1 repeats 1 in row 1",
        "column 't': row 3: 0.5 is earlier than 1 in row 2",
    ]
    masked = np.ma.masked_array(X, mask=[0, 0, 1, 0, 0])
    assert faults({"t": T, "X": masked}) == ["column 'X': row 2: 'nan' is not a finite number"]
    assert faults({"t": T, "X": [1, "2", None, True, 1j]}) == [
        f"column 'X': row {i}: {cell!r} is not a finite number" for i, cell in enumerate(["2", "None", "True", "1j"], 1)
    ]


def test_gaps_are_reported_and_can_be_allowed():
    t = np.r_[np.linspace(0, 1, 11), np.linspace(2.2, 3, 9)]
    (only,) = faults({"t": t, "X": t})
    assert only == "column 't': row 10: a gap from 1 to 2.2, 12 times the median 0.1"
    assert len(record({"t": t, "X": t}, gap=None)) == len(record({"t": t, "X": t}, gap=13)) == 20
    assert faults({"t": T, "X": X}, gap=0.5) == ["gap: it must be a number greater than 1, or None, not 0.5"]


def test_decimal_signs(file):
    (only,) = faults(file("t;X\n0;1,5\n1;1.5\n2;1\n3;1\n"))
    assert only == ": line 2 has a decimal comma, and line 3 a decimal point"
    assert faults(file("t;X\n0;1.234,5\n1;1\n2;1\n3;1\n")) == ["column 'X': line 2: '1.234,5' is not a finite number"]
    messages = faults(file("t,X\n0,0,1,5\n0,1,1,5\n0,2,1,5\n0,3,1,5\n"))
    assert messages[0] == "columns: line 2 has 4 cells, but 2 columns are named"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", ": it is empty"),
        ("\n \r\n", ": it is empty"),
        ("# only\n# this\n", ": it contains only comments"),
        ("t,X\n", ": there are no rows of numbers, but 4 are needed"),
        ("t,X\n0,1\n1,1\n2,1\n", ": there are 3 rows of numbers, but 4 are needed"),
        ("t X\n0 1\n", ": line 1: there is only one column"),
        ("0,1\n1,1\n", ": line 1: there are numbers without column names above them"),
        (b"t,X\n0,\xff\n", ": it is not text in UTF-8 (byte 6)"),
        ("t,X,X\n0,1,1\n1,1,1\n2,1,1\n3,1,1\n", "column 'X': there are 2 columns with this name"),
        ("Zeit,X\n0,1\n1,1\n2,1\n3,1\n", "column 't': there is no such column"),
        ('t,X\n0,"1\n1,1\n2,1\n3,1\n4,5\n', "column 'X': line 2: '\"1' is not a finite number"),
    ],
)
def test_faults_of_files_that_are_no_records(file, text, what):
    assert what in faults(file(text))


PIECES = st.sampled_from(
    ["t", "X", "0", "1", "2,5", ".", "-", "nan", "[N]", "(", '"', ",", ";", "\t", "\n", "\r", "#", " ", "é"]
)


@random_cases(300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=60).map(lambda p: "".join(p).encode())))
def test_any_file_gives_a_record_or_a_clear_fault(file, data):
    try:
        loaded = record(file(data))
    except lk.LienketError:  # anything else would fail here
        return
    assert np.all(np.isfinite(loaded.values)) and np.all(np.diff(loaded.t) > 0)


def test_text_is_never_evaluated(file):
    bomb = "t,X\n0,__import__('os').abort()\n1,2**2\n2,1\n3,1\n4,1\n"
    assert len(faults(file(bomb))) == 2


def test_sources_that_cannot_be_read(tmp_path):
    with pytest.raises(lk.LienketError, match="cannot be read: No such file"):
        record(tmp_path / "nothing.csv")
    with pytest.raises(lk.LienketError, match="cannot be read"):
        record(tmp_path)
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and no more")
    assert "it is not a Parquet file, or it is damaged" in faults(tmp_path / "bad.parquet")[0]
    assert "a path, a mapping" in faults(3)[0]
    assert "two axes" in faults([1.0, 2.0], columns=["t"])[0]
    assert "have no names" in faults(np.zeros((5, 2)))[0]
    assert faults(np.zeros((5, 2)), columns=["t"]) == ["columns: 1 names are given, but the array has 2 columns"]
    assert "different lengths: 't' has 5, 'X' has 4" in faults({"t": T, "X": X[:4]})[0]
    assert "shape (5, 1)" in faults({"t": T, "X": X[:, None]})[0]
    assert "name" in faults({"t": T, "X": X}, name="my record")[0]
    assert "it must be one of 'spline'" in faults({"t": T, "X": X}, kind="splin")[0]
    assert "and from the time" in faults({"t": T, "X": X}, components=["X", "t"])[0]
    assert "letters, digits" in faults({"t": T, "X 1": X, "X_1": X})[0]
    assert "no column besides" in faults({"t": T})[0]


def test_without_pyarrow_a_parquet_file_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "cut.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(lk.LienketError, match=r"lienket\[sweep\]"):
        record(tmp_path / "cut.parquet")


# Between the rows


@pytest.mark.parametrize("kind", ["spline", "pchip", "linear"])
def test_the_interpolation_goes_through_the_rows_and_agrees_with_the_tables(kind):
    loaded = record({"t": T, "X": X, "Y": Y}, kind=kind, outside="hold")
    np.testing.assert_allclose(loaded.at(T), loaded.values, atol=1e-14)
    at = np.linspace(-1, 4, 101)
    np.testing.assert_array_equal(loaded.at(at)[:, 1], loaded.table("Y").value(at))
    assert loaded.table("Y").name == "record_Y"


def test_cubic_polynomials_are_reproduced_exactly():
    p = np.polynomial.Polynomial([1.0, -2.0, 0.5, 0.25])
    loaded = record({"t": T, "X": p(T)})
    at = np.linspace(0, 2.5, 101)
    np.testing.assert_allclose(loaded.at(at)[:, 0], p(at), atol=1e-13)
    assert np.isnan(loaded.at([2.6])[0, 0])
