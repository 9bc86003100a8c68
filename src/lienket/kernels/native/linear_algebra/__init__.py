"""The linear algebra of kernels: loops, Cholesky, QR, LU, LAPACK by address."""
