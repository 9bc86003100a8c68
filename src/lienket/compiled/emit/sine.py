"""Sine and cosine of four arguments at once as LLVM IR, inline: one call of the C library costs as much as 30 products.

    x = n pi/2 + r,  |r| <= pi/4        pi/2 in three parts, exact products by fused multiply-add
    sin r = r + r^3 (S1 + S2 r^2 + ...)      cos r = 1 - r^2/2 + r^4 (C1 + C2 r^2 + ...)

The polynomials are those of fdlibm (Sun Microsystems, 1993); both results are within 1.5 ulp. For arguments
beyond ARGUMENT_LIMIT the C library is called; NaN and infinities give NaN.
"""

from __future__ import annotations

import struct

LANES = 4  # doubles in a vector
ARGUMENT_LIMIT = 1e9  # [rad] argument beyond which the reduction by three parts of pi/2 loses digits
_SIN = (
    1.58969099521155010221e-10,
    -2.50507602534068634195e-08,
    2.75573137070700676789e-06,
    -1.98412698298579493134e-04,
    8.33333333332248946124e-03,
    -1.66666666666666324348e-01,
)
_COS = (
    -1.13596475577881948265e-11,
    2.08757232129817482790e-09,
    -2.75573143513906633035e-07,
    2.48015872894767294178e-05,
    -1.38888888888741095749e-03,
    4.16666666666666019037e-02,
)
_HALF_PI = ("0x3FF921FB54442D18", "0x3C91A62633145C07", "0xB91F1976B7ED8FBC")  # three parts of 53 bits each
_ROUNDER = 6755399441055744.0  # 1.5 2^52: x + this has the nearest integer of x in its last bits

DECLARATIONS = (
    "declare double @sin(double)",
    "declare double @cos(double)",
    "declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)",
    "declare <4 x double> @llvm.fabs.v4f64(<4 x double>)",
)


def hexadecimal(value: float) -> str:
    """Return a number in LLVM's hexadecimal notation, which is exact."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _splat(text: str, kind: str = "double") -> str:
    """Return a constant vector with one number in all lanes."""
    return "<" + ", ".join([f"{kind} {text}"] * LANES) + ">"


def sine_and_cosine(name: str, arguments: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the lines that compute both for up to four arguments, the names of the sines and those of the cosines.

    `name` is the prefix of every name; the lines end in a new basic block.
    """
    v = f"%{name}"
    lines = _packed(v, arguments) + _reduced(v) + _polynomials(v) + _in_quadrant(v) + _guarded(v, len(arguments))
    sines: list[str] = []
    cosines: list[str] = []
    for k in range(len(arguments)):
        for kind, names in (("s", sines), ("c", cosines)):
            names.append(f"{v}.{kind}{k}")
            lines.append(f"{v}.{kind}{k} = extractelement <4 x double> {v}.{kind}, i32 {k}")
    return lines, sines, cosines


def _packed(v: str, arguments: list[str]) -> list[str]:
    """Emit the arguments as one vector {v}.x, unused lanes 0."""
    lines, packed = [], "zeroinitializer"
    for k, x in enumerate(arguments):
        target = f"{v}.x" if k == len(arguments) - 1 else f"{v}.x{k}"
        lines.append(f"{target} = insertelement <4 x double> {packed}, double {x}, i32 {k}")
        packed = target
    return lines


def _reduced(v: str) -> list[str]:
    """Emit r = x - n pi/2 with |r| <= pi/4, and z = r^2."""
    vector = "<4 x double>"
    lines = [
        f"{v}.m0 = fmul {vector} {v}.x, {_splat(hexadecimal(0.6366197723675814))}",
        f"{v}.m = fadd {vector} {v}.m0, {_splat(hexadecimal(_ROUNDER))}",
        f"{v}.n0 = fsub {vector} {v}.m, {_splat(hexadecimal(_ROUNDER))}",
        f"{v}.n = fneg {vector} {v}.n0",
        f"{v}.bits = bitcast {vector} {v}.m to <4 x i64>",
    ]
    r = f"{v}.x"
    for k, part in enumerate(_HALF_PI):
        lines.append(_fma(f"{v}.r{k}", f"{v}.n", _splat(part), r))
        r = f"{v}.r{k}"
    return [*lines, f"{v}.z = fmul {vector} {r}, {r}"]


def _fma(target: str, a: str, b: str, c: str) -> str:
    """Return the line target = a b + c of vectors, rounded once."""
    return f"{target} = call <4 x double> @llvm.fma.v4f64(<4 x double> {a}, <4 x double> {b}, <4 x double> {c})"


