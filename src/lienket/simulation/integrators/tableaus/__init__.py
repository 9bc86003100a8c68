"""Coefficients of the Runge-Kutta methods, as plain numbers."""
