"""From a Statement to numeric objects: models, programs, contacts, events, states, motions.

    a statement at a state  ->  compiled, kernels  ->  accelerations, reactions, verdicts in numbers
    a start                 ->  simulation.start   ->  positions and velocities on the constraints
    a start, until          ->  simulation.run     ->  a run

Results are kept by what they follow from: a statement that says the same is never compiled twice, in
however many systems, stages or values it appears.
"""
