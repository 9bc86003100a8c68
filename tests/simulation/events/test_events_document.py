"""Console sessions in the document on events print what they show; its model file states the same system."""

import re

import numpy as np
from documents import DOCS, run_document

from lienket.model.file import read_text
from lienket.system import System

TEXT = (DOCS / "events.md").read_text()


def test_document_prints_what_it_shows():
    run_document("events", least=31)


def test_model_file_of_the_document_is_the_same_system():
    (text,) = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)
    system = System.from_statement(read_text(text, "mass.toml"))
    motion = system.simulate(start={"x": 1.0, "y": 0.0}, until=1.5)
    np.testing.assert_allclose([s.t for s in motion.switches], [0.394016106, 0.860978101], atol=1e-8)
    assert [s.event for s in motion.switches] == ["break", "bounce"]
