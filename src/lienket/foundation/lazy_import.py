"""Imports that come late: only when what they bring is needed, and then quickly."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


@contextmanager
def without_gc() -> Iterator[None]:
    """Around imports: what they make stays, so that looking for garbage among it is a tenth of their time for nothing.

    Afterwards all objects count as old. Otherwise the next look, which comes at once, would go through each new one.
    """
    looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looking:
            if not gc.get_freeze_count():  # somebody else's frozen objects stay frozen
                gc.freeze()
                gc.unfreeze()  # into the oldest generation
            gc.enable()


def lazy_module(module: str) -> Any:
    """A module, imported quickly."""
    if module in sys.modules:
        return sys.modules[module]
    with without_gc():
        return import_module(module)
