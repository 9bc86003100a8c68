"""The symplectic methods: the step, its corrections, how long it is."""
