"""A law in a few words, as tables and overviews show it."""

from __future__ import annotations

from ...language.printing.text import plain
from .coulomb import Coulomb
from .exerted import Exerted
from .unilateral import Unilateral
from .viscous import Viscous


def describe(law: Coulomb | Exerted | Unilateral | Viscous) -> str:
    """Its name and what was said: "Coulomb, mu = 0.3, slip = x', unilateral"."""
    said = [f"{name} = {plain(e)}" for name, (e, _) in law.parts().items() if e != 0 or name == "mu"]
    if isinstance(law, Coulomb) and law.unilateral:
        said.append("unilateral")
    if isinstance(law, Coulomb | Unilateral) and law.impact != "newton":
        said.append(f"impact = {law.impact}")
    return ", ".join([type(law).__name__, *said])
