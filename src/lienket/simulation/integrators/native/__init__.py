"""Integrators, compiled once per installation, all of one outline.

dop853, radau5, bdf, rattle      the methods
jacobian                         what implicit methods need: derivatives of the accelerations
stiffness                        when an explicit method should give way
"""
