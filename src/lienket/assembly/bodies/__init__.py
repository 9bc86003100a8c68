"""Bodies and joints in numbers: results at a state or along a run, starts, loops that cannot close."""
