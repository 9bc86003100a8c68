"""Compiled kernels of the theory: compiled once per installation, no allocation inside, models called by address.

    ..memory                      layouts of the memory of kernels
    runtime                       compilation, cache, calls by address, views of memory
    linear_algebra                loops, Cholesky, QR, LU, LAPACK
    metric -> elimination -> verdicts, shares      elimination row by row; robust_solve runs all of it
    schur_solve                   Schur complement, used where A and S are well conditioned
    non_ideal, bounded_drives     friction and drives
    accelerations, projection, influence      results at a state
    calls                         Python functions that call the kernels

Each kernel has a plain version in NumPy in the folders beside this one; tests compare the two.
"""
