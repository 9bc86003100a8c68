"""Note of an audit on contacts whose normal force was taken to be |lambda|, since nothing tells it (theory 9)."""

from __future__ import annotations

from collections.abc import Iterable


def normal_force_notes(contacts: Iterable[str]) -> tuple[str, ...]:
    """Return one sentence on the contacts with friction whose normal force is assumed, by name; none without any."""
    names = list(map(repr, contacts))
    if not names:
        return ()
    listed = ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]
    return (
        f"The friction of {listed} takes |lambda| as the normal force, which is right if the constraint measures a "
        "distance from the contact point. State the point in the law, point=(X, Y), and the normal force is known.",
    )
