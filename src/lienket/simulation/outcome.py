"""Outcome: how a run ended, as one full sentence with its facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .memory import rejections

FINISHED, INTERRUPTED, STUCK, FAILED = "finished", "interrupted", "stuck", "failed"
EVENT, CHATTERING = "event", "chattering"

WHY = {
    rejections.INACCURATE: "the motion changes faster than the tolerances can follow",
    rejections.NO_ACCELERATION: "there are no accelerations",
    rejections.OFF_CONSTRAINTS: "the state cannot be brought back onto its constraints",
    rejections.OFF_ENERGY: "the energy is not what the work done says",
    rejections.RANK_LOST: "the constraints become dependent and no step leads over the singular position",
    rejections.NOT_CONVERGED: "the equations of an implicit step have no solution nearby",
}
"""What a step that became too short was rejected for."""


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

    Examples
    --------
    >>> crank = lk.load("examples/models/slider_crank.toml")
    >>> outcome = crank.simulate(start={"phi": 0.5}, until=0.1).outcome
    >>> outcome.complete, outcome.reason, outcome.time
    (True, 'finished', 0.1)
    """

    complete: bool
    reason: str
    time: float
    __slots__ = ("complete", "reason", "time")

    def __new__(cls, sentence: str, reason: str, time: float) -> Outcome:
        """The sentence with its facts."""
        outcome = super().__new__(cls, sentence)
        outcome.complete = reason in (FINISHED, EVENT)
        outcome.reason = reason
        outcome.time = time
        return outcome

    def __reduce__(self) -> Any:
        return Outcome, (str(self), self.reason, self.time)

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
        return Outcome(f"{self} {sentence}", self.reason, self.time)


def finished(time: float, words: str) -> Outcome:
    """The end was reached."""
    return Outcome(f"The run reached its end at t = {time:.9g}, {words}.", FINISHED, time)


def interrupted(time: float, end: float) -> Outcome:
    """Somebody pressed Ctrl-C."""
    return Outcome(
        f"The run was interrupted at t = {time:.9g} of {end:.9g}; what was computed is kept.", INTERRUPTED, time
    )


def ended(time: float, end: float, event: str) -> Outcome:
    """An event that ends runs has happened."""
    return Outcome(f"The run ended at t = {time:.9g} of {end:.9g} by the event {event!r}.", EVENT, time)


def chattering(time: float, end: float, event: str, count: int, since: float) -> Outcome:
    """Events follow each other without end."""
    return Outcome(
        f"The run stopped at t = {time:.9g} of {end:.9g}: {count} events since {since:.9g}, the last {event!r}, are "
        "chattering. Let the event add a constraint that holds what it keeps hitting, give it a condition with some "
        "distance to come back from, or allow more with `chattering`.",
        CHATTERING,
        time,
    )


def accumulated(time: float, end: float, event: str, together: float) -> Outcome:
    """An event comes ever sooner, infinitely often before a time `together`."""
    return Outcome(
        f"The run stopped at t = {time:.9g} of {end:.9g}: the event {event!r} comes ever sooner, without end before "
        f"t = {together:.12g}: it is chattering. Let it add a constraint that holds what it keeps hitting, once "
        "that is slow.",
        CHATTERING,
        time,
    )


def refused(time: float, end: float, event: str, reason: str) -> Outcome:
    """An event would do what cannot be done."""
    return Outcome(f"The run stopped at t = {time:.9g} of {end:.9g} at the event {event!r}: {reason}", FAILED, time)


def failed(time: float, end: float, error: str, names: Sequence[str], state: Sequence[float]) -> Outcome:
    """A function of the user's raised an error; `state` begins with the positions."""
    where = ", ".join(f"{name} = {x:.6g}" for name, x in zip(names, state, strict=False))
    return Outcome(f"The run stopped at t = {time:.9g} of {end:.9g}, {where}. {error}", FAILED, time)


def stuck(time: float, end: float, reason: int, step: float, details: str) -> Outcome:
    """No step could be made any more."""
    why = WHY.get(reason, "no step is good enough")
    sentence = f"The run stopped at t = {time:.9g} of {end:.9g}: {why} (the last step tried was {step:.2g} long)."
    return Outcome(f"{sentence} {details}".strip(), STUCK, time)
