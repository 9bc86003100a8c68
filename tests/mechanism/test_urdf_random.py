"""Changed URDF files: each gives a System or a ModelFileError."""

import random

import pytest
from urdf_texts import DOUBLE_PENDULUM, arm, gripper, walker

import lienket as lk
from lienket.errors import ModelFileError

SOURCES = [DOUBLE_PENDULUM, arm(3), gripper(), walker("floating")]
VALUES = ["0", "-1", "2", "0.3", "z", "1e308", "-1e-308", "nan", "1e99", "0 0 0", "1 0 0", "1 2 3", "", " ", "t", "pi"]
VALUES += ["base", "upper", "ground", "é", "\u200b", "\n", "fixed", "planar", "floating", "prismatic", "name", "link0"]
MARKUP = ['"', "<", ">", "/>", "&", "&amp;", "&#0;", "<!--", "]]>", "<![CDATA[", "<!DOCTYPE r>", "<?x?>", "<link/>"]
MARKUP += ["<joint/>", "</link>", '<mimic joint="left"/>', '<limit lower="x"/>']
WORDS = VALUES + MARKUP


def other_value(text, rng):
    """Return a text with one attribute changed: to a value of VALUES, or to that of the same attribute elsewhere."""
    pieces = text.split('"')
    values = range(1, len(pieces), 2)
    if not values:
        return text
    k = rng.choice(values)
    same = [i for i in values if pieces[i - 1].split()[-1:] == pieces[k - 1].split()[-1:]]
    pieces[k] = rng.choice(VALUES) if rng.random() < 0.4 else pieces[rng.choice(same)]
    return '"'.join(pieces)


def mutated(seed):
    """Return a text with one to six random changes: words, characters, pieces that are doubled, moved or left out."""
    rng = random.Random(seed)
    text = rng.choice(SOURCES)
    only_values = rng.random() < 0.6  # such a text is XML still, more often than not
    for _ in range(rng.choice((1, 1, 2, 2, 4, 6))):
        i = rng.randrange(len(text) + 1)
        j = min(len(text), i + rng.choice((0, 1, 3, 20, 200)))
        kind = 4 if only_values else rng.randrange(6)
        if kind == 0:
            text = text[:i] + rng.choice(WORDS) + text[j:]
        elif kind == 1:
            text = text[:i] + text[j:]
        elif kind == 2:
            text = text[:j] + text[i:j] + text[j:]
        elif kind == 3:
            k = rng.randrange(len(text) + 1)
            text = text[:k] + text[i:j] + text[k:]
        else:
            text = other_value(text, rng)
    return text or " "


def check_mutated(tmp_path, seeds):
    """Check that every mutated file gives a System or a ModelFileError; return how many gave a System."""
    path, good = tmp_path / "robot.urdf", 0
    for seed in seeds:
        path.write_text(mutated(seed), encoding="utf-8")
        try:
            good += isinstance(lk.load(path), lk.System)
        except ModelFileError as error:
            if not error.faults or not str(error):
                pytest.fail(f"no fault is named for the text of {seed}")
    return good


def test_changed_files_give_a_system_or_faults(tmp_path):
    assert 5 < check_mutated(tmp_path, range(100)) < 80


@pytest.mark.slow
def test_many_changed_files_give_a_system_or_faults(tmp_path):
    assert 200 < check_mutated(tmp_path, range(100, 2100)) < 1600


def test_every_truncation_of_a_file_is_a_fault(tmp_path):
    text = gripper().strip()
    path = tmp_path / "robot.urdf"
    for end in range(0, len(text), 17):
        path.write_text(text[:end])
        with pytest.raises(ModelFileError):
            lk.load(path)