def _polynomials(v: str) -> list[str]:
    """Emit sin r and cos r by the polynomials of fdlibm."""
    lines = []
    for kind, coefficients in (("ps", _SIN), ("pc", _COS)):
        value = _splat(hexadecimal(coefficients[0]))
        for k, c in enumerate(coefficients[1:]):
            lines.append(_fma(f"{v}.{kind}{k}", value, f"{v}.z", _splat(hexadecimal(c))))
            value = f"{v}.{kind}{k}"
    vector, r = "<4 x double>", f"{v}.r2"
    return [
        *lines,
        f"{v}.r3 = fmul {vector} {v}.z, {r}",
        _fma(f"{v}.sin", f"{v}.r3", f"{v}.ps4", r),
        # 1 - z/2 + z^2 p, plus the rounding error of 1 - z/2
        f"{v}.hz = fmul {vector} {v}.z, {_splat(hexadecimal(0.5))}",
        f"{v}.w = fsub {vector} {_splat(hexadecimal(1.0))}, {v}.hz",
        f"{v}.l0 = fsub {vector} {_splat(hexadecimal(1.0))}, {v}.w",
        f"{v}.l = fsub {vector} {v}.l0, {v}.hz",
        f"{v}.z2 = fmul {vector} {v}.z, {v}.z",
        _fma(f"{v}.c0x", f"{v}.z2", f"{v}.pc4", f"{v}.l"),
        f"{v}.cos = fadd {vector} {v}.w, {v}.c0x",
    ]


def _in_quadrant(v: str) -> list[str]:
    """Emit the exchange of sine and cosine and the signs of the quadrant n mod 4."""
    four = "<4 x i64>"
    lines = [
        f"{v}.odd0 = and {four} {v}.bits, {_splat('1', 'i64')}",
        f"{v}.odd = icmp ne {four} {v}.odd0, zeroinitializer",
        f"{v}.fs0 = shl {four} {v}.bits, {_splat('62', 'i64')}",
        f"{v}.next = add {four} {v}.bits, {_splat('1', 'i64')}",
        f"{v}.fc0 = shl {four} {v}.next, {_splat('62', 'i64')}",
    ]
    for kind, one, other in (("s", "cos", "sin"), ("c", "sin", "cos")):
        lines += [
            f"{v}.f{kind} = and {four} {v}.f{kind}0, {_splat(str(-(2**63)), 'i64')}",
            f"{v}.{kind}a = select <4 x i1> {v}.odd, <4 x double> {v}.{one}, <4 x double> {v}.{other}",
            f"{v}.{kind}b = bitcast <4 x double> {v}.{kind}a to {four}",
            f"{v}.{kind}c = xor {four} {v}.{kind}b, {v}.f{kind}",
            f"{v}.{kind}d = bitcast {four} {v}.{kind}c to <4 x double>",
        ]
    return lines


def _guarded(v: str, count: int) -> list[str]:
    """Emit calls of the C library for all lanes if one argument is beyond ARGUMENT_LIMIT."""
    label = v[1:]
    lines = [
        f"{v}.abs = call <4 x double> @llvm.fabs.v4f64(<4 x double> {v}.x)",
        f"{v}.big0 = fcmp ogt <4 x double> {v}.abs, {_splat(hexadecimal(ARGUMENT_LIMIT))}",
        f"{v}.big1 = bitcast <4 x i1> {v}.big0 to i4",
        f"{v}.big = icmp ne i4 {v}.big1, 0",
        f"br label %{label}.near",
        f"{label}.near:",
        f"br i1 {v}.big, label %{label}.far, label %{label}.done",
        f"{label}.far:",
    ]
    for kind, function in (("s", "sin"), ("c", "cos")):
        packed = "zeroinitializer"
        for k in range(count):
            lines += [
                f"{v}.{kind}x{k} = extractelement <4 x double> {v}.x, i32 {k}",
                f"{v}.{kind}y{k} = call double @{function}(double {v}.{kind}x{k})",
                f"{v}.{kind}far{k} = insertelement <4 x double> {packed}, double {v}.{kind}y{k}, i32 {k}",
            ]
            packed = f"{v}.{kind}far{k}"
    lines += [f"br label %{label}.done", f"{label}.done:"]
    for kind in "sc":
        near, far = f"[ {v}.{kind}d, %{label}.near ]", f"[ {v}.{kind}far{count - 1}, %{label}.far ]"
        lines.append(f"{v}.{kind} = phi <4 x double> {near}, {far}")
    return lines
