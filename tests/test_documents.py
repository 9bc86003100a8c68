"""The documents on simulation, start values, machine code, inputs, laws and mechanisms run as sessions."""

from pathlib import Path

import pytest
from documents import run_document


@pytest.mark.parametrize(
    ("name", "least"),
    [("simulation", 8), ("start", 5), ("machine-code", 5), ("inputs", 45), ("own-laws", 25), ("mechanisms", 60)],
)
def test_the_sessions_of_a_document_print_what_it_shows(monkeypatch, name, least):
    monkeypatch.chdir(Path(__file__).parents[1])
    run_document(name, least)
