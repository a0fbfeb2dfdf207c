"""The addresses by which other devices reach this computer.

Owns the asking of the system. On Linux that is every address of a network that is up; elsewhere
only the one from which this computer would speak to the internet. Addresses that need a zone
(fe80::) are left out, since browsers do not open them, and IPv6 ones where there are others.
"""

import contextlib
import socket
import struct
import sys
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

_SIOCGIFCONF = 0x8912  # netdevice(7): the addresses of all networks that are up
_NAME = 16
_REQUEST = _NAME + (24 if struct.calcsize("P") == 8 else 16)  # struct ifreq of linux/if.h
_MOST = 64
_IPV6 = Path("/proc/net/if_inet6")
# Of documentation (RFC 5737, RFC 3849): nothing is ever sent there.
_FAR = ((socket.AF_INET, "203.0.113.1"), (socket.AF_INET6, "2001:db8::1"))


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """An address, and the kernel's number of the interface that has it."""

    interface: int
    text: str


def own_addresses() -> tuple[str, ...]:
    """Return this computer's addresses in its networks; none if it is in no network."""
    told = (*(each.text for each in _ipv4()), *_ipv6(), *_speaking())
    found = [each for each in told if _is_reached(each)]
    # First seen first, each once.
    own = tuple(dict.fromkeys(found))
    return tuple(each for each in own if ":" not in each) or own


def local_addresses() -> frozenset[Address]:
    """List this computer's IPv4 addresses in its networks, with their interfaces (Linux)."""
    return frozenset(each for each in _ipv4() if _is_reached(each.text))


def url(address: str, port: int) -> str:
    """Write the address of a page."""
    return f"http://{f'[{address}]' if ':' in address else address}:{port}/"


def _is_reached(address: str) -> bool:
    found = ip_address(address)
    zoned = found.version == 6 and found.is_link_local
    return not (found.is_loopback or found.is_unspecified or zoned)


def _ipv4() -> list[Address]:
    """Ask Linux for the addresses of its networks; nothing elsewhere."""
    found: list[Address] = []
    if sys.platform == "linux":
        import array
        import fcntl

        held = array.array("B", bytes(_REQUEST * _MOST))
        asked = array.array("B", struct.pack("iP", len(held), held.buffer_info()[0]))
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_:
            fcntl.ioctl(any_, _SIOCGIFCONF, asked)
            length = struct.unpack("iP", asked.tobytes())[0]
            for at in range(0, length, _REQUEST):
                name = held[at : at + _NAME].tobytes().partition(b"\0")[0].decode()
                # struct sockaddr_in: family, port, and the address from its fifth byte on.
                text = socket.inet_ntoa(held[at + _NAME + 4 : at + _NAME + 8].tobytes())
                with contextlib.suppress(OSError):
                    # A second address of an interface is told as one named "eth0:1".
                    found.append(Address(socket.if_nametoindex(name.partition(":")[0]), text))
    return found


def _ipv6() -> list[str]:
    """Read Linux' addresses of IPv6; nothing elsewhere."""
    try:
        lines = _IPV6.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    return [str(ip_address(bytes.fromhex(line.split()[0]))) for line in lines]


def _speaking() -> list[str]:
    """Ask from which addresses this computer would speak to others far away."""
    found = []
    for family, far in _FAR:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            # A datagram socket that is connected has sent nothing.
            asking.connect((far, 9))
            found.append(str(asking.getsockname()[0]))
    return found
