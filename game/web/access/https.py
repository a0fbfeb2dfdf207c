"""HTTPS for other devices: the board's own certificate, and connections that speak it.

Debian's program `openssl` makes the certificate, once in two years. For that, the library
`cryptography` would take 15 MB on a memory card, or a Rust compiler on a Raspberry Pi for which
there is no wheel. Must not know requests.
"""

import asyncio
import ssl
import subprocess
import time
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, cast
from weakref import WeakSet

from game.common import PageError, is_loopback, own_addresses, plain, url
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
_HANDSHAKE = 22  # the first byte of a TLS connection (RFC 8446, section 5.1)


class Certificate:
    """The certificate of a data folder, with its key; raises PageError where there can be none.

    It is made if it is missing, damaged or about to expire, with the present host names and
    addresses. It stays if these change, since people would have to compare it again on each device.
    `fingerprint` is its SHA-256 as browsers show it.
    """

    fingerprint: str

    def __init__(self, folder: Path, names: tuple[str, ...] = ()) -> None:
        self._path, self._names = folder / CERTIFICATE_FILE, names
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._ends_s = 0.0
        try:
            with suppress(ssl.SSLError, FileNotFoundError, subprocess.CalledProcessError):
                self._load()
            self.renew(RENEW_S)
        except (OSError, subprocess.SubprocessError) as error:
            why = " ".join((getattr(error, "stderr", None) or str(error)).split())
            where = f"the certificate of HTTPS, {self._path}"
            raise PageError(f"openssl cannot make {where}: {why}") from error

    def renew(self, before_s: float = 0.0) -> None:
        """Make a new one if this expires within a time; raises OSError, SubprocessError.

        A Pi without a network may start with a clock that is years behind.
        """
        if self._ends_s > time.time() + before_s:
            return
        hosts = (f"DNS:{each}" for each in ("localhost", *self._names))
        known = ",".join((*hosts, *(f"IP:{each}" for each in own_addresses())))
        of = ("-days", str(DAYS), "-addext", f"subjectAltName={known}")
        write_whole(self._path, _openssl(*_REQUEST, *of).encode(), 0o600)
        self._load()

    def _load(self) -> None:
        self.context.load_cert_chain(self._path)
        end = _openssl("x509", "-in", str(self._path), "-noout", "-enddate")
        self.fingerprint = fingerprint(self._path.read_text(encoding="ascii"))
        self._ends_s = ssl.cert_time_to_seconds(end.strip().removeprefix("notAfter="))


def fingerprint(pem: str) -> str:
    """Return the SHA-256 fingerprint of a certificate; raises ValueError if there is none."""
    der = ssl.PEM_cert_to_DER_cert(pem[pem.index(_BEGIN) :])
    return sha256(der).digest().hex(":").upper()


class SecureConnection(asyncio.Protocol):
    """A connection that must begin with TLS, unless it is from this computer.

    `http` makes the inner protocol from the server's arguments. All that are open are in `opened`:
    the server knows a connection only once it speaks HTTP.
    """

    def __init__(
        self,
        certificate: Certificate,
        http: Callable[..., asyncio.Protocol],
        opened: WeakSet[asyncio.WriteTransport],
        **server: Any,
    ) -> None:
        self._certificate, self._http, self._opened = certificate, http(**server), opened
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._opened.add(self._transport)

    def data_received(self, data: bytes) -> None:
        """Decide by the first byte, and hand the connection over."""
        transport, http = self._transport, self._http
        peer, own = (transport.get_extra_info(each) for each in ("peername", "sockname"))
        if data[0] == _HANDSHAKE:
            # Like `loop.start_tls`, which would lose the bytes that were read.
            loop, none = asyncio.get_running_loop(), cast(Any, None)
            with suppress(OSError, subprocess.SubprocessError):
                self._certificate.renew()
            tls = SSLProtocol(loop, http, self._certificate.context, none, server_side=True)
            transport.set_protocol(tls)
            tls.connection_made(transport)
            tls.get_buffer(len(data))[: len(data)] = data
            tls.buffer_updated(len(data))
        elif is_loopback(plain(peer[0])):
            transport.set_protocol(http)
            http.connection_made(transport)
            transport.get_protocol().data_received(data)
        else:
            there = url(plain(own[0]), own[1], secure=True)
            text = f"\r\n\r\nthis page is served by HTTPS; open {there} instead\n"
            transport.write(f"HTTP/1.1 400 Bad Request\r\nConnection: close{text}".encode())
            # If closed at once, it would be reset when more arrives, and the answer might be lost.
            transport.write_eof()
            transport.set_protocol(asyncio.Protocol())


def _openssl(*arguments: str) -> str:
    return subprocess.run(
        ("openssl", *arguments), check=True, capture_output=True, text=True, timeout=MAKING_S
    ).stdout
