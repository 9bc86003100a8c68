"""Imports that come late: only when what they bring is needed, and then quickly."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Any


def imported(module: str) -> Any:
    """A module; what imports make stays, so that looking for garbage meanwhile is a tenth of their time for nothing."""
    looking = gc.isenabled()
    gc.disable()
    try:
        return import_module(module)
    finally:
        if looking:
            gc.enable()
