"""Build the Debian package of lifeboard: `make deb`, or `python systemd/deb/build.py`.

Owns what is in the package and how it is packed; what happens on the machine stands in the
maintainer scripts beside this file and in the installer that they call. The package carries
lifeboard and all that it needs as wheels, for the Python and the processor that build it, so that
installing needs no network. The same sources and wheels give the same bytes.
"""

import argparse
import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.parser import Parser
from email.utils import format_datetime
from pathlib import Path
from zipfile import ZipFile

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
EXTRA = "hardware"
NO_MAIL = "lifeboard@lifeboard.invalid"
"""There is no address to write to; `DEBEMAIL` gives one, as for other Debian tools."""
SCRIPTS = ("postinst", "prerm", "postrm")
INPUTS = (
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE",
    "firmware",
    "game",
    "hal",
    "hardware",
)
"""What the wheel is built from; links to other folders are followed."""


@dataclass(frozen=True, slots=True)
class Package:
    """Hold what the templates are filled with; `moment` in seconds since 1970."""

    name: str
    version: str
    architecture: str
    maintainer: str
    moment: int

    @property
    def date(self) -> str:
        """Give the moment as changelogs write it."""
        return format_datetime(datetime.fromtimestamp(self.moment, UTC))


def main() -> None:
    """Build the package and say where it is."""
    parser = argparse.ArgumentParser(description="Build the Debian package of lifeboard.")
    parser.add_argument("--source", type=Path, default=SOURCE, help="a checkout (%(default)s)")
    parser.add_argument("--output", type=Path, help="folder for the package (SOURCE/dist)")
    parser.add_argument(
        "--wheels", type=Path, help="folder with all wheels that lifeboard needs; none is fetched"
    )
    options = parser.parse_args()
    source = options.source.resolve()
    print(build(source, (options.output or source / "dist").resolve(), options.wheels))


def build(source: Path, output: Path, wheels: Path | None = None) -> Path:
    """Build the package from a checkout and return its file."""
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = os.environ.get("DEBFULLNAME", project["authors"][0]["name"])
    package = Package(
        name=project["name"],
        version=debian_version(project["version"]),
        architecture=_said("dpkg", "--print-architecture"),
        maintainer=f"{name} <{os.environ.get('DEBEMAIL', NO_MAIL)}>",
        moment=_moment(source),
    )
    # A wheel holds the time at which it was made, and rights that depend on the umask.
    os.environ["SOURCE_DATE_EPOCH"] = str(package.moment)
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="lifeboard-deb-") as folder:
        tree = Path(folder) / "tree"
        shelf = tree / "usr/share" / package.name / "wheels"
        shelf.mkdir(parents=True)
        ours = _our_wheel(source, Path(folder) / "source", shelf)
        _other_wheels(ours, shelf, wheels)
        _write_documents(source, tree, package, shelf)
        _write_control(tree, package, shelf, ours)
        _level(tree, package.moment)
        output.mkdir(parents=True, exist_ok=True)
        file = output / f"{package.name}_{package.version}_{package.architecture}.deb"
        _run("dpkg-deb", "--root-owner-group", "--build", str(tree), str(file))
    return file


def debian_version(version: str) -> str:
    """Write a Python version so that dpkg sorts what comes before a release before it."""
    return re.sub(r"\.?(a|b|rc|dev)(?=\d)", r"~\1", version)


def _moment(source: Path) -> int:
    """Find the moment that the package bears: asked for, or that of the last change."""
    if asked := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(asked)
    if (source / ".git").exists():
        return int(_said("git", "-C", str(source), "log", "-1", "--format=%ct"))
    return int((source / "CHANGELOG.md").stat().st_mtime)


def _our_wheel(source: Path, copy: Path, shelf: Path) -> Path:
    """Build our wheel from a copy, which holds nothing that earlier builds have left."""
    copy.mkdir()
    for name in INPUTS:
        if (source / name).is_dir():
            shutil.copytree(
                source / name,
                copy / name,
                copy_function=shutil.copyfile,
                ignore=shutil.ignore_patterns("__pycache__", "*.so"),
            )
        else:
            shutil.copyfile(source / name, copy / name)
    _pip("--no-deps", "--no-build-isolation", "--wheel-dir", str(shelf), str(copy))
    (wheel,) = shelf.glob("*.whl")
    return wheel


def _other_wheels(ours: Path, shelf: Path, wheels: Path | None) -> None:
    """Collect what our wheel needs on a board; sources are compiled for this machine."""
    known = ("--no-index", "--find-links", str(wheels)) if wheels else ()
    _pip(*known, "--wheel-dir", str(shelf), f"{ours}[{EXTRA}]")


def _write_documents(source: Path, tree: Path, package: Package, shelf: Path) -> None:
    folder = tree / "usr/share/doc" / package.name
    (folder / "examples").mkdir(parents=True)
    shutil.copyfile(HERE / "README", folder / "README")
    # The file that the installer copies, for who looks up a key that a new version brings.
    shutil.copyfile(
        source / "systemd" / f"{package.name}.toml", folder / "examples" / f"{package.name}.toml"
    )
    entries = changelog((source / "CHANGELOG.md").read_text(encoding="utf-8"), package)
    # Without a name and a time, the same text gives the same bytes.
    (folder / "changelog.gz").write_bytes(gzip.compress(entries.encode(), 9, mtime=0))
    licence = (source / "LICENSE").read_text(encoding="utf-8").partition("\n\n")[2]
    _fill("copyright", folder / "copyright", package, LICENCE=_folded(licence.strip()))
    with (folder / "copyright").open("a", encoding="utf-8") as file:
        for wheel in sorted(shelf.glob("*.whl")):
            file.write(_licence_of(wheel, package.name))


