"""How kernels are compiled, kept and found, call models, and see their memory."""
