"""KiCad 9 in a folder of Debian 13; python -m tests.helpers.kicad FOLDER BOARD makes boards in it.

Owns how the folder is made. Must not know what is on a board. Needs root, for `chroot`,
and the `apt` of a Debian.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from tests.helpers.cached import cached

SUITE = "trixie"
PACKAGES = ("base-files", "coreutils", "kicad", "kicad-footprints", "kicad-symbols", "python3")
UNNEEDED = ("dpkg", "libllvm", "libsystemd-shared", "libz3", "mesa-lib", "occt-misc", "systemd")
"""Beginnings of names of dependencies that no program without a screen uses."""
UNREAD = ("doc", "icons", "locale", "man")
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
TREE = Path(__file__).parents[2]


def kicad() -> Path:
    """Return the folder with KiCad."""
    return cached(SUITE, (PACKAGES, UNNEEDED, UNREAD), _fill)


def _fill(root: Path) -> None:
    """Unpack KiCad and what it needs from where this computer's own packages come from.

    Nothing is set up as in an installed system, which would take ten times as long.
    """
    mirror = re.search(r"'(\S+/debian)/+dists/", _run("apt-get", "update", "--print-uris"))
    if mirror is None:
        raise AssertionError("apt takes no packages from Debian here")
    with tempfile.TemporaryDirectory() as scratch:
        own = Path(scratch)
        for name in ("lists/partial", "archives/partial", "debs"):
            (own / name).mkdir(parents=True)
        (own / "status").touch()
        (own / "sources").write_text(f"deb [signed-by={KEYS}] {mirror[1]} {SUITE} main\n")
        places = {
            "Etc::sourcelist": own / "sources",
            "Etc::sourceparts": "/dev/null",
            "State": own,
            "State::status": own / "status",
            "Cache": own,
        }
        apt = ["apt-get", *(f"-oDir::{key}={place}" for key, place in places.items())]
        apt += ["-oAPT::Sandbox::User=root", "-oAcquire::Languages=none"]
        _run(*apt, "update")
        plan = _run(*apt, "--simulate", "--no-install-recommends", "install", *PACKAGES)
        every = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
        wanted = [name for name in every if not name.startswith(UNNEEDED)]
        _run("env", f"--chdir={own / 'debs'}", *apt, "download", *wanted)
        unread = [f"--exclude=./usr/share/{name}" for name in UNREAD]
        for deb in sorted((own / "debs").iterdir()):
            unpack = ["dpkg-deb", "--fsys-tarfile", deb]
            with subprocess.Popen(unpack, stdout=subprocess.PIPE) as archive:
                subprocess.run(["tar", "-xC", root, *unread], stdin=archive.stdout, check=True)
            if archive.returncode:
                raise AssertionError(f"dpkg-deb cannot read {deb.name}")
    # Without its tables of libraries KiCad warns of each symbol and footprint.
    tables = root / "root/.config/kicad/9.0"
    tables.mkdir(parents=True)
    for table in ("sym-lib-table", "fp-lib-table"):
        shutil.copy(root / "usr/share/kicad/template" / table, tables)


@contextmanager
def workplace() -> Iterator[Path]:
    """Return a folder within KiCad's that has a copy of our packages; it goes away afterwards."""
    inside = kicad() / "tmp"
    with tempfile.TemporaryDirectory(prefix="board-", dir=inside) as name:
        place = Path(name)
        for package in ("firmware", "game", "hal", "hardware/board"):
            unwanted = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(TREE / package, place / package, ignore=unwanted)
        shutil.copy(TREE / "hardware/__init__.py", place / "hardware")
        _install_msgspec(place)
        yield place


def _install_msgspec(place: Path) -> None:
    """Install the one library that profiles are read with, for KiCad's Python."""
    (python,) = (each.name for each in kicad().glob("usr/lib/python3.*"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--only-binary=:all:", f"--python-version={python.removeprefix('python')}"]
    _run(*pip, f"--target={place}", f"msgspec=={version('msgspec')}")


def run(place: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a program in a workplace; paths within it are to be relative."""
    inside = Path("/") / place.relative_to(kicad())
    home = ("env", f"--chdir={inside}", "HOME=/root", "LC_ALL=C")
    command = ["chroot", str(kicad()), *home, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def make(place: Path, boards: Sequence[str]) -> Path:
    """Make and check boards from scratch; return the folder with a folder for each."""
    done = run(place, "python3", "-m", "hardware.board.make", "made", *boards)
    if done.returncode:
        raise AssertionError(done.stdout[-3000:] + done.stderr[-6000:])
    sys.stdout.write(done.stdout)
    return place / "made"


def _run(*words: object) -> str:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{words[0]} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


if __name__ == "__main__":
    with workplace() as own:
        shutil.copytree(make(own, sys.argv[2:]), sys.argv[1], dirs_exist_ok=True)
