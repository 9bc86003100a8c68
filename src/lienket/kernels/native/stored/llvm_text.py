"""Unoptimised LLVM text of a kernel, as numba writes it, brought to the form that the package stores.

    clean      numba's reference counts, error paths and wrapper are replaced; all but the kernel itself is internal
    optimise   once, for plain x86-64; loops are vectorised 4 wide, a processor with 2 lanes takes two halves
    scrub      attributes, metadata names, triple and data layout go, so that LLVM 20 to 22 and every 64-bit
               little-endian architecture read the text, and two makings of one kernel give the same bytes

At run time the text needs the code generator alone (`library`). Only developers need this module; see
docs/decisions/stored-kernels.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm

RAISED = -(2**63)  # result of a kernel that raised; optimisation proves that none can, so no stored text has it
VECTOR_WIDTH = 4  # numbers in a vector
ALLOWED_OUTSIDE = frozenset({"nextafter"})
"""Functions that a kernel may call by name, besides LLVM's own; every C library has them."""

_REPLACEMENTS = """
define void @NRT_incref(ptr %p) alwaysinline {{ ret void }}
define void @NRT_decref(ptr %p) alwaysinline {{ ret void }}
declare double @nextafter(double, double)
define double @numba_nextafter(double %x, double %y) alwaysinline {{
  %r = call double @nextafter(double %x, double %y)
  ret double %r
}}
declare i32 @{native}(ptr, ptr, {types})
define i64 @{symbol}({parameters}) {{
  %result = alloca i64
  %error = alloca ptr
  store i64 0, ptr %result
  %status = call i32 @{native}(ptr %result, ptr %error, {parameters})
  %finished = icmp eq i32 %status, 0
  %value = load i64, ptr %result
  %answer = select i1 %finished, i64 %value, i64 {raised}
  ret i64 %answer
}}
"""


def stored_form(text: str, native: str, symbol: str, types: Sequence[str], vectors: bool = True) -> str:
    """Return the text to store of a kernel.

    Parameters
    ----------
    text : str
        Unoptimised LLVM text in which numba has written the function `native`,
        i32 native(i64 *result, ptr *error, arguments).
    native, symbol : str
        Name of the function in the text, and the name that it is to have.
    types : sequence of str
        LLVM types of the arguments, "i64" or "ptr".
    vectors : bool
        Whether loops are vectorised.

    Returns
    -------
    str
        Text with the one visible function int64 symbol(arguments).

    Raises
    ------
    ValueError
        If the kernel calls a function that other machines do not have, or if it may raise an exception.
    """
    parameters = ", ".join(f"{kind} %{k}" for k, kind in enumerate(types))
    replacements = _REPLACEMENTS.format(
        native=f'"{native}"', symbol=symbol, types=", ".join(types), parameters=parameters, raised=RAISED
    )
    module = llvm.parse_assembly(text.replace("@sqrt(", "@llvm.sqrt.f64("))
    module.link_in(llvm.parse_assembly(replacements))  # strong definitions win over numba's linkonce_odr
    # A long kernel would not be inlined; that it never raises is then seen too late to be used by its caller.
    module.get_function(native).add_function_attribute("alwaysinline")
    for definition in [*module.functions, *module.global_variables]:
        if not definition.is_declaration and definition.name != symbol:
            definition.linkage = "internal"
    _optimise(module, vectors)
    finished = _scrub(str(module))
    _check(finished, symbol)
    return finished


@cache
def _machine() -> Any:
    """Return the code generator of plain x86-64, for which loops are vectorised on every machine alike."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.set_option("lienket", f"-force-vector-width={VECTOR_WIDTH}")  # holds for the whole process
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    return target.create_target_machine(cpu="x86-64", features="", opt=2)


def _optimise(module: Any, vectors: bool) -> None:
    """Run the passes of level 2 and remove what is dead and all names of values."""
    machine = _machine()
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization, options.slp_vectorization = vectors, False  # SLP would change the last bits
    options.loop_interleaving = options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.add_strip_symbols_pass()
    passes.run(module, builder)


_ATTRIBUTE_GROUP = re.compile(r"^attributes #\d+ = .*\n", re.MULTILINE)
_GROUP_USE = re.compile(r" #\d+")
_PARAMETER_FACTS = re.compile(r" (?:captures|range|initializes)\((?:[^()]|\([^()]*\))*\)")
_DROPPED = re.compile(
    r"^(?:target .*|source_filename .*|;.*|.*@llvm\.(?:lifetime\.|assume|experimental\.noalias).*)\n", re.MULTILINE
)
_COMMENT = re.compile(r"\s*;[^\"\n]*$", re.MULTILINE)
_SCOPE_NAME = re.compile(r'!"(?!llvm\.)([^"]*)"')  # of alias scopes: mangled names with counters
_BLANK_LINES = re.compile(r"\n{3,}")


def _scrub(text: str) -> str:
    """Remove what depends on the version of LLVM, on the machine, or on counters of numba."""
    text = _ATTRIBUTE_GROUP.sub("", text)
    text = _DROPPED.sub("", text)
    text = _COMMENT.sub("", text)
    text = "\n".join(
        _definition(line) if line.startswith("define ") else _GROUP_USE.sub("", line) for line in text.split("\n")
    )
    text = _PARAMETER_FACTS.sub("", text)
    numbers: dict[str, int] = {}
    text = _SCOPE_NAME.sub(lambda match: f'!"{numbers.setdefault(match[1], len(numbers))}"', text)
    return _BLANK_LINES.sub("\n\n", text).strip() + "\n"


def _definition(line: str) -> str:
    """Return the head of a function with `nounwind` in place of its attribute group."""
    head = _GROUP_USE.sub("", line)
    return head.replace(" {", " nounwind {") if head.endswith("{") else head


def _check(text: str, symbol: str) -> None:
    """Raise ValueError for a text that would not run everywhere."""
    foreign = [name for name in outside(text) if name not in ALLOWED_OUTSIDE]
    if foreign:
        raise ValueError(f"{symbol} calls {', '.join(foreign)}, which a process without numba does not have.")
    if str(RAISED) in text:
        raise ValueError(
            f"{symbol} may raise an exception, which machine code cannot pass on. Common causes: a tuple read by an "
            "index known only at run time (use an array), a range with a variable step, a slice assigned to another."
        )


_DECLARED = re.compile(r'^declare [^@\n]*@"?([^"(\s]+)"?\(', re.MULTILINE)


def outside(text: str) -> list[str]:
    """Return the functions that a stored text calls and does not define, without LLVM's own."""
    return sorted(name for name in set(_DECLARED.findall(text)) if not name.startswith("llvm."))
