"""Kernels shared by all integrators, compiled once per installation.

run_view         the arrays of a run as attributes of the pointer that kernels receive
rates            y' = f(t, y) of a model called by address
method           the requests that every integrator answers
corners          times at which a derivative of the forces jumps
accept_state     the checks of every new state: projection, energy balance, rank
rows             output rows at times within a step, with the work done until then
bridge           polynomial step across a singular position
singular_step    search for the length of that step
"""
