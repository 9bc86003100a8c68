"""The architecture, checked by reading the source: import direction, cycles, public names, docstrings, safety."""

import ast
import inspect
import re
from collections import Counter, defaultdict
from pathlib import Path

import lienket as lk
from lienket.model.laws import LAWS

ROOT = Path(lk.__file__).parent
# Data and imports run down this list; a room imports only from rooms above it.
ROOMS = [
    "version", "foundation", "errors", "language", "model", "mechanism", "free_system", "constraints", "elimination",
    "reactions", "derivation", "compiled", "kernels", "simulation", "results", "scene", "plots", "report",
    "assembly", "pipeline", "trajectory", "analysis", "laws", "system", "planar", "spatial", "files", "sweep", "cli",
    "workbench",
    "__main__",
]  # fmt: skip
STRANGERS = [{"free_system", "constraints"}, {"workbench", "cli"}]
SYMBOLIC = {"sympy", "symengine"}
PUBLIC = [
    "Acceleration", "Coulomb", "Event", "Force", "Holonomic", "LienketError", "ModelError", "Program", "Sampled",
    "State", "System", "Trajectory", "Velocity", "catalogue", "coordinates", "der", "function", "inputs", "laws",
    "load", "multiplier", "parameters", "planar", "reaction", "save", "spatial", "t", "table",
]  # fmt: skip


def read_sources():
    sources = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        sources[".".join(("lienket", *(p for p in parts if p != "__init__")))] = (path, ast.parse(path.read_text()))
    return sources


SOURCES = read_sources()
LATE = set(SOURCES) - {"lienket"}


def imports(module):
    """Return (module imported, names taken from it) for every import of a module outside TYPE_CHECKING blocks.

    A string that is the name of a module of the package counts too: that is how modules are imported late.
    """
    path, tree = SOURCES[module]
    checking = [i for i in ast.walk(tree) if isinstance(i, ast.If) and "TYPE_CHECKING" in ast.dump(i.test)]
    hidden = {id(node) for block in checking for node in ast.walk(block)}
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.Constant) and node.value in LATE:
            yield node.value, ()
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
            base = package[: len(package) - (node.level - 1)] if node.level else []
            yield ".".join([*base, node.module] if node.module else base), tuple(alias.name for alias in node.names)


def inside_imports(module):
    """Return the modules of the package that a module imports."""
    targets = set()
    for name, taken in imports(module):
        targets |= {f"{name}.{item}" for item in taken if f"{name}.{item}" in SOURCES} or ({name} & set(SOURCES))
    return targets - {module}


def room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def test_system_is_one_class():
    assert lk.System.__mro__ == (lk.System, object)


def test_every_room_is_on_the_list():
    assert {room(m) for m in SOURCES} - {None} <= set(ROOMS)


def test_late_imports_are_detected():
    """System imports the rooms of numbers by name, when they are needed."""
    modules = [name for name in SOURCES if name.startswith("lienket.system")]
    targets = {target for name in modules for target in inside_imports(name)}
    late = {target for target in targets if room(target) in ("analysis", "assembly")}
    assert len(late) > 3


def test_imports_run_the_way_the_data_runs():
    order = {name: i for i, name in enumerate(ROOMS)}
    against = [
        f"{module} imports {target}"
        for module in SOURCES
        if room(module)
        for target in inside_imports(module)
        if not room(target) or order[room(target)] > order[room(module)] or {room(module), room(target)} in STRANGERS
    ]
    assert against == []


def test_no_import_cycles():
    graph = {m: inside_imports(m) for m in SOURCES}
    done, path, rings = set(), [], []

    def visit(module):
        if module in path:
            rings.append(" -> ".join([*path[path.index(module) :], module]))
        elif module not in done:
            path.append(module)
            for target in graph[module]:
                visit(target)
            done.add(path.pop())

    for module in graph:
        visit(module)
    assert rings == []


def test_heavy_libraries_stay_in_their_rooms():
    misplaced = []
    for module in SOURCES:
        for name, _ in imports(module):
            library = name.split(".")[0]
            symbolic = library in SYMBOLIC and room(module) in ("kernels", "simulation")
            if symbolic or (library == "matplotlib" and room(module) != "plots"):
                misplaced.append(f"{module} imports {library}")
    assert misplaced == []


def test_no_law_is_told_apart_by_its_class():
    """What a law is follows from the fields, methods and properties of `model.laws.law`, for laws of users as well."""
    laws = {law.__name__ for law in LAWS} | {"DryFriction", "Friction"}
    found = []
    for module, (_, tree) in SOURCES.items():
        for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)):
            if call.func.id in ("isinstance", "issubclass"):
                named = {n.id for n in ast.walk(call) if isinstance(n, ast.Name)}
                named |= {n.attr for n in ast.walk(call) if isinstance(n, ast.Attribute)}
                found += [f"{module}:{call.lineno}"] if named & laws else []
    assert found == []


