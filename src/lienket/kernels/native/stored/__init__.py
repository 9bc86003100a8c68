"""Kernels as LLVM text in the package: reading it, and making it with numba when a kernel has changed."""
