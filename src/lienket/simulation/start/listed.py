"""Enumeration of names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

LISTED_NAMES = 6  # [names] listed in a sentence


def listed(parts: Sequence[str]) -> str:
    """Return the parts as an enumeration, shortened to LISTED_NAMES."""
    more = [f"{len(parts) - LISTED_NAMES} more"] if len(parts) > LISTED_NAMES else []
    shown = [*parts[:LISTED_NAMES], *more]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
