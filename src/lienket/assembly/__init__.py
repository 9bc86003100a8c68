"""Assembly: a Statement in numbers, and the objects that starts, events, contacts and runs are made of.

    a Statement             ->  description   ->  NumericSystem: names, constraints, contacts, events, machine code
    the user's arguments    ->  run_request   ->  RunRequest: numbers, checked
    a NumericSystem         ->  contacts, events, start, state  ->  what `pipeline` puts together

Results are cached by statement: equal statements are compiled once, in however many systems, stages or values they
appear.
"""
