"""Number of cases of a random attack: a few by default.

LIENKET_ATTACK=10000 tries as many of each, LIENKET_ATTACK=10000:20000 those from the first number up to the second.
"""

import os


def attack_cases(default: int) -> range:
    """Return the seeds of an attack."""
    first, _, last = os.environ.get("LIENKET_ATTACK", str(default)).rpartition(":")
    return range(int(first or 0), int(last))
