"""A process with root that changes the Wi-Fi by NetworkManager's nmcli(1), for one client.

Owns the scan, the hotspot, and the profile of the chosen network. systemd starts this process when
a client connects to `lifeboard-wifi.socket`, a socket of packets, which is its standard input. Each
packet is JSON: `{}` scans, opens the hotspot, and is answered with its `name` and the `networks`;
`{"ssid": ..., "password": ..., "hidden": ...}` closes it and joins. What cannot be done is answered
with a `problem`, and a `detail` for the log. When the client closes, the hotspot does too.

Must not know who chooses, and imports nothing of lifeboard: it is small, and has root.
"""

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ADDRESS = "10.42.0.1"
"""This computer in its hotspot, as `lifeboard-wifi.dns` and `.nft` say too."""
PROFILE = "lifeboard-hotspot"
TRIED = "lifeboard-new"
"""The profile of a network until it is joined."""
MOST_BYTES = 65_536
MOST_NETWORKS = 40
JOIN_S = 90
"""A slow computer has an address after 9 s, and finds after 50 that a network is not around."""
RADIO_S = 15.0
"""How long a radio that was switched on may find nothing."""
_MACHINE = Path("/etc/machine-id")
_LOOK_S = 0.5


OPEN, PASSWORD, OTHER = "open", "password", "other"
"""What networks ask for; `other` is what the board cannot do: enterprise, WPA3 alone, WEP."""
_PROBLEMS = {"ecrets": "wrong_password", "could not be found": "not_found"}
"""Problems, by a part of nmcli's message about a profile that cannot be activated."""


class Refused(Exception):
    """End a request with its problem, and a detail in English for the log."""

    def __init__(self, problem: str, detail: str = "") -> None:
        super().__init__(problem, detail)
        self.answer = {"problem": problem, "detail": detail}


def device() -> str:
    """Return the Wi-Fi radio of this computer; raises Refused."""
    # The rules of lifeboard-wifi.nft are for devices of these names.
    for line in _nmcli("--fields", "TYPE,DEVICE", "device"):
        if line.startswith("wifi:wl"):
            return line[5:]
    raise Refused("failed", "NetworkManager has no radio for Wi-Fi")


def open_hotspot() -> dict[str, Any]:
    """Scan, since many radios cannot while the hotspot is open, and open it."""
    radio = device()
    # Raspberry Pi OS keeps Wi-Fi off until its country is set; once on, it stays on.
    _nmcli("radio", "wifi", "on")
    networks = scan(radio)
    # A radio's own address may change with each scan.
    number = hashlib.sha256(_MACHINE.read_bytes()).hexdigest()[:4].upper()
    _delete(PROFILE)
    _nmcli(
        *("connection", "add", "save", "no", "type", "wifi", "ifname", radio),
        *("con-name", PROFILE, "autoconnect", "no", "ssid", f"lifeboard-{number}"),
        # Every country allows this channel.
        *("mode", "ap", "wifi.band", "bg", "wifi.channel", "6", "ipv6.method", "disabled"),
        *("ipv4.method", "shared", "ipv4.addresses", f"{ADDRESS}/24"),
    )
    _nmcli("connection", "up", "id", PROFILE)
    return {"name": f"lifeboard-{number}", "networks": networks}


def join(ssid: str, password: str, hidden: bool) -> dict[str, Any]:
    """Join a network in place of the hotspot, and keep it for later starts."""
    if password and not re.fullmatch("[0-9a-fA-F]{64}", password):
        # IEEE 802.11, J.4. These digits need no escapes.
        both = password.encode(), ssid.encode()
        password = hashlib.pbkdf2_hmac("sha1", *both, 4096, 32).hex()
    for each in (PROFILE, TRIED):
        _delete(each)
    _nmcli(
        *("connection", "add", "type", "wifi", "ifname", device(), "con-name", TRIED),
        *("autoconnect", "no", "ssid", ssid, "wifi.hidden", str(hidden)),
        *(("wifi-sec.key-mgmt", "wpa-psk") if password else ()),
    )
    try:
        if password:
            # Typed, so that no other program sees it; a wrong passwd-file would be tried forever.
            typed = f"set wifi-sec.psk {password}\nsave\nquit\n"
            _nmcli("connection", "edit", "id", TRIED, typed=typed)
        _nmcli("--wait", str(JOIN_S), "connection", "up", "id", TRIED)
        if _nmcli("networking", "connectivity", "check") == ["portal"]:
            raise Refused("portal")
    except Refused:
        _delete(TRIED)
        raise
    name = f"lifeboard {ssid}"
    # Until now, an earlier profile of this network may have been the one that works.
    _delete(name)
    settings = ("connection.id", name, "connection.autoconnect", "yes")
    _nmcli("connection", "modify", "id", TRIED, *settings)
    return {}


def scan(radio: str) -> list[tuple[str, str]]:
    """Return the networks around, the strongest first, once each, with what they ask for."""
    asked = ("--fields", "SIGNAL,SSID-HEX,SECURITY", "device", "wifi", "list", "ifname", radio)
    end, lines = time.monotonic() + RADIO_S, list[str]()
    while not lines and time.monotonic() < end:
        # It fails until the radio is ready.
        with suppress(Refused):
            lines = _nmcli(*asked, "--rescan", "yes")
        if not lines:
            time.sleep(_LOOK_S)
    found: dict[str, str] = {}
    for line in sorted(lines, key=lambda each: -int(each.partition(":")[0])):
        _, digits, security = line.split(":")
        with suppress(UnicodeDecodeError):
            if (ssid := bytes.fromhex(digits).decode()).isprintable() and ssid:
                found.setdefault(ssid, kind_of(security))
    return list(found.items())[:MOST_NETWORKS]


def kind_of(security: str) -> str:
    """Return what a network asks for, by nmcli's column SECURITY."""
    words = set(security.split()) - {"--", "OWE", "OWE-TM"}
    if words & {"WPA1", "WPA2"} and "802.1X" not in words:
        return PASSWORD
    return OTHER if words else OPEN


def _delete(profile: str) -> None:
    with suppress(Refused):
        _nmcli("connection", "delete", "id", profile)


def _nmcli(*command: str, typed: str = "") -> list[str]:
    """Run nmcli, and return its lines; raises Refused."""
    plain = ("nmcli", "--terse", "--escape", "no", "--colors", "no")
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    options: dict[str, Any] = {"capture_output": True, "text": True, "errors": "replace"}
    try:
        done = subprocess.run((*plain, *command), env=environment, input=typed, **options)
    except FileNotFoundError as error:
        raise Refused("failed", "NetworkManager is missing") from error
    if done.returncode == 0:
        return str(done.stdout).splitlines()
    said = " ".join(done.stderr.split())
    raise Refused(next((_PROBLEMS[each] for each in _PROBLEMS if each in said), "failed"), said)


def main() -> None:
    """Answer the client that waits on standard input until it closes."""
    client, _ = socket.socket(fileno=sys.stdin.fileno()).accept()
    while packet := client.recv(MOST_BYTES):
        try:
            request = json.loads(packet)
            answer = join(**request) if request else open_hotspot()
        except Refused as refused:
            answer = refused.answer
        client.send(json.dumps(answer).encode())
    _delete(PROFILE)


if __name__ == "__main__":
    main()
