"""Linear algebra of kernels: loops, Cholesky, QR, LU, LAPACK called by address."""
