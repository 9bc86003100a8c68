"""Short text of a law for tables and overviews."""

from __future__ import annotations

from ...language.printing.text import plain
from .coulomb import Coulomb
from .exerted import Exerted
from .unilateral import Unilateral
from .viscous import Viscous


def describe(law: Coulomb | Exerted | Unilateral | Viscous) -> str:
    """Return the law's name and its parameters: "Coulomb, mu = 0.3, slip = x', unilateral"."""
    phrases = [f"{name} = {plain(e)}" for name, (e, _) in law.parts().items() if e != 0 or name == "mu"]
    if isinstance(law, Coulomb) and law.unilateral:
        phrases.append("unilateral")
    if isinstance(law, Coulomb | Unilateral) and law.impact != "newton":
        phrases.append(f"impact = {law.impact}")
    return ", ".join([type(law).__name__, *phrases])
