"""`make` says plainly what is missing on a machine that lacks its needs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parent.parent / "Makefile"


def fake_python(folder: Path, failing: str) -> str:
    """Write a Python that fails at something, and tells a version that is too old."""
    program = folder / f"python{len(failing)}"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *"{failing}"*) exit 1;; --version) echo Python 3.9.2;; esac\n'
    )
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize("target", ["play", "test"])
def test_make_says_which_python_it_needs(tmp_path, target):
    shutil.copy(MAKEFILE, tmp_path)
    (tmp_path / "pyproject.toml").touch()
    environment = {key: value for key, value in os.environ.items() if key != "MAKEFLAGS"}
    for python, said in (
        ("/nowhere/python3", "Python 3.11 or later, and '/nowhere/python3' is not there"),
        (fake_python(tmp_path, "sys.version_info"), "3.11 or later, and Python 3.9.2 is too old"),
        (fake_python(tmp_path, "import venv"), "sudo apt install python3-venv"),
    ):
        done = subprocess.run(
            ["make", target, f"PYTHON={python}"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0
        assert said in done.stderr
        assert not (tmp_path / ".venv").exists()
