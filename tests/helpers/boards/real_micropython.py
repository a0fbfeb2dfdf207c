"""Make sure that there is a real MicroPython for the tests of the firmware; as a script, for all.

One of the system is preferred. Elsewhere Debian 13's is unpacked beside its own C library in a
folder of the user's, and started through that library's loader: nothing of the system changes. Its
packages come through apt, which verifies Debian's signatures, with lists and keys of its own.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.helpers.pico.micropython import START, MicroPythonMissing, cache, find

SUITE = "trixie"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
PACKAGES = ("micropython", "libc6", "libffi8", "libmbedcrypto16", "libmbedtls21", "libmbedx509-7")
LOADERS = {
    "amd64": "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
    "arm64": "usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
    "armhf": "usr/lib/arm-linux-gnueabihf/ld-linux-armhf.so.3",
    "i386": "usr/lib/i386-linux-gnu/ld-linux.so.2",
}
SMALL = {"amd64": "i386", "i386": "i386", "armhf": "armhf"}
"""An architecture of 32 bits, whose objects are as large as a Pico's, that a computer runs too."""
TOOLS = ("apt-get", "dpkg", "dpkg-deb")
NETWORK_S = 300
HELP = (
    "The tests of the firmware need MicroPython, and it is neither installed nor could it be had.\n"
    "On Debian 13 and later: sudo apt install micropython"
)
_START = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/{loader}" --library-path "$here/{libraries}" "$here/usr/bin/micropython" "$@"
"""


class Unavailable(Exception):
    """Say why none can be had."""


class NoneSmaller(Unavailable):
    """Say that this architecture has none of 32 bits beside it."""


def fetched(architecture: str | None = None) -> list[str]:
    """Return the command of the one that is fetched, now if it is not there yet.

    Another process may be fetching it. Raise Unavailable when it cannot be had, or does not run.
    """
    folder = cache(architecture=architecture or "")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _make(folder, architecture)
    return [str(folder / START)]


def fetched_small() -> list[str]:
    """Return the command of one whose objects are as large as a Pico's.

    Raise NoneSmaller where there is no such architecture, and Unavailable where it cannot be had.
    """
    own = _architecture()
    if own not in SMALL:
        raise NoneSmaller(f"{own} has no architecture of 32 bits beside it")
    return fetched(SMALL[own])


def _architecture() -> str:
    _check_tools()
    return _run("dpkg", "--print-architecture").strip()


def _check_tools() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise Unavailable(f"not installed: {', '.join(missing)}")


def _mirror() -> str:
    """Return the Debian mirror that apt uses here."""
    told = _run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages")
    for address in told.split():
        if address.rstrip("/").endswith("/debian"):
            return address
    raise Unavailable("apt knows no Debian mirror here")


def _make(folder: Path, architecture: str | None) -> None:
    if not KEYRING.exists():
        raise Unavailable(f"no keys at {KEYRING}: sudo apt install debian-archive-keyring")
    architecture = architecture or _architecture()
    if architecture not in LOADERS:
        raise Unavailable(f"no loader is known for {architecture}")
    with tempfile.TemporaryDirectory(prefix="draft-", dir=folder.parent) as made:
        draft = Path(made)
        packages = _download(draft / "apt", architecture)
        root = draft / "root"
        for package in packages:
            _run("dpkg-deb", "--extract", str(package), str(root))
        loader = LOADERS[architecture]
        start = root / START
        start.write_text(_START.format(loader=loader, libraries=Path(loader).parent))
        start.chmod(0o755)
        if _run(str(start), "-c", "print(6 * 7)").strip() != "42":
            raise Unavailable(f"MicroPython for {architecture} does not run here")
        root.rename(folder)


def _download(here: Path, architecture: str) -> list[Path]:
    """Download the packages; apt refuses what is not signed by Debian."""
    for name in ("lists/partial", "archives/partial", "debs"):
        (here / name).mkdir(parents=True)
    sources = here / "sources.list"
    sources.write_text(f"deb [signed-by={KEYRING} arch={architecture}] {_mirror()} {SUITE} main\n")
    (here / "status").touch()
    settings = {
        "APT::Architecture": architecture,
        "APT::Architectures": architecture,
        "APT::Get::AllowUnauthenticated": "false",
        "APT::Sandbox::User": "",
        "Acquire::AllowInsecureRepositories": "false",
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
        "Dir::Cache": str(here),
        "Dir::Etc::Preferences": "/dev/null",
        "Dir::Etc::PreferencesParts": "/dev/null",
        "Dir::Etc::SourceList": str(sources),
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State": str(here),
        "Dir::State::Lists": str(here / "lists"),
        "Dir::State::Status": str(here / "status"),
        "Dir::State::ExtendedStates": str(here / "extended_states"),
    }
    options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
    _run("apt-get", *options, "--quiet", "--error-on=any", "update")
    _run("apt-get", *options, "--quiet", "download", *PACKAGES, here=here / "debs")
    packages = sorted((here / "debs").glob("*.deb"))
    if len(packages) != len(PACKAGES):
        raise Unavailable(f"apt-get has downloaded {len(packages)} of {len(PACKAGES)} packages")
    return packages


def _run(*command: str, here: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=here,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            timeout=NETWORK_S,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout).strip()[-1000:]
        raise Unavailable(f"{command[0]} failed: {said}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(str(error)) from error
    return done.stdout


def main() -> int:
    """Fetch MicroPython if there is none; 1 and plain words if that fails."""
    try:
        find()
    except MicroPythonMissing:
        print("No MicroPython on this system: fetching Debian's for the tests.", flush=True)
        try:
            fetched()
        except Unavailable as why:
            print(f"{HELP}\n{why}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
