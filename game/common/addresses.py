"""This computer's addresses for other devices, and how clients' addresses are read."""

import socket
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import ifaddr

HOME_DOMAINS = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")
"""Domains of home networks, in which no stranger can register a name: RFC 6762 (2 and appendix G),
RFC 8375, ICANN's resolution on .internal, and the routers' own."""
_RESOLVER = Path("/etc/resolv.conf")


def own_addresses() -> tuple[str, ...]:
    """Return this computer's IPv4 addresses, or its IPv6 addresses if it has none."""
    # For IPv6 the library gives a tuple: address, flow, and scope.
    ips = (each.ip for adapter in ifaddr.get_adapters() for each in adapter.ips)
    found = [ip for each in ips if _is_reachable(ip := each if isinstance(each, str) else each[0])]
    return tuple(dict.fromkeys(each for each in found if ":" not in each)) or tuple(found)


def url(address: str, port: int, *, secure: bool = False) -> str:
    """Write the address of a page, which is served by HTTPS if `secure`."""
    return f"http{'s' * secure}://{f'[{address}]' if ':' in address else address}:{port}/"


def plain(address: str) -> str:
    """Return a socket's address without its zone, and IPv4 mapped to IPv6 as IPv4."""
    return address.partition("%")[0].removeprefix("::ffff:")


def is_loopback(address: str) -> bool:
    """Return whether a plain address is a loopback address."""
    return address == "::1" or address.startswith("127.")


def network_of(address: str) -> str:
    """Return an IPv4 address, or an IPv6 address's /64, in which one device may use any address."""
    if ":" not in address:
        return address
    packed = socket.inet_pton(socket.AF_INET6, address)[:8] + bytes(8)
    return f"{socket.inet_ntop(socket.AF_INET6, packed)}/64"


def own_names(computer: str) -> set[str]:
    """Return a computer's host names, also with the search domains of its network."""
    host, domains = computer.lower(), set[str]()
    with suppress(OSError):
        for line in _RESOLVER.read_text(errors="replace").lower().splitlines():
            if line.startswith(("search", "domain")):  # resolv.conf(5)
                domains |= {each.strip(".") for each in line.split()[1:]}
    short = host.partition(".")[0]
    return {host, short, *(f"{short}.{each}" for each in domains)}


def _is_reachable(text: str) -> bool:
    address = ip_address(text)
    zoned = address.version == 6 and address.is_link_local
    return not (address.is_loopback or address.is_unspecified or zoned)
