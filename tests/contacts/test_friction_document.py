"""The document on friction prints what it shows."""

import doctest
import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "friction.md").read_text()
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_it_prints_what_it_shows():
    blocks = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "friction", "friction.md", 0)
    assert len(test.examples) > 30
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
