"""What is asked beyond motion, a folder for each question: request -> algorithm -> result.

a state          ->  linearization   ->  the linear system beside it
a guess          ->  equilibrium     ->  positions of rest, branches of them
a run            ->  sensitivity     ->  its derivatives by parameters and start values
a motion, laws   ->  drives          ->  the drives that make it; hidden programs
measured forces  ->  identification  ->  a law of friction
"""
