"""Events of a run in lines for the screen: their times, and what each of them changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...trajectory import Trajectory


EVENTS_SHOWN = 20  # [events] shown individually; of more, the first and the last half of this number


def event_lines(trajectory: Trajectory) -> list[str]:
    """Return a line for each event of a run in the order of time; of very many only the first and the last ones."""
    switches = trajectory.switches
    with_change = {(switch.event, switch.t) for switch in switches}
    lines = [(switch.t, str(switch)) for switch in switches]
    lines += [
        (float(t), f"t = {t:.9g}: {name}")
        for name, times in trajectory.events.items()
        for t in times
        if (name, float(t)) not in with_change
    ]
    lines.sort(key=lambda line: line[0])  # stable: events at one time stay in the order in which they happened
    texts = [text for _, text in lines]
    if len(texts) <= EVENTS_SHOWN:
        return texts
    half = EVENTS_SHOWN // 2
    left_out = f"... {len(texts) - 2 * half} more; -o run.npz keeps all of them"
    return [*texts[:half], left_out, *texts[-half:]]
