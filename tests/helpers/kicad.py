"""KiCad 9 in a folder of Debian 13; python -m tests.helpers.kicad FOLDER BOARD makes boards in it.

Owns how the folder is made and where it is kept. Must not know what is on a board. Needs root, as
`debootstrap` and `chroot` do.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SUITE = "trixie"
PACKAGES = ("kicad", "kicad-footprints", "kicad-symbols")
TREE = Path(__file__).parents[2]
SETTINGS = (
    "etc/apt/apt.conf.d",
    "etc/hosts",
    "etc/resolv.conf",
    "etc/ssl/certs/ca-certificates.crt",
    "usr/local/share/ca-certificates",
)
"""Of this computer, so that packages come from where its own do."""


def folder() -> Path:
    """Return where the folder is, or is to be; another set of packages is another folder."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    key = hashlib.sha256(" ".join((SUITE, *PACKAGES)).encode()).hexdigest()[:12]
    return home / "lifeboard-tests" / f"{SUITE}-{key}"


def kicad() -> Path:
    """Return the folder, made now if it is not there yet; another process may be making it."""
    made = folder()
    made.parent.mkdir(parents=True, exist_ok=True)
    with (made.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            draft = Path(tempfile.mkdtemp(prefix="draft-", dir=made.parent))
            draft.chmod(0o755)
            try:
                _fill(draft)
                draft.rename(made)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
    return made


def _fill(root: Path) -> None:
    _run("debootstrap", "--variant=minbase", "--include=ca-certificates,python3", SUITE, root)
    for name in SETTINGS:
        source, target = Path("/", name), root / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    _run("chroot", root, "apt-get", "update")
    install = ("apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES)
    _run("chroot", root, "env", "DEBIAN_FRONTEND=noninteractive", *install)
    # Without its tables of libraries KiCad warns of each symbol and footprint.
    tables = root / "root/.config/kicad/9.0"
    tables.mkdir(parents=True)
    for table in ("sym-lib-table", "fp-lib-table"):
        shutil.copy(root / "usr/share/kicad/template" / table, tables)
    _run("chroot", root, "apt-get", "clean")


@contextmanager
def workplace() -> Iterator[Path]:
    """Give a folder within KiCad's that has a copy of our packages; it goes away afterwards."""
    inside = kicad() / "tmp"
    with tempfile.TemporaryDirectory(prefix="board-", dir=inside) as name:
        place = Path(name)
        for package in ("firmware", "game", "hal", "hardware/board"):
            unwanted = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(TREE / package, place / package, ignore=unwanted)
        shutil.copy(TREE / "hardware/__init__.py", place / "hardware")
        yield place


def run(place: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a program in a workplace; paths within it are to be relative."""
    inside = Path("/") / place.relative_to(kicad())
    home = ("env", f"--chdir={inside}", "HOME=/root", "PYTHONDONTWRITEBYTECODE=1")
    command = ["chroot", str(kicad()), *home, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def make(place: Path, boards: Sequence[str]) -> Path:
    """Make boards anew, checked; return the folder with a folder for each."""
    done = run(place, "python3", "-m", "hardware.board.make", "made", *boards)
    if done.returncode:
        raise AssertionError(done.stdout[-3000:] + done.stderr[-6000:])
    sys.stdout.write(done.stdout)
    return place / "made"


def _run(*words: object) -> None:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{words[0]} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


if __name__ == "__main__":
    with workplace() as own:
        shutil.copytree(make(own, sys.argv[2:]), sys.argv[1], dirs_exist_ok=True)
