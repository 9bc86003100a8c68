"""A progress bar for runs that take long, where somebody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 0.7  # seconds without a bar


@contextmanager
def progress_bar(wanted: Any, begin: float, end: float, what: str) -> Iterator[Callable[[float], Any] | None]:
    """A function of the time reached, or None: the user's own, or a bar on stderr if that is a terminal.

    `wanted` is None (a bar where there is a terminal), True, False, or a function.
    """
    if callable(wanted):
        yield wanted
    elif wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield None
    else:
        bar = _Bar(begin, end, what)
        try:
            yield bar.reached
        finally:
            bar.close()


class _Bar:
    """Appears when a run turns out to take long; nothing is imported before."""

    def __init__(self, begin: float, end: float, what: str) -> None:
        self.begin, self.end, self.what = begin, end, what
        self.since, self.bar, self.task = time.perf_counter(), None, None  # type: Any, Any, Any

    def reached(self, t: float) -> None:
        if self.bar is None:
            if time.perf_counter() - self.since < PATIENCE:
                return
            self._open()
        self.bar.update(self.task, completed=t - self.begin, t=t)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        words = TextColumn("{task.description}", markup=False)
        numbers = TextColumn("t = {task.fields[t]:.5g} of " + f"{self.end:.5g}")
        self.bar = Progress(
            words, BarColumn(), numbers, TimeRemainingColumn(), console=Console(stderr=True), transient=True
        )
        self.bar.start()
        self.task = self.bar.add_task(self.what, total=self.end - self.begin, t=self.begin)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
