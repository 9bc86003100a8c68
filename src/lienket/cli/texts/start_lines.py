"""Start of a run in lines for the screen: its numbers and their origin, the assumptions, other assemblies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .wording import assignment

if TYPE_CHECKING:
    from ...model.input.stated_start import StatedStart
    from ...simulation.start.start import Start


START_ROWS = 12  # [coordinates] shown individually
ASSEMBLIES_SHOWN = 3  # [assemblies] other assemblies shown with their numbers
EQUAL_POSITIONS = 1e-6  # [1] difference of positions, relative to 1 and their size, below which they are not shown
_ORIGINS = {"given": "given", "guess": "from the guess", "open": "left open"}


def start_lines(start: Start | None) -> list[str]:
    """Return the lines on a Start: a row for each coordinate, then sentences; none if it is unknown."""
    if start is None:
        return []
    width = max(map(len, start.names), default=0)
    origins = start.origins
    lines = []
    for name, q, v in list(zip(start.names, start.q, start.v, strict=True))[:START_ROWS]:
        position = f"{name:{width}} = {q:<14.9g}{_origin(origins[name], start.stated, start.names.index(name), 0):22}"
        rate = f"{name + chr(39):{width + 1}} = {v:<14.9g}"
        lines.append(position + rate + _origin(origins[f"{name}'"], start.stated, start.names.index(name), 1))
    if len(start.names) > START_ROWS:
        lines.append(f"... and {len(start.names) - START_ROWS} more coordinates")
    return [line.rstrip() for line in [*lines, *start.assumptions, *_assemblies(start)]]


def _origin(origin: str, stated: StatedStart | None, index: int, level: int) -> str:
    """Return the origin of a number in words, with the guess it came from."""
    if origin != "guess" or stated is None:
        return _ORIGINS[origin]
    return f"from the guess {(stated.q, stated.v)[level][index]:.5g}"


def _assemblies(start: Start) -> list[str]:
    """Return a line with the number of other assemblies, and a line with an option that selects each of the first."""
    count = len(start.others)
    if not count:
        return []
    lines = [f"There {'is 1 other assembly' if count == 1 else f'are {count} other assemblies'} with the same start:"]
    for q in start.others[:ASSEMBLIES_SHOWN]:
        options = [
            assignment("--guess", name, f"{x:.6g}")
            for name, x, chosen in zip(start.names, q, start.q, strict=True)
            if start.origins[name] != "given" and abs(x - chosen) > EQUAL_POSITIONS * (1 + abs(chosen))
        ]
        lines.append(f"  {' '.join(options[:START_ROWS])}")
    return lines
