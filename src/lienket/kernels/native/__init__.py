"""The theory on arrays, compiled once per installation: no allocation inside, models called by address.

    ..memory                      the memory of kernels
    runtime                       how kernels meet models, memory and numba; the compiled ones, from the cache or made
    linear_algebra                what they are made of
    metric -> elimination -> verdicts, shares, collected in robust_solve      kernels/elimination and its company
    schur_solve                   the short way, where it can be trusted; it and robust_solve are called by address too
    non_ideal, bounded_drives     friction and drives
    accelerations, projection, influence      what is asked of a state
    calls                         the same as functions of Python

The plain versions beside this directory say the same in NumPy; tests hold both together.
"""
