"""The kernel of drives within bounds as an entry of its own, so that tests can call it with any numbers."""

import numpy as np

from lienket.kernels.memory.non_ideal import bounded_size
from lienket.kernels.native.bounded_drives import solve_drives
from lienket.kernels.native.runtime import library
from lienket.kernels.native.runtime.address import doubles, table
from lienket.kernels.native.runtime.jit import entry


@entry
def drive_once(words):
    """M (m x p), b (m), weights, least, most, u (p each), scratch; 1 if the drives reach everything."""
    M, b, weights, least = table(words, 0), doubles(words, 3), doubles(words, 5), doubles(words, 7)
    most, u, scratch = doubles(words, 9), doubles(words, 11), doubles(words, 13)
    return 1 if solve_drives(M, b, weights, least, most, u, scratch) else 0


def bounded(M, b, weights, least, most):
    """u (p), and whether it reaches b without bounds; the scratch is exactly as large as the kernel says it needs."""
    m, p = M.shape
    scratch, u = np.full(bounded_size(m, p) + 8, np.nan), np.full(p, np.nan)
    guarded = scratch[:-8]
    given = [np.ascontiguousarray(x, dtype=float) for x in (M, b, weights, least, most)]
    reached = library.call("bounded_entry", "drive_once", *given, u, guarded)
    assert np.all(np.isnan(scratch[-8:]))  # nothing is written beyond its end
    return u, bool(reached)
