"""The coefficients of the methods, as plain numbers."""
