"""Thresholds of all audits. docs/audit.md has the formula of what is compared with each of them; a test compares both.

Nothing here depends on how a constraint is written: a residual is judged by the change of the positions, velocities or
accelerations that would remove it, not by its own size.
"""

# Residuals of constraints
RESIDUAL_ROUNDING = 1e-14  # [1] residual, relative to the terms of its formula, that counts as zero

# A state
STATE_RESIDUAL_LIMIT = 1e-8  # [1] relative change of q or v that a constraint needs, above which the state violates it
EQUATION_RESIDUAL_LIMIT = 1e-9  # [1] residual of equations or accelerations, relative to its terms, that is accurate

# A run
RUN_RESIDUAL_LIMIT = 100.0  # [tolerances] change of q or v that a constraint needs, above which a run violates it
RUN_ACCELERATION_LIMIT = 1e-6  # [1] relative change of accelerations that a constraint needs, above which a run warns
RUN_MOTION_ROUNDING = 1e-11  # [1] acceleration residual relative to the whole motion that counts as its rounding
RUN_ENERGY_LIMIT = 100.0  # [tolerances] energy imbalance of a run with error control
FIXED_STEP_IMBALANCE = 1e-2  # [1] energy imbalance of a run with fixed steps, relative to the energies
ENERGY_ROUNDING = 1e-12  # [1] energy imbalance or loss, relative to the energies, that counts as rounding
POTENTIAL_ROUNDING = 1e-13  # [1] energy imbalance, relative to the potential energy, that counts as rounding
SUPPLIED_POWER_LIMIT = 100.0  # [tolerances] of the velocities times the force: power that a law of friction may supply
POWER_ROUNDING = 1e-9  # [1] power supplied by a law, relative to its forces times velocities, that counts as rounding
IMPACT_ENERGY_ROUNDING = 1e-9  # [1] energy supplied by an impact, relative to its terms, that counts as rounding

# Drives
UNSUPPLIED_FORCE_LIMIT = 1e-6  # [1] unsupplied force, relative to all forces
MOTION_RESIDUAL_LIMIT = 1e-6  # [1] relative change of a stated motion that a constraint needs

# Sensitivities
TANGENT_RESIDUAL_LIMIT = 1e-10  # [1] residual of a linearized constraint, relative to its terms

# Identified laws. Belsley, Kuh and Welsch, Regression Diagnostics (1980), chapter 3.
CONDITION_LIMIT = 30.0  # [1] condition number above which parameters are nearly dependent
FEWEST_DEGREES_OF_FREEDOM = 10  # [samples] beyond the parameters, below which intervals are unreliable
WIDENING_LIMIT = 1.1  # [1] widening of intervals by correlated noise
# 4 standard deviations: stribeck is chosen after the fact, which makes a chance effect more likely.
STRIBECK_GAIN_LIMIT = 16.0  # [sigma^2] decrease of the sum of squares by the Stribeck term that counts as an effect
LINEAR_ERROR_LIMIT = 0.3  # [1] relative standard error up to which a first-order interval is reliable
RANGE_END_MARGIN = 0.01  # [1] relative distance from the ends of the range of stribeck that counts as at the end
