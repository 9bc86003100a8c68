"""Number of cases of a random attack: a few by default, LIENKET_ATTACK=10000 for as many as that."""

import os


def attack_cases(default: int) -> range:
    """Return the seeds of an attack."""
    return range(int(os.environ.get("LIENKET_ATTACK", default)))
