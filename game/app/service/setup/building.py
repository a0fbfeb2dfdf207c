"""Making a release: a virtual environment with lifeboard and its libraries in it.

Owns where lifeboard is taken from, what is asked of the interpreter, and pip's part. Must not know
what a release is for, nor touch the one that runs.
"""

import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

from game.app.service.places import NAME, Places
from game.app.service.setup.releases import Note, Release, Releases
from game.app.service.setup.systemctl import InstallError, Machine

OLDEST_PYTHON = (3, 11)
HIDDEN = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")
"""What the unit hides from the service, by ProtectHome= and PrivateTmp=."""
_NEEDED_MB = 300
"""A release takes about 100 MB; while it is made, pip needs as much again."""
_PARTS = (
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE",
    "firmware",
    "game",
    "hal",
    "hardware",
)
"""What of a checkout makes the distribution; the files for the system hang on a link in it."""
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so", ".*")
_PROBE = """
import json, sys
from importlib.util import find_spec
print(json.dumps({
    "version": sys.version_info[:3],
    "program": getattr(sys, "_base_executable", sys.executable),
    "lacks": [each for each in ("venv", "ensurepip") if not find_spec(each)],
    "lgpio": bool(find_spec("lgpio")),
}))
"""
_OFFLINE = re.compile(
    r"name resolution|NewConnectionError|Network is unreachable|Connection refused|timed out", re.I
)
_COMPILER = re.compile(r"gcc|Python\.h|\bcc\b")


@dataclass(frozen=True, slots=True)
class Source:
    """Say where lifeboard is taken from, a checkout or a wheel, and which version that is."""

    path: Path
    version: str


@dataclass(frozen=True, slots=True)
class Python:
    """Name an interpreter that can carry a release, and say whether it has the Pi's pins."""

    program: Path
    has_pins: bool


def find_source(given: str | None, wheels: Path | None, releases: Releases) -> Source:
    """Find what to install; without a word about it, where this lifeboard came from.

    Raises InstallError for what is no lifeboard.
    """
    if given is not None:
        return _source(Path(given).absolute())
    if wheels is not None:
        found = sorted(wheels.glob(f"{NAME}-*.whl"))
        if len(found) != 1:
            names = ", ".join(each.name for each in found) or "none"
            raise InstallError(
                f"folder {wheels} must hold one wheel of lifeboard, and has: {names}"
            )
        return _source(found[0].absolute())
    origin = _origin(releases)
    if origin is None:
        raise InstallError(
            "where this lifeboard came from is not known;"
            " name it: lifeboard service install CHECKOUT or WHEEL"
        )
    if not origin.exists():
        raise InstallError(
            f"{origin}, where this lifeboard came from, is not there any more;"
            " name another: lifeboard service install CHECKOUT or WHEEL"
        )
    return _source(origin)


def find_python(program: Path, machine: Machine) -> Python:
    """Look whether an interpreter can carry the service; raises InstallError."""
    done = machine.run([str(program), "-I", "-c", _PROBE])
    if done.status:
        raise InstallError(
            f"Python {program} does not run: {done.told};"
            " install it (sudo apt install python3 python3-venv) or name one with --python"
        )
    told = json.loads(done.out)
    version = tuple(told["version"])
    if version < OLDEST_PYTHON:
        raise InstallError(
            f"Python {program} is {'.'.join(map(str, version))}, and lifeboard needs"
            f" {'.'.join(map(str, OLDEST_PYTHON))} or later; name a newer one with --python"
        )
    real = Path(os.path.realpath(told["program"]))
    hidden = next((each for each in HIDDEN if real.is_relative_to(each)), None)
    if hidden is not None:
        raise InstallError(
            f"Python {program} is {real}, and {hidden} is hidden from the service;"
            " use the system's own (sudo apt install python3 python3-venv)"
        )
    if told["lacks"]:
        raise InstallError(
            f"Python {program} has no {' and no '.join(told['lacks'])};"
            " install them: sudo apt install python3-venv"
        )
    return Python(Path(told["program"]), told["lgpio"])


def check_room(places: Places) -> None:
    """Look whether a release fits on the disk; raises InstallError."""
    folder = places.releases
    while not folder.exists():
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < _NEEDED_MB:
        raise InstallError(
            f"the disk of {folder} has {free_mb} MB free, and {_NEEDED_MB} MB are needed;"
            " make room (sudo apt clean, sudo journalctl --vacuum-size=50M)"
        )


