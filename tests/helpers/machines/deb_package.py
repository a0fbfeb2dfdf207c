"""Builds the Debian package for tests, from a copy of what git knows and nothing else."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[3]
MOMENT = 1_790_000_000
"""When the tests' packages were made, in seconds since 1970."""


def copy_source(folder: Path) -> Path:
    """Copy the files that git knows into a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout.split("\0")
    for name in filter(None, listed):
        file, copy = ROOT / name, folder / name
        if not file.exists():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            copy.symlink_to(file.readlink())
        else:
            copy.write_bytes(file.read_bytes())
            copy.chmod(file.stat().st_mode)
    return folder


def build_deb(
    source: Path,
    output: Path,
    *,
    version: str | None = None,
    wheels: Path | None = None,
    change: Callable[[Path], object] | None = None,
    compiled_anew: bool = False,
) -> Path:
    """Build the package from a copied source; give it another version, or change it before.

    `wheels` is a folder with all libraries, such as that of an earlier package; without it pip
    fetches what it has not kept. What a compiler's cache has (`CC`), it gives, unless all is to be
    `compiled_anew`.
    """
    if version is not None:
        project = source / "pyproject.toml"
        text = project.read_text(encoding="utf-8")
        project.write_text(
            re.sub(r'^version = ".*"$', f'version = "{version}"', text, flags=re.MULTILINE),
            encoding="utf-8",
        )
    if change is not None:
        change(source)
    command = [sys.executable, str(source / "systemd/deb/build.py"), "--output", str(output)]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(Path.home()),
        "SOURCE_DATE_EPOCH": str(MOMENT),
    }
    if "CC" in os.environ and not compiled_anew:
        environment["CC"] = os.environ["CC"]
    done = subprocess.run(
        [*command, *(("--wheels", str(wheels)) if wheels else ())],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())
