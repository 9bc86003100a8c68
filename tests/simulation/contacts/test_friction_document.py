"""Console sessions in the document on friction print what they show."""

from documents import run_document


def test_document_prints_what_it_shows():
    run_document("friction", least=31)
