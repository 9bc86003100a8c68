"""Memory of a run between calls of `advance`: arrays that Python creates and kernels fill. This module needs no numba.

The entry `advance(words)` receives these arrays in this order. It continues from where it stopped and returns one of
the `codes`: why it stopped again. Each array that mixes different numbers has a layout below, a named tuple of indices,
and its length is the length of the layout: run.control[control.T].

    addresses   int64     see `Addresses`
    level       int64     (s) level of each constraint row: 0 positions, 1 velocities, 2 accelerations; LEFT_OUT more
                          for redundant rows that are only watched
    parameters  float64   (p) values of the parameters
    inputs      float64   arguments of the model's functions besides the state: accelerations, multipliers
    control     float64   see `Control`
    counts      int64     see `Counts`
    atol        float64   (2 n) absolute tolerances
    y           float64   (rows of `States`, m) states and rates; m = 2 n + 1
    times       float64   times of the output rows; empty: a row at every step
    rows        float64   (capacity, row_columns.STATE + m) rows filled, see `RowColumns`
    scratch     float64   scratch memory of the method, see `integrators.native.scratch`
    bridge      float64   scratch memory of steps across singular positions, see `stepping.bridge_scratch`
    log         float64   (capacity, 3) start and end of steps near singular positions, 1 if across one
    work, places          the workspace of the kernels, see `kernels.native.layout`
    events      float64   (events, EVENT_COLUMNS) see `Events`
    values      float64   event functions first, then the numbers that actions of events need
    struck      float64   (1 + s) of an impact: energy lost, impulses of the constraint rows
    changes     float64   (capacity, columns of `events.switch_log`) changes of signs and structures made by kernels
    corners     float64   increasing times at which a derivative of the forces jumps
    choices     int64     choices of rows of a system with redundant ones, each CHOICE_HEAD addresses and (s) levels
    lengths     float64   (2 s) largest length of each such row so far, and its length at the tried state
    stops       float64   (K, 3) known times, at which steps end, times before and after them: see `known_times`

A state is y = (q, v, W); W is the work of all forces and constraints that change the energy T2 - T0 + V, its rate is
the power.
"""

from __future__ import annotations

from typing import NamedTuple


class Addresses(NamedTuple):
    """Indices into `addresses`: addresses of functions, 0 for missing ones, and sizes of the model."""

    MOTION: int  # accelerations as compiled formulas, if the model has them
    TERMS: int  # A, h, G, g0 and the terms of the diagonal of A
    SURFACE: int  # A, G and the residuals of position and velocity constraints
    WATCHED: int  # residuals of constraints, G, and the sizes of their terms, if rows are redundant
    POSITION_CORRECTION: int  # compiled correction of positions, -1 if only the general projection exists
    VELOCITY_CORRECTION: int  # compiled correction of velocities, -1 likewise; its index follows that of positions
    BALANCE: int  # energy and its derivatives by q and v
    POWER: int  # power of all forces and constraints that change the energy
    DERIVATIVES: int  # derivatives of the equations by q and v
    COORDINATES: int  # n, the number of coordinates
    ROWS: int  # s, the number of constraint rows
    LAGRANGIAN: int  # momenta and forces of variational steps
    CONDITIONS: int  # event functions
    METHOD: int  # kernel of the method, which answers the `requests`
    ACCEPT_STATE: int  # kernel that projects a tried state and checks it
    PROJECT: int  # kernel that projects an interpolated state
    BRIDGE_STEP: int  # kernel for steps across singular positions, 0 until the run needs it
    PARAMETER_DERIVATIVES: int  # derivatives of the equations by the parameters
    SURFACE_DERIVATIVES: int  # derivatives of the residuals of position and velocity constraints
    FORCE_MARGIN: int  # kernel for the conditions of contacts that share a load, 0 if their forces are unique


