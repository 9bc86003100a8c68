"""The document on drives prints what it shows."""

from documents import run_document


def test_it_prints_what_it_shows():
    run_document("drives", least=16)
