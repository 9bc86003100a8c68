"""Check of a mechanism before any run: count, true freedom, redundant rows, loops, bodies without support or inertia.

request      what is checked: faults raised together, bodies that float carried by free joints
positions    a consistent position and its neighbours
number_algebra, held_wrenches, twists    the rows of all joints and elements as rows on the twists of the bodies
dependence   which rows are redundant, and with which
freer, proposals    freer kinds of joints that keep the rank, tried in numbers
inertia      motions that no body resists
result       MechanismCheck
check        all of it
"""
