"""Build the Debian package of lifeboard: `make deb`, or `python systemd/deb/build.py`.

The package has a virtual environment with lifeboard and its libraries, for the Python and the
processor that build it, so that installing needs no network. The libraries are those of a lock,
so that the same sources give the same bytes; lgpio is the system's. The maintainer scripts beside
this file do the rest on the computer.
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
import sysconfig
import tempfile
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.parser import Parser
from email.utils import format_datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
NO_MAIL = "lifeboard@lifeboard.invalid"
"""There is no address to write to; `DEBEMAIL` sets one, as for other Debian tools."""
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
"""What lifeboard is built from."""
LOCK = "requirements/ws281x.txt"
"""The libraries of the package; what has no wheel is compiled here, by gcc and python3-dev."""
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
PROGRAM = "usr/lib/lifeboard"
UNITS = "usr/lib/systemd/system"
UNIT_KINDS = (".automount", ".mount", ".path", ".service", ".socket")
SYSTEM_FILES = {
    "lifeboard-wifi.nft": "usr/share/lifeboard/lifeboard-wifi.nft",
    "lifeboard-wifi.dns": "usr/share/lifeboard/lifeboard-wifi.dns",
    "lifeboard-wifi.portal": "usr/share/lifeboard/lifeboard-wifi.portal",
    "60-lifeboard.rules": "usr/lib/udev/rules.d/60-lifeboard.rules",
    "lifeboard.sysusers": "usr/lib/sysusers.d/lifeboard.conf",
    "lifeboard.avahi": "etc/avahi/services/lifeboard.service",
    "lifeboard.toml": "usr/share/lifeboard/lifeboard.toml",
    "lifeboard.modules": "usr/lib/modules-load.d/lifeboard.conf",
    "signers": "usr/share/lifeboard/signers",
    "upgrade": f"{PROGRAM}/upgrade",
}
"""Where the files of `systemd/` that are not units go."""
AT_START = f"{UNITS}/multi-user.target.wants/lifeboard-upgrade@cut-short.service"
COMMAND = f"""#!/{PROGRAM}/bin/python3
import sys

from game.cli.__main__ import run

sys.exit(run())
"""


@dataclass(frozen=True, slots=True)
class Package:
    """What the templates are filled with; `moment` in seconds since 1970."""

    name: str
    version: str
    architecture: str
    maintainer: str
    moment: int

    @property
    def date(self) -> str:
        """The moment as changelogs write it."""
        return format_datetime(datetime.fromtimestamp(self.moment, UTC))


def main() -> None:
    """Build the package and print where it is."""
    parser = argparse.ArgumentParser(description="Build the Debian package of lifeboard.")
    parser.add_argument("--source", type=Path, default=SOURCE, help="a checkout (%(default)s)")
    parser.add_argument("--output", type=Path, help="folder for the package (SOURCE/dist)")
    parser.add_argument(
        "--files", type=Path, help="folder with all that the lock names; nothing is fetched"
    )
    options = parser.parse_args()
    source = options.source.resolve()
    output = (options.output or source / "dist").resolve()
    print(build(source, output, options.files))


def build(source: Path, output: Path, files: Path | None = None) -> Path:
    """Build the package from a checkout and return its file."""
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = os.environ.get("DEBFULLNAME", project["authors"][0]["name"])
    package = Package(
        name=project["name"],
        version=debian_version(project["version"]),
        architecture=_output("dpkg", "--print-architecture"),
        maintainer=f"{name} <{os.environ.get('DEBEMAIL', NO_MAIL)}>",
        moment=_moment(source),
    )
    # A wheel contains its build time, and permissions that depend on the umask.
    os.environ["SOURCE_DATE_EPOCH"] = str(package.moment)
    os.umask(0o022)
    # Compiled files must not name a folder of this machine.
    os.environ["CFLAGS"] = f"-g0 -ffile-prefix-map={tempfile.gettempdir()}=."
    with tempfile.TemporaryDirectory(prefix="lifeboard-deb-") as folder:
        tree = Path(folder) / "tree"
        shelf = Path(folder) / "wheels"
        _make_wheels(source, Path(folder) / "source", shelf, files)
        _install_program(tree, shelf)
        names = (each.name for each in (source / "systemd").iterdir() if each.suffix in UNIT_KINDS)
        for name, target in (SYSTEM_FILES | {each: f"{UNITS}/{each}" for each in names}).items():
            (tree / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / "systemd" / name, tree / target)
        (tree / SYSTEM_FILES["upgrade"]).chmod(0o755)
        (tree / AT_START).parent.mkdir()
        (tree / AT_START).symlink_to("../lifeboard-upgrade@.service")
        _write_documents(source, tree, package)
        _write_control(tree, package)
        _level(tree, package.moment)
        output.mkdir(parents=True, exist_ok=True)
        file = output / f"{package.name}_{package.version}_{package.architecture}.deb"
        _run("dpkg-deb", "--root-owner-group", "--build", str(tree), str(file))
    return file


def debian_version(version: str) -> str:
    """Write a Python version so that dpkg sorts a pre-release before its release."""
    return re.sub(r"\.?(a|b|rc|dev)(?=\d)", r"~\1", version)


def _moment(source: Path) -> int:
    """Return the package's time: the requested one, or that of the last commit."""
    if asked := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(asked)
    if (source / ".git").exists():
        return int(_output("git", "-C", str(source), "log", "-1", "--format=%ct"))
    return int((source / "CHANGELOG.md").stat().st_mtime)


