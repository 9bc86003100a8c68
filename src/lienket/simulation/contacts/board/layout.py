"""Layout of the board of modes: the arrays with which kernels change between structures; see `native.mode_switch`.

The words of the entry `advance_modes` are these arrays, in this order:

    numbers     int64     see `BoardNumbers`
    structures  int64     (most structures, columns of `StructureColumns`) row by row
    ways        int64     (most structures, events) row by row: the structure to which an event leads, -1 if unknown
    contacts    int64     (events, columns of `EventColumns`) row by row
    armed       float64   (most structures, events) row by row: 1 for events that are monitored in a structure
    quantities  float64   arguments (accelerations first) and results of the function of the contact quantities
    conditions  float64   (events) conditions with friction in one direction, while the other is examined
"""

from __future__ import annotations

from typing import NamedTuple


class BoardNumbers(NamedTuple):
    """Indices into `numbers`."""

    CURRENT: int  # number of the current structure
    EVENTS: int  # number of events K
    ADVANCE: int  # address of the entry `advance`
    IMPACT: int  # address of the entry `apply_impact`
    QUANTITIES: int  # address of the function of the contact quantities
    ARGUMENTS: int  # number of its arguments in `quantities`


class StructureColumns(NamedTuple):
    """Columns of `structures`."""

    WORDS: int  # address of the words of its integrator
    LOGGED: int  # its number in the log of switches
    NEED_ACCELERATIONS: int  # 1: its conditions depend on accelerations
    SLIDING: int  # 1: no contact sticks


class EventColumns(NamedTuple):
    """Columns of `contacts`: of the event itself, and the other events of its contact, by their indices."""

    KIND: int  # STOPS, SLIPS, ..., -1 for an event that is not of a contact
    CONTACT: int  # number of the contact
    DIRECTION: int  # parameter with the direction of sliding, -1 without one
    STOPS: int  # event of this kind of the same contact, -1 if it has none
    SLIPS: int  # likewise
    SLIPS_BACK: int  # likewise
    FORCE: int  # event at which the normal force becomes zero: TURNS or LIFTS


NUMBERS, STRUCTURES, WAYS, CONTACTS, ARMED, QUANTITIES, CONDITIONS = range(0, 14, 2)  # word at which each array begins
board_numbers = BoardNumbers(*range(len(BoardNumbers._fields)))
structure_columns = StructureColumns(*range(len(StructureColumns._fields)))
event_columns = EventColumns(*range(len(EventColumns._fields)))
