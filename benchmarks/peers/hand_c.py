"""C as a very good engineer would write it by hand: the bar for generated code.

hand/chain.c is a dense elimination, hand/recursion.c the same chain with work in proportion to n, hand/andrews.c the
squeezer, loop by loop. All get the raw parameters in each call, like generated code that takes parameters as run-time
values; nothing is computed beforehand. (For the chain this costs one running sum; `chain_prepared`, with constants
from a setup, is there to see the difference.) Sines and cosines come from the C library.
"""

from __future__ import annotations

import ctypes
import time

import numpy as np

from .andrews import Andrews
from .chain import Chain
from .peer import Pair, Peer
from .timing import compiled, function_loop, pointer

Case = Chain | Andrews


def prepare(case: Case, source: str = "") -> Peer:
    """The hand-written function of the case; `source` chooses another file than the usual one."""
    begin = time.perf_counter()
    if isinstance(case, Chain):
        library = compiled(source or "chain.c", f"-DN={case.n}")
        function = library.chain
    else:
        function = compiled("andrews.c").andrews
    name = "hand C, O(n) recursion" if source == "recursion.c" else "hand C"
    return peer_of(name, time.perf_counter() - begin, function, case, case.parameters)


def prepare_recursion(case: Chain) -> Peer:
    """The chain without a matrix."""
    return prepare(case, "recursion.c")


def prepare_with_constants(case: Chain) -> Peer:
    """The dense chain with everything that depends on parameters alone computed once."""
    begin = time.perf_counter()
    library = compiled("chain.c", f"-DN={case.n}")
    constants = np.zeros(3 * (case.n + 3) + 1)
    library.chain_setup(pointer(case.parameters), pointer(constants))
    return peer_of("hand C, constants ready", time.perf_counter() - begin, library.chain_prepared, case, constants)


def peer_of(name: str, seconds: float, function: ctypes._CFuncPtr, case: Case, parameters: np.ndarray) -> Peer:
    """A peer from a C function `int f(t, q, v, parameters, out)`."""
    length = case.n + case.rows
    own_q, own_v, out = np.zeros(case.n), np.zeros(case.n), np.zeros(length)
    addresses = [pointer(x) for x in (own_q, own_v, parameters, out)]
    function.argtypes = [ctypes.c_double, *[ctypes.c_void_p] * 4]

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> Pair:
        own_q[:], own_v[:] = q, v
        if function(t, *addresses):
            raise ArithmeticError("a pivot is not positive")
        return out[: case.n].copy(), out[case.n :].copy()

    q, v = case.start
    return Peer(name, seconds, solve, function_loop(function, q, v, parameters, length))
