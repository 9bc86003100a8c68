"""Lazy imports: modules are imported when they are first used, without garbage collection."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_complete: set[str] = set()  # modules that were found imported to their end


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
    """Return a module by its full name, importing it without garbage collection.

    A module that another thread is still importing is in `sys.modules` too, without most of its names: `import_module`
    waits for it.
    """
    known = sys.modules.get(module)
    if known is not None:
        if module in _complete:
            return known
        if not getattr(known.__spec__, "_initializing", False):
            _complete.add(module)
            return known
    with without_gc():
        return import_module(module)


def lazy_attributes(package: str, modules: Mapping[str, str], namespace: dict[str, Any]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose names, here with their modules, are imported on first use.

    A name that its module does not have, but is called by, is the module itself. `namespace` is that of the package.
    """

    def get(name: str) -> Any:
        if name not in modules:
            # with the name and the module, from which Python suggests a similar name
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules[package])
        module = lazy_module(f"lienket.{modules[name]}")
        is_module = modules[name].rpartition(".")[2] == name and not hasattr(module, name)
        attribute = module if is_module else getattr(module, name)
        namespace[name] = attribute  # the next access does not come here
        return attribute

    return get