class Control(NamedTuple):
    """Indices into `control`: float64 numbers that a run keeps between calls of `advance`."""

    T: int  # time reached
    H: int  # size of the next step
    END: int  # time at which the run ends
    RTOL: int  # relative tolerance
    LARGEST_STEP: int  # largest step size allowed
    STEP_FACTOR: int  # proposal of the last attempt: next step size / this step size
    ENERGY: int  # energy T2 - T0 + V at T
    ENERGY_RATIO: int  # error of the energy balance in the last step / its limit
    MOVED: int  # distance by which the projection moved the last state, in tolerances
    ENERGY_TRIED: int  # energy of the tried state
    GROWTH: int  # growth in Schur's complement above which elimination is used instead
    LEAST_PIVOT: int  # least pivot of elimination, relative to its row, below which rows are nearly dependent
    FIXED_STEP: int  # > 0: size of all steps but the last; a rejected step ends the run
    TIME_CARRY: int  # low part of T lost by rounding, with fixed steps and where the clock is coarse
    MOST_MOVED: int  # largest MOVED of the run
    MOST_ENERGY_RATIO: int  # largest ENERGY_RATIO of the run
    BRIDGE_ERROR: int  # least error of the steps tried across this singular position, in tolerances
    USUAL_STEP: int  # size of the last ordinary step, at least 0.9 of the value before
    BEGIN: int  # time at which the run started
    STOP: int  # time at which the next step must end: the next known time, or END
    EARLIEST: int  # time before which the model is not evaluated: just after the last known time
    LATEST: int  # time after which it is not evaluated: just before the next known time; infinite without one
    CLOCK: int  # distance of two times that the clock can tell apart, if that limits the steps, else 0
    LAST_EVENT: int  # time of the last event
    SINCE_EVENT: int  # time between the last two events; 0 after a change of structure by a kernel
    REQUEST_T: int  # argument of a call by address: time at which the step starts
    REQUEST_H: int  # argument: size of that step
    REQUEST_X: int  # argument: fraction of that step at which it is interpolated
    REQUEST_ERROR: int  # result: error of that step in tolerances, negative if it failed
    EVENTS_TOO_CLOSE: int  # time between two events below which Python decides whether to continue
    ERROR_FACTOR: int  # factor of the method on its error estimate
    ASKED_PIVOT: int  # least pivot at which other rows were asked for last, 0 before
    OFF_TANGENT: int  # sensitivities: largest residual of linearised constraints / its terms, projected
    OFF_TANGENT_BEFORE: int  # sensitivities: the value of OFF_TANGENT before projection


class Counts(NamedTuple):
    """Indices into `counts`: int64 numbers that a run keeps between calls of `advance`."""

    STEPS: int  # accepted steps
    REJECTED: int  # rejected steps
    EVALUATIONS: int  # evaluations of the accelerations
    STEPS_LEFT: int  # attempts until the next pause
    ROWS_FILLED: int  # rows of `rows` filled
    NEXT_TIME: int  # index of the next of the `times`
    ROW_EVERY: int  # steps per output row
    STEPS_SINCE_ROW: int  # steps since the last row
    STATUS_USUAL: int  # usual status of `accelerations_into`: how accelerations are solved for
    STATUS_WORST: int  # worst such status since the step started, negative if accelerations do not exist
    REJECTION: int  # why the last step was rejected, one of the `rejections`
    STIFF_DETECTIONS: int  # consecutive checks that detected stiffness
    WATCH_STIFFNESS: int  # 1: stop when STIFF_DETECTIONS reaches STIFF_NEEDED
    RESTART: int  # 1: the method uses nothing of previous steps; AFTER_BRIDGE: it may use the bridge just made
    REJECTED_IN_A_ROW: int  # rejections since the last accepted step
    BRIDGES_FAILED: int  # failed searches for a step across a singular position, since the last step that left one
    FACTORED: int  # matrices factored
    BRIDGES: int  # steps across singular positions
    BRIDGING: int  # 1: this step is one of them, see `stepping.native.bridge`
    PASSAGES: int  # steps near singular positions
    STIFF_NEEDED: int  # consecutive detections of stiffness required
    HAS_EVENTS: int  # 1: the run has events
    NEED_ACCELERATIONS: int  # 1: event functions depend on accelerations
    EVENT: int  # index of the event that has occurred, -1 for none, or UNRESOLVED
    JUST_HAPPENED: int  # 1: an event has occurred at T
    STRUCTURE_NUMBER: int  # number of changes of the system's structure so far
    REQUEST: int  # request to the method, one of the `requests`
    OWN_ACCEPT: int  # 1: the method has its own check of the tried state
    ORDER: int  # order of the method
    MULTISTEP: int  # 1: a step depends on the previous ones, so that it cannot be repeated
    CHANGES_FILLED: int  # rows of `changes` filled
    STRUCTURE: int  # number of the current structure in the log of switches
    SLIDING: int  # 1: no contact sticks
    FIRST_ROW: int  # sensitivities: row at which the first step starts
    LAST_ROW: int  # sensitivities: row at which the last step ends


MOVED_LIMIT = 10.0  # [tolerances] distance by which the projection may move a state; an accepted error is 1
EVENT_SAMPLES = 10  # [1] sample points of the event functions within a step


