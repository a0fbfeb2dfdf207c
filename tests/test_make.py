"""`make` says plainly what is missing on a machine that lacks its needs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parent.parent / "Makefile"


def make(folder: Path, target: str, python: str) -> subprocess.CompletedProcess[str]:
    """Run a target where no environment has been made yet."""
    shutil.copy(MAKEFILE, folder)
    (folder / "pyproject.toml").write_text("")
    environment = {key: value for key, value in os.environ.items() if key != "MAKEFLAGS"}
    return subprocess.run(
        ["make", target, f"PYTHON={python}"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def fake_python(folder: Path, *, too_old: bool) -> str:
    """Write a Python that is too old, or has no venv module; it can do nothing else."""
    program = folder / f"python{too_old}"
    failing = "sys.version_info" if too_old else "import venv"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *"{failing}"*) exit 1;; --version) echo Python 3.9.2;; esac\n'
    )
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize("target", ["play", "test"])
def test_make_says_which_python_it_needs(tmp_path, target):
    old, poor = fake_python(tmp_path, too_old=True), fake_python(tmp_path, too_old=False)
    for python, said in (
        ("/nowhere/python3", "Python 3.11 or later, and '/nowhere/python3' is not there"),
        (old, "needs Python 3.11 or later, and Python 3.9.2 is too old"),
        (poor, "sudo apt install python3-venv"),
    ):
        done = make(tmp_path, target, python)
        assert done.returncode != 0
        assert said in done.stderr
        assert not (tmp_path / ".venv").exists()
