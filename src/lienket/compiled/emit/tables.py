"""Tables as machine code and as C: knots and polynomials as constant data, bisection, Horner's rule.

    y(x) = sum_m c_m,k (x - x_k)^(degree - m)  for  x_k <= x < x_(k+1)

A derivative is a separate table, with differentiated polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import perm
from typing import TYPE_CHECKING

from .sine import hexadecimal

if TYPE_CHECKING:
    from ...language.data_functions import Table


def polynomials(table: Table, order: int) -> list[list[float]]:
    """Return the coefficients of the derivative of an order, highest power first, one row per interval."""
    c = table.pieces()
    degree = len(c) - 1
    rows = [[float(x) * perm(degree - m, order) for x in c[m]] for m in range(max(degree - order + 1, 0))]
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[0.0]] * (len(table.x) - 1)


def outside(table: Table, order: int) -> tuple[float, float] | None:
    """Return the values before the first and after the last point; None for a table that is extrapolated."""
    if table.outside == "extrapolate":
        return None
    if table.outside == "hold":
        return (table.y[0], table.y[-1]) if order == 0 else (0.0, 0.0)
    return float("nan"), float("nan")


def table_ir(name: str, table: Table, order: int) -> str:
    """Return a function double @name(double) with its data as LLVM IR."""
    knots, rows = table.x, polynomials(table, order)
    terms = len(rows[0])
    lines = _interval_search(name, knots, [x for row in rows for x in row], terms)
    value = ""
    for m in range(terms):
        lines += [
            f"%i{m} = add i64 %first, {m}",
            f"%c{m}.at = getelementptr double, ptr @{name}.c, i64 %i{m}",
            f"%c{m} = load double, ptr %c{m}.at",
        ]
        if value:
            lines += [f"%p{m} = fmul double {value}, %d", f"%y{m} = fadd double %p{m}, %c{m}"]
        value = f"%y{m}" if value else f"%c{m}"
    ends = outside(table, order)
    if ends is not None:
        lines += [
            f"%before = fcmp olt double %x, {hexadecimal(knots[0])}",
            f"%after = fcmp ogt double %x, {hexadecimal(knots[-1])}",
            f"%held = select i1 %before, double {hexadecimal(ends[0])}, double {value}",
            f"%value = select i1 %after, double {hexadecimal(ends[1])}, double %held",
        ]
        value = "%value"
    # A derivative above the degree is constant and would lose NaN.
    lines += ["%missing = fcmp uno double %x, %x", f"%result = select i1 %missing, double %x, double {value}"]
    return "\n".join([*lines, "ret double %result", "}"])


def _interval_search(name: str, knots: Sequence[float], coefficients: Sequence[float], terms: int) -> list[str]:
    """Return the data, and the bisection for the interval %low of x; %d is the distance from its first knot."""
    return [
        _data(f"@{name}.x", knots),
        _data(f"@{name}.c", coefficients),
        f"define internal double @{name}(double %x) {{",
        "entry:",
        "br label %loop",
        "loop:",
        "%low = phi i64 [ 0, %entry ], [ %low2, %halve ]",
        f"%high = phi i64 [ {len(knots) - 1}, %entry ], [ %high2, %halve ]",
        "%gap = sub i64 %high, %low",
        "%wide = icmp sgt i64 %gap, 1",
        "br i1 %wide, label %halve, label %found",
        "halve:",
        "%both = add i64 %low, %high",
        "%middle = lshr i64 %both, 1",
        f"%m.at = getelementptr double, ptr @{name}.x, i64 %middle",
        "%m = load double, ptr %m.at",
        "%right = fcmp oge double %x, %m",
        "%low2 = select i1 %right, i64 %middle, i64 %low",
        "%high2 = select i1 %right, i64 %high, i64 %middle",
        "br label %loop",
        "found:",
        f"%k.at = getelementptr double, ptr @{name}.x, i64 %low",
        "%k = load double, ptr %k.at",
        "%d = fsub double %x, %k",
        f"%first = mul i64 %low, {terms}",
    ]


def _data(name: str, values: Sequence[float]) -> str:
    """Return the definition of a constant array."""
    listed = ", ".join(f"double {hexadecimal(float(x))}" for x in values)
    return f"{name} = internal constant [{len(values)} x double] [{listed}]"


def table_c(name: str, table: Table, order: int, number: Callable[[float], str]) -> str:
    """Return a static function double name(double x) in C; `number` formats a number."""
    rows = polynomials(table, order)
    terms = len(rows[0])
    horner = f"{name}_c[i]"
    for m in range(1, terms):
        horner = f"({horner}) * d + {name}_c[i + {m}]"
    ends = outside(table, order)
    held = ""
    if ends is not None:
        first, last = (number(float(x)) for x in (table.x[0], table.x[-1]))
        held = f"    if (x < {first}) return {number(ends[0])};\n    if (x > {last}) return {number(ends[1])};\n"
    knots = ", ".join(number(float(x)) for x in table.x)
    coefficients = ", ".join(number(x) for row in rows for x in row)
    return (
        f"static const double {name}_x[] = {{{knots}}};\n"
        f"static const double {name}_c[] = {{{coefficients}}};\n"
        f"static double {name}(double x)\n{{\n"
        f"    int low = 0, high = {len(table.x) - 1};\n"
        f"    if (x != x) return x;\n{held}"
        f"    while (high - low > 1) {{\n        const int middle = (low + high) / 2;\n"
        f"        if (x >= {name}_x[middle]) low = middle; else high = middle;\n    }}\n"
        f"    const double d = x - {name}_x[low];\n    const int i = {terms} * low;\n    (void)d;\n"
        f"    return {horner};\n}}\n"
    )
