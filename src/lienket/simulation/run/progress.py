"""Progress bar for long runs in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

BAR_DELAY = 0.7  # [s] of a run before a progress bar appears


@contextmanager
def progress_bar(
    progress: Callable[[float], Any] | bool | None, begin: float, end: float, what: str
) -> Iterator[Callable[[float], Any] | None]:
    """Yield a function of the time reached, or None for no report: the user's function, or a bar on stderr.

    `progress` is None (a bar if stderr is a terminal), True, False, or a function.
    """
    if callable(progress):
        yield progress
    elif progress is False or (progress is None and not sys.stderr.isatty()):
        yield None
    else:
        bar = _Bar(begin, end, what)
        try:
            yield bar.reached
        finally:
            bar.close()


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
