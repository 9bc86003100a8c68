"""Limits up to which accelerations satisfy their constraints G a + g0 = 0: the same for emitted code and kernels."""

TERM_ROUNDING = 1e-10  # [1] residual of a row relative to its terms up to which accelerations are accurate
MOTION_ROUNDING = 1e-12  # [1] residual of a row relative to the whole motion, in the metric of A, that is rounding
LOAD_ROUNDING = 1e-13  # [1] residual of a row relative to the loads on its coordinate with the least that is rounding
REST_ROUNDING = 1e-13  # [1] accelerations relative to those without constraints, in the metric of A, that are rounding
