"""RATTLE of order 4: every step is five of order 2, one of them backwards (Suzuki).

    s + s + (1 - 4 s) + s + s = 1,      4 s^3 + (1 - 4 s)^3 = 0

Symplectic and symmetric as those are (Hairer, Lubich, Wanner, Geometric Numerical Integration, II.4).
"""

from __future__ import annotations

from .rattle import rattle_with

_SHARE = 1 / (4 - 4 ** (1 / 3))
SHARES = (_SHARE, _SHARE, 1 - 4 * _SHARE, _SHARE, _SHARE)

method = rattle_with(SHARES, 4)
