"""A copy of the sources in which a recipe of CONTRIBUTING.md is carried out."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPIED = ("src/lienket", "docs", "tests/test_document_tables.py", "tests/test_architecture.py")
TIME_LIMIT = 300  # [s] of a process
OUTSIDE = ("docs/", "tests/", "examples/")
"""Beginnings of paths in recipes that do not lie below src/lienket."""


def recipes():
    """Return the paths that each recipe names at the beginning of its list items, by the title of the recipe."""
    text = (ROOT / "CONTRIBUTING.md").read_text().partition("\n## Recipes\n")[2].partition("\n## ")[0]
    found = {}
    for section in text.split("\n### ")[1:]:
        title, _, body = section.partition("\n")
        items = [re.match(r"- ((`[^`]+`(, )?)+): ", line) for line in body.splitlines() if line.startswith("- ")]
        assert all(items), f"an item of the recipe {title!r} does not begin with files and a colon"
        found[title] = [_from_root(path) for item in items for path in re.findall("`([^`]+)`", item[1])]
    return found


def _from_root(path):
    return path if path.startswith(OUTSIDE) else f"src/lienket/{path}"


class Tree:
    """A copy of the package and its documents, without caches."""

    def __init__(self, folder):
        self.folder = folder
        for path in COPIED:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / path).is_dir():
                shutil.copytree(ROOT / path, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(ROOT / path, target)

    def write(self, path, text):
        """Write a new file."""
        assert not (self.folder / path).exists()
        (self.folder / path).write_text(text)

    def insert(self, path, after, line):
        """Insert a line after the only one that begins with `after`."""
        lines = (self.folder / path).read_text().splitlines()
        (place,) = [i for i, old in enumerate(lines) if old.startswith(after)]
        lines.insert(place + 1, line)
        (self.folder / path).write_text("\n".join(lines) + "\n")

    def replace(self, path, old, new):
        """Replace the only occurrence of a text."""
        text = (self.folder / path).read_text()
        assert text.count(old) == 1
        (self.folder / path).write_text(text.replace(old, new))

    def changed(self):
        """Return the files that are new or differ from the original, with the paths of recipes."""
        files = [file for file in self.folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
        relative = [file.relative_to(self.folder).as_posix() for file in files]
        return {path for path in relative if not _same(self.folder / path, ROOT / path)}

    def run(self, *arguments, code=0):
        """Run Python with the copy in a new process; return its output, with another exit code than 0 its messages."""
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src"), "COLUMNS": "200"}
        command = [sys.executable, *map(str, arguments)]
        result = subprocess.run(  # noqa: S603
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=TIME_LIMIT
        )
        assert result.returncode == code, result.stdout + result.stderr
        return result.stderr if code else result.stdout

    def check_rules(self):
        """Run the tests of the copy on its architecture and on the tables of its documents."""
        options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", self.folder)
        self.run("-m", "pytest", *options, *(path for path in COPIED if path.startswith("tests/")))


def _same(file, original):
    return original.is_file() and file.read_bytes() == original.read_bytes()