def _write_control(tree: Path, package: Package, shelf: Path, ours: Path) -> None:
    folder = tree / "DEBIAN"
    files = sorted(file for file in tree.rglob("*") if file.is_file())
    folder.mkdir()
    sums = (
        f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(tree)}\n"
        for file in files
    )
    (folder / "md5sums").write_text("".join(sums))
    major, minor = sys.version_info[:2]
    _fill(
        "control",
        folder / "control",
        package,
        PYTHON=f"python3 (>= {major}.{minor}~), python3 (<< {major}.{minor + 1}~), python3-venv",
        LIBC=f"libc6 (>= {_libc(shelf)})",
        SIZE=str(sum(-(-file.stat().st_size // 1024) for file in files) + len(files)),
    )
    for name in SCRIPTS:
        wheel = f"/{ours.relative_to(tree)}"
        _fill(name, folder / name, package, WHEEL=wheel, WHEELS=str(Path(wheel).parent))
        (folder / name).chmod(0o755)


def changelog(text: str, package: Package) -> str:
    """Turn our changelog into Debian's form; a version that it does not name gets an entry."""
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    entries = []
    for section in sections:
        heading, _, body = section.partition("\n")
        version = debian_version(heading.split()[0])
        day = re.search(r"\d{4}-\d{2}-\d{2}", heading)
        date = format_datetime(datetime.fromisoformat(f"{day[0]}T12:00:00Z")) if day else None
        entries.append(_entry(package, version, re.split(r"^- ", body, flags=re.M)[1:], date))
    if not any(entry.startswith(f"{package.name} ({package.version}) ") for entry in entries):
        entries.insert(0, _entry(package, package.version, ["Built between releases."], None))
    return "\n".join(entries)


def _entry(package: Package, version: str, news: list[str], date: str | None) -> str:
    lines = "\n".join(
        textwrap.fill(" ".join(each.split()), 79, initial_indent="  * ", subsequent_indent="    ")
        for each in news
    )
    return (
        f"{package.name} ({version}) unstable; urgency=medium\n\n{lines}\n\n"
        f" -- {package.maintainer}  {date or package.date}\n"
    )


def _licence_of(wheel: Path, ours: str) -> str:
    """Say under which licence a wheel from elsewhere stands; its text is inside the wheel."""
    with ZipFile(wheel) as file:
        top = next(name for name in file.namelist() if re.fullmatch(r"[^/]+/METADATA", name))
        said = Parser().parsestr(file.read(top).decode())
    if said["Name"] == ours:
        return ""
    names = [
        said["License-Expression"],
        *(c.rpartition(" :: ")[2] for c in said.get_all("Classifier", []) if "License ::" in c),
        said["License"],
    ]
    # Some write the whole text where the name belongs.
    licence = next(name for name in names if name and name != "UNKNOWN").splitlines()[0]
    home = said["Home-page"] or (said.get_all("Project-URL", [","])[0].partition(",")[2].strip())
    return (
        f"\nFiles: usr/share/{ours}/wheels/{wheel.name}\n"
        f"Copyright: the authors of {said['Name']}{f', {home}' if home else ''}\n"
        f"License: {licence}\n The text is inside that file, which is a zip archive.\n"
    )


def _libc(shelf: Path) -> str:
    """Find the oldest C library on which all compiled wheels run."""
    here = platform.libc_ver()[1]
    versions = [(0, 0)]
    for wheel in shelf.glob("*.whl"):
        # A wheel names several; the least is enough. One compiled here needs what is here.
        asked = re.findall(r"manylinux_(\d+)_(\d+)", wheel.name)
        if asked:
            versions.append(min((int(major), int(minor)) for major, minor in asked))
        elif re.search(r"-linux_\w+\.whl$", wheel.name):
            major, minor = here.split(".")[:2]
            versions.append((int(major), int(minor)))
    return ".".join(map(str, max(versions)))


def _fill(name: str, file: Path, package: Package, **values: str) -> None:
    """Write a template of this folder with its @NAMES@ filled."""
    values |= {
        "NAME": package.name,
        "VERSION": package.version,
        "ARCHITECTURE": package.architecture,
        "MAINTAINER": package.maintainer,
    }
    text = (HERE / name).read_text(encoding="utf-8")
    file.write_text(re.sub(r"@([A-Z]+)@", lambda found: values[found[1]], text), encoding="utf-8")


def _folded(text: str) -> str:
    """Write a text as the value of a control field: indented, empty lines as a dot."""
    return "\n".join(f" {line}" if line.strip() else " ." for line in text.splitlines())


def _level(tree: Path, moment: int) -> None:
    """Give all files and folders the same time and the usual rights."""
    for path in _all(tree):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (moment, moment))


def _all(tree: Path) -> Iterator[Path]:
    yield from sorted(tree.rglob("*"), reverse=True)
    yield tree


def _pip(*arguments: str) -> None:
    quiet = ("--quiet", "--disable-pip-version-check")
    _run(sys.executable, "-m", "pip", *quiet, "wheel", *arguments)


def _run(*command: str) -> None:
    """Run a command and end with its words when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
