"""Lazy imports: modules are imported when they are first used, without garbage collection."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


@contextmanager
def without_gc() -> Iterator[None]:
    """Disable garbage collection during imports, where it takes a tenth of the time and finds almost nothing.

    Afterwards all objects are moved to the oldest generation; otherwise the next collection, which follows at once,
    would traverse every new object.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():  # objects frozen by the application stay frozen
                gc.freeze()
                gc.unfreeze()  # moves them into the oldest generation
            gc.enable()


def lazy_module(module: str) -> Any:
    """Return a module by its full name, importing it without garbage collection."""
    if module in sys.modules:
        return sys.modules[module]
    with without_gc():
        return import_module(module)
