"""Limits that kernels and their plain versions share. Nothing here needs numba."""

from __future__ import annotations

LEFT_OVER = 1e-9
"""What may be left of the residuals of velocities after an impact, as a share of these."""
OFF = 100.0
"""How far from a constraint, in units of the tolerances, a system may be when it comes in."""
IMPACTS = 8
"""Corrections of velocities in an impact; the first does all, the others what rounding left."""
LINEAR = 1e-10
"""A second correction that is larger, as a share of the velocities, tells of rows that are not linear in them."""
ENOUGH = 1e-15
"""A correction of velocities, as a share of them, after which there is none."""
