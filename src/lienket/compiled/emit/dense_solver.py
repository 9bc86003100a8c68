"""Elimination of the whole saddle matrix by vector code, for systems too large or too dense for straight-line code.

The matrix K (see `saddle_layout`) is eliminated in place by 2 x 2 pivots, coordinates first, then constraints, four
columns at a time. The loop runs over the pivots; the updates of all rows are emitted once in order, and each pivot
jumps to the first row below it. The checks of the pivots are those of `saddle_elimination`, that of the digits is the
one of `digit_guard`.
"""

from __future__ import annotations

from ..functions.digit_guard import MOST_CANCELLATION
from ..functions.saddle_elimination import PIVOT_GUARD
from ..functions.saddle_layout import SaddleLayout
from .sine import hexadecimal

V = "<4 x double>"
DECLARATIONS = (f"declare double @llvm.vector.reduce.fadd.v4f64(double, {V})",)


def solver(name: str, layout: SaddleLayout) -> str:
    """Return the function i64 @name(ptr K, ptr out): solution into `out`, return value as in `emit.llvm`."""
    return _Solver(name, layout).text()


class _Solver:
    """Emitter of the solver for one layout."""

    def __init__(self, name: str, layout: SaddleLayout) -> None:
        self.name, self.layout = name, layout
        self.lines: list[str] = []
        self._count = 0

    def text(self) -> str:
        """Return the function as LLVM IR."""
        m, width = self.layout.columns, self.layout.width
        self._add(
            f"define internal i64 @{self.name}(ptr noalias %K, ptr noalias %out) {{",
            "entry:",
            f"%F = alloca [{2 * width} x double], align 32",
            f"%inverse = alloca [{2 * m} x double], align 32",
            f"%support = alloca [{m} x double], align 32",
            f"%x = alloca [{width} x double], align 32",
            "%free = alloca double",
            "store double 0.0, ptr %free",
        )
        self._store_support(0, self.layout.coordinates, 1.0)
        valid = self._pivots("a", 0, self.layout.coordinates, "true")
        if self.layout.s:
            self._store_support(self.layout.coordinates, m, -1.0)
            valid = self._pivots("b", self.layout.coordinates, m, valid)
        self._back_substitution()
        self._results()
        lost = self._new(f"select i1 {self._digits_hold()}, i64 0, i64 2") if self.layout.s else "0"
        status = self._new(f"select i1 {valid}, i64 {lost}, i64 1")
        self._add(f"ret i64 {status}", "}")
        return "\n".join(self.lines)

    # The pivots

    def _store_support(self, first: int, last: int, sign: float) -> None:
        """Store the positive part P of each pivot: its inertia, or for a constraint what the coordinates contribute."""
        for i in range(first, last):
            d = self._load("%K", str(i * self.layout.width + i))
            self._store(d if sign > 0 else self._new(f"fneg double {d}"), "%support", str(i))

    def _pivots(self, phase: str, first: int, last: int, valid: str) -> str:
        """Emit the loop over the pivots (k, k + 1) from `first` to `last`; return whether all checks so far held.

        The two rows right below a pivot come first and the inverse of the next pivot follows at once, so that the
        processor updates the other rows while the division is under way.
        """
        m = self.layout.columns
        start = self._new(f"and i1 {valid}, {self._inverse_of_pivot(str(first), first >= self.layout.coordinates)}")
        self._add(f"br label %{phase}.begin", f"{phase}.begin:", f"br label %{phase}.loop", f"{phase}.loop:")
        k, ok, next_k, next_ok = (f"%{phase}.{what}" for what in ("k", "ok", "k2", "ok2"))
        self._add(f"{k} = phi i64 [ {first}, %{phase}.begin ], [ {next_k}, %{phase}.next ]")
        self._add(f"{ok} = phi i1 [ {start}, %{phase}.begin ], [ {next_ok}, %{phase}.next ]")
        self._add(f"{next_k} = add i64 {k}, 2")
        row = self._new(f"mul i64 {k}, {self.layout.width}")
        other = self._new(f"add i64 {row}, {self.layout.width}")
        some = self._new(f"icmp slt i64 {next_k}, {m}")
        self._add(f"br i1 {some}, label %{phase}.first, label %{phase}.end", f"{phase}.first:")
        self._first_rows(phase, k, row, other)
        if first < self.layout.coordinates:
            self._add_free(row, other)
        another = self._new(f"icmp slt i64 {next_k}, {last}")
        self._add(f"br i1 {another}, label %{phase}.inverse, label %{phase}.end", f"{phase}.inverse:")
        checked = self._inverse_of_pivot(next_k, first >= self.layout.coordinates)
        self._add(f"br label %{phase}.end", f"{phase}.end:")
        branches = (("loop", "true"), ("first.done", "true"), ("inverse", checked))
        entering = ", ".join(f"[ {value}, %{phase}.{label} ]" for label, value in branches)
        self._add(f"%{phase}.checked = phi i1 {entering}", f"{next_ok} = and i1 {ok}, %{phase}.checked")
        rows = range(first + 4, m, 2)
        cases = " ".join(f"i64 {i - 2}, label %{phase}.row{i}" for i in rows)
        self._add(f"switch i64 {next_k}, label %{phase}.next [ {cases} ]")
        for i in rows:
            self._add(f"{phase}.row{i}:")
            self._update(i, row, other)
            self._add(f"br label %{phase}.{f'row{i + 2}' if i + 2 < m else 'next'}")
        again = f"%{phase}.again"
        self._add(f"{phase}.next:", f"{again} = icmp slt i64 {next_k}, {last}")
        self._add(f"br i1 {again}, label %{phase}.loop, label %{phase}.done", f"{phase}.done:")
        return next_ok

    def _inverse_of_pivot(self, k: str, negative: bool) -> str:
        """Store 1/d, l = K_12/d and 1/d' of the pivot (k, k + 1) = [d K_12; . K_22] in `inverse`, d' = K_22 - l K_12.

        Return whether its check holds. The two rows are eliminated one after the other: their explicit inverse would
        lose what the rows agree in once more. With d' = determinant/d the processor divides by both at once.
        """
        row = self._new(f"mul i64 {k}, {self.layout.width}")
        diagonal = self._new(f"add i64 {row}, {k}")
        a = self._load("%K", diagonal)
        b = self._load("%K", self._new(f"add i64 {diagonal}, 1"))
        c = self._load("%K", self._new(f"add i64 {diagonal}, {self.layout.width + 1}"))
        square = self._new(f"fmul double {b}, {b}")
        determinant = self._new(f"fsub contract double {self._new(f'fmul contract double {a}, {c}')}, {square}")
        supports = [self._load("%support", k), self._load("%support", self._new(f"add i64 {k}, 1"))]
        product = self._new(f"fmul double {supports[0]}, {supports[1]}")
        least = self._new(f"fmul double {product}, {hexadecimal(PIVOT_GUARD)}")
        one = self._new(f"fdiv double 1.0, {a}")
        other = self._new(f"fmul double {a}, {self._new(f'fdiv double 1.0, {determinant}')}")
        first = self._new(f"mul i64 {k}, 2")
        for offset, value in enumerate((one, self._new(f"fmul double {b}, {one}"), other)):
            self._store(value, "%inverse", self._new(f"add i64 {first}, {offset}"))
        signed = self._new(f"fcmp {'olt' if negative else 'ogt'} double {a}, 0.0")
        large = self._new(f"fcmp ogt double {determinant}, {least}")
        return self._new(f"and i1 {signed}, {large}")

    def _first_rows(self, phase: str, k: str, row: str, other: str) -> None:
        """Emit the elimination of the second pivot row by the first and F = -row/d of both, from column k + 2 on.

        With them goes the update of the two rows below.
        """
        width = self.layout.width
        first = self._new(f"mul i64 {k}, 2")
        singles = [self._load("%inverse", self._new(f"add i64 {first}, {offset}")) for offset in range(3)]
        one, between, two = (self._splat(self._new(f"fneg double {x}")) for x in singles)  # -1/d, -l, -1/d'
        third = self._new(f"add i64 {other}, {width}")
        fourth = self._new(f"add i64 {third}, {width}")
        column = self._new(f"add i64 {k}, 2")
        pairs = [self._pair_at(base, column) for base in (row, other)]
        factors = [self._factors_of_row(pairs, (one, between, two), lane) for lane in (0, 1)]
        block = self._new(f"lshr i64 {column}, 2")
        last = width // 4 - 1
        cases = " ".join(f"i64 {b}, label %{phase}.chunk{b}" for b in range(last))
        self._add(f"switch i64 {block}, label %{phase}.chunk{last} [ {cases} ]")
        for b in range(last + 1):
            self._add(f"{phase}.chunk{b}:")
            x = self._chunk("%K", row, 4 * b)
            y = self._fma(x, between, self._chunk("%K", other, 4 * b))
            self._store_chunk(y, "%K", other, 4 * b)
            for offset, (pivot_row, inverse) in enumerate(((x, one), (y, two))):
                self._store_chunk(self._new(f"fmul {V} {pivot_row}, {inverse}"), "%F", str(offset * width), 4 * b)
            for base, (f, g) in zip((third, fourth), factors, strict=True):
                value = self._fma(y, g, self._fma(x, f, self._chunk("%K", base, 4 * b)))
                self._store_chunk(value, "%K", base, 4 * b)
            self._add(f"br label %{phase}.{f'chunk{b + 1}' if b < last else 'first.done'}")
        self._add(f"{phase}.first.done:")

    def _pair_at(self, base: str, column: str) -> str:
        """Load two neighbouring numbers of a row."""
        return self._new(
            f"load <2 x double>, ptr {self._address('%K', self._new(f'add i64 {base}, {column}'))}, align 8"
        )

    def _factors_of_row(self, pairs: list[str], inverse: tuple[str, str, str], lane: int) -> tuple[str, str]:
        """Return F of a row right below the pivot, each of its two numbers spread over a vector."""
        one, between, two = inverse
        spread = f"<4 x i32> <{', '.join([f'i32 {lane}'] * 4)}>"
        x, y = (self._new(f"shufflevector <2 x double> {pair}, <2 x double> poison, {spread}") for pair in pairs)
        y = self._fma(x, between, y)
        return self._new(f"fmul {V} {x}, {one}"), self._new(f"fmul {V} {y}, {two}")

    def _update(self, i: int, row: str, other: str) -> None:
        """Emit rows i and i + 1 minus their multiples of the pivot rows, from column i on."""
        width = self.layout.width
        factors = {(r, k): self._splat(self._load("%F", str(k * width + r))) for r in (i, i + 1) for k in (0, 1)}
        for c in range(i // 4 * 4, width, 4):
            x, y = self._chunk("%K", row, c), self._chunk("%K", other, c)
            for r in (i, i + 1):
                value = self._fma(x, factors[r, 0], self._chunk("%K", str(r * width), c))
                self._store_chunk(self._fma(y, factors[r, 1], value), "%K", str(r * width), c)

    # Digits

    def _add_free(self, row: str, other: str) -> None:
        """Emit the addition of r^2/d, r the right sides of a pivot of coordinates, to `free`."""
        m, width = self.layout.columns, self.layout.width
        total = self._load_from("%free")
        for base, at in ((row, m), (other, width + m)):
            product = [self._load("%K", self._new(f"add i64 {base}, {m}")), self._load("%F", str(at))]
            term = self._new(f"fmul contract double {product[0]}, {product[1]}")
            total = self._new(f"fsub contract double {total}, {term}")
        self._add(f"store double {total}, ptr %free")

    def _digits_hold(self) -> str:
        """Emit free <= MOST_CANCELLATION sum A_ii a_i^2."""
        motion = "0.0"
        for i in range(self.layout.n):
            a = self._load("%x", str(i))
            part = self._new(f"fmul contract double {self._load('%support', str(i))}, {a}")
            square = self._new(f"fmul contract double {part}, {a}")
            motion = self._new(f"fadd contract double {motion}, {square}")
        most = self._new(f"fmul double {hexadecimal(MOST_CANCELLATION)}, {motion}")
        return self._new(f"fcmp ole double {self._load_from('%free')}, {most}")

    # Back substitution

    def _back_substitution(self) -> None:
        """Emit x_k from the last pivot to the first; x = -1 for the right side makes each sum a residual."""
        m, width = self.layout.columns, self.layout.width
        for c in range(0, width, 4):
            self._store_chunk("zeroinitializer", "%x", "0", c)
        self._store("-1.0", "%x", str(m))
        self._reduce_last_right()
        self._add("br label %back.begin", "back.begin:", "br label %back.loop", "back.loop:")
        self._add(f"%back.k = phi i64 [ {m - 2}, %back.begin ], [ %back.k2, %back.next ]")
        row = self._new(f"mul i64 %back.k, {width}")
        other = self._new(f"add i64 {row}, {width}")
        start = self._new("add i64 %back.k, 2")
        block = self._new(f"lshr i64 {start}, 2")
        last = width // 4 - 1
        cases = " ".join(f"i64 {b}, label %back.chunk{b}" for b in range(last))
        self._add("br label %back.turn", "back.turn:", f"switch i64 {block}, label %back.chunk{last} [ {cases} ]")
        for b in range(last + 1):
            self._add(f"back.chunk{b}:")
            sums = []
            for name in ("p", "q"):
                entering = "[ zeroinitializer, %back.turn ]"
                entering += f", [ %back.{name}{b - 1}x, %back.chunk{b - 1} ]" if b else ""
                self._add(f"%back.{name}{b} = phi {V} {entering}")
                sums.append(f"%back.{name}{b}")
            x = self._chunk("%x", "0", 4 * b)
            for name, base, total in zip("pq", (row, other), sums, strict=True):
                chunk = self._chunk("%K", base, 4 * b)
                self._add(f"%back.{name}{b}x = call {V} @llvm.fma.v4f64({V} {chunk}, {V} {x}, {V} {total})")
            self._add(f"br label %back.{f'chunk{b + 1}' if b < last else 'solved'}")
        self._add("back.solved:")
        self._solve_pair(last)
        self._add("br label %back.next", "back.next:", "%back.k2 = sub i64 %back.k, 2")
        self._add("%back.again = icmp sge i64 %back.k2, 0", "br i1 %back.again, label %back.loop, label %back.done")
        self._add("back.done:")

    def _reduce_last_right(self) -> None:
        """Emit r' = r' - l r for the right sides of the last pivot, which has no rows below."""
        m, width = self.layout.columns, self.layout.width
        first, second = ((m - 2) * width + m, (m - 1) * width + m)
        product = f"fmul contract double {self._load('%inverse', str(2 * (m - 2) + 1))}, {self._load('%K', str(first))}"
        right = self._new(f"fsub contract double {self._load('%K', str(second))}, {self._new(product)}")
        self._store(right, "%K", str(second))

    def _solve_pair(self, last: int) -> None:
        """Emit the two unknowns of a pivot, the second first, from the residuals of its rows."""
        residuals = [
            self._new(f"call reassoc double @llvm.vector.reduce.fadd.v4f64(double -0.0, {V} %back.{name}{last}x)")
            for name in "pq"
        ]
        first = self._new("mul i64 %back.k, 2")
        one, between, two = (self._load("%inverse", self._new(f"add i64 {first}, {offset}")) for offset in range(3))
        second = self._new(f"fneg double {self._new(f'fmul double {two}, {residuals[1]}')}")
        parts = (f"{one}, {residuals[0]}", f"{between}, {second}")
        total = self._new("fadd contract double " + ", ".join(self._new(f"fmul contract double {p}") for p in parts))
        for offset, value in enumerate((self._new(f"fneg double {total}"), second)):
            self._store(value, "%x", self._new(f"add i64 %back.k, {offset}"))

    def _results(self) -> None:
        """Emit the stores of accelerations and multipliers in `out`."""
        for i in range(self.layout.n):
            self._store(self._load("%x", str(i)), "%out", str(i))
        for k in range(self.layout.s):
            value = self._load("%x", str(self.layout.coordinates + k))
            self._store(self._new(f"fneg double {value}"), "%out", str(self.layout.n + k))

    # Instructions

    def _add(self, *lines: str) -> None:
        """Append lines of code."""
        self.lines += lines

    def _new(self, text: str) -> str:
        """Append an instruction and return the name of its value."""
        self._count += 1
        self.lines.append(f"%s{self._count} = {text}")
        return f"%s{self._count}"

    def _address(self, base: str, index: str) -> str:
        """Return the address of an entry of an array."""
        return self._new(f"getelementptr double, ptr {base}, i64 {index}")

    def _load(self, base: str, index: str) -> str:
        """Return an entry of an array."""
        return self._new(f"load double, ptr {self._address(base, index)}")

    def _load_from(self, address: str) -> str:
        """Return the number at an address."""
        return self._new(f"load double, ptr {address}")

    def _store(self, value: str, base: str, index: str) -> None:
        """Store a number in an array."""
        self._add(f"store double {value}, ptr {self._address(base, index)}")

    def _chunk(self, base: str, row: str, column: int) -> str:
        """Return four neighbouring entries of a row, as a vector."""
        index = str(int(row) + column) if row.isdigit() else self._new(f"add i64 {row}, {column}")
        return self._new(f"load {V}, ptr {self._address(base, index)}, align 32")

    def _store_chunk(self, value: str, base: str, row: str, column: int) -> None:
        """Store a vector in four neighbouring entries of a row."""
        index = str(int(row) + column) if row.isdigit() else self._new(f"add i64 {row}, {column}")
        self._add(f"store {V} {value}, ptr {self._address(base, index)}, align 32")

    def _splat(self, x: str) -> str:
        """Return a vector with one number in all lanes."""
        single = self._new(f"insertelement {V} poison, double {x}, i32 0")
        return self._new(f"shufflevector {V} {single}, {V} poison, <4 x i32> zeroinitializer")

    def _fma(self, x: str, y: str, z: str) -> str:
        """Return x y + z of vectors, rounded once."""
        return self._new(f"call {V} @llvm.fma.v4f64({V} {x}, {V} {y}, {V} {z})")
