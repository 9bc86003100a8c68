"""The memory of kernels, as Python makes it: layouts, tables of blocks, lengths. Nothing here needs numba."""