class Events(NamedTuple):
    """Columns of `events`; each row is an event."""

    SIDE: int  # last sign of the event function, 0 if unknown
    DIRECTION: int  # sign after the root that makes it an event, 0 for any
    ARMED: int  # 1: the event function is evaluated
    START: int  # event function at the start of the step
    EXPECTED: int  # sign expected while SIDE is unknown, 0 for any
    ROUNDING: int  # values below this count as rounding, 0 if unknown
    SLIP_ROUNDING: int  # slips below this tell no direction after an event, 0 for other event functions
    FLIPPED: int  # 1 + index of the only parameter, whose sign it flips; 0: none; negative: depends on GRIP
    GRIP: int  # index in `values` of the ratio of static to sliding friction
    LARGEST: int  # largest value of the event function so far
    DUE: int  # > 0: the event happens at this instant, while the event function is at most this
    SLOPE: int  # rate of the event function between the last two samples of the previous step; NaN if unknown
    FASTEST: int  # steepest rate of the event function in recent steps
    RESOLVED: int  # 1: a force or velocity of a contact, which varies no faster than the motion that steps resolve
    RATE: int  # rate of the event function at the start of the step; NaN if unknown
    RATE_TRIED: int  # rate of the event function at the end of the step
    OF_TIME: int  # 1: the event function depends on time alone, so that its roots are known times
    BENDING: int  # (step that its samples are expected to resolve)^-4
    UNSEEN: int  # parts of steps in which a passage through zero and back may have remained unseen
    SAMPLES: int  # event function at the EVENT_SAMPLES points of the step, in this and the following columns
    PROBE: int  # event function at a further point


class States(NamedTuple):
    """Rows of `y`."""

    NOW: int  # state at T
    TRIED: int  # state at the end of the attempted step
    BEFORE: int  # tried state before its projection; otherwise scratch
    RATE: int  # rates of NOW
    RATE_TRIED: int  # rates of TRIED
    NODE: int  # state within a step
    NODE_RATE: int  # rates of NODE
    REPEATED: int  # a state changed by rounding, projected again, see `stepping.native.rounding`
    REPEATED_RATE: int  # rates of REPEATED
    DIFFERENCE: int  # second difference of accelerations, see `stepping.native.rounding`


class RowColumns(NamedTuple):
    """Columns of `rows`."""

    T: int  # time
    STEP: int  # size of the step that led to it
    STRUCTURE: int  # counts[STRUCTURE_NUMBER]
    STATE: int  # y, from this column on


class Codes(NamedTuple):
    """Reasons why `advance` returned."""

    DONE: int  # the end is reached
    FULL: int  # all rows are filled
    PAUSED: int  # STEPS_LEFT is 0
    STIFF_NOW: int  # the motion is stiff
    EVENT_HAPPENED: int  # see counts[EVENT]
    WANTS_BRIDGE: int  # addresses[BRIDGE_STEP] is needed
    WANTS_ROWS: int  # the rows that act in this run are to be chosen, see `simulation.row_selection`
    STUCK: int  # -1: every further step is rejected; see counts[REJECTION]


class Rejections(NamedTuple):
    """Reasons why a step was rejected; 0: it was accepted."""

    INACCURATE: int  # its error exceeds the tolerances
    NO_ACCELERATION: int  # accelerations do not exist; counts[STATUS_WORST] has the status
    OFF_CONSTRAINTS: int  # its end cannot be projected onto the constraints, or is moved too far
    OFF_ENERGY: int  # the change of the energy differs from the work
    RANK_LOST: int  # the constraints become dependent
    NOT_CONVERGED: int  # the iteration of an implicit step does not converge
    JUMP_PRESCRIBED: int  # a constraint prescribes a jump of positions or velocities at a known time
    NO_BRIDGE: int  # rounding is too large near a position where a row vanishes, and no bridge over it is accepted


class Requests(NamedTuple):
    """Requests to a method."""

    ATTEMPT: int  # make a step from REQUEST_T of the size REQUEST_H: TRIED and REQUEST_ERROR
    DENSE: int  # prepare interpolation in this step
    INTERPOLATE: int  # fill NODE at the fraction REQUEST_X of the step
    CHECK_STIFFNESS: int  # return 1 if the motion is stiff
    BEGIN: int  # initialize the method for a start or restart
    OWN_ACCEPT: int  # check the tried state by the method itself: 0, or one of the `rejections`


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

CHOICE_HEAD = 3  # addresses of a choice of rows: MOTION, POSITION_CORRECTION, VELOCITY_CORRECTION
AFTER_BRIDGE = 2  # in counts[RESTART]: the last step was a bridge, and nothing has changed since
LEFT_OUT = 4  # in `level`: added to the level of rows that do not act in this run
UNRESOLVED = -2  # in counts[EVENT]: the event functions vary too much within the step


def state_size(n: int) -> int:
    """Return the length m = 2 n + 1 of a state."""
    return 2 * n + 1
