"""Machine code for single expressions of a few variables, and their SymPy values to 30 digits."""

from dataclasses import replace

import mpmath
import numpy as np
import symengine as se
import sympy as sp

import lienket as lk
from lienket.compiled.emit.llvm_module import module
from lienket.compiled.functions.plan import Plan, vector
from lienket.compiled.graph.from_symengine import Translator
from lienket.compiled.graph.graph import Graph
from lienket.compiled.machine.function import CompiledFunction, FunctionInfo
from lienket.compiled.machine.object_code import LoadedCode, object_code
from lienket.language.engine.engine import Engine
from lienket.model.constraint import ProgramControl


def ideal(system):
    """Return the system with ideal constraints and exact programs; laws and bounds are tested elsewhere."""
    constraints = tuple(replace(c, law=None, following=ProgramControl()) for c in system.constraints)
    return lk.System.from_statement(system.statement.with_constraints(constraints))


def compiled(expressions, symbols):
    """Return expressions of SymPy symbols as machine code: a function of q."""
    engine = Engine([])
    graph = Graph()
    graph.input()  # time
    nodes = [graph.input() for _ in symbols]
    translate = Translator(graph, dict(zip(map(engine.inward, symbols), nodes, strict=True)), {})
    return code(graph, translate([engine.inward(e) for e in expressions]), len(symbols))


def code(graph, roots, count, conditions=(), digits=()):
    """Return machine code for nodes of a graph with time and `count` further inputs."""
    slots = [("t", 0), *(("q", k) for k in range(count))]
    plan = Plan("f", (vector("values", roots),), tuple(conditions), digits=tuple(digits))
    loaded = LoadedCode(object_code(module(graph, slots, [plan], count, 0)))
    return CompiledFunction(FunctionInfo("f", (("out", (len(roots),)),), 0, 1, 0.0, (count, 0, 0)), loaded, 0, False)


def values(function, points):
    """Return its numbers at points (N x count)."""
    points = np.ascontiguousarray(points, dtype=float)
    return function.many(np.zeros(len(points)), points, points, np.zeros(0), np.zeros((len(points), 0)))[1]


def by_sympy(expressions, symbols, points):
    """Return SymPy's values by mpmath with 30 digits; NaN where they are not real."""
    f = sp.lambdify(list(symbols), list(expressions), modules="mpmath", cse=True)
    rows = []
    with mpmath.workdps(30):
        for point in points:
            rows.append([_real(x) for x in f(*map(mpmath.mpf, map(float, point)))])
    return np.array(rows)


def _real(x):
    x = mpmath.mpmathify(x)
    return float(x.real) if abs(x.imag) == 0 else np.nan


def engine_expression(e):
    """Return a SymPy expression in the engine."""
    return Engine([]).inward(e) if isinstance(e, sp.Basic) else se.sympify(e)
