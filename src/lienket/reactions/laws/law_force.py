"""What a constraint exerts besides G^T lambda, whatever its law.

    c = push + share lambda direction^T

The push does not depend on the reaction, the other part does: it is what makes the equations unsymmetric. Columns are
((coordinate, expression), ...), zeros left out.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from ...foundation.frozen_dataclass import dataclass

Column = tuple[tuple[Any, Any], ...]


@dataclass(frozen=True)
class LawForce:
    """See the module; `share` is 0 where the reaction does not matter."""

    push: Column = ()
    share: Any = sp.S.Zero
    direction: Column = ()
