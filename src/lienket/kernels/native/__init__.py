"""The theory on arrays, compiled once per installation: no allocation inside, models called by address.

    library                       the compiled kernels in memory, from the cache or made by numba
    address, layout, views, jit   how kernels meet models, memory and numba
    loops, cholesky, lapack, blas the linear algebra they are made of
    metric -> elimination -> verdicts, shares, collected in robust      kernels/chain.py and its company
    schur                         the short way, where it can be trusted; it and robust are called by address too
    accelerations, many, projection, influence      what is asked of a state
    solve                         the same as functions of Python

The plain versions beside this directory say the same in NumPy; tests hold both together.
"""
