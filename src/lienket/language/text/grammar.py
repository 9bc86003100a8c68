"""The grammar of formulas: from tokens to steps in the order of evaluation.

    sum      = product {("+" | "-") product}
    product  = signed {("*" | "/") signed}
    signed   = {"-" | "+"} power
    power    = operand [("^" | "**") signed]
    operand  = number | name | "(" sum ")" | "der(" name ["," 1 | 2] ")"
             | function "(" sum {"," sum} ")" | "if(" sum comparison sum "," sum "," sum ")"
             | "der(" table ["," 1 | 2] ")(" sum ")"

The steps are in reverse Polish order: 2*x + 1 becomes 2, x, *, 1, +. Neither the parser nor the
evaluation is recursive, so the nesting of a formula is not bounded by Python's recursion limit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...errors import ExpressionError, did_you_mean
from ..functions import FUNCTIONS, RELATIONS
from .grammar_steps import Group, Operator, Step
from .limits import MAX_DEPTH
from .tokens import END, NAME, NUMBER, SIGN, Token, shorten, tokenize

ARGUMENTS: dict[str, tuple[int, int | None, str]] = {
    "sqrt": (1, 1, "1 argument"),
    "if": (3, 3, "3 arguments, a condition and two values"),
    **{name: (function.least, function.most, function.arguments()) for name, function in FUNCTIONS.items()},
}
"""Least and largest number of arguments of every function, and both in words."""

_PRECEDENCE = {**dict.fromkeys(RELATIONS, 0), "+": 1, "-": 1, "*": 2, "/": 2, "negate": 3, "^": 4}
_CONSTANTS = ("pi", "t")
_UNKNOWN_NAMES_LISTED = 8  # [names] unknown names listed in one message; the others are only counted


def parse(text: str, names: Collection[str], data_functions: Mapping[str, int] | None = None) -> list[Step]:
    """Return the steps that evaluate `text`.

    `names` are all names that may be used, `data_functions` the numbers of arguments of tables and Python functions.
    """
    return _Parser(text, names, data_functions or {}).parse()


class _Parser:
    """Operator-precedence parser with one explicit stack of pending operators and open groups."""

    def __init__(self, text: str, names: Collection[str], data_functions: Mapping[str, int]) -> None:
        self.text = text
        self.names = names
        self.data_functions = data_functions
        counts = {name: (k, k, "1 argument" if k == 1 else f"{k} arguments") for name, k in data_functions.items()}
        self.functions = ARGUMENTS | counts
        self.tokens = tokenize(text)
        self.position = 0
        self.depth = 0
        self.pending: list[Operator | Group] = []
        self.steps: list[Step] = []
        self.unknown: dict[
            str, int
        ] = {}  # column of the first use of each unknown name; a function's name ends with "("

    def parse(self) -> list[Step]:
        """Return all steps of the formula."""
        if self.tokens[0].kind == END:
            raise self.error("expected a formula, found an empty text", self.tokens[0])
        while True:
            self.read_operand()
            if not self.read_operator():
                break
        self.report_unknown()
        return self.steps

    def error(self, message: str, token: Token | Group | Operator) -> ExpressionError:
        return ExpressionError(message, self.text, token.column)

    def next(self) -> Token:
        token = self.tokens[self.position]
        self.position += token.kind != END
        return token

    def peek(self) -> Token:
        return self.tokens[self.position]

    # Operands, with the signs and opening parentheses before them

    def read_operand(self) -> None:
        while True:
            token = self.next()
            if token.kind == NUMBER:
                self.steps.append(Step("number", token.text, token.column))
                return
            if token.kind == NAME:
                if self.read_name(token):
                    return
            elif token.text == "(":
                self.push(Group("", token.column, 0 if self.after_power() else 1))
            elif token.text == "-":
                self.negate(token)
            elif token.text != "+":
                raise self.error(f"expected a number, a name or '(', found {token}", token)

    def negate(self, token: Token) -> None:
        top = self.pending[-1] if self.pending else None
        if isinstance(top, Operator) and top.sign == "negate":
            self.pending.pop()  # two signs in a row cancel
        else:
            self.pending.append(Operator("negate", token.column))

    def after_power(self) -> bool:
        """Return whether the parenthesis just read encloses an exponent; it counts as one level with its '^'."""
        return self.position > 1 and self.tokens[self.position - 2].text in ("^", "**")

    def read_name(self, token: Token) -> bool:
        """Read a name or the head of a call; return whether it completes the operand."""
        name = token.text
        called = self.peek().text == "("
        if name == "der":
            return self.read_derivative(token)
        known = name in self.names or name in _CONSTANTS
        if not called:
            if name in self.functions:
                raise self.error(f"{name} is a function: write {name}(...)", token)
            if not known:
                self.unknown.setdefault(name, token.column)
            self.steps.append(Step("name", name, token.column))
            return True
        if name not in self.functions:
            if known:
                raise self.error(f"{name} is not a function; for a product write {name}*(...)", token)
            self.unknown.setdefault(name + "(", token.column)
        if name == "if" and any(isinstance(g, Group) and g.name == "if" and not g.commas for g in self.pending):
            raise self.error("an if is not allowed in the condition of another if", token)
        self.next()
        self.push(Group(name, token.column, 1))
        return False

    def read_derivative(self, start: Token) -> bool:
        """Read der(x), der(x, 2) or the head of der(road)(x) after `der`; return whether the operand is complete."""
        self.expect("(", "der is a function: write der(x) for a coordinate x")
        token = self.next()
        if token.kind != NAME or self.peek().text not in (",", ")"):
            raise self.error("der takes the name of one coordinate, e.g. der(x) or der(x, 2)", token)
        if token.text not in self.names and token.text not in _CONSTANTS:
            self.unknown.setdefault(token.text, token.column)
        order = 1
        if self.peek().text == ",":
            self.next()
            number = self.next()
            if number.text not in ("1", "2"):
                raise self.error(f"the order of a derivative must be 1 or 2, found {number}", number)
            order = int(number.text)
        self.expect(")", f"expected a closing parenthesis for the one opened at column {start.column + 4}")
        if self.data_functions.get(token.text) == 1:
            self.expect("(", f"der({token.text}) is a function: write der({token.text})(...)")
            self.push(Group(token.text, token.column, 1, order=order))
            return False
        self.steps.append(Step("der", token.text, start.column, order))
        return True

    def expect(self, sign: str, message: str) -> None:
        token = self.next()
        if token.text != sign:
            raise self.error(f"{message}, found {token}", token)

    # Operators, commas and closing parentheses between two operands

    def read_operator(self) -> bool:
        """Read closing parentheses and one operator or comma; return False at the end of the text."""
        while True:
            token = self.next()
            if token.kind == END:
                self.finish(token)
                return False
            if token.text == ")":
                self.close(token)
                continue
            if token.kind != SIGN or token.text == "(":
                before = self.tokens[self.position - 2]
                product = f"{shorten(before.text)}*{shorten(token.text)}"
                raise self.error(f"expected an operator, e.g. {product}, found {token}", token)
            if token.text == ",":
                self.end_argument(token)
            elif token.text in RELATIONS:
                self.compare(token)
            else:
                self.push_operator(token)
            return True

    def push_operator(self, token: Token) -> None:
        sign = "^" if token.text == "**" else token.text
        # Powers are right-associative: a second '^' does not close the first.
        self.close_operators(_PRECEDENCE[sign] + (sign == "^"))
        self.push(Operator(sign, token.column, 1 if sign == "^" else 0))

    def close_operators(self, least: int) -> None:
        """Emit the pending operators of the innermost group with precedence at least `least`."""
        while self.pending:
            top = self.pending[-1]
            if isinstance(top, Group) or _PRECEDENCE[top.sign] < least:
                return
            self.pending.pop()
            self.depth -= top.levels
            self.steps.append(Step(top.sign, top.sign, top.column))

    def push(self, item: Operator | Group) -> None:
        self.depth += item.levels
        if self.depth > MAX_DEPTH:
            raise self.error(f"the formula is nested deeper than {MAX_DEPTH} levels here", item)
        self.pending.append(item)

    def innermost(self) -> Group | None:
        """Return the innermost open group, or None; its operators must have been closed."""
        top = self.pending[-1] if self.pending else None
        return top if isinstance(top, Group) else None

    def compare(self, token: Token) -> None:
        self.close_operators(1)
        top = self.pending[-1] if self.pending else None
        if isinstance(top, Operator):
            raise self.error("the condition of if must be a single comparison; nest one if(...) in another", token)
        if top is None or top.name != "if" or top.commas:
            raise self.error("a comparison is allowed only as the condition of if(condition, a, b)", token)
        top.compared = True
        self.pending.append(Operator(token.text, token.column))

    def end_argument(self, token: Token) -> None:
        self.close_operators(0)
        group = self.innermost()
        if group is None or not group.name:
            raise self.error("a comma is allowed only between the arguments of a function", token)
        self.check_condition(group, token)
        group.commas += 1

    def check_condition(self, group: Group, token: Token) -> None:
        if group.name == "if" and not group.commas and not group.compared:
            raise self.error("the condition of if must be a comparison, e.g. if(x < 0, a, b)", token)

    def close(self, token: Token) -> None:
        self.close_operators(0)
        group = self.innermost()
        if group is None:
            raise self.error("this closing parenthesis has no opening one", token)
        self.pending.pop()
        self.depth -= group.levels
        if not group.name:
            return
        count = group.commas + 1
        least, most, words = self.functions.get(group.name, (0, None, ""))
        if count < least or (most is not None and count > most):
            raise self.error(f"{group.name} takes {words}, found {count}", group)
        self.steps.append(Step("call", group.name, group.column, count, group.order))

    def finish(self, token: Token) -> None:
        self.close_operators(0)
        group = self.innermost()
        if group is not None:
            column = group.column + len(group.name) + 1
            while group.name and self.text[column - 1] != "(":
                column += 1
            raise self.error(
                f"expected a closing parenthesis for the one opened at column {column}, found {token}", token
            )

    def report_unknown(self) -> None:
        """Report all unknown names together, at the column of the first."""
        if not self.unknown:
            return
        listed = []
        for unknown in list(self.unknown)[:_UNKNOWN_NAMES_LISTED]:
            name = unknown.rstrip("(")
            known = [*self.functions, "der"] if name != unknown else [*self.names, *_CONSTANTS]
            kind = "function" if name != unknown else "name"
            listed.append(f"unknown {kind} {shorten(name)!r}{did_you_mean(name, known)}")
        if len(self.unknown) > _UNKNOWN_NAMES_LISTED:
            listed.append(f"and {len(self.unknown) - _UNKNOWN_NAMES_LISTED} more")
        raise ExpressionError("; ".join(listed), self.text, min(self.unknown.values()))
