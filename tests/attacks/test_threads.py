"""Attack on the first use of the package: eight threads of a fresh process ask for everything at once."""

import subprocess
import sys
from pathlib import Path

import pytest
from attack_cases import attack_cases

SCRIPT = Path(__file__).with_name("threads_first_use.py")


@pytest.mark.parametrize("seed", attack_cases(1))
def test_threads_may_share_the_first_use(seed):
    done = subprocess.run([sys.executable, str(SCRIPT), str(seed)], capture_output=True, text=True, timeout=300)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
