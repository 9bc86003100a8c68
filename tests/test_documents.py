"""The documents on simulation, start values and machine code are run as sessions."""

from pathlib import Path

import pytest
from documents import run_document


@pytest.mark.parametrize(("name", "least"), [("simulation", 8), ("start", 5), ("machine-code", 5)])
def test_the_document_says_what_happens(monkeypatch, name, least):
    monkeypatch.chdir(Path(__file__).parents[1])
    run_document(name, least)
