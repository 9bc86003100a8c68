"""Least-squares fit of the polynomial of a bridging step to rates at nodes, and its difference to a shorter one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.runtime.jit import kernel
from ...bridge_scratch import COEFFICIENTS, FITTED_TERMS, TERMS
from .bridge_polynomial import scratch_of

FIT_INDEPENDENCE = 1e-2  # [1] least norm of a Legendre polynomial at the nodes after removal of those of lower degree
FEWER_COEFFICIENTS = 2  # [1] by how many coefficients the polynomial for the error estimate is shorter


@kernel
def fit_coefficients(run: Any, used: Any, terms: Any) -> Any:
    """Fit the first `terms` coefficients by least squares, the others are 0; return whether they are well determined.

    Gram-Schmidt with reorthogonalisation; `values` keeps the residuals of the fit. Columns that are orthonormal for
    the same nodes already stay as they are.
    """
    c, values, in_use = scratch_of(run).coefficients, scratch_of(run).values, scratch_of(run).in_use
    fit, R = scratch_of(run).fit, scratch_of(run).triangle
    if not _orthogonalise(fit, R, used, int(in_use[FITTED_TERMS]), terms):
        return False
    in_use[FITTED_TERMS], in_use[TERMS] = max(in_use[FITTED_TERMS], float(terms)), terms
    for i in range(values.shape[1]):
        for k in range(terms):
            projection = 0.0
            for j in range(used):
                projection += fit[j, k] * values[j, i]
            c[k, i] = projection
            for j in range(used):
                values[j, i] -= projection * fit[j, k]
        for back in range(terms):
            k = terms - 1 - back
            for b in range(k + 1, terms):
                c[k, i] -= R[k, b] * c[b, i]
            c[k, i] /= R[k, k]
        for k in range(terms, COEFFICIENTS):
            c[k, i] = 0.0
    return True


@kernel
def _orthogonalise(fit: Any, R: Any, used: Any, done: Any, terms: Any) -> Any:
    """Replace the first columns of `fit` by an orthonormal basis Q, fit = Q R; return whether they are independent.

    The first `done` columns are such a basis already.
    """
    for k in range(done, terms):
        for orthogonalisation in range(2):  # the second pass restores orthogonality to rounding
            for b in range(k):
                projection = 0.0
                for j in range(used):
                    projection += fit[j, b] * fit[j, k]
                R[b, k] = projection if orthogonalisation == 0 else R[b, k] + projection
                for j in range(used):
                    fit[j, k] -= projection * fit[j, b]
        size = 0.0
        for j in range(used):
            size += fit[j, k] * fit[j, k]
        R[k, k] = np.sqrt(size)
        if not R[k, k] > FIT_INDEPENDENCE:
            return False
        for j in range(used):
            fit[j, k] /= R[k, k]
    return True


@kernel
def fill_difference(run: Any, terms: Any) -> None:
    """Fill `difference` with the coefficients minus those of the fit with FEWER_COEFFICIENTS fewer.

    With R c = p and R = [[R1, R2], [0, R3]] the shorter fit is R1 c* = p1, so R1 (c1 - c*) = -R2 c2.
    """
    c, R, difference = scratch_of(run).coefficients, scratch_of(run).triangle, scratch_of(run).difference
    for i in range(c.shape[1]):
        for k in range(terms, COEFFICIENTS):
            difference[k, i] = 0.0
        for back in range(terms):
            k = terms - 1 - back
            if back < FEWER_COEFFICIENTS:
                difference[k, i] = c[k, i]
                continue
            total = 0.0
            for b in range(k + 1, terms):
                total -= R[k, b] * difference[b, i]
            difference[k, i] = total / R[k, k]
