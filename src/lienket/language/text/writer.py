"""Writer: from a SymPy expression to the text of its formula.

The text follows the stored structure, so that reading it gives an equal expression. It has parentheses only
where they are needed and follows common notation: x/2 and 1/sqrt(x), not (1/2)*x and x^(-1/2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import ExpressionError
from ..data_functions import DataCall
from ..expression import Expression, Node
from ..functions import BY_CLASS, RELATIONS
from ..reserved_words import RESERVED
from ..symbols import is_coordinate_like, name_of, t
from .limits import MAX_CHARACTERS, MAX_DEPTH

_SUM, _SIGNED, _PRODUCT, _POWER, _ATOM = range(5)  # precedence of the loosest operator of a text, ascending
_COMPARISONS = {relation: sign for sign, relation in RELATIONS.items()}
_PART_LENGTH_LIMIT = 4 * MAX_CHARACTERS  # [characters] length above which a part is too long even without spaces


class TextPiece(NamedTuple):
    """Text of a part, precedence of its loosest operator, and its nesting depth."""

    text: str
    binding: int
    depth: int

    def within(self, least: int) -> TextPiece:
        """Return the piece, in parentheses if its precedence is below `least`."""
        return self if self.binding >= least else TextPiece(f"({self.text})", _ATOM, self.depth + 1)


TextOf = Callable[[Node], TextPiece]  # returns the text of a part that has been written before


def write_expression(expression: Expression, word_of: Callable[[str], str] = str) -> str:
    """Return the text of a SymPy expression, such that read_expression returns an equal expression.

    `word_of` returns the word for a name that is none, such as m_{1}. Raises ExpressionError, naming the part, if the
    expression is not in the formula language.
    """
    if not isinstance(expression, sp.Expr):
        raise ExpressionError(f"only a SymPy expression can be written as a formula, not {type(expression).__name__}")
    written: dict[int, TextPiece] = {}
    todo = [expression]
    while todo:  # without recursion: an expression may be deeper than Python's stack
        missing = [part for part in _parts(todo[-1]) if id(part) not in written]
        if missing:
            todo.extend(missing)
            continue
        node = todo.pop()
        if id(node) not in written:
            written[id(node)] = _limited(_write(node, lambda part: written[id(part)], word_of))
    text = written[id(expression)].text
    return text if len(text) <= MAX_CHARACTERS else _without_spaces(text)


def _parts(node: Node) -> list[Node]:
    """Return the subexpressions that appear in the text of `node`."""
    if isinstance(node, (AppliedUndef, sp.Derivative)):
        return []
    if isinstance(node, DataCall):
        return list(node.arguments)
    if not isinstance(node, sp.Piecewise):
        return list(node.args)
    for number, (_, condition) in enumerate(node.args, 1):
        if number == len(node.args) and condition is not sp.true:
            raise ExpressionError("this Piecewise has no value if none of its conditions holds: add (value, True)")
        if number < len(node.args) and type(condition) not in _COMPARISONS:
            raise ExpressionError(f"a condition must be a single comparison of two expressions, not {_name(condition)}")
    return [part for value, condition in node.args for part in (value, *condition.args)]


def _limited(piece: TextPiece) -> TextPiece:
    """Return the text of a part; raise ExpressionError if it exceeds the limits."""
    if piece.depth > MAX_DEPTH:
        raise ExpressionError(f"the formula would be nested deeper than {MAX_DEPTH} levels")
    if len(piece.text) > _PART_LENGTH_LIMIT:
        raise ExpressionError(f"the formula would have more than {MAX_CHARACTERS} characters")
    return piece


def _without_spaces(text: str) -> str:
    """Return the formula without spaces, which have no meaning."""
    short = text.replace(" ", "")
    if len(short) > MAX_CHARACTERS:
        raise ExpressionError(f"the formula would have {len(short)} characters, at most {MAX_CHARACTERS} are allowed")
    return short


def _write(node: Node, text_of: TextOf, word_of: Callable[[str], str]) -> TextPiece:
    """Return the text of `node`, whose parts have been written."""
    if node.is_Number:
        return _number(node)
    if node.is_Add:
        return _sum([text_of(part) for part in node.args], [part.is_Number for part in node.args])
    if node.is_Mul:
        return _product(node.args, text_of)
    if node.is_Pow:
        return _product([node], text_of) if _divides(node) else _power(text_of(node.base), node.exp, text_of)
    if isinstance(node, sp.Piecewise):
        return _cases(node, text_of)
    if type(node) in BY_CLASS:
        return _call(BY_CLASS[type(node)].name, [text_of(part) for part in node.args])
    if isinstance(node, DataCall):
        return _call(_data_function(node), [text_of(part) for part in node.arguments])
    return TextPiece(_atom(node, word_of), _ATOM, 1 if isinstance(node, sp.Derivative) or node is sp.E else 0)


def _number(number: sp.Number) -> TextPiece:
    if number.is_Float:
        value = float(number)
        if sp.Float(value) != number:
            raise ExpressionError(f"the number {number} is not a double precision number")
        return TextPiece(repr(value), _SIGNED if value < 0 else _ATOM, 0)
    if not number.is_Rational:
        raise ExpressionError(f"the formula language has no {number}")
    binding = _SIGNED if number < 0 else _ATOM if number.q == 1 else _PRODUCT
    return TextPiece(str(number), binding, 0)


def _sum(terms: Sequence[TextPiece], numbers: Sequence[bool]) -> TextPiece:
    """Return the sum of `terms`, with a number last and, if possible, no minus sign first."""
    ordered = [term for _, term in sorted(zip(numbers, terms, strict=True), key=lambda pair: pair[0])]
    first = next((i for i, term in enumerate(ordered) if not term.text.startswith("-")), 0)
    ordered.insert(0, ordered.pop(first))
    texts = [term.within(_SIGNED).text for term in ordered]
    text = texts[0] + "".join(f" - {item[1:]}" if item.startswith("-") else f" + {item}" for item in texts[1:])
    return TextPiece(text, _SUM, max(term.within(_SIGNED).depth for term in ordered))


def _divides(factor: Expression) -> bool:
    """Return whether the factor belongs to the denominator: a power with a negative exact exponent."""
    return bool(factor.is_Pow and factor.exp.is_Rational and factor.exp < 0)


def _product(factors: Sequence[Expression], text_of: TextOf) -> TextPiece:
    """Return the text of a product as -a*b/(c*d)."""
    number = factors[0] if factors[0].is_Number else sp.S.One
    above = [text_of(f) for f in factors if not _divides(f) and f is not number]
    below = [_power(text_of(f.base), -f.exp, text_of) for f in factors if _divides(f)]
    size = abs(number)
    divisor = ""
    if size.is_Rational and size.q != 1:
        if len(below) == 1 and below[0].binding == _SUM:  # x/(3*(y + 1)) would be read as x/(3*y + 3)
            divisor = f"/{size.q}"
        else:
            below.insert(0, _number(sp.Integer(size.q)))
        size = sp.Integer(size.p)
    if size is not sp.S.One or not above:
        above.insert(0, _number(size))
    above = [part.within(_POWER) for part in above]
    below = [part.within(_POWER) for part in below]
    text = ("-" if number < 0 else "") + "*".join(part.text for part in above) + divisor
    depth = max(part.depth for part in (*above, *below))
    if len(below) == 1:
        text += "/" + below[0].text
    elif below:
        text += "/(" + "*".join(part.text for part in below) + ")"
        depth = max(depth, 1 + max(part.depth for part in below))
    return TextPiece(text, _SIGNED if number < 0 else _PRODUCT if len(above) > 1 or below else above[0].binding, depth)


def _power(base: TextPiece, exponent: Expression, text_of: TextOf) -> TextPiece:
    """Return the text of base^exponent, sqrt(base) or base."""
    if exponent is sp.S.One:
        return base
    if exponent is sp.S.Half:
        return _call("sqrt", [base])
    power = _number(exponent) if exponent.is_Number else text_of(exponent)
    base = base.within(_ATOM)
    # An exponent and its parentheses count as one level, as in the reader.
    return TextPiece(f"{base.text}^{power.within(_POWER).text}", _POWER, max(base.depth, 1 + power.depth))


def _call(name: str, arguments: Sequence[TextPiece]) -> TextPiece:
    text = f"{name}({', '.join(argument.text for argument in arguments)})"
    return TextPiece(text, _ATOM, 1 + max(argument.depth for argument in arguments))


def _data_function(node: DataCall) -> str:
    """Return the function part of a call of a table: road, der(road) or der(road, 2)."""
    name, orders = node.source.data.name, node.source.orders
    if not any(orders):
        return str(name)
    if len(orders) > 1 or orders[0] > 2:
        raise ExpressionError(
            f"the formula language has no {node.source.label}, only der({name}) and der({name}, 2) of a table"
        )
    return f"der({name})" if orders[0] == 1 else f"der({name}, 2)"


def _cases(node: sp.Piecewise, text_of: TextOf) -> TextPiece:
    """Return the text of a Piecewise as nested if."""
    *branches, last = node.args
    text, depth = text_of(last.expr).text, text_of(last.expr).depth
    heads = []
    for value, condition in reversed(branches):
        left, right = (text_of(side) for side in condition.args)
        heads.append(f"if({left.text} {_COMPARISONS[type(condition)]} {right.text}, {text_of(value).text}, ")
        depth = 1 + max(depth, left.depth, right.depth, text_of(value).depth)
    return TextPiece("".join(reversed(heads)) + text + ")" * len(heads), _ATOM, depth)


def _atom(node: Node, word_of: Callable[[str], str]) -> str:
    """Return the text of a name, a derivative or a constant."""
    if node is sp.pi or node is sp.E:
        return "pi" if node is sp.pi else "exp(1)"
    if isinstance(node, sp.Derivative) and is_coordinate_like(node.expr) and node.variables in ((t,), (t, t)):
        return f"der({_atom(node.expr, word_of)}{', 2' if len(node.variables) == 2 else ''})"
    if node == t:
        return "t"
    if not isinstance(node, sp.Symbol) and not is_coordinate_like(node):
        raise ExpressionError(f"the formula language has no {_name(node)}")
    name = name_of(node)
    if not name.isidentifier():
        name = word_of(name)
    if not name.isidentifier() or name in RESERVED:
        raise ExpressionError(f"a formula cannot use the name {name!r}: it is reserved or not a single word")
    return name


def _name(node: Node) -> str:
    """Return a short name of a part for a message."""
    return str(node) if node.is_Atom or isinstance(node, (AppliedUndef, sp.Derivative)) else type(node).__name__
