"""lk.function reads the number of arguments from the signature of the callable."""

import math
from functools import partial

import numpy as np
import pytest

import lienket as lk


class Controller:
    def __call__(self, t, x, gain=2.0):
        return -gain * x

    def method(self, t, x, v):
        return t + x + v


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (lambda x: x, 1),
        (lambda t, x: t * x, 2),
        (lambda t, x, gain=3.0: gain * x, 2),
        (lambda x=1.0: x, 1),
        (Controller(), 2),
        (Controller().method, 3),
        (partial(lambda a, t, x: a, 1.0), 2),
        (math.atan2, 2),
        (np.sin, 1),
        (np.hypot, 2),
    ],
)
def test_the_signature_states_the_number(call, arguments):
    function = lk.function("f", call)
    assert function.arguments == arguments
    assert function == lk.function("f", call, arguments=arguments)


def test_a_stated_number_is_kept():
    assert lk.function("f", lambda *a: sum(a), arguments=3).arguments == 3
    assert lk.function("f", lambda t, x, gain=3.0: gain * x, arguments=3).arguments == 3


@pytest.mark.parametrize("call", [lambda *a: sum(a), lambda: 1.0, lambda **k: 1.0, lambda x, *rest: x, max])
def test_a_signature_that_states_none_is_a_fault(call):
    with pytest.raises(lk.ModelError, match="arguments: the signature of the callable does not state a number"):
        lk.function("f", call)


def test_something_that_is_no_function_is_one_fault():
    with pytest.raises(lk.ModelError) as error:
        lk.function("f", 3)
    assert [fault.where for fault in error.value.faults] == ["call"]


def test_derivatives_are_compared_with_the_number_read():
    assert lk.function("f", lambda t, x: x, derivatives=[None, lambda t, x: 1.0]).arguments == 2
    with pytest.raises(lk.ModelError, match="1 are given for 2 arguments"):
        lk.function("f", lambda t, x: x, derivatives=[lambda t, x: 1.0])
