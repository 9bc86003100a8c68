"""Sentence on the numbers of a start that were not given: computed from the constraints, guessed, or assumed 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .listed import listed
from .start import Start


def start_sentence(start: Start | None) -> str:
    """Return a sentence such as "Start: y computed from the constraints; all velocities assumed 0.", or "".

    It is empty if all numbers were given, or if it is not known which. Numbers that were not given and are still what
    was guessed, or 0, are told apart from those that the constraints have changed.
    """
    if start is None or start.stated is None:
        return ""
    stated = start.stated
    fixed, guessed = np.array([stated.fixed_q, stated.fixed_v]), np.array([stated.guessed_q, stated.guessed_v])
    kept = np.array([start.q == stated.q, start.v == stated.v])
    zero = np.array([start.q == 0, start.v == 0])  # a mechanism is assembled before its start is computed
    parts = {
        "computed from the constraints": ~fixed & ~(kept & (guessed | zero)),
        "as guessed": ~fixed & kept & guessed,
        "assumed 0": ~fixed & kept & ~guessed & zero,
    }
    said = [f"{_named(start.names, chosen)} {what}" for what, chosen in parts.items() if chosen.any()]
    return f"Start: {'; '.join(said)}." if said else ""


def _named(names: Sequence[str], chosen: np.ndarray) -> str:
    """Return the names of the chosen positions and velocities (2 x n booleans), all of a kind as one."""
    marks = ("", "'")
    kinds = [
        [kind] if len(names) > 1 and of_kind.all() else [x + mark for x, one in zip(names, of_kind, strict=True) if one]
        for kind, mark, of_kind in zip(("all positions", "all velocities"), marks, chosen, strict=True)
    ]
    return listed([name for kind in kinds for name in kind]).replace("positions and all", "positions and")
