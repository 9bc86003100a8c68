"""Addresses of the LAPACK and BLAS routines in SciPy that `lapack` calls."""

from __future__ import annotations

import ctypes
from importlib import import_module
from typing import Any

import numpy as np

ROUTINES = (
    ("scipy.linalg.cython_lapack", "dpotrf"),
    ("scipy.linalg.cython_blas", "dtrsm"),
    ("scipy.linalg.cython_blas", "dsyrk"),
    ("scipy.linalg.cython_blas", "dgemv"),
    ("scipy.linalg.cython_blas", "dger"),
)


def addresses() -> Any:
    """Return the addresses of the routines, int64, in the order of `Slots`."""
    return np.array([_address(*routine) for routine in ROUTINES], dtype=np.int64)


def _address(module: str, name: str) -> int:
    """Return the address in the capsule that a Cython module exports."""
    capsule = import_module(module).__pyx_capi__[name]
    python = ctypes.pythonapi
    python.PyCapsule_GetName.restype, python.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return int(python.PyCapsule_GetPointer(capsule, python.PyCapsule_GetName(capsule)))
