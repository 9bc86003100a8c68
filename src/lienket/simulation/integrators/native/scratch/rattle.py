"""Scratch memory of RATTLE."""

from __future__ import annotations

from typing import Any, NamedTuple

from .....kernels.memory.blocks import length
from ....model_answers import lagrangian


class Carried(NamedTuple):
    """Rows of `carried` and `carried_tried`, the numbers of a state besides q and v; low parts: lost by rounding."""

    P: int  # momenta
    P_LOW: int  # low part of the momenta
    Q_LOW: int  # low part of the positions


carried = Carried(*range(len(Carried._fields)))
CARRIED = len(carried)


class RattleScratch(NamedTuple):
    """Blocks of the scratch memory; m = 2 n + 1."""

    carried: Any  # (CARRIED, n) of the state NOW
    carried_tried: Any  # (CARRIED, n) of the tried state
    q0: Any  # (n) positions at the start of the step
    q1: Any  # (n) positions at its end
    w: Any  # (n) mean velocity
    change: Any  # (n) correction of a velocity in the iteration
    gain: Any  # (n) increment of the momenta
    slope: Any  # (n) v' from the previous half step
    q1_low: Any  # (n) low part of q1
    impulses: Any  # (s) lambda, reaction impulses at the start of the step
    end_impulses: Any  # (s) mu, reaction impulses at its end
    begin: Any  # answer of the model at the start, see `model_answers.Lagrangian`
    end: Any  # answer of the model at the end
    trial_once: Any  # (m) choice of the step size: the state after one whole step
    trial_start: Any  # (m) the state before it
    trial_whole: Any  # (m) the state at the start of the trial run


def rattle_scratch(n: int, s: int) -> RattleScratch:
    """Return the shapes of the blocks of `RattleScratch`."""
    m, answer = 2 * n + 1, length(lagrangian(n, s))
    return RattleScratch(
        carried=(CARRIED, n),
        carried_tried=(CARRIED, n),
        q0=(n,),
        q1=(n,),
        w=(n,),
        change=(n,),
        gain=(n,),
        slope=(n,),
        q1_low=(n,),
        impulses=(s,),
        end_impulses=(s,),
        begin=(answer,),
        end=(answer,),
        trial_once=(m,),
        trial_start=(m,),
        trial_whole=(m,),
    )
