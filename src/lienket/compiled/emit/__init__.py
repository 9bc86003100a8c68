"""Output of the graph as LLVM IR or C: instructions, tables, stores, vectors, the dense solver."""
