"""Files are written whole; an error names the file that the user named, and a place is tried before a long run."""

import os
from pathlib import Path

import pytest

from lienket.foundation.atomic_file import check_writable, write_whole


@pytest.mark.parametrize("call", ["mkstemp", "fsync", "chmod", "replace"])
def test_an_error_of_writing_names_the_file_and_no_temporary_one(tmp_path, monkeypatch, call):
    path = tmp_path / "run.npz"

    def fails(*arguments, **_):
        raise OSError(28, "No space left on device", str(arguments[0] if arguments else tmp_path / ".temporary.tmp"))

    monkeypatch.setattr(f"tempfile.{call}" if call == "mkstemp" else f"os.{call}", fails)
    with pytest.raises(OSError) as caught:
        write_whole(path, b"content")
    assert caught.value.filename == str(path)
    assert caught.value.strerror == "No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_the_longest_name_that_the_file_system_permits_can_be_written(tmp_path):
    path = tmp_path / ("n" * 251 + ".csv")
    write_whole(path, "1")
    assert path.read_text() == "1"


def test_trying_a_place_leaves_nothing_behind_and_changes_nothing(tmp_path):
    existing = tmp_path / "old.csv"
    existing.write_text("old")
    for path in (existing, tmp_path / "new.csv", tmp_path / "a" / "b" / "new.csv"):
        check_writable(path)
    assert [p.name for p in tmp_path.iterdir()] == ["old.csv"]
    assert existing.read_text() == "old"


def test_places_that_cannot_be_written_are_refused_before_writing(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        ("folder", "it is a folder, not a file"),
        ("file/run.csv", "it is a file, not a folder"),
        ("pipe", "it is not a regular file"),
    ):
        with pytest.raises(OSError, match=reason):
            check_writable(tmp_path / name)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a folder in which nobody can create a file")
def test_a_folder_in_which_nobody_can_create_a_file_is_refused_even_for_root():
    with pytest.raises(OSError) as caught:
        check_writable(Path("/proc/run.csv"))
    assert caught.value.filename == "/proc"
