"""The Debian package as the tests build it, from a copy of what git knows and nothing else."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.helpers.shared import built_once, shared_folder

ROOT = Path(__file__).parents[3]
MOMENT = 1_790_000_000
"""When the tests' packages were made, in seconds since 1970."""


def source() -> Path:
    """Return a copy of the checkout, made once in a run."""
    return built_once("source", lambda: copy_source(shared_folder() / "source"))


def package() -> Path:
    """Return the package, built once in a run."""
    return built_once("package", lambda: build_deb(source(), shared_folder() / "package"))


def wheels() -> Path:
    """Return a folder with the wheels that the package carries: lifeboard and all that it needs."""
    return built_once("wheels", _unpack) / "usr/share/lifeboard/wheels"


def _unpack() -> Path:
    folder = shared_folder() / "unpacked"
    subprocess.run(["dpkg-deb", "--extract", package(), folder], check=True)
    return folder


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
