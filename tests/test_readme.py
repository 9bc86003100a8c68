"""The README: its statements run, and its sessions print what it shows."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```(?:python)?\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.filterwarnings("ignore")
def test_the_readme_runs_as_it_is_written(monkeypatch):
    monkeypatch.chdir(ROOT)
    names: dict = {}
    sessions = 0
    for block in BLOCKS:
        if ">>>" in block and "Error" not in block:
            test = doctest.DocTestParser().get_doctest(block, names, "README", "README.md", 0)
            runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
            runner.run(test, clear_globs=False)
            names = test.globs
            assert runner.summarize(verbose=False).failed == 0
            sessions += 1
        elif "import lienket" in block or "lk.load" in block:
            exec(block, names)  # noqa: S102 -- our own text
    assert sessions >= 5
