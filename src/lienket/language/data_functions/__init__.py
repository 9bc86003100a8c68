"""Functions defined by data: a measured table as a spline, a Python function such as a controller.

Table, PythonFunction   the data, frozen: name, numbers or callable
DataDerivative          one of them with the orders of its derivative, as a SymPy atom
DataCall                a DataDerivative applied to its arguments: road(t), road'(t), u(t, z)
"""

from .applied import DataCall, DataDerivative, DataFunction, derivative_label, sources_in
from .python_function import PythonFunction, function
from .table import Table, table

__all__ = [
    "DataCall",
    "DataDerivative",
    "DataFunction",
    "PythonFunction",
    "Table",
    "derivative_label",
    "function",
    "sources_in",
    "table",
]
