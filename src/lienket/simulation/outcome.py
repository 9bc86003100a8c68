"""Outcome of a run: a full sentence with reason and time as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .memory import MOVED_LIMIT, rejections

FINISHED, INTERRUPTED, STUCK, FAILED = "finished", "interrupted", "stuck", "failed"
EVENT, CHATTERING = "event", "chattering"

ACCURATE_STEP = 1e-6  # [1] relative error of a step across a singular position that may be attributed to rounding

# Why the last step, too short to be shortened further, was rejected.
REJECTION_TEXTS = {
    rejections.INACCURATE: "the motion changes too fast for the tolerances",
    rejections.NO_ACCELERATION: "the accelerations cannot be computed",
    rejections.OFF_CONSTRAINTS: "the state cannot be projected onto its constraints",
    rejections.OFF_ENERGY: "the change of the energy differs from the work done",
    rejections.RANK_LOST: "the constraints become dependent and no step passes the singular position",
    rejections.NOT_CONVERGED: "the iteration of an implicit step does not converge",
    rejections.NO_BRIDGE: "no step passes a singular position, near which accelerations are rounded too much",
    rejections.JUMP_PRESCRIBED: "a constraint prescribes a jump of the positions or velocities",
}


class Outcome(str):
    """Sentence on how a run ended, a str with the facts as attributes.

    Attributes
    ----------
    complete : bool
        Whether the run reached its end, or an event ended it.
    reason : str
        "finished", "event", "interrupted", "chattering", "stuck" (no step was accepted) or "failed" (an error in a
        function of the user, or an event that could not be carried out).
    time : float
        Time at which the run ended.
    start : str
        Last sentence: the numbers of the start that were not given and where they come from; "" if all were given.

    Examples
    --------
    >>> crank = lk.load("examples/models/slider_crank.toml")
    >>> outcome = crank.simulate(start={"phi": 0.5}, until=0.1).outcome
    >>> outcome.complete, outcome.reason, outcome.time
    (True, 'finished', 0.1)
    >>> outcome.start
    'Start: theta computed from the constraints; all velocities assumed 0.'
    """

    complete: bool
    reason: str
    time: float
    start: str
    __slots__ = ("complete", "reason", "start", "time")

    def __new__(cls, sentence: str, reason: str, time: float, start: str = "") -> Outcome:
        """Create the outcome from its sentence, reason and time, and the sentence on its start."""
        outcome = super().__new__(cls, f"{sentence} {start}" if start else sentence)
        outcome.complete = reason in (FINISHED, EVENT)
        outcome.reason = reason
        outcome.time = time
        outcome.start = start
        return outcome

    def __reduce__(self) -> Any:
        return Outcome, (self.ending, self.reason, self.time, self.start)

    @property
    def ending(self) -> str:
        """Text without the sentence on the start."""
        return self.removesuffix(f" {self.start}")

    def adding(self, sentence: str) -> Outcome:
        """Return the outcome with one more sentence.

        Parameters
        ----------
        sentence : str
            Sentence to append.

        Returns
        -------
        Outcome
            The longer text with equal facts.
        """
        return Outcome(f"{self.ending} {sentence}", self.reason, self.time, self.start)

    def beginning(self, start: str) -> Outcome:
        """Return the outcome with a sentence on its start, which stays the last one.

        Parameters
        ----------
        start : str
            Sentence on the start, "" for none.

        Returns
        -------
        Outcome
            The text with this sentence and equal facts.
        """
        return Outcome(self.ending, self.reason, self.time, start)


def finished(time: float, summary: str) -> Outcome:
    """Return the outcome of a run that reached its end."""
    return Outcome(f"The run reached its end at t = {time:.9g}, {summary}.", FINISHED, time)


def interrupted(time: float, end: float) -> Outcome:
    """Return the outcome of a run interrupted by Ctrl-C."""
    return Outcome(
        f"The run was interrupted at t = {time:.9g} of {end:.9g}; the rows until then are kept.", INTERRUPTED, time
    )


def ended(time: float, end: float, event: str) -> Outcome:
    """Return the outcome of a run ended by an event."""
    return Outcome(f"The run ended at t = {time:.9g} of {end:.9g} by the event {event!r}.", EVENT, time)


def chattering(time: float, end: float, event: str, count: int, since: float) -> Outcome:
    """Return the outcome of a run with too many events in a short time."""
    return Outcome(
        f"The run stopped at t = {time:.9g} of {end:.9g} because of chattering: {count} events since t = {since:.9g}, "
        f"the last of them {event!r}. Let the event add a constraint that holds the contact closed, add hysteresis to "
        "its condition, or allow more events with `chattering`.",
        CHATTERING,
        time,
    )


def accumulated(time: float, end: float, event: str, limit: float) -> Outcome:
    """Return the outcome of a run in which the times of an event converge to `limit`."""
    return Outcome(
        f"The run stopped at t = {time:.9g} of {end:.9g} because of chattering: the event {event!r} repeats at ever "
        f"shorter intervals, and its times converge to t = {limit:.12g}. Let it add a constraint that holds the "
        "contact closed once the velocity of impact is small.",
        CHATTERING,
        time,
    )


def at_jump(forces: str) -> str:
    """Return a sentence on forces that jump at the state at which a run stopped."""
    return (
        f"Here {forces}. If the motion is to stay at the jump, as a body that sticks does, state friction as a law, "
        "such as `lk.Coulomb(mu, slip=...)`; or replace the jump by a steep smooth function, such as tanh."
    )


def held_at_jump(time: float, end: float, step: float, forces: str) -> Outcome:
    """Return the outcome of a run that a force holds where it jumps, in very short steps."""
    return Outcome(
        f"The run stopped at t = {time:.9g} of {end:.9g} because of chattering: the motion crosses a jump of a force "
        f"again and again, in steps of {step:.2g}. {at_jump(forces)}",
        CHATTERING,
        time,
    )


def refused(time: float, end: float, event: str, reason: str) -> Outcome:
    """Return the outcome of a run stopped by an event whose change is impossible; `reason` is a sentence."""
    return Outcome(f"The run stopped at t = {time:.9g} of {end:.9g} at the event {event!r}: {reason}", FAILED, time)


def failed(time: float, end: float, error: str, names: Sequence[str], state: Sequence[float]) -> Outcome:
    """Return the outcome of a run in which a Python function of the user raised an error; `state` begins with q."""
    where = ", ".join(f"{name} = {x:.6g}" for name, x in zip(names, state, strict=False))
    return Outcome(f"The run stopped at t = {time:.9g} of {end:.9g}, {where}. {error}", FAILED, time)


def singular_accuracy(error: float, rtol: float) -> str:
    """Return a sentence on the accuracy of the best step across a singular position, whose error is in tolerances.

    It is "" if no step came near the tolerances: then the reason is not rounding.
    """
    if not error * rtol < ACCURATE_STEP:
        return ""
    return (
        f" The accuracy that the arithmetic allows across this singular position is about {error * rtol:.1g}: "
        "choose `rtol` and `atol` no smaller than that."
    )


def projection_accuracy(moved: float, rtol: float) -> str:
    """Return a sentence on the accuracy of a projection that moved the end of a tiny step by `moved` tolerances.

    It is "" if that is not more than a step may be moved, or too far for rounding.
    """
    if not (moved > MOVED_LIMIT and moved * rtol < ACCURATE_STEP):
        return ""
    return (
        f" Rounding moves a state by about {moved * rtol:.1g} there when it is projected: choose `rtol` and `atol` no "
        f"smaller than {2 * moved / MOVED_LIMIT * rtol:.1g}."
    )


def stuck(time: float, end: float, reason: int, step: float, details: str) -> Outcome:
    """Return the outcome of a run in which every further step is rejected."""
    why = REJECTION_TEXTS.get(reason, "no step is accepted")
    tried = f" (last step size tried: {step:.2g})" if reason != rejections.JUMP_PRESCRIBED else ""
    sentence = f"The run stopped at t = {time:.9g} of {end:.9g}: {why}{tried}."
    return Outcome(f"{sentence} {details}".strip(), STUCK, time)
