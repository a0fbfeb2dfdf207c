"""The board's own certificate for HTTPS.

Debian's program `openssl` makes it, once in two years. The library `cryptography` would take
15 MB on a memory card, and need a Rust compiler on a Raspberry Pi for which there is no wheel.
"""

import ssl
import subprocess
from hashlib import sha256
from pathlib import Path

from game.common import PageError, own_addresses
from hal.base.files import write_whole

CERTIFICATE_FILE = "page-certificate.pem"
DAYS = 824
"""How long a certificate is valid: Apple's systems take 825 days at most (HT210176)."""
RENEW_S = 30 * 24 * 3600
"""A start makes a new certificate if the old one expires within this time."""
MAKING_S = 8.0
"""Longest time for `openssl`: less than the service's watchdog allows."""
_REQUEST = (
    *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
    *("-keyout", "-", "-config", "/dev/null", "-subj", "/CN=lifeboard"),
    *("-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth"),
)
_BEGIN = "-----BEGIN CERTIFICATE-----"


class Certificate:
    """The certificate of a data folder, with its key; raises PageError where there can be none.

    It is made if it is missing, damaged or about to expire, with the present host names and
    addresses. It stays if these change, since people would have to compare it again on each device.
    `fingerprint` is its SHA-256 as browsers show it.
    """

    def __init__(self, folder: Path, names: tuple[str, ...] = ()) -> None:
        self.path = folder / CERTIFICATE_FILE
        try:
            kept = _openssl("x509", "-in", str(self.path), "-noout", "-checkend", str(RENEW_S))
            if kept.returncode != 0:
                hosts = (f"DNS:{each}" for each in ("localhost", *names))
                known = ",".join((*hosts, *(f"IP:{each}" for each in own_addresses())))
                of = ("-days", str(DAYS), "-addext", f"subjectAltName={known}")
                made = _openssl(*_REQUEST, *of)
                made.check_returncode()
                write_whole(self.path, made.stdout.encode(), 0o600)
            self.fingerprint = fingerprint(self.path.read_text(encoding="ascii"))
        except (OSError, subprocess.SubprocessError) as error:
            why = " ".join((getattr(error, "stderr", None) or str(error)).split())
            where = f"the certificate of HTTPS, {self.path}"
            raise PageError(f"openssl cannot make {where}: {why}") from error


def fingerprint(pem: str) -> str:
    """Return the SHA-256 fingerprint of a certificate; raises ValueError if there is none."""
    der = ssl.PEM_cert_to_DER_cert(pem[pem.index(_BEGIN) :])
    return sha256(der).digest().hex(":").upper()


def _openssl(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(("openssl", *arguments), capture_output=True, text=True, timeout=MAKING_S)
