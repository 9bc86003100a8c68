"""The sessions in the documents on linear systems and equilibria print what they show."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", ["linearization", "equilibrium"])
def test_a_document_prints_what_it_shows(name):
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / f"{name}.md").read_text(), flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, f"{name}.md", 0)
    assert len(test.examples) > 10
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
