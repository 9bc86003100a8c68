"""Console sessions in the documents on linear systems and equilibria print what they show."""

import pytest
from documents import run_document


@pytest.mark.parametrize("name", ["linearization", "equilibrium"])
def test_a_document_prints_what_it_shows(name):
    run_document(name, least=11)
