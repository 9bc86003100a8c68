"""Integrators, compiled once per installation, each in a file of its own and all of one outline.

memory, run      the arrays of a run
rates            y' = f(t, y) of a model that is called by address
settle           what every new state goes through: projection, energy, rank
jacobian, lu     what implicit methods need: derivatives of the accelerations, linear systems
driver           the outline: steps, rows, when to stop
variational, corrections, pace   the symplectic step, and how long it is
dop853, radau5, bdf, rattle      the methods
linearized, tangent_space        the linearised equations and constraints, and their transposed
explicit_tangents, implicit_tangents, implicit_stages    derivatives of the steps of dop853 and radau5
"""
