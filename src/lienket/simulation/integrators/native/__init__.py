"""Integrators as kernels, compiled once per installation; the step loop `run.native.advance` calls them by address.

dop853, radau5, bdf, rattle      the methods
scratch                          scratch memory of each method, for Python as well: no numba
jacobian                         derivatives of the accelerations, for implicit methods
stiffness                        detection of stiffness by an explicit method
"""
