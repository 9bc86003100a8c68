"""What a run keeps between calls of its integrator: arrays that Python makes and kernels fill. Nothing needs numba.

The entry `advance(words)` of all integrators is given these arrays in this order. It goes on from where it stopped, and
returns one of the `codes`: why it stopped again. Each array that mixes different numbers has a layout below, a named
tuple of places, and its length is the length of the layout: run.control[control.T].

    addresses   int64     see `Addresses`
    level       int64     (s) 0, 1, 2: on which level each row of the constraints has its residuals
    parameters  float64   (p) numbers of the parameters
    inputs      float64   what functions of the model are given beside the state: accelerations, multipliers
    control     float64   see `Control`
    counts      int64     see `Counts`
    atol        float64   (2 n) absolute tolerances
    y           float64   (rows of `States`, m) states and rates; m = 2 n + 1
    times       float64   times at which rows are wanted; empty: a row at every step
    rows        float64   (capacity, row_columns.STATE + m) rows filled, see `RowColumns`
    scratch     float64   memory of the method, see `integrators.scratch`
    bridge      float64   memory of steps over singular positions, see `stepping.bridge_scratch`
    log         float64   (capacity, 3) begin and end of steps near singular positions, 1 if over one
    work, places          the workspace of the kernels, see `kernels.native.layout`
    events      float64   (events, EVENT_COLUMNS) see `Events`
    values      float64   what the function of the conditions gives: these first, then what actions want to know
    struck      float64   (1 + s) of a switch: the energy lost, impulses of the rows
    flips       float64   (capacity, 2 + m) signs turned on the way: t, event, y
    corners     float64   times, increasing, at which a derivative of the forces jumps

A state is y = (q, v, W); W is the work of everything that changes the energy T2 - T0 + V, its rate the power.
"""

from __future__ import annotations

from typing import NamedTuple


class Addresses(NamedTuple):
    """Places in `addresses`: where functions begin, 0 for those that are not there, and sizes of the model."""

    MOTION: int  # accelerations by a formula, where the model has one
    TERMS: int  # A, h, G, g0 and the terms of the diagonal of A
    SURFACE: int  # A, G and the residuals of positions and velocities
    POSITION_CORRECTION: int  # projection of positions, -1 if only the general one is there; the next follows it
    VELOCITY_CORRECTION: int  # projection of velocities, -1 if only the general one is there
    BALANCE: int  # energy and the sizes of its parts
    POWER: int  # power of everything that changes the energy
    DERIVATIVES: int  # derivatives of the equations by q and v
    COORDINATES: int  # n, the number of coordinates
    ROWS: int  # s, the number of rows of the constraints
    LAGRANGIAN: int  # momenta and forces of variational steps
    CONDITIONS: int  # conditions of the events
    METHOD: int  # kernel of the method that answers the `requests`
    ACCEPT_STATE: int  # kernel that projects a tried state and checks it
    PROJECT: int  # kernel that projects an interpolated state
    BRIDGE_STEP: int  # kernel that steps over singular positions, 0 until it is wanted
    PARAMETER_DERIVATIVES: int  # derivatives of the equations by the parameters
    SURFACE_DERIVATIVES: int  # derivatives of the residuals of positions and velocities


class Control(NamedTuple):
    """Places in `control`: float64 numbers that a run keeps between calls of its integrator."""

    T: int  # time reached
    H: int  # length of the next step
    END: int  # time at which the run ends
    RTOL: int  # relative tolerance
    LARGEST_STEP: int  # longest step allowed
    STEP_FACTOR: int  # what the last attempt proposes: next step / this step
    ENERGY: int  # energy T2 - T0 + V at T
    ENERGY_RATIO: int  # error of the energy balance in the last step / what is allowed
    MOVED: int  # how far projection moved the last state, in units of the tolerances
    ENERGY_TRIED: int  # energy of the tried state
    GROWTH: int  # growth of numbers in Schur's complement beyond which elimination solves
    FIXED_STEP: int  # > 0: every step is so long, the last one shortened, and a rejected step ends the run
    TIME_CARRY: int  # what rounding has left out of T by now, with fixed steps
    MOST_MOVED: int  # largest MOVED of the run
    MOST_ENERGY_RATIO: int  # largest ENERGY_RATIO of the run
    USUAL_STEP: int  # length of the last step far from singular positions
    BEGIN: int  # time at which the run began
    LAST_EVENT: int  # time of the last event
    ASKED_T: int  # time at which the step begins that one entry asks another about
    ASKED_H: int  # length of that step
    ASKED_X: int  # share of that step at which its state is asked for
    ASKED_ERROR: int  # answer: the error of that step in units of the tolerances, negative if it failed
    EVENTS_TOO_CLOSE: int  # time between two events below which Python decides
    STRICTNESS: int  # the method makes its estimate of the error so many times as large
    OFF_TANGENT: int  # kernels of derivatives: largest residual of linearised constraints / its terms, projected
    OFF_TANGENT_BEFORE: int  # kernels of derivatives: the same before projection


