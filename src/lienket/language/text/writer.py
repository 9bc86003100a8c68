"""From a SymPy expression to the text of its formula.

The text follows the stored structure, so that reading it gives the same expression again. It has
parentheses only where they are needed and looks like what a person writes: x/2 and 1/sqrt(x), not
(1/2)*x and x^(-1/2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import ExpressionError
from ..data_functions import DataCall
from ..functions import BY_CLASS, RELATIONS, RESERVED
from ..symbols import is_coordinate_like, name_of, t
from .limits import MAX_CHARACTERS, MAX_DEPTH

_SUM, _SIGNED, _PRODUCT, _POWER, _ATOM = range(5)  # how tightly a text binds, from loose to tight
_COMPARISONS = {relation: sign for sign, relation in RELATIONS.items()}
_HOPELESS = 4 * MAX_CHARACTERS  # longer than this a part is too long even without its spaces


class TextPiece(NamedTuple):
    """A part as text, how tightly its loosest operator binds, and how deep it is nested."""

    text: str
    binding: int
    depth: int

    def within(self, least: int) -> TextPiece:
        """Itself, or in parentheses if it binds more may_deviate than `least`."""
        return self if self.binding >= least else TextPiece(f"({self.text})", _ATOM, self.depth + 1)


Look = Callable[[Any], TextPiece]  # the text of a part that has been written before


def write_expression(expression: Any) -> str:
    """The text of a SymPy expression, such that read_expression gives the expression again.

    Raises ExpressionError naming the piece if the language has no words for it.
    """
    if not isinstance(expression, sp.Expr):
        raise ExpressionError(f"a formula is written from a SymPy expression, not from {type(expression).__name__}")
    written: dict[int, TextPiece] = {}
    waiting = [expression]
    while waiting:  # without recursion: an expression may be deeper than Python's stack
        missing = [part for part in _parts(waiting[-1]) if id(part) not in written]
        if missing:
            waiting.extend(missing)
            continue
        node = waiting.pop()
        if id(node) not in written:
            written[id(node)] = _limited(_write(node, lambda part: written[id(part)]))
    text = written[id(expression)].text
    return text if len(text) <= MAX_CHARACTERS else _without_spaces(text)


def _parts(node: Any) -> list[Any]:
    """The expressions that the text of `node` is made of."""
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
            raise ExpressionError(f"a condition is one comparison of two expressions, not {_name(condition)}")
    return [part for value, condition in node.args for part in (value, *condition.args)]


def _limited(written: TextPiece) -> TextPiece:
    if written.depth > MAX_DEPTH:
        raise ExpressionError(f"the formula would be nested deeper than {MAX_DEPTH} levels")
    if len(written.text) > _HOPELESS:
        raise ExpressionError(f"the formula would have more than {MAX_CHARACTERS} characters")
    return written


def _without_spaces(text: str) -> str:
    """The same formula shorter: no space of a formula has a meaning."""
    short = text.replace(" ", "")
    if len(short) > MAX_CHARACTERS:
        raise ExpressionError(f"the formula would have {len(short)} characters, at most {MAX_CHARACTERS} are allowed")
    return short


def _write(node: Any, look: Look) -> TextPiece:
    """The text of `node`, whose parts have been written."""
    if node.is_Number:
        return _number(node)
    if node.is_Add:
        return _sum([look(part) for part in node.args], [part.is_Number for part in node.args])
    if node.is_Mul:
        return _product(node.args, look)
    if node.is_Pow:
        return _product([node], look) if _divides(node) else _power(look(node.base), node.exp, look)
    if isinstance(node, sp.Piecewise):
        return _cases(node, look)
    if type(node) in BY_CLASS:
        return _call(BY_CLASS[type(node)].name, [look(part) for part in node.args])
    if isinstance(node, DataCall):
        return _call(_given(node), [look(part) for part in node.arguments])
    return TextPiece(_atom(node), _ATOM, 1 if isinstance(node, sp.Derivative) or node is sp.E else 0)


def _number(number: Any) -> TextPiece:
    if number.is_Float:
        value = float(number)
        if sp.Float(value) != number:
            raise ExpressionError(f"the number {number} is not a double precision number")
        return TextPiece(repr(value), _SIGNED if value < 0 else _ATOM, 0)
    if not number.is_Rational:
        raise ExpressionError(f"the language has no {number}")
    binding = _SIGNED if number < 0 else _ATOM if number.q == 1 else _PRODUCT
    return TextPiece(str(number), binding, 0)


def _sum(terms: Sequence[TextPiece], numbers: Sequence[bool]) -> TextPiece:
    """The sum of `terms`, a number at the end and no minus at the beginning if that can be helped."""
    ordered = [term for _, term in sorted(zip(numbers, terms, strict=True), key=lambda pair: pair[0])]
    first = next((i for i, term in enumerate(ordered) if not term.text.startswith("-")), 0)
    ordered.insert(0, ordered.pop(first))
    texts = [term.within(_SIGNED).text for term in ordered]
    text = texts[0] + "".join(f" - {item[1:]}" if item.startswith("-") else f" + {item}" for item in texts[1:])
    return TextPiece(text, _SUM, max(term.within(_SIGNED).depth for term in ordered))


def _divides(factor: Any) -> bool:
    """Whether the factor is written below the fraction line: a power with a negative exact exponent."""
    return bool(factor.is_Pow and factor.exp.is_Rational and factor.exp < 0)


def _product(factors: Sequence[Any], look: Look) -> TextPiece:
    """A product as -a*b/(c*d)."""
    number = factors[0] if factors[0].is_Number else sp.S.One
    above = [look(f) for f in factors if not _divides(f) and f is not number]
    below = [_power(look(f.base), -f.exp, look) for f in factors if _divides(f)]
    size = abs(number)
    if size.is_Rational and size.q != 1:
        below.insert(0, _number(sp.Integer(size.q)))
        size = sp.Integer(size.p)
    if size is not sp.S.One or not above:
        above.insert(0, _number(size))
    above = [part.within(_POWER) for part in above]
    below = [part.within(_POWER) for part in below]
    text = ("-" if number < 0 else "") + "*".join(part.text for part in above)
    depth = max(part.depth for part in (*above, *below))
    if len(below) == 1:
        text += "/" + below[0].text
    elif below:
        text += "/(" + "*".join(part.text for part in below) + ")"
        depth = max(depth, 1 + max(part.depth for part in below))
    return TextPiece(text, _SIGNED if number < 0 else _PRODUCT if len(above) > 1 or below else above[0].binding, depth)


def _power(base: TextPiece, exponent: Any, look: Look) -> TextPiece:
    """base^exponent, sqrt(base) or the base itself."""
    if exponent is sp.S.One:
        return base
    if exponent is sp.S.Half:
        return _call("sqrt", [base])
    raised = _number(exponent) if exponent.is_Number else look(exponent)
    base = base.within(_ATOM)
    # An exponent and the parentheses around it count as one level, as they do for the reader.
    return TextPiece(f"{base.text}^{raised.within(_POWER).text}", _POWER, max(base.depth, 1 + raised.depth))


def _call(name: str, arguments: Sequence[TextPiece]) -> TextPiece:
    text = f"{name}({', '.join(argument.text for argument in arguments)})"
    return TextPiece(text, _ATOM, 1 + max(argument.depth for argument in arguments))


def _given(node: Any) -> str:
    """The head of a call of a table: road, der(road) or der(road, 2)."""
    name, orders = node.source.data.name, node.source.orders
    if not any(orders):
        return str(name)
    if len(orders) > 1 or orders[0] > 2:
        raise ExpressionError(
            f"the language has no {node.source.label}: only der({name}) and der({name}, 2) of a table"
        )
    return f"der({name})" if orders[0] == 1 else f"der({name}, 2)"


def _cases(node: Any, look: Look) -> TextPiece:
    """A Piecewise as nested if."""
    *branches, last = node.args
    text, depth = look(last.expr).text, look(last.expr).depth
    heads = []
    for value, condition in reversed(branches):
        left, right = (look(side) for side in condition.args)
        heads.append(f"if({left.text} {_COMPARISONS[type(condition)]} {right.text}, {look(value).text}, ")
        depth = 1 + max(depth, left.depth, right.depth, look(value).depth)
    return TextPiece("".join(reversed(heads)) + text + ")" * len(heads), _ATOM, depth)


def _atom(node: Any) -> str:
    """The text of a name, a derivative or a constant."""
    if node is sp.pi or node is sp.E:
        return "pi" if node is sp.pi else "exp(1)"
    if isinstance(node, sp.Derivative) and is_coordinate_like(node.expr) and node.variables in ((t,), (t, t)):
        return f"der({_atom(node.expr)}{', 2' if len(node.variables) == 2 else ''})"
    if node == t:
        return "t"
    if not isinstance(node, sp.Symbol) and not is_coordinate_like(node):
        raise ExpressionError(f"the language has no {_name(node)}")
    name = name_of(node)
    if not name.isidentifier() or name in RESERVED:
        raise ExpressionError(f"a formula cannot use the name {name!r}: it is reserved or not a single word")
    return name


def _name(node: Any) -> str:
    """How to call a piece in a message, briefly."""
    return str(node) if node.is_Atom or isinstance(node, (AppliedUndef, sp.Derivative)) else type(node).__name__
