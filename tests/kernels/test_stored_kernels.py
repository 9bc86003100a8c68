"""Stored texts of kernels: current, closed, the same on every making, for every processor, with numba's own numbers."""

import hashlib
import importlib
import json
import lzma
import os
import subprocess
import sys

import llvmlite
import numba
import numpy as np
import pytest
from conftest import MODELS

import lienket as lk
from lienket.compiled.machine.processor import check_architecture
from lienket.compiled.machine.source_syntax import syntax_of
from lienket.errors import LienketError
from lienket.kernels.native.runtime import library
from lienket.kernels.native.stored import llvm_text, make, texts
from lienket.simulation.stepping import workspace

NAMES = sorted(texts.index())
TARGETS = [
    "x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-apple-darwin", "aarch64-unknown-linux-gnu",
    "arm64-apple-darwin", "aarch64-pc-windows-msvc", "riscv64-unknown-linux-gnu", "powerpc64le-unknown-linux-gnu",
    "loongarch64-unknown-linux-gnu", "mips64el-unknown-linux-gnuabi64",
]  # fmt: skip
"""All 64-bit little-endian processors of computers that llvmlite generates code for."""
SOLVE = ("lienket.kernels.native.accelerations", "solve")


def test_every_kernel_is_stored_as_its_source_is():
    kernels = dict.fromkeys(make.all_kernels())
    stale = [texts.kernel_name(*kernel) for kernel in kernels if not make.is_current(*kernel)]
    assert not stale, f"run `make kernels` and commit what it writes; older than their sources: {', '.join(stale)}"
    assert sorted(texts.kernel_name(*kernel) for kernel in kernels) == NAMES
    files = {name.removesuffix(".ll.xz") for name in os.listdir(texts.FOLDER) if name.endswith(".ll.xz")}
    assert files == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_needs_nothing_of_numba_and_cannot_raise(name):
    """The value that the wrapper returns for an exception is gone: the optimiser has proved that there is none."""
    text = texts.text_of(name, texts.index()[name])
    assert set(llvm_text.outside(text)) <= llvm_text.ALLOWED_OUTSIDE
    assert str(llvm_text.RAISED) not in text
    assert "target " not in text and "NRT_" not in text and "alloc(" not in text
    assert text.count("\ndefine ") + text.startswith("define ") - text.count("define internal") == 1


def test_a_kernel_that_may_raise_or_calls_strangers_is_refused():
    text = 'define i32 @"f"(ptr %result, ptr %error, i64 %a) {{\n{body}\n}}\n'
    raising = "  %large = icmp sgt i64 %a, 7\n  %status = zext i1 %large to i32\n  ret i32 %status"
    with pytest.raises(ValueError, match="sample may raise an exception"):
        llvm_text.stored_form(text.format(body=raising), "f", "sample", ["i64"])
    calling = "  %x = call i32 @numba_do_raise(i64 %a)\n  store i32 %x, ptr %result\n  ret i32 0"
    declared = text.format(body=calling) + "declare i32 @numba_do_raise(i64)\n"
    with pytest.raises(ValueError, match="sample calls numba_do_raise"):
        llvm_text.stored_form(declared, "f", "sample", ["i64"])


def made_with_these_versions():
    with open(texts.INDEX, encoding="utf-8") as file:
        versions = json.load(file)["made_with"]
    return versions == {"numba": numba.__version__, "llvmlite": llvmlite.__version__}


@pytest.mark.slow
@pytest.mark.skipif(not made_with_these_versions(), reason="other versions of numba or llvmlite write another text")
@pytest.mark.parametrize(("module", "name"), [("accelerations", "solve"), ("projection", "project")])
def test_a_kernel_made_anew_has_the_same_bytes(module, name):
    kernel = (f"lienket.kernels.native.{module}", name)
    text = make.text_by_numba(*kernel)
    assert hashlib.sha256(text.encode()).hexdigest() == texts.index()[texts.kernel_name(*kernel)].text


EMITTED = """
import sys
import llvmlite.binding as llvm
from lienket.kernels.native.stored import texts
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
for name, stored in texts.index().items():
    machine = llvm.Target.from_triple(sys.argv[1]).create_target_machine(opt=3)
    module = llvm.parse_assembly(texts.text_of(name, stored))
    module.triple, module.data_layout = sys.argv[1], str(machine.target_data)
    print(name, len(machine.emit_object(module)) > 1000)
"""


