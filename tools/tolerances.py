"""Write docs/tolerances.md: every tolerance, threshold and limit of the package with its value, unit and purpose.

    python tools/tolerances.py           write the page
    python tools/tolerances.py --check   tell whether the page is current

A tolerance is a number assigned to a name in capitals at the top level of a module. Its comment begins with the unit:

    RANK_TOLERANCE = 1e-10  # [1] relative size of a reduced row below which it counts as dependent

A comment that is too long for the line stands on the line above. Numbers that are no tolerances (coefficients of
methods and series, codes, sizes of layouts) are whole numbers, or lie in the modules of COEFFICIENTS.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "lienket"
PAGE = ROOT / "docs" / "tolerances.md"
COEFFICIENTS = ("simulation/integrators/tableaus/", "compiled/emit/sine.py")
_COMMENT = re.compile(r"#\s*\[([^\]]+)\]\s*(.+?)\s*$")
HEAD = """\
# Tolerances and limits

Every threshold, tolerance and limit of the package, room by room. The unit [1] means a pure number. This
page is made by `make tolerances` from the comments beside the constants; a test keeps it current.
"""


class Tolerance(NamedTuple):
    """A constant: its module, name, value as written, unit and purpose."""

    module: str
    name: str
    value: str
    unit: str
    purpose: str


def tolerances(path: Path) -> tuple[list[Tolerance], list[str]]:
    """Return the tolerances of a module, and the names of numbers that have no unit and purpose."""
    module = path.relative_to(PACKAGE).as_posix()
    text = path.read_text(encoding="utf-8")
    lines, listed, bare = text.splitlines(), [], []
    for node in ast.parse(text).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if not isinstance(target, ast.Name) or not target.id.isupper() or value is None or not _is_number(value):
            continue
        comment = _COMMENT.search(lines[node.end_lineno - 1]) or _COMMENT.match(lines[node.lineno - 2].strip())
        if comment:
            listed.append(Tolerance(module, target.id, ast.unparse(value), *comment.groups()))
        elif _has_fraction(value) and not module.startswith(COEFFICIENTS):
            bare.append(f"{module}:{node.lineno} {target.id}")
    return listed, bare


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _has_fraction(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Constant) and isinstance(n.value, float) for n in ast.walk(node))


def everything() -> tuple[list[Tolerance], list[str]]:
    """Return the tolerances of the package, sorted by module, and the numbers without unit and purpose."""
    parts = [tolerances(path) for path in sorted(PACKAGE.rglob("*.py"))]
    return [t for listed, _ in parts for t in listed], [name for _, bare in parts for name in bare]


def page() -> str:
    """Return the page as text."""
    listed, _ = everything()
    text = [HEAD]
    for room in sorted({t.module.split("/")[0] for t in listed}):
        text.append(f"## {room}\n\n| module | name | value | unit | purpose |\n| --- | --- | --- | --- | --- |")
        for t in (t for t in listed if t.module.split("/")[0] == room):
            module = t.module.partition("/")[2] or t.module
            text.append(f"| {module} | `{t.name}` | {t.value} | {t.unit} | {t.purpose.replace('|', chr(92) + '|')} |")
        text.append("")
    return "\n".join(text)


def main() -> int:
    """Write the page, or check it."""
    _, bare = everything()
    if bare:
        print("Numbers without a unit and a purpose (see the head of tools/tolerances.py):", *bare, sep="\n  ")
        return 1
    if "--check" in sys.argv:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()
        print("docs/tolerances.md is current." if current else "docs/tolerances.md is stale: run `make tolerances`.")
        return 0 if current else 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
