"""Board of modes: kernels change between structures where a contact sticks or slips."""
