"""Bodies and joints (docs/mechanisms.md): from a Description to frames, dynamics, constraints and a Statement.

    model.bodies.Description   what the user states
    tree        the joints that carry coordinates, and those that are cut
    frames      places of all bodies; motion: their velocities and accelerations
    dynamics    A by composite bodies, generalized forces by one sweep from the tips
    joints/     the kinds of joints, elements/ the kinds of elements, a file each
    loops       the rows of cut joints and of elements that hold something
    statement   all of it as a Statement
    chains/     planar chains by transmission matrices, as paper 003 has them

Every formula is written once for scalars of any algebra: expressions of the engine, nodes of a graph.
"""
