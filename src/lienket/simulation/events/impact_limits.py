"""Limits of impacts that the compiled kernel and the plain version share. This module does not need numba."""

from __future__ import annotations

VELOCITY_RESIDUAL_TOLERANCE = 1e-9  # [1] residual of a velocity row after an impact, relative to velocities and row
POSITION_MISFIT_LIMIT = 100.0  # [tolerances] distance from a constraint at which it can still be added
PROJECTION_LIMIT = 8  # [iterations] of the projection of velocities; those after the first remove rounding
LINEARITY_TOLERANCE = 1e-10  # [1] second correction relative to the velocities, above which rows are nonlinear in them
CORRECTION_ROUNDING = 1e-15  # [1] correction relative to the velocities, at which the iteration ends
SLIP_ROUNDING = 1e-15  # [1] slip relative to the terms of its velocities that counts as rounding
GAP_ROUNDING = 1e-14  # [1] gap relative to the positions that counts as rounding
