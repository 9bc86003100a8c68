"""Kernels run in processes without numba: they call only those numba symbols that raise exceptions."""

import pytest

from lienket.kernels.native.runtime.library import expected_outside

RAISES = {"do_raise", "gil_ensure", "gil_release", "runtime_build_excinfo_struct", "unpickle"}  # never reached


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("run.native.advance", "advance"),
        ("integrators.native.dop853", "method"),
        ("integrators.native.radau5.step", "method"),
        ("stepping.native.accept_state", "accept_tried"),
        ("stepping.native.accept_state", "project_entry"),
        ("stepping.native.singular_step", "bridge_step"),
    ],
)
def test_kernels_do_not_call_numba(module, name):
    outside = expected_outside(f"lienket.simulation.{module}", name)
    assert {symbol.removeprefix("numba_") for symbol in outside if symbol.startswith("numba_")} <= RAISES
