"""Solids with mass, centre, inertia and shapes: `planar`, `spatial`; `solid` moves and composes them."""
