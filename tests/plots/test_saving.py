"""Saved plots are whole images; no partial files and no pyplot figures are left behind."""

import subprocess
import sys
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from stand_in import oscillators, run

from lienket.plots import plot, save_all, saving

NAMES = ["overview.png", "motion.png", "reactions.png", "energy.png", "residuals.png"]
CASES = {
    "two coordinates": run(oscillators(2, constraints=["one"])),
    "a crowd": run(oscillators(40, constraints=[f"link {k}" for k in range(20)])),
    "no constraints": run(oscillators(3)),
    "zero residuals": run(oscillators(2, constraints=["one"]), size=0.0),
    "one row": run(oscillators(2, constraints=["one"]), rows=1, until=0.0),
    "undetermined": run(
        oscillators(3, constraints=["one", "two"]), undetermined=("one",), rank_events=(SimpleNamespace(t=3.0),)
    ),
}


def check_image(source):
    with Image.open(source) as image:
        image.load()
        assert image.format == "PNG"
        assert min(image.size) > 300
        assert len(np.unique(np.asarray(image.convert("L")))) > 10  # not blank


@pytest.mark.parametrize("case", [c if k < 2 else pytest.param(c, marks=pytest.mark.slow) for k, c in enumerate(CASES)])
def test_every_case_becomes_an_image_without_a_warning(case):
    check_image(BytesIO(saving.png(plot(CASES[case]))))


@pytest.mark.slow
def test_all_plots_are_saved(tmp_path):
    paths = save_all(CASES["undetermined"], tmp_path / "new" / "plots")
    assert [path.name for path in paths] == NAMES
    assert sorted(p.name for p in (tmp_path / "new" / "plots").iterdir()) == sorted(NAMES)
    for path in paths:
        check_image(path)


def test_a_failure_leaves_the_old_image(tmp_path, monkeypatch):
    (tmp_path / "overview.png").write_bytes(b"old")

    def broken(figure):
        raise RuntimeError

    monkeypatch.setattr(saving, "png", broken)
    with pytest.raises(RuntimeError):
        save_all(CASES["no constraints"], tmp_path)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("overview.png", b"old")]


def test_very_long_runs_are_drawn():
    figure = plot(run(oscillators(1), rows=300_000), "energy")
    check_image(BytesIO(saving.png(figure)))


def test_pyplot_is_not_used():
    code = "import sys, lienket.plots; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "False\n"
