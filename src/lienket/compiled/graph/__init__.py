"""One graph for all expressions, with one node for equal ones: translation, derivatives, evaluation."""
