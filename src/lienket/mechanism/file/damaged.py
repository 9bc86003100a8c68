"""Files whose structure has faults: what is left without the parts that cannot be read, so that it is checked too."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from ...errors import Fault
from ...model.file.typed_toml import KeyPath, Misfit

NEEDED = ("lienket", "name", "mechanism", "coordinates")
"""Keys without which nothing else can be read."""


class Remainder:
    """Data of a file without the parts that do not fit; `readable` tells whether there is anything to check in it.

    An unknown key is left out, of anything else that does not fit the whole entry. `is_doubtful` tells whether a fault
    that is found in the rest may be a consequence, since it names something in an entry that is left out.
    """

    def __init__(self, data: dict[str, Any], misfits: Sequence[Misfit]) -> None:
        self.data = copy.deepcopy(data)
        self.readable = not any(m.path[0] in NEEDED for m in misfits)
        self.names: set[str] = set()
        entries = {m.path[:2] for m in misfits if not m.known or len(m.path) < 3}
        for misfit in misfits:
            if misfit.path[:2] not in entries:
                self._remove(misfit.path)
        for path in sorted(entries, key=_from_the_end):
            entry = self._remove(path)
            named = [path[-1], *(entry.get(key) for key in ("name", "coordinate"))] if isinstance(entry, dict) else path
            self.names.update(name for name in named if isinstance(name, str))

    def is_doubtful(self, fault: Fault) -> bool:
        """Return whether a fault names something in an entry that is left out, or a coordinate of it."""
        words = re.findall(r"'([^']*)'", f"{fault.where} {fault.what}")
        return any(word == name or word.startswith(f"{name}_") for word in words for name in self.names)

    def _remove(self, path: KeyPath) -> Any:
        """Remove the value at a path and return it."""
        place: Any = self.data
        for part in path[:-1]:
            place = place[part]
        found = isinstance(place, list) or path[-1] in place
        return place.pop(path[-1]) if found else None


def _from_the_end(path: KeyPath) -> tuple[str, int, str]:
    """Return a sorting key by which later entries of a list come first, so that the indices of others stay."""
    index = path[1] if len(path) > 1 else 0
    return (str(path[0]), -index if isinstance(index, int) else 0, str(index))
