"""Wheels of lifeboard and of all that it needs, and of versions of it that are yet to come.

Owns how they are built, from what git knows.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).parents[3]
PROGRAM = "game/app/service/run.py"
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
        """Make another version, which may be one that ends as soon as it runs as the service.

        Returns the folder of its wheel and of all that it needs.
        """
        folder = self._here / version
        if not folder.exists():
            shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("lifeboard-*"))
            (wheel,) = self.folder.glob("lifeboard-*.whl")
            _rewrite(wheel, folder, version, {PROGRAM: BROKEN} if broken else {})
        return folder


def _rewrite(wheel: Path, folder: Path, version: str, changed: Mapping[str, str]) -> None:
    """Write a wheel as it would be of another version, with some files changed."""
    name, old, rest = wheel.name.split("-", 2)
    before, after = f"{name}-{old}.dist-info/", f"{name}-{version}.dist-info/"
    with (
        ZipFile(wheel) as source,
        ZipFile(folder / f"{name}-{version}-{rest}", "w", ZIP_DEFLATED) as made,
    ):
        inside = [each for each in source.namelist() if each != f"{before}RECORD"]
        for each in inside:
            data = changed[each].encode() if each in changed else source.read(each)
            if each == f"{before}METADATA":
                data = data.replace(
                    f"\nVersion: {old}\n".encode(), f"\nVersion: {version}\n".encode()
                )
            made.writestr(each.replace(before, after), data)
        lines = [f"{each.replace(before, after)},," for each in (*inside, f"{before}RECORD")]
        made.writestr(f"{after}RECORD", "\n".join(lines))


def _build(source: Path, folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--wheel-dir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
