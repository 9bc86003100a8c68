"""The document on measured forces prints what it shows."""

from documents import run_document


def test_it_prints_what_it_shows():
    run_document("measured", least=31)
