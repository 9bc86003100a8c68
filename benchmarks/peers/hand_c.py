"""C as a very good engineer would write it by hand: the bar for generated code.

hand/chain.c is a dense elimination, hand/recursion.c the same chain with work in proportion to n, hand/andrews.c the
squeezer, loop by loop. All get the raw parameters in each call, like generated code that takes parameters as run-time
values; nothing is computed beforehand. (For the chain this costs one running sum; `chain_prepared`, with constants
from a setup, is there to see the difference.) Sines and cosines come from the C library, one angle after the other;
they are a quarter to three quarters of the time, so a variant with -DVECTOR (hand/sincos.h) shows the gain there.
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


def prepare(case: Case) -> Peer:
    """Return C code written by hand: dense for the chain, loop by loop for the squeezer."""
    return variant(case, "hand C", "chain.c")


def prepare_vector(case: Case) -> Peer:
    """Return C code written by hand that computes sines and cosines of several angles at once."""
    return variant(case, "hand C, vector sincos", "chain.c", "-DVECTOR")


def prepare_recursion(case: Chain) -> Peer:
    """Return the chain without a matrix."""
    return variant(case, "hand C, O(n) recursion", "recursion.c")


def prepare_vector_recursion(case: Chain) -> Peer:
    """Return the chain without a matrix, with sines and cosines of several angles at once."""
    return variant(case, "hand C, O(n), vector sincos", "recursion.c", "-DVECTOR")


def variant(case: Case, name: str, source: str, *definitions: str) -> Peer:
    """Return the function of a file, compiled for the case."""
    begin = time.perf_counter()
    if isinstance(case, Chain):
        function = compiled(source, f"-DN={case.n}", *definitions).chain
    else:
        function = compiled("andrews.c", *definitions).andrews
    return peer_of(name, time.perf_counter() - begin, function, case, case.parameters)


def prepare_with_constants(case: Chain) -> Peer:
    """Return the dense chain with everything that depends on parameters alone computed once."""
    begin = time.perf_counter()
    library = compiled("chain.c", f"-DN={case.n}")
    constants = np.zeros(3 * (case.n + 3) + 1)
    library.chain_setup(pointer(case.parameters), pointer(constants))
    return peer_of("hand C, constants ready", time.perf_counter() - begin, library.chain_prepared, case, constants)


def peer_of(name: str, seconds: float, function: ctypes._CFuncPtr, case: Case, parameters: np.ndarray) -> Peer:
    """Return a peer from a C function `int f(t, q, v, parameters, out)`."""
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