@dataclass(frozen=True, slots=True)
class Builder:
    """Make releases with one interpreter; `wheels` is a folder that stands in for the network."""

    places: Places
    machine: Machine
    python: Python
    wheels: Path | None

    def build(self, source: Source, release: Release, extras: Sequence[str]) -> None:
        """Make a whole release, or none; raises InstallError."""
        release.folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            with _room(source) as (copy, scratch):
                self._environment(release)
                self._libraries(release, f"{copy}{self._extras(extras)}", scratch)
            done = self.machine.run([str(release.command), "--version"])
            if done.status:
                raise InstallError(f"the new release does not run: {done.told}")
            release.finish(Note(source.version, str(source.path), tuple(extras)))
        except BaseException:
            shutil.rmtree(release.folder, ignore_errors=True)
            raise

    @property
    def _is_pi(self) -> bool:
        return (self.places.root / "proc/device-tree/model").exists()

    def _extras(self, asked: Sequence[str]) -> str:
        extras = {*asked}
        if self._is_pi and not self.python.has_pins:
            extras.add("hardware")
        return f"[{','.join(sorted(extras))}]" if extras else ""

    def _environment(self, release: Release) -> None:
        # Where the system's own Python has the pins, they need not be compiled.
        shared = ["--system-site-packages"] if self._is_pi and self.python.has_pins else []
        done = self.machine.run(
            [str(self.python.program), "-I", "-m", "venv", *shared, str(release.folder)]
        )
        if done.status:
            raise InstallError(
                f"no virtual environment can be made in {release.folder}: {done.told};"
                " is python3-venv there? sudo apt install python3-venv"
            )

    def _libraries(self, release: Release, wanted: str, scratch: Path) -> None:
        where = [] if self.wheels is None else ["--no-index", "--find-links", str(self.wheels)]
        quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir"]
        done = self.machine.run(
            [str(release.python), "-I", "-m", "pip", "install", *quiet, *where, wanted],
            environment={"PIP_ROOT_USER_ACTION": "ignore", "HOME": str(scratch)},
            folder=scratch,
        )
        if done.status:
            raise InstallError(_pip_told(done.err or done.out, self.wheels))


def _pip_told(told: str, wheels: Path | None) -> str:
    """Put what pip says on many lines into one, with the way out."""
    errors = [line[7:] for line in told.splitlines() if line.startswith("ERROR: ")]
    # The last of several is about the package as a whole; what went wrong stands before it.
    telling = [each for each in errors if "No matching" not in each] or errors
    why = telling[0] if telling else "it does not say why"
    if wheels is not None:
        return f"pip cannot install lifeboard from {wheels}: {why}"
    if _OFFLINE.search(told):
        return (
            "pip cannot reach the packages that lifeboard needs: no network?"
            " Connect this computer, or give a folder of wheels with --wheels"
        )
    if _COMPILER.search(told):
        return (
            f"pip cannot build a package that lifeboard needs: {why};"
            " a compiler may help: sudo apt install gcc python3-dev"
        )
    return f"pip cannot install lifeboard: {why}"


def _source(path: Path) -> Source:
    if path.suffix == ".whl" and path.is_file():
        name, version, *_ = [*path.stem.split("-"), ""]
        if name == NAME and version:
            return Source(path, version)
    try:
        project = tomllib.loads((path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == NAME:
            return Source(path, str(project["version"]))
    except (OSError, KeyError, ValueError):
        pass
    raise InstallError(f"{path} is neither a checkout nor a wheel of lifeboard")


def _origin(releases: Releases) -> Path | None:
    """Say where the lifeboard came from whose code this is."""
    here = Path(sys.prefix)
    for release in releases.all():
        if release.complete and release.folder.resolve() == here.resolve():
            told = release.note().source
            return Path(told) if told else None
    try:
        read = distribution(NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    url = urlsplit(json.loads(read)["url"]) if read else None
    return Path(unquote(url.path)) if url is not None and url.scheme == "file" else None


@contextmanager
def _room(source: Source) -> Iterator[tuple[Path, Path]]:
    """Give a wheel, or a copy of a checkout, in which nothing of the user's is written to."""
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-") as folder:
        scratch = Path(folder)
        if source.path.is_file():
            yield source.path, scratch
            return
        copy = scratch / "source"
        copy.mkdir()
        for part in _PARTS:
            original = source.path / part
            if original.is_dir():
                shutil.copytree(original, copy / part, ignore=_LEFT_OUT)
            elif original.exists():
                shutil.copyfile(original, copy / part)
        yield copy, scratch