def test_public_names_are_pinned():
    assert sorted(lk.__all__) == sorted(PUBLIC)
    assert len(PUBLIC) <= 40
    assert all(hasattr(lk, name) for name in PUBLIC)


def test_everything_public_has_a_docstring():
    bare = []
    for module, (_, tree) in SOURCES.items():
        if not ast.get_docstring(tree):
            bare.append(module)
        # These methods are described once, in the Printer that they implement:
        drawn = module.endswith((".latex", ".mathml", ".printing.text"))
        for node in [*tree.body, *(m for c in tree.body if public_class(c) and not drawn for m in c.body)]:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                if not ast.get_docstring(node):
                    bare.append(f"{module}:{node.lineno} {node.name}")
    assert bare == []


def public_class(node):
    return isinstance(node, ast.ClassDef) and not node.name.startswith("_")


def test_every_argument_of_the_public_interface_is_named_in_its_docstring():
    silent = []
    for name in PUBLIC:
        thing = getattr(lk, name)
        if inspect.isclass(thing) and issubclass(thing, Exception):
            continue
        members = [(name, thing)] if callable(thing) else []
        if inspect.isclass(thing):
            members += [(f"{name}.{k}", v) for k, v in inspect.getmembers(thing, inspect.isfunction) if k[0] != "_"]
        for label, member in members:
            text = inspect.getdoc(member) or ""
            for argument, parameter in inspect.signature(member).parameters.items():
                described = argument in text or argument in ("self", "system", "path", "method") or argument[0] == "_"
                if parameter.kind is not parameter.VAR_KEYWORD and not described:
                    silent.append(f"{label}: {argument}")
    assert silent == []


def test_text_is_never_evaluated():
    forbidden = defaultdict(list)
    for module, (_, tree) in SOURCES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in ("eval", "exec", "sympify", "parse_expr", "compile", "S", "__import__"):
                    forbidden[module].append(f"{called} in line {node.lineno}")
            if isinstance(node, ast.ImportFrom) and any(a.name in ("sympify", "parse_expr") for a in node.names):
                forbidden[module].append(f"import in line {node.lineno}")
    # re.compile makes a pattern, not code.
    allowed = {m: [f for f in calls if not f.startswith("compile") or not uses_re(m)] for m, calls in forbidden.items()}
    assert {m: calls for m, calls in allowed.items() if calls} == {}


def uses_re(module):
    return any(name == "re" for name, _ in imports(module))


def test_files_and_functions_stay_short():
    long = []
    for path, tree in SOURCES.values():
        lines = len(path.read_text().splitlines())
        long += [f"{path}: {lines} lines"] if lines > 400 else []
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
        long += [
            f"{path}: {n.name}, {n.end_lineno - n.lineno + 1} lines" for n in functions if n.end_lineno - n.lineno >= 60
        ]
    assert long == []


def test_no_folder_is_crowded():
    folders = Counter(path.parent for path, _ in SOURCES.values() if path.name != "__init__.py")
    assert [f"{folder}: {count} files" for folder, count in folders.items() if count > 14] == []


def test_numba_is_needed_below_folders_called_native_only():
    """Only native/ imports numba at module level: a process that finds its kernels compiled needs no numba."""
    misplaced = []
    for module, (path, tree) in SOURCES.items():
        top = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            names = (
                [a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None) or ""]
            )
            numba = isinstance(node, (ast.Import, ast.ImportFrom)) and any(n.split(".")[0] == "numba" for n in names)
            if numba and id(node) in top and "native" not in path.parts:
                misplaced.append(module)
    assert misplaced == []


ANY_ARGUMENTS = 300  # [arguments] outside native/ annotated Any: what has no better name


def test_any_is_the_exception_and_has_no_other_name():
    """Arguments say what they are: Any is rare, and no module gives it another name."""
    aliases, arguments = [], []
    for module, (path, tree) in SOURCES.items():
        if "native" in path.parts:
            continue
        named = [n for n in ast.walk(tree) if isinstance(n, (ast.Assign, ast.AnnAssign)) and is_any(n.value)]
        aliases += [f"{module}, line {n.lineno}" for n in named]
        for f in (n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))):
            taken = [*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs, f.args.vararg, f.args.kwarg]
            arguments += [f"{module}: {f.name}({a.arg})" for a in taken if a is not None and is_any(a.annotation)]
    assert aliases == []
    assert len(arguments) <= ANY_ARGUMENTS


def is_any(node):
    return isinstance(node, ast.Name) and node.id == "Any"


RIDDLES = re.compile(r"\b(nobody|somebody)\b|^The same\b", re.IGNORECASE)


def test_docstrings_name_the_thing_itself():
    """No docstring opens with "The same", which refers the reader to another one, or says "nobody" or "somebody"."""
    riddles = []
    for module, (_, tree) in SOURCES.items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and RIDDLES.search(
                ast.get_docstring(node) or ""
            ):
                riddles.append(f"{module}: {getattr(node, 'name', 'module')}")
    assert riddles == []
