"""Top level of a source file: definitions with the digests of their syntax, and relative imports.

`source_digest` imports this only for files that it has not seen before, since `ast` takes a millisecond to import.
"""

from __future__ import annotations

import ast
import hashlib

Definitions = dict[str, tuple[str, tuple[str, ...]]]
Imports = dict[str, tuple[int, str, str]]


def syntax_of(text: str, loose: str) -> tuple[Definitions, Imports]:
    """Return the definitions and relative imports at the top level of a source text; `loose` names other statements."""
    trees: dict[str, list[str]] = {}
    uses: dict[str, dict[str, None]] = {}
    imports: Imports = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            imports |= {a.asname or a.name: (node.level, node.module or "", a.name) for a in node.names}
            continue
        bare = _Bare().visit(node)
        if bare is not None:
            for name in _defined(bare) or (loose,):
                trees.setdefault(name, []).append(_written(bare))
                uses.setdefault(name, {}).update(dict.fromkeys(_used_names(bare)))
    every = {*trees, *imports}
    definitions = {
        name: (_sha("\n".join(found)), tuple(use for use in uses[name] if use.partition(".")[0] in every - {name}))
        for name, found in trees.items()
    }
    return definitions, imports


def _defined(node: ast.stmt) -> list[str]:
    """Return the names that a statement binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [n for target in targets if target is not None for n in ast.walk(target)]
    return [n.id for n in names if isinstance(n, ast.Name)] if isinstance(node, _ASSIGNMENTS) else []


_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _used_names(node: ast.AST) -> list[str]:
    """Return the names that stand in a tree, those of attributes as "name.attribute"."""
    names, bases = [], set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            names.append(f"{part.value.id}.{part.attr}")
            bases.add(id(part.value))
        elif isinstance(part, ast.Name) and id(part) not in bases:
            names.append(part.id)
    return names


def _written(value: object) -> str:
    """Return a syntax tree as text that is the same for every version of Python: `ast.dump` writes empty fields."""
    if isinstance(value, ast.AST):
        fields = ((name, getattr(value, name, None)) for name in value._fields if name not in ("ctx", "kind"))
        parts = [f"{name}={_written(field)}" for name, field in fields if field not in (None, [])]
        constant = isinstance(value, ast.Constant) and value.value is None
        return f"{type(value).__name__}({'None' if constant else ', '.join(parts)})"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return repr(value)


class _Bare(ast.NodeTransformer):
    """Removes docstrings, and what is there for type checkers only."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Remove strings that stand as statements."""
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        """Remove `if TYPE_CHECKING`."""
        typing_only = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if typing_only else self.generic_visit(node)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
