"""Contacts: their modes, and their normal forces and friction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiled.constraint_facts import contacts_among
from ...foundation.arrays import Array
from ...results.contact_spans import contact_spans
from ..style import COLOURS, add_legend, draw, line_styles, prepare, shortened
from ..units import friction_unit, labelled, normal_unit, time_unit
from .panel import AXES_HEIGHT, MARGIN, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

# Colours that differ in lightness too: from open, the lightest, to sticking, the darkest.
MODES = {"open": "#E5E5E5", "slides": "#E69F00", "closed": "#56B4E9", "sticks": "#0072B2"}
BAR_HEIGHT = 0.7  # [1] height of a bar, relative to the distance of the contacts
STRIP_HEIGHT, CONTACT_HEIGHT = 0.6, 0.22  # [inch] height of the axes of modes without contacts, and of a contact


def draw_contacts(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw the modes of the contacts as bars over time (top), and their forces by unit (below).

    The modes are those of the run, exact to the times of its events. Normal forces are solid, friction is dashed; both
    are zero while a contact is open.
    """
    groups = _force_groups(curves)
    heights = [_strip(curves), *[AXES_HEIGHT] * len(groups)]
    panels = figure.subplots(1 + len(groups), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    _draw_modes(panels[0], trajectory)
    styles = dict(zip(curves.contacts, line_styles(len(curves.contacts)), strict=True))
    for axes, (unit, group) in zip(panels[1:], groups.items(), strict=True):
        prepare(axes, "forces of the contacts", labelled("force", unit))
        lines = []
        for name, what, values in group:
            dashes = {"linestyle": "--" if what == "friction" else "-"} if len(styles) <= len(COLOURS) else {}
            lines.append(draw(axes, curves.t, values, styles[name] | dashes))
        add_legend(axes, lines, [shortened(name, f", {what}") for name, what, _ in group])
    panels[-1].set_xlabel(labelled("t", time_unit(curves.system)), fontsize=9, parse_math=False)


def _draw_modes(axes: Axes, trajectory: Trajectory) -> None:
    """Draw a bar for each span of time in one mode."""
    prepare(axes, "modes of the contacts")
    run, present = trajectory._run, []
    stated = contacts_among(run.problem.model.constraints)
    begin, end = float(trajectory.t[0]), float(trajectory.t[-1])
    for k, contact in enumerate(stated):
        spans = [] if run.history is None else contact_spans(contact, run.history, end)
        for mode, colour in MODES.items():
            bars = [(max(s.begin, begin), min(s.end, end)) for s in spans if s.mode == mode]
            bars = [(low, high - low) for low, high in bars if high > low]
            if bars:
                present.append(mode)
                axes.broken_barh(bars, (k - BAR_HEIGHT / 2, BAR_HEIGHT), facecolor=colour, linewidth=0)
    axes.set_yticks(range(len(stated)))
    axes.set_yticklabels([shortened(contact.name) for contact in stated], fontsize=8, parse_math=False)
    axes.set_ylim(len(stated) - 0.5, -0.5)
    axes.grid(False)
    shown = [mode for mode in MODES if mode in present]
    add_legend(axes, [_patch(MODES[mode]) for mode in shown], shown, columns=2)


def _patch(colour: str) -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=colour)


def _force_groups(curves: Trajectory) -> dict[str, list[tuple[str, str, Array]]]:
    """Return (contact, "normal" or "friction", values) of each contact by unit."""
    groups: dict[str, list[tuple[str, str, Array]]] = {}
    stated = {c.name: c for c in curves.system.statement.every_constraint}
    for name, contact in curves.contacts.items():
        constraint = stated[name]
        groups.setdefault(normal_unit(curves.system, constraint), []).append((name, "normal", contact.normal))
        slip = None if constraint.law is None else constraint.law.sliding_velocity
        if slip is not None:
            group = groups.setdefault(friction_unit(curves.system, slip), [])
            group.append((name, "friction", np.asarray(contact.friction)))
    return groups


def _missing(trajectory: Trajectory) -> str:
    if trajectory.contacts:
        return ""
    return (
        "There are no contacts: no constraint has a law of friction or is unilateral.\n"
        "system.constrain(name, expression, law=lk.Coulomb(mu, slip)) or law=lk.laws.Unilateral() adds one."
    )


def _strip(curves: Trajectory) -> float:
    return STRIP_HEIGHT + CONTACT_HEIGHT * len(curves.contacts)


def _height(curves: Trajectory) -> float:
    return MARGIN + _strip(curves) + AXES_HEIGHT * len(_force_groups(curves))


CONTACTS = Panel("contacts", draw_contacts, _height, _missing)
