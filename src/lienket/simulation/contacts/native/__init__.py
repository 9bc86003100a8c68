"""Kernels of contacts."""
