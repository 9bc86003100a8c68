"""The document on events prints what it shows, and its model file says the same as its Python."""

import re

import numpy as np
from documents import DOCS, run_document

from lienket.model.file import read_text
from lienket.system import System

TEXT = (DOCS / "events.md").read_text()


def test_it_prints_what_it_shows():
    run_document("events", least=31)


def test_its_model_file_is_the_same_system():
    (text,) = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)
    system = System.from_statement(read_text(text, "mass.toml"))
    motion = system.simulate(start={"x": 1.0, "y": 0.0}, until=1.5)
    np.testing.assert_allclose([s.t for s in motion.switches], [0.394016106, 0.860978101], atol=1e-8)
    assert [s.event for s in motion.switches] == ["break", "bounce"]
