"""Run documents: the sessions in them must print what they show."""

import doctest
import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_document(name, least):
    """Run all Python blocks of docs/<name>.md as one session of at least `least` examples; none may fail."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / f"{name}.md").read_text(), flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, f"{name}.md", 0)
    assert len(test.examples) >= least
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
