"""Console sessions in the document on drives print what they show."""

from documents import run_document


def test_document_prints_what_it_shows():
    run_document("drives", least=16)