def _make_wheels(source: Path, copy: Path, shelf: Path, files: Path | None) -> None:
    """Build our wheel from a copy without earlier build output, and collect the others."""
    copy.mkdir()
    for name in INPUTS:
        if (source / name).is_dir():
            shutil.copytree(
                source / name,
                copy / name,
                copy_function=shutil.copyfile,
                ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info"),
            )
        else:
            shutil.copyfile(source / name, copy / name)
    here = ("--no-deps", "--no-build-isolation", "--use-pep517", "--wheel-dir", str(shelf))
    _pip("wheel", *here, str(copy))
    known = ("--no-index", "--find-links", str(files)) if files else ()
    _pip("wheel", *here, *known, "--require-hashes", "--requirement", str(source / LOCK))


def _install_program(tree: Path, shelf: Path) -> None:
    """Make the virtual environment for its installed location, and the command."""
    program = tree / PROGRAM
    site = program / "lib" / PYTHON / "site-packages"
    # colorzero requires setuptools and never imports it; a part of it runs as each Python starts.
    (unused,) = shelf.glob("setuptools-*.whl")
    unused.unlink()
    wheels = map(str, sorted(shelf.glob("*.whl")))
    _pip("install", "--no-deps", "--no-index", "--no-compile", "--target", str(site), *wheels)
    # The scripts of libraries name the Python that builds the package.
    shutil.rmtree(site / "bin", ignore_errors=True)
    for name in ("direct_url.json", "RECORD", "REQUESTED"):
        for file in site.glob(f"*.dist-info/{name}"):
            file.unlink()
    # PyPI has no lgpio for Python 3.13. These links dangle until python3-lgpio is there.
    for name in ("lgpio.py", f"_lgpio{sysconfig.get_config_var('EXT_SUFFIX')}"):
        (site / name).symlink_to(f"/usr/lib/python3/dist-packages/{name}")
    (program / "bin").mkdir()
    (program / "bin/python3").symlink_to("/usr/bin/python3")
    (program / "bin/lifeboard").write_text(COMMAND, encoding="utf-8")
    (program / "bin/lifeboard").chmod(0o755)
    (program / "pyvenv.cfg").write_text(
        "home = /usr/bin\ninclude-system-site-packages = false\n", encoding="utf-8"
    )
    (tree / "usr/bin").mkdir()
    (tree / "usr/bin/lifeboard").symlink_to("../lib/lifeboard/bin/lifeboard")


def _write_documents(source: Path, tree: Path, package: Package) -> None:
    folder = tree / "usr/share/doc" / package.name
    folder.mkdir(parents=True)
    shutil.copyfile(HERE / "README", folder / "README")
    entries = changelog((source / "CHANGELOG.md").read_text(encoding="utf-8"), package)
    # Without a name and a time, the same text gives the same bytes.
    (folder / "changelog.gz").write_bytes(gzip.compress(entries.encode(), 9, mtime=0))
    licence = (source / "LICENSE").read_text(encoding="utf-8").partition("\n\n")[2]
    _fill("copyright", folder / "copyright", package, LICENCE=_folded(licence.strip()))
    with (folder / "copyright").open("a", encoding="utf-8") as file:
        for each in _libraries(tree):
            if each["Name"] != package.name:
                file.write(_copyright(each))