class Counts(NamedTuple):
    """Places in `counts`: int64 numbers that a run keeps between calls of its integrator."""

    STEPS: int  # accepted steps
    REJECTED: int  # rejected steps
    EVALUATIONS: int  # evaluations of the accelerations
    STEPS_LEFT: int  # attempts until the next pause
    ROWS_FILLED: int  # rows of `rows` filled
    NEXT_TIME: int  # number of the next of the `times`
    ROW_EVERY: int  # every so many steps one becomes a row
    STEPS_SINCE_ROW: int  # steps since the last row
    STATUS_USUAL: int  # how accelerations are usually found, a status of `accelerations_here`
    STATUS_WORST: int  # the worst such status since the step began, negative if there were none
    REJECTION: int  # why the last step was rejected, one of the `rejections`
    STIFF_FOUND: int  # checks one after another that found the motion stiff
    WATCH_STIFFNESS: int  # 1: stop where STIFF_FOUND reaches STIFF_NEEDED
    RESTART: int  # 1: the method takes nothing over from steps before
    REJECTED_IN_A_ROW: int  # rejections since the last accepted step
    BRIDGES_FAILED: int  # rounds of attempts at a bridge over this position that failed
    FACTORED: int  # matrices factored
    BRIDGES: int  # steps over singular positions
    BRIDGING: int  # 1: this step is one of them
    PASSAGES: int  # steps near singular positions
    STIFF_NEEDED: int  # checks that must find the motion stiff
    HAS_EVENTS: int  # 1: there are events
    NEED_ACCELERATIONS: int  # 1: conditions of the events need accelerations
    EVENT: int  # the event that has happened, -1 for none, or UNRESOLVED
    JUST_HAPPENED: int  # 1: an event has happened at T
    STRUCTURE_NUMBER: int  # how often the structure of the system has changed
    REQUEST: int  # what the method is asked for, one of the `requests`
    OWN_ACCEPT: int  # 1: the method accepts states by itself
    ORDER: int  # order of the method
    MULTISTEP: int  # 1: a step follows from those before it, so that it cannot be made again
    FLIPS_FILLED: int  # rows of `flips` filled
    SLIDING: int  # 1: no contact sticks
    FIRST_ROW: int  # kernels of derivatives: the row at which the first step begins
    LAST_ROW: int  # kernels of derivatives: the row at which the last step ends


EVENT_SAMPLES = 10
"""Places within a step at which the conditions of events are looked at; their number is that of the column PROBE."""


class Events(NamedTuple):
    """Columns of `events`; a row is an event."""

    SIDE: int  # sign that the condition had last, 0 if unknown
    DIRECTION: int  # sign that it must change to for the event, 0 for any
    ARMED: int  # 1: it is looked at
    START: int  # condition at the begin of the step
    EXPECTED: int  # sign that it should have while SIDE is unknown, 0 for any
    ROUNDING: int  # numbers below this are rounding, 0 if unknown
    FLIPPED: int  # 1 + number of the parameter whose sign is all that it turns, 0: none; negative: ask GRIP first
    GRIP: int  # place among `values` of the ratio of friction at rest and in motion
    LARGEST: int  # largest condition so far
    SAMPLES: int  # conditions at the EVENT_SAMPLES places in the step, in this and the following columns
    PROBE: int  # condition at one more place


class States(NamedTuple):
    """Rows of `y`."""

    NOW: int  # state at T
    TRIED: int  # state at the end of the attempted step
    BEFORE: int  # tried state before its projection; scratch elsewhere
    RATE: int  # rates of NOW
    RATE_TRIED: int  # rates of TRIED
    NODE: int  # state within a step
    NODE_RATE: int  # rates of NODE


class RowColumns(NamedTuple):
    """Columns of `rows`."""

    T: int  # time
    STEP: int  # length of the step that led to it
    STRUCTURE: int  # counts[STRUCTURE_NUMBER]
    STATE: int  # y, from this column on


class Codes(NamedTuple):
    """Why `advance` came back."""

    DONE: int  # the end is reached
    FULL: int  # no row is free
    PAUSED: int  # STEPS_LEFT is 0
    STIFF_NOW: int  # the motion is stiff
    EVENT_HAPPENED: int  # see counts[EVENT]
    WANTS_BRIDGE: int  # addresses[BRIDGE_STEP] is needed
    STUCK: int  # -1: no step can be made; see counts[REJECTION]


class Rejections(NamedTuple):
    """Why a step was rejected; 0: it was not."""

    INACCURATE: int  # its error is larger than the tolerances allow
    NO_ACCELERATION: int  # there are no accelerations; counts[STATUS_WORST] has the status
    OFF_CONSTRAINTS: int  # its end cannot be brought onto the constraints, or is moved too far
    OFF_ENERGY: int  # the energy is not what the work says
    RANK_LOST: int  # the constraints become dependent
    NOT_CONVERGED: int  # the equations of an implicit step have no solution nearby


class Requests(NamedTuple):
    """What a method is asked for."""

    ATTEMPT: int  # a step from ASKED_T of the length ASKED_H: TRIED and ASKED_ERROR
    DENSE: int  # whatever interpolation in this step needs
    INTERPOLATE: int  # NODE at the share ASKED_X of the step
    CHECK_STIFFNESS: int  # 1 if the motion is stiff
    BEGIN: int  # whatever a restart needs
    OWN_ACCEPT: int  # the tried state accepted by the method itself: 0, or one of the `rejections`


addresses = Addresses(*range(len(Addresses._fields)))
control = Control(*range(len(Control._fields)))
counts = Counts(*range(len(Counts._fields)))
events = Events._make((*range(len(Events._fields) - 1), len(Events._fields) - 2 + EVENT_SAMPLES))
EVENT_COLUMNS = events.PROBE + 1
states = States(*range(len(States._fields)))
row_columns = RowColumns(*range(len(RowColumns._fields)))
codes = Codes._make((*range(len(Codes._fields) - 1), -1))
rejections = Rejections(*range(1, 1 + len(Rejections._fields)))
requests = Requests(*range(len(Requests._fields)))

UNRESOLVED = -2
"""In counts[EVENT]: the conditions change too much over the step."""


def state_size(n: int) -> int:
    """The length of a state."""
    return 2 * n + 1
