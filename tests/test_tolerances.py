"""docs/tolerances.md lists every tolerance of the package as it is in the source."""

import importlib.util
from pathlib import Path

spec = importlib.util.spec_from_file_location("tolerances", Path(__file__).parents[1] / "tools" / "tolerances.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


def test_every_tolerance_has_a_unit_and_a_purpose():
    _, bare = tool.everything()
    assert bare == []


def test_the_page_is_current():
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(), "run `make tolerances`"


def test_a_number_without_a_comment_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "PACKAGE", tmp_path)
    module = tmp_path / "rooms.py"
    module.write_text(
        "# [s] a comment above\nLONGEST = 60.0\nSMALL = 1e-9  # [1] relative size\nBARE = 8 * 2.0**-52\nCODE = 3\n"
    )
    listed, bare = tool.tolerances(module)
    assert [(t.name, t.unit, t.purpose) for t in listed] == [
        ("LONGEST", "s", "a comment above"),
        ("SMALL", "1", "relative size"),
    ]
    assert bare == ["rooms.py:4 BARE"]