@pytest.mark.slow
@pytest.mark.parametrize("triple", TARGETS)
def test_the_code_generator_takes_all_texts_for_every_target(triple):
    """In a process of its own: what LLVM cannot translate ends the process without an exception."""
    check_architecture(triple)
    run = subprocess.run([sys.executable, "-c", EMITTED, triple], capture_output=True, text=True)  # noqa: S603
    assert run.returncode == 0, run.stderr[-1000:]
    assert run.stdout.splitlines() == [f"{name} True" for name in texts.index()]


@pytest.mark.parametrize(
    ("triple", "word_size"),
    [("s390x-ibm-linux", 8), ("sparcv9-sun-solaris", 8), ("i686-pc-linux-gnu", 4), ("powerpc64-linux", 8),
     ("x86_64-unknown-linux-gnux32", 4), ("armv7l-unknown-linux-gnueabihf", 4)],
)  # fmt: skip
def test_other_processors_are_refused_by_name(triple, word_size):
    with pytest.raises(LienketError, match=f"runs on {triple} with {8 * word_size}-bit addresses"):
        check_architecture(triple, word_size)


@pytest.fixture
def damaged(tmp_path, monkeypatch):
    """Return the name of `solve` and the file in place of its stored text, which is cut in half."""
    name = texts.kernel_name(*SOLVE)
    half = tmp_path / "half.ll.xz"
    with open(texts.path_of(name), "rb") as file:
        content = file.read()
    half.write_bytes(content[: len(content) // 2])
    monkeypatch.setattr(texts, "path_of", lambda _: str(half))
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(tmp_path / "cache"))
    return name, half


def test_a_damaged_text_is_seen_before_it_is_parsed(damaged, monkeypatch, capsys):
    name, path = damaged
    stored = texts.index()[name]
    assert texts.text_of(name, stored) is None
    path.write_bytes(lzma.compress(b"define i64 @other() { ret i64 0 }\n"))
    assert texts.text_of(name, stored) is None
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(LienketError, match=r"kernel solve of lienket.kernels.native.accelerations is not stored"):
        library._kept(*SOLVE)
    assert f"since its stored text {path} is damaged" in capsys.readouterr().err


@pytest.mark.slow
def test_numba_replaces_a_damaged_text(damaged):
    facts, code = library._kept(*SOLVE)
    assert facts["symbol"] == texts.symbol_of(*SOLVE) and len(code) > 1000


def test_a_changed_kernel_without_numba_is_an_error_that_tells_what_to_install(monkeypatch):
    monkeypatch.setattr(texts, "sources", lambda module, name: "another digest")
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(LienketError, match=r'accelerations.py and the.*pip install -e "\.\[dev\]"'):
        library._kept(*SOLVE)


@pytest.mark.slow
def test_a_run_has_the_numbers_of_numbas_own_code_bit_for_bit(monkeypatch):
    """The step of dop853 compiled by numba for this processor, with all its passes, in place of the stored one."""
    system = lk.load(MODELS / "four_bar.toml")
    run = {"start": {"a": 1.0, "a'": 3.0}, "guess": {"b": 0.5, "c": 1.5}, "method": "dop853"}
    stored = system.simulate(until=2.0, **run)
    module = "lienket.simulation.integrators.native.dop853"
    method = importlib.import_module(module).method
    compiled = numba.cfunc(method.signature, error_model="numpy")(method)
    used = []

    def address(name, entry):
        used.append(name)
        return compiled.address if name == module else library.address(name, entry)

    monkeypatch.setattr(workspace, "address", address)
    workspace._spare.cache_clear()  # a workspace that is reused has the stored kernel
    other = system.simulate(until=2.0, **run)
    workspace._spare.cache_clear()
    assert module in used
    assert np.array_equal(stored.q, other.q) and np.array_equal(stored.v, other.v)


def test_digests_of_syntax_do_not_depend_on_the_version_of_python():
    """Fields that only some versions have, and empty ones, are not written; `None` and missing values differ."""
    definitions, _ = syntax_of("def f(x):\n    return None\n\ndef g(x):\n    return\n\ndef h(x):\n    return 1.5\n", "")
    assert definitions["f"] != definitions["g"]
    # digest of the text that every version must write for h
    text = "FunctionDef(name='h', args=arguments(args=[arg(arg='x')]), body=[Return(value=Constant(value=1.5))])"
    assert definitions["h"][0] == hashlib.sha256(text.encode()).hexdigest()
