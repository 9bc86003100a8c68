"""The key of a kernel depends on the syntax of the definitions it reaches, in any room, and on nothing else."""

import ast
import re
import shutil
from functools import cache
from pathlib import Path

import pytest

import lienket
from lienket.compiled.machine.source_digest import SourceDigests
from lienket.kernels.native.stored import texts

PACKAGE = Path(lienket.__file__).parent
PLAIN = ("kernels/elimination/chain.py", "simulation/memory.py", "simulation/integrators/tableaus/dop853.py")
"""Modules of numbers that kernels read and that need no numba."""


@cache
def kernels(package):
    """Return the files and names of all kernels of the package that are compiled by themselves."""
    return list(_kernels(package))


def _kernels(package):
    for path in sorted(package.rglob("native/**/*.py")):
        for node in ast.parse(path.read_text()).body:
            made = ast.unparse(getattr(node, "value", None) or ast.Pass())
            if isinstance(node, ast.FunctionDef):
                marks = {ast.unparse(d).partition("(")[0].rpartition(".")[2] for d in node.decorator_list}
                if marks & {"entry", "callback"}:
                    yield path, node.name
            elif isinstance(node, ast.Assign) and made.startswith(("method_with(", "rattle_with(")):
                yield path, ast.unparse(node.targets[0])


def constants(path):
    """Yield the assignments of numbers at the top of a module."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is not None:
            yield node


def keys(package, directory):
    digests = SourceDigests(directory)
    return {
        (path.relative_to(package).as_posix(), name): digests.reached(str(path), name)
        for path, name in kernels(package)
    }


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the package that a test may change, and its keys before any change."""
    package = tmp_path_factory.mktemp("copy") / "lienket"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package, keys(package, package.parent)


def rooms_of(names):
    return {path.partition("/")[0] for path, _ in names}


def test_every_room_with_kernels_is_covered(copy):
    package, before = copy
    assert rooms_of(before) == {p.relative_to(package).parts[0] for p in package.rglob("native")}
    assert len(set(before.values())) == len(before)


def test_docstrings_and_comments_keep_every_key(copy):
    """Other docstrings, added comments and removed blank lines cause no kernel to be compiled again."""
    package, before = copy
    originals = {path: path.read_text() for room in rooms_of(before) for path in (package / room).rglob("*.py")}
    for path, text in originals.items():
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                node.value.value = "Another sentence: " + node.value.value
        path.write_text(f"# a comment\n{ast.unparse(tree)}\n")
    try:
        assert keys(package, package.parent) == before
    finally:
        for path, text in originals.items():
            path.write_text(text)


def changed_by(copy, path, node):
    """Return the kernels whose keys change with the number that a statement assigns."""
    package, before = copy
    text = path.read_text()
    lines = text.splitlines()
    lines[node.lineno - 1 : node.end_lineno] = [f"{ast.unparse(node)} + 1"]
    path.write_text("\n".join(lines))
    try:
        after = keys(package, package.parent)
    finally:
        path.write_text(text)
    return {name for name in before if before[name] != after[name]}


@pytest.mark.slow
def test_a_changed_constant_changes_the_keys_of_the_kernels_that_reach_it(copy):
    """The first number of every module with kernels, and one of the plain modules, changes some keys, never all."""
    package, before = copy
    rooms = set()
    for path in package.rglob("native/**/*.py"):
        if not re.search(r"^@\w*(kernel|entry)", path.read_text(), re.MULTILINE):
            continue
        for node in list(constants(path))[:1]:
            assert set() < changed_by(copy, path, node) < set(before), (path, ast.unparse(node))
            rooms.add(path.relative_to(package).parts[0])
    assert rooms == rooms_of(before)
    for name in PLAIN:
        path = package / name
        assert any(set() < changed_by(copy, path, node) < set(before) for node in constants(path)), path


def test_a_definition_that_no_kernel_reaches_keeps_every_key(copy):
    package, before = copy
    path = package / "kernels/elimination/chain.py"
    text = path.read_text()
    path.write_text(text + "\n\ndef another():\n    return RANK_TOLERANCE\n")
    try:
        assert keys(package, package.parent) == before
    finally:
        path.write_text(text)


def test_a_moved_module_keeps_its_key(tmp_path):
    """Definitions keep their keys in other files and folders, although the imports that reach them change."""
    for root, module in (("old", "a"), ("new", "deep/b")):
        helper = tmp_path / root / f"{module}.py"
        helper.parent.mkdir(parents=True)
        helper.write_text("LIMIT = 3\n\ndef clip(x):\n    return min(x, LIMIT)\n")
        (tmp_path / root / "__init__.py").touch()
        source = f"from .{module.replace('/', '.')} import clip\n\ndef kernel(x):\n    return clip(x)\n"
        (tmp_path / root / "kernel.py").write_text(source)
    digests = SourceDigests(tmp_path)
    old, new = (digests.reached(str(tmp_path / root / "kernel.py"), "kernel") for root in ("old", "new"))
    assert old == new
    (tmp_path / "new/deep/b.py").write_text("LIMIT = 4\n\ndef clip(x):\n    return min(x, LIMIT)\n")
    assert SourceDigests(tmp_path).reached(str(tmp_path / "new/kernel.py"), "kernel") != old


def test_another_order_of_a_layout_changes_the_keys_of_the_kernels_that_use_it(copy):
    package, before = copy
    path = package / "simulation/memory.py"
    text = path.read_text()
    lines = text.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("    T: int"))
    lines[first : first + 2] = reversed(lines[first : first + 2])
    path.write_text("\n".join(lines))
    try:
        after = keys(package, package.parent)
    finally:
        path.write_text(text)
    changed = {name for name in before if before[name] != after[name]}
    assert ("simulation/run/native/advance.py", "advance") in changed
    assert rooms_of(changed) == {"simulation", "analysis"}


@pytest.mark.parametrize(
    "entry", ["[]", '{"KEY": 3}', '{"KEY": ["abc", {}]}', '{"KEY": [["abc"], {"a": 1}]}', "{", '"KEY"']
)
def test_a_damaged_index_of_answers_is_ignored(tmp_path, entry):
    (tmp_path / "kernel.py").write_text("LIMIT = 3\n\ndef kernel(x):\n    return min(x, LIMIT)\n")
    path = str(tmp_path / "kernel.py")
    expected = SourceDigests(tmp_path).reached(path, "kernel")
    (index,) = tmp_path.glob("reached-*.json")
    index.write_text(entry.replace("KEY", f"{path} kernel"))
    assert SourceDigests(tmp_path).reached(path, "kernel") == expected


def test_the_makers_of_texts_reach_nothing_else(copy):
    """A change of errors, caches or the command that makes texts must not make all stored texts out of date."""
    package, _ = copy
    makers = [(package / "kernels/native/stored" / file, name) for file, name in texts._MAKERS]

    def digests():
        return [SourceDigests(package.parent).reached(str(path), name) for path, name in makers]

    before = digests()
    changed = [package / name for name in ("errors.py", "compiled/machine/cache.py", "kernels/native/stored/make.py")]
    originals = [path.read_text() for path in changed]
    for path, text in zip(changed, originals, strict=True):
        path.write_text(text + "\nANOTHER = 1\nprint(ANOTHER)\n")
    try:
        assert digests() == before
    finally:
        for path, text in zip(changed, originals, strict=True):
            path.write_text(text)
