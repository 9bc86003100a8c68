"""What all integrators share, compiled once per installation.

run_view         the arrays of a run, as kernels see them
rates            y' = f(t, y) of a model that is called by address
accept_state     what every new state goes through: projection, energy, rank
rows             rows at times within a step, and the work until then
bridge           the step over a singular position
"""
