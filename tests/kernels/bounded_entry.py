"""Entry point of the kernel of bounded drives, so that tests can call it with any numbers."""

import numpy as np

from lienket.kernels.memory.non_ideal import bounded_size
from lienket.kernels.native.bounded_drives import solve_drives
from lienket.kernels.native.runtime import library
from lienket.kernels.native.runtime.address import doubles, table
from lienket.kernels.native.runtime.jit import entry


@entry
def drive_once(words):
    """Fill u for M (m x p), b (m), weights, least, most, u (p each) and scratch; 1 if the drives reach everything."""
    M, b, weights, least = table(words, 0), doubles(words, 3), doubles(words, 5), doubles(words, 7)
    most, u, scratch = doubles(words, 9), doubles(words, 11), doubles(words, 13)
    return 1 if solve_drives(M, b, weights, least, most, u, scratch) else 0


def bounded(M, b, weights, least, most):
    """Return u (p) and whether b is reached without bounds; the scratch has exactly the size that the kernel states."""
    m, p = M.shape
    scratch, u = np.full(bounded_size(m, p) + 8, np.nan), np.full(p, np.nan)
    guarded = scratch[:-8]
    arrays = [np.ascontiguousarray(x, dtype=float) for x in (M, b, weights, least, most)]
    reached = library.call("bounded_entry", "drive_once", *arrays, u, guarded)
    assert np.all(np.isnan(scratch[-8:]))  # nothing is written beyond its end
    return u, bool(reached)
