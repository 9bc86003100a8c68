"""Force c of a constraint in addition to G^T lambda, for any law.

    c = push + share lambda direction^T

The push does not depend on the reaction; the second part does and makes the equations unsymmetric. Columns are
((coordinate, expression), ...), zeros left out.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from ...foundation.frozen_dataclass import dataclass

Column = tuple[tuple[Any, Any], ...]


@dataclass(frozen=True)
class LawForce:
    """Force c = push + share lambda direction^T; `share` is 0 for a law that does not depend on the reaction."""

    push: Column = ()
    share: Any = sp.S.Zero
    direction: Column = ()
