"""What a run keeps between calls of its integrator: a few arrays, made by Python and filled by kernels.

The outline of all integrators is one entry `advance(words)`, given these arrays in this order. It goes on from where it
stopped, and returns why it stopped again. Nothing here needs numba.

    model       int64     addresses of the model's functions, 0 where there is none; sizes
    level       int64     (s) 0, 1, 2: on which level each row has its residuals
    parameters  float64   numbers of the parameters
    control     float64   time, step size, tolerances
    counts      int64     steps, rows filled, what happened
    atol        float64   (2 n) absolute tolerances
    y           float64   (7, m) states and rates: now, tried, ...; m = 2 n + 1
    times       float64   where rows are wanted; empty: at steps
    rows        float64   (capacity, 3 + m) rows filled: t, length of the step that led to it, counts[PART], y
    scratch     float64   the integrator's own
    bridge      float64   of steps over singular positions
    log         float64   (capacity, 3) begin and end of steps near singular positions, 1 if over one
    work, places          the workspace of the kernels
    events      float64   (events, EVENT_COLUMNS) conditions and what is waited for
    values      float64   what the function of the conditions gives: these first, then what actions want to know
    struck      float64   (1 + s) of a switch: the energy lost, impulses of the rows
    flips       float64   (capacity, 2 + m) signs turned on the way: t, event, y

A state is y = (q, v, W); W is the work of everything that changes the energy T2 - T0 + V, its rate the power.
"""

from __future__ import annotations

# model
MOTION, TERMS, SURFACE, POSITIONS, VELOCITIES, BALANCE, POWER, DERIVATIVES, COORDINATES, ROWS, LAGRANGIAN = range(11)
CONDITIONS, METHOD, SETTLE, PROJECT, OVER = range(11, 16)
"""Entries: the method, and what all of them share; OVER is 0 until it is wanted."""
PARAMETER_DERIVATIVES, SURFACE_DERIVATIVES, MODEL_SIZE = range(16, 19)

# control
T, H, END, RTOL, LARGEST, FACTOR, ENERGY, RATIO, MOVED, REACH, GROWTH, FIXED, LATE = range(13)
MOST_MOVED, MOST_RATIO, USUAL_STEP, BEGIN, LAST_EVENT, ASKED_T, ASKED_H, ASKED_X, ASKED_ERROR, SOON = range(13, 23)
"""Time, next step, end, tolerance; the largest step; what the last attempt proposes for the next step;
the energy at T; the share of the allowed error in the energy; the share in the projection.

FIXED > 0: every step is exactly so long, the last one shortened, and a rejected step ends the run. LATE is what
rounding has left out of T by then. The largest shares of projection and energy in the run, the last step far from
singular positions, where the run began, the time of the last event, what entries hand each other, and how soon after
another an event is left to Python."""
CONTROL_SIZE = 24

# counts
STEPS, REJECTED, EVALUATIONS, LEFT, FILLED, NEXT, EVERY, SINCE = range(8)
"""Steps accepted and rejected, evaluations; steps until the next pause; rows filled; the next of the times; every
which step becomes a row, and steps since the last."""
USUAL, WORST, REASON, STIFF, WATCH, FRESH, TROUBLE, MISSED, FACTORED = range(8, 17)
BRIDGES, BRIDGING, PASSAGES, HOLDS = range(17, 21)
"""How accelerations are usually found (see `accelerations_here`) and the worst since the step began; why the last step
was rejected; looks on end that found it stiff, whether to stop for HOLDS of them; whether the integrator begins anew;
rejections one after another; rounds of attempts at a bridge that failed; matrices factored.
Steps over singular positions, and whether this is one; steps near singular positions."""
WATCHED, NEEDS, EVENT, JUST, PART, ASKED, OWN, ORDER, REMEMBERS, FLIPPED, SLIDING = range(21, 32)
"""Whether there are events, and whether their conditions need accelerations; the one that has happened, whether one has
just; how often the structure of the system has changed. What a method is asked for, whether it settles states by
itself, its order, and whether it remembers steps before, so that one cannot be made again. Rows of `flips` filled;
whether no contact sticks."""
COUNTS_SIZE = 32

# What a method is asked for
ATTEMPT, DENSE, INTERPOLATE, LOOK, START_OUT, OWN_SETTLE = range(6)

# events, by column
SIDE, DIRECTION, ARMED, START, EXPECTED, FLOOR, FLIPS, GRIP, SIZE, PLACED = range(10)
SPARE = 10
"""The sign a condition had last, 0 if that is not known; the sign it must change to for the event, 0 for any; whether
it is looked at; the condition where the step began; the sign it should have while its side is not known, 0 for any;
what is rounding in it, where that is known; the number of the parameter, from 1, whose sign is all that it turns, or 0,
less than 0 if it is to be looked whether that is all; then the place, among the values, of how much more friction holds
at rest than in motion; the largest number it ever was; the condition at SPARE places in the step, and at one more."""
EVENT_COLUMNS = PLACED + SPARE + 1
UNRESOLVED = -2
"""Instead of an event: the conditions change too much over the step."""

# Why `advance` came back
DONE, FULL, PAUSED, STIFF_NOW, HAPPENED, WANTS_OVER = range(6)
STUCK = -1

# Why a step was rejected
INACCURATE, NO_ACCELERATION, OFF_CONSTRAINTS, OFF_ENERGY, RANK_LOST, NOT_CONVERGED = range(1, 7)
"""NO_ACCELERATION is followed, in counts[WORST], by the status."""

# y
NOW, TRIED, BEFORE, RATE, RATE_TRIED, NODE, NODE_RATE = range(7)
STATES = 7
HEAD = 3  # numbers of a row before the state


BRIDGE_NODES, BRIDGE_COEFFICIENTS = 32, 11


def bridge_size(n: int) -> int:
    """The length of `bridge`."""
    p = BRIDGE_COEFFICIENTS
    return (BRIDGE_NODES + p) * (n + 1) + BRIDGE_NODES * p + p * p + BRIDGE_NODES + p + 2


def state_size(n: int) -> int:
    """The length of a state."""
    return 2 * n + 1


def derivatives_size(n: int, s: int) -> int:
    """The length of the answer of the model's function `derivatives`."""
    return (n + s) * (2 * n + 2)


def rattle_size(n: int, s: int) -> int:
    """The length of the scratch of `rattle`: 13 vectors n, 2 vectors s, two evaluations, three states of its trial."""
    return 13 * n + 2 * s + 2 * (2 * n + n * n + s * n + 2 * s) + 3 * state_size(n)
