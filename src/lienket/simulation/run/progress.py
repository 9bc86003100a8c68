"""Progress bar for long runs in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

BAR_DELAY = 0.7  # [s] of a run before a progress bar appears


class ProgressReport:
    """Context of a run that is a function of the time reached, or None: the user's function, or a bar on stderr.

    `progress` is None (a bar if stderr is a terminal), True, False, or a function.
    """

    def __init__(self, progress: Callable[[float], Any] | bool | None, begin: float, end: float, what: str) -> None:
        self.bar = None
        self.reached = progress if callable(progress) else None
        if progress is True or (progress is None and sys.stderr.isatty()):
            self.bar = _Bar(begin, end, what)
            self.reached = self.bar.reached

    def __enter__(self) -> Callable[[float], Any] | None:
        return self.reached

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


class _Bar:
    """Progress bar that appears after BAR_DELAY; its library is imported only then."""

    def __init__(self, begin: float, end: float, what: str) -> None:
        self.begin, self.end, self.what = begin, end, what
        self.since, self.bar, self.task = time.perf_counter(), None, None  # type: Any, Any, Any

    def reached(self, t: float) -> None:
        """Show the time reached."""
        if self.bar is None:
            if time.perf_counter() - self.since < BAR_DELAY:
                return
            self._open()
        self.bar.update(self.task, completed=t - self.begin, t=t)

    def _open(self) -> None:
        """Create and start the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        description = TextColumn("{task.description}", markup=False)
        numbers = TextColumn("t = {task.fields[t]:.5g} of " + f"{self.end:.5g}")
        self.bar = Progress(
            description, BarColumn(), numbers, TimeRemainingColumn(), console=Console(stderr=True), transient=True
        )
        self.bar.start()
        self.task = self.bar.add_task(self.what, total=self.end - self.begin, t=self.begin)

    def close(self) -> None:
        """Stop the bar if it was started."""
        if self.bar is not None:
            self.bar.stop()
