"""The document on drives prints what it shows."""

import doctest
import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "drives.md").read_text()


def test_it_prints_what_it_shows():
    blocks = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "drives", "drives.md", 0)
    assert len(test.examples) > 15
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