def _write_control(tree: Path, package: Package) -> None:
    folder = tree / "DEBIAN"
    files = sorted(file for file in tree.rglob("*") if file.is_file() and not file.is_symlink())
    folder.mkdir()
    sums = (
        f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(tree)}\n"
        for file in files
    )
    (folder / "md5sums").write_text("".join(sums))
    names = (f"/{file.relative_to(tree)}\n" for file in files)
    log = gzip.decompress((tree / "usr/share/doc" / package.name / "changelog.gz").read_bytes())
    (folder / "changelog").write_bytes(log)
    (folder / "conffiles").write_text("".join(name for name in names if name.startswith("/etc/")))
    major, minor = sys.version_info[:2]
    _fill(
        "control",
        folder / "control",
        package,
        PYTHON=f"python3 (>= {major}.{minor}~), python3 (<< {major}.{minor + 1}~)",
        LIBC=f"libc6 (>= {_libc(tree)})",
        SIZE=str(sum(-(-file.stat().st_size // 1024) for file in files) + len(files)),
    )
    for name in SCRIPTS:
        _fill(name, folder / name, package, PROGRAM=f"/{PROGRAM}")
        (folder / name).chmod(0o755)


def changelog(text: str, package: Package) -> str:
    """Write our changelog in Debian's form; add an entry for a version without one."""
    # Group headings are not entries, and unreleased changes have no version.
    text = re.sub(r"^\w+:$", "", text, flags=re.MULTILINE)
    sections = re.split(r"^## (?=\d)", text, flags=re.MULTILINE)[1:]
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


def _libraries(tree: Path) -> Iterator[Message]:
    """Read the metadata of the installed libraries."""
    for file in sorted((tree / PROGRAM).glob("lib/*/site-packages/*.dist-info/METADATA")):
        yield Parser().parsestr(file.read_text(encoding="utf-8"))


def _copyright(library: Message) -> str:
    """Return a library's licence; the text is among its files."""
    names = [
        library["License-Expression"],
        *(c.rpartition(" :: ")[2] for c in library.get_all("Classifier", []) if "License ::" in c),
        library["License"],
    ]
    # Some libraries put the whole text in the field for the name.
    licence = next(name for name in names if name and name != "UNKNOWN").splitlines()[0]
    urls = library.get_all("Project-URL", [","])
    home = library["Home-page"] or urls[0].partition(",")[2].strip()
    name = re.sub(r"[-_.]+", "_", library["Name"])
    return (
        f"\nFiles: {PROGRAM}/lib/{PYTHON}/site-packages/{name}*\n"
        f"Copyright: the authors of {library['Name']}{f', {home}' if home else ''}\n"
        f"License: {licence}\n The text is in the library's dist-info folder.\n"
    )


def _libc(tree: Path) -> str:
    """Return the oldest C library on which all compiled libraries run."""
    here = platform.libc_ver()[1]
    versions = [(0, 0)]
    for file in (tree / PROGRAM).glob("lib/*/site-packages/*.dist-info/WHEEL"):
        tags = re.findall(r"^Tag: (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        asked = [found for tag in tags for found in re.findall(r"manylinux_(\d+)_(\d+)", tag)]
        # A wheel has several tags; the lowest version is enough. One compiled here needs ours.
        if asked:
            versions.append(min((int(major), int(minor)) for major, minor in asked))
        elif any(re.search(r"-linux_\w+$", tag) for tag in tags):
            major, minor = here.split(".")[:2]
            versions.append((int(major), int(minor)))
    return ".".join(map(str, max(versions)))


def _fill(name: str, file: Path, package: Package, **values: str) -> None:
    """Write a template of this folder with its @NAMES@ filled in."""
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
    """Set the time and permissions of all files and folders."""
    for path in (*sorted(tree.rglob("*"), reverse=True), tree):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)


def _pip(*arguments: str) -> None:
    quiet = ("--quiet", "--disable-pip-version-check")
    _run(sys.executable, "-m", "pip", arguments[0], *quiet, *arguments[1:])


def _run(*command: str) -> None:
    """Run a command; exit with its output when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
