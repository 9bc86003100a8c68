"""Memory of kernels as Python allocates it: layouts, tables of blocks, lengths. Nothing here needs numba."""
