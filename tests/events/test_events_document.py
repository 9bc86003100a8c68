"""The document on events prints what it shows, and its model file says the same as its Python."""

import doctest
import re
from pathlib import Path

import numpy as np

from lienket.model.file import read_text
from lienket.system import System

TEXT = (Path(__file__).parents[2] / "docs" / "events.md").read_text()
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_it_prints_what_it_shows():
    blocks = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "events", "events.md", 0)
    assert len(test.examples) > 30
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_its_model_file_is_the_same_system():
    (text,) = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)
    system = System.from_statement(read_text(text, "mass.toml"))
    motion = system.simulate(start={"x": 1.0, "y": 0.0}, until=1.5)
    np.testing.assert_allclose([s.t for s in motion.switches], [0.394016106, 0.860978101], atol=1e-8)
    assert [s.event for s in motion.switches] == ["break", "bounce"]
