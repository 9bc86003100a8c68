"""Analyses beyond simulation, one folder each: request -> algorithm -> result.

a state          ->  linearization   ->  the linear system for small deviations from it
a guess          ->  equilibrium     ->  positions of rest, branches of them over a parameter
a run            ->  sensitivity     ->  its derivatives by parameters and start values
a motion, laws   ->  drives          ->  the drives that it requires; hidden programs
measured forces  ->  identification  ->  a law of friction
"""
