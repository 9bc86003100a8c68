"""Assembly of numeric objects from a Statement: models, programs, contacts, events, states, motions.

    a statement at a state  ->  compiled, kernels  ->  accelerations, reactions, verdicts in numbers
    a start                 ->  simulation.start   ->  positions and velocities on the constraints
    a start, an end time    ->  simulation.run     ->  a run

Results are cached by statement: equal statements are compiled once, in however many systems, stages or values they
appear.
"""
