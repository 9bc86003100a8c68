"""Compilation and cache of kernels, their calls to models, and their views of memory."""
