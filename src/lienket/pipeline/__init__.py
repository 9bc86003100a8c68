"""The whole theory as one list of calls, from what a user states to what a user asks for: algebra, numbers, motion.

    statement.free         ->  free_system.derive     ->  A q'' = h
    statement.constraints  ->  constraints.lower      ->  G q'' + g0 = 0
    one after another      ->  elimination.add        ->  stages: D, C, f, verdicts
    the last stage         ->  reactions              ->  the reaction of each constraint, influence
    both at a state        ->  compiled, kernels      ->  accelerations, reactions, verdicts in numbers
    a start                ->  simulation             ->  positions and velocities on the constraints
    a state                ->  simulation, results    ->  the linear system beside it; positions of rest
    a motion, laws         ->  kernels.inverse        ->  the drives that make it; hidden programs
    a run                  ->  simulation.variations  ->  its derivatives by parameters and start values

Results are kept by what they follow from: a statement that says the same is never derived twice, in
however many systems, stages or values it appears.
"""
