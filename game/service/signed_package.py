"""The check of a package that is to be installed: whole, signed, for this computer, not older.

The service checks what people offer; root copies that and checks the copy, which no other account
can change: `python -m game.service.signed_package`.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import NamedTemporaryFile

from game.common import AppError, words
from game.rules.base.message import Message, say
from game.service.paths import NAME, UPGRADES, ServicePaths

SIGNATURE = b"_lifeboard"
"""The last member of a signed package, a signature by ssh-keygen; dpkg ignores it (deb(5))."""
SIGNERS = Path("/usr/share") / NAME / "signers"
"""The keys by which packages may be signed: allowed_signers in ssh-keygen(1)."""
OFFERED, REQUEST = "update.deb", "update.request"
"""In the data folder: a package that the service has checked, and its request to install it."""
COPY, TRIED = UPGRADES / "update.deb", UPGRADES / "tried"
"""Root's copy, and a file with its version."""


class UpdateError(AppError):
    """Refuse a package; `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(words("en").text(message))
        self.message = message


@dataclass(frozen=True, slots=True)
class Offer:
    """A package that can be installed, and what is new in it since this version, in English."""

    version: str
    changes: tuple[str, ...]


def read_offer(package: Path, signers: Path = SIGNERS) -> Offer:
    """Check a package and return what it brings; raises UpdateError."""
    _check_signature(package, signers)
    names = ("Package", "Version", "Architecture", "Installed-Size")
    reported = output("dpkg-deb", "--field", str(package), *names)
    fields = dict(line.split(": ", 1) for line in reported.splitlines())
    version, kind, size = (fields[name] for name in names[1:])
    here, own = installed(), output("dpkg", "--print-architecture")
    if fields["Package"] != NAME:
        raise UpdateError(say("update.not_package"))
    if kind != own:
        raise UpdateError(say("update.processor", found=kind, allowed=own))
    if is_less(version, here):
        raise UpdateError(say("update.older", version=version, installed=here))
    # Before the new files are unpacked, the old ones are copied and packed.
    need, free = 2 * 1024 * int(size), shutil.disk_usage(package.parent).free
    if free < need:
        raise UpdateError(say("update.full", need=-(-need // 10**6), free=free // 10**6))
    return Offer(version, tuple(_changes(package, here)))


def installed() -> str:
    """Return the version that is installed."""
    return output("dpkg-query", "--show", "--showformat=${Version}", NAME)


def is_less(version: str, other: str) -> bool:
    """Return whether a version of a package is older than another."""
    command = ("dpkg", "--compare-versions", version, "lt", other)
    return subprocess.run(command, check=False).returncode == 0


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _check_signature(package: Path, signers: Path) -> None:
    """Raise UpdateError unless a package is whole and one of the signers has signed it."""
    with package.open("rb") as file, NamedTemporaryFile() as signature:
        if file.read(8) != b"!<arch>\n":
            raise UpdateError(say("update.not_package"))
        whole = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        start, end, name = 8, 8, b""
        while end < len(whole):
            # ar(5): members begin at even offsets; a header has 60 bytes: name 0-15, size 48-57.
            start = end
            name, size = (
                bytes(whole[start + a : start + b]).strip() for a, b in ((0, 16), (48, 58))
            )
            end = start + 60 + int(size if size.isdigit() else len(whole))
            end += end % 2
        if end > len(whole):
            raise UpdateError(say("update.cut_short"))
        if name != SIGNATURE:
            raise UpdateError(say("update.unsigned"))
        signature.write(whole[start + 60 :])
        signature.flush()
        reported = ("-f", str(signers), "-I", NAME, "-n", NAME, "-s", signature.name)
        done = subprocess.run(
            ("ssh-keygen", "-Y", "verify", *reported),
            input=whole[:start],
            capture_output=True,
            check=False,
        )
    if done.returncode:
        raise UpdateError(say("update.foreign"))


def _changes(package: Path, since: str) -> Iterator[str]:
    """Yield what a package's changelog says of versions newer than `since`."""
    log = "\n" + output("dpkg-deb", "--info", str(package), "changelog")
    for entry in log.split(f"\n{NAME} (")[1:]:
        version, _, text = entry.partition(")")
        if not is_less(since, version):
            return
        for news in text.partition("\n -- ")[0].split("\n  * ")[1:]:
            yield " ".join(news.split())


def main() -> None:
    """Copy the package that the service offers, and keep the copy if it may be installed."""
    data = ServicePaths().data
    # The service may read both files.
    os.umask(0o022)
    # The folder is the service's: a link in it could lead anywhere.
    (data / REQUEST).unlink(missing_ok=True)
    source = os.open(data / OFFERED, os.O_RDONLY | os.O_NOFOLLOW)
    with open(source, "rb") as offered, COPY.open("wb") as copy:
        shutil.copyfileobj(offered, copy)
        os.fsync(copy.fileno())
    (data / OFFERED).unlink()
    try:
        TRIED.write_text(f"{read_offer(COPY).version}\n", "utf-8")
    except UpdateError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
