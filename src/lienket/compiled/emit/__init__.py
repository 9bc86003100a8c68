"""Nodes of the graph as LLVM code or C: instructions, tables, stores, vectors, the dense solver."""
