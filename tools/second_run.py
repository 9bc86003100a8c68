"""Count what a second `simulate` of one system enters: functions, files, calls, and rooms that it comes back to.

    .venv/bin/python tools/second_run.py            the example models, a table
    .venv/bin/python tools/second_run.py --list     also the way through the rooms

The first run derives and compiles; the second shows what every further run costs to read. A room that is left and
entered again is a task split over two walls.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import lienket as lk

PACKAGE = f"{Path(lk.__file__).parent}/"
MODELS = Path(__file__).parents[1] / "examples" / "models"
RUNS: dict[str, dict[str, Any]] = {
    "rolling_disc": {"start": {"x'": 1.0}, "until": 1},
    "four_bar": {"start": {"a": 0.3}, "guess": {"b": 0.5, "c": 1.5}, "until": 1},
    "slider_crank": {"start": {"phi": 0.5}, "until": 1},
    "belt": {"start": {"x": 0.01}, "until": 1},
}


def walk(call: Callable[[], Any]) -> tuple[set[tuple[str, str]], int, list[str]]:
    """Return (file, function) of what is entered, the number of calls, and the rooms in the order of entering."""
    entered: set[tuple[str, str]] = set()
    calls, rooms = 0, []
    stack: list[str | None] = []

    def profile(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        if event == "call":
            code = frame.f_code
            inside = code.co_filename.startswith(PACKAGE)
            path = code.co_filename.removeprefix(PACKAGE)
            room = path.split("/")[0].removesuffix(".py") if inside else None
            if inside and not code.co_name.startswith("<"):
                entered.add((path, code.co_qualname))
                calls += 1
                outer = next((r for r in reversed(stack) if r), None)
                if room and room not in ("foundation", "errors") and room != outer and rooms[-1:] != [room]:
                    rooms.append(room)
            stack.append(room)
        elif event == "return" and stack:
            stack.pop()

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered, calls, rooms


def main() -> None:
    """Print the table."""
    print(f"{'':20}{'functions':>10}{'files':>7}{'calls':>7}   rooms entered again")
    for name, options in RUNS.items():
        system = lk.System.from_statement(lk.load(MODELS / f"{name}.toml").statement)
        for _ in range(2):
            system.simulate(**options)
        entered, calls, rooms = walk(lambda: system.simulate(**options))  # noqa: B023  # called at once
        again = [room for k, room in enumerate(rooms) if room in rooms[:k]]
        files = {path for path, _ in entered}
        print(f"{name:20}{len(entered):>10}{len(files):>7}{calls:>7}   {' '.join(again) or '-'}")
        if "--list" in sys.argv:
            print("    " + " > ".join(rooms))


if __name__ == "__main__":
    main()
