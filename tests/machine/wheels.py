"""Wheels of lifeboard and of all that it needs, and of versions of it that are yet to come.

Owns how they are built, from what git knows.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
BROKEN = 'raise SystemExit("this version is broken")\n'


class Wheels:
    """A folder with a wheel of lifeboard and all that it needs."""

    def __init__(self, here: Path) -> None:
        self._here = here
        self.source = here / "source"
        said = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        )
        for name in filter(None, said.stdout.split("\0")):
            if (ROOT / name).exists():
                copy = self.source / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy, follow_symlinks=False)
        self.folder = here / "wheels"
        _build(self.source, self.folder)

    def later(self, version: str, *, broken: bool = False) -> Path:
        """Build another version, which may be one that ends as soon as it runs as the service.

        Returns the folder of its wheel and of all that it needs.
        """
        source, folder = self._here / f"source-{version}", self._here / version
        if not folder.exists():
            shutil.copytree(self.source, source, symlinks=True)
            project = source / "pyproject.toml"
            text = project.read_text()
            project.write_text(re.sub(r'(?m)^version = ".*"$', f'version = "{version}"', text))
            if broken:
                (source / "game/app/service/run.py").write_text(BROKEN)
            shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("lifeboard-*"))
            _build(source, folder, "--no-deps", "--no-build-isolation")
        return folder


def _build(source: Path, folder: Path, *options: str) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--wheel-dir", str(folder), *options, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
