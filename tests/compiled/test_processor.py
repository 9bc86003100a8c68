"""Code for a named processor: its instructions, its place in the cache, and unknown names."""

import os
import subprocess
import sys

import llvmlite.binding as llvm
import pytest

import lienket as lk
from lienket.compiled.machine import cache, object_code, processor

x86 = pytest.mark.skipif(not llvm.get_process_triple().startswith("x86_64"), reason="names of x86-64 processors")
PRODUCT_AND_SUM = """
define double @f(double %a, double %b, double %c) {
  %p = fmul contract double %a, %b
  %s = fadd contract double %p, %c
  ret double %s
}"""


def assembly(monkeypatch, name):
    monkeypatch.setenv("LIENKET_CPU", name)
    processor.initialized()
    return object_code._target(1).emit_assembly(llvm.parse_assembly(PRODUCT_AND_SUM))


@x86
def test_code_for_a_plain_processor_has_no_fused_multiplication_and_addition(monkeypatch):
    plain = assembly(monkeypatch, "x86-64")
    assert "mulsd" in plain and "addsd" in plain and "fmadd" not in plain


@x86
@pytest.mark.skipif(not llvm.get_host_cpu_features().get("fma"), reason="this processor has none")
def test_code_for_a_later_processor_has_fused_multiplication_and_addition(monkeypatch):
    assert "vfmadd" in assembly(monkeypatch, "x86-64-v3")


def test_code_of_different_processors_is_kept_apart(monkeypatch):
    monkeypatch.delenv("LIENKET_CPU", raising=False)
    own = cache.key("", ("terms",))
    monkeypatch.setenv("LIENKET_CPU", "generic")
    assert cache.key("", ("terms",)) != own


def test_unknown_processor_is_refused_with_the_possible_ones(monkeypatch):
    monkeypatch.setenv("LIENKET_CPU", "pentium")
    with pytest.raises(lk.LienketError, match=r"LIENKET_CPU: this machine runs no code for 'pentium'.\nPossible are g"):
        cache.key("", ("terms",))


def test_numba_compiles_python_functions_for_the_named_processor():
    """Tested in a new process, as numba chooses its processor once, at its first compilation."""
    shown = "import numba.core.registry as r; print(*r.cpu_target.target_context.codegen().magic_tuple()[1:], sep='|')"
    compiled = "from lienket.compiled.machine.python_callbacks import callback; callback('f', lambda x: 2 * x, 1)"
    words = [sys.executable, "-c", f"{compiled}; {shown}"]
    settings = os.environ | {"LIENKET_CPU": "generic"}
    run = subprocess.run(words, env=settings, capture_output=True, text=True, check=True)  # noqa: S603
    assert run.stdout == "generic|\n"
