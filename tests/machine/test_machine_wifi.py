"""The hotspot's unit, sandbox and rules on a booted machine: what a phone reaches through it.

Its Wi-Fi is a cable between two networks, and its nmcli a program of ours.
"""

import pytest

from game.service.paths import NAME, PROGRAM
from game.service.settings import DEFAULT_PORT
from game.service.wifi import PORT
from game.service.wifi_helper import ADDRESS
from tests.helpers.machines.served import Served

pytestmark = pytest.mark.timeout(600)

NMCLI = """#!/bin/sh
case "$*" in
    *device) echo wifi:wlan0 ;;
    *"device wifi list"*) echo 90:486F6D65:WPA2 ;;
    *"connection delete"*) sleep 1 ;;
esac
"""
NETWORK = f"""
set -e
for each in wlan0:phone:10.42.0 eth0:home:192.168.60; do
    here=${{each%%:*}} rest=${{each#*:}}
    there=${{rest%%:*}} net=${{rest#*:}}
    ip link add $here type veth peer name $there
    ip netns add $there
    ip link set $there netns $there
    ip addr add $net.1/24 dev $here
    ip link set $here up
    ip -n $there addr add $net.2/24 dev $there
    ip -n $there link set $there up
    ip -n $there route add default via $net.1
done
echo 1 >/proc/sys/net/ipv4/ip_forward
systemd-run --quiet ip netns exec home python3 -m http.server {DEFAULT_PORT}
ask='import socket; socket.create_connection(("192.168.60.2", {DEFAULT_PORT}), 1.0)'
until python3 -c "$ask" 2>/dev/null; do :; done
"""
HOTSPOT = """
import os, signal
from game.service import wifi
from game.service.run import Notifier
wifi.own_addresses = lambda: ()
board = wifi.Wifi(8765)
board.follow(False, 0.0)
while (shown := board.follow(False, wifi.WAIT_S)) is None:
    pass
assert shown == wifi._OPENED, shown
Notifier(os.environ).tell(READY="1")
signal.pause()
"""
REACHED = """
import socket, sys
for each in sys.argv[1:]:
    host, _, port = each.partition(":")
    try:
        socket.create_connection((host, int(port)), 2.0).close()
    except OSError:
        continue
    print(each)
"""
EVERYWHERE = (
    f"{ADDRESS}:80",
    f"{ADDRESS}:{PORT}",
    f"{ADDRESS}:{DEFAULT_PORT}",
    f"192.168.60.1:{DEFAULT_PORT}",
    f"192.168.60.2:{DEFAULT_PORT}",
)
NAMES = "/etc/NetworkManager/dnsmasq-shared.d/lifeboard.conf"
PYTHON = f"{PROGRAM}/bin/python3"


def reached(served: Served) -> list[str]:
    """Return what answers a phone in the hotspot."""
    phone = ("ip", "netns", "exec", "phone", "python3", "-c", REACHED)
    return served.machine.call(*phone, *EVERYWHERE).split()


def test_phone_in_the_hotspot_reaches_the_page_of_the_wifi_and_nothing_else(served):
    machine = served.machine
    machine.write("/usr/bin/nmcli", NMCLI)
    machine.call("chmod", "+x", "/usr/bin/nmcli")
    machine.call("sh", "-c", NETWORK)
    served.set("[page]\nnetwork = true\n")
    served.restart()
    served.until_move(1)
    # Without the hotspot all is there but its page.
    machine.until("lifeboard-wifi.socket", lambda unit: unit["ActiveState"] == "active")
    assert reached(served) == list(EVERYWHERE[2:])
    board = ("systemd-run", "--unit=board", "--service-type=notify", f"--uid={NAME}")
    machine.call(*board, PYTHON, "-c", HOTSPOT)
    assert reached(served) == [EVERYWHERE[0]]
    ask = f"import urllib.request as u; print(u.urlopen('http://{ADDRESS}/any').read())"
    assert 'value="Home"' in machine.call("ip", "netns", "exec", "phone", "python3", "-c", ask)
    assert ADDRESS in machine.call("cat", NAMES)
    machine.call("systemctl", "stop", "board")
    # At once it opens again, though NetworkManager takes its time to close it.
    machine.call(*board, PYTHON, "-c", HOTSPOT)
    assert reached(served) == [EVERYWHERE[0]]
    machine.call("systemctl", "stop", "board")
    machine.until("lifeboard-wifi.service", lambda unit: unit["ActiveState"] == "inactive")
    assert reached(served) == list(EVERYWHERE[2:])
    assert machine.call("nft", "list", "tables") == ""
    machine.call("test", "!", "-e", NAMES)
    assert machine.call("systemctl", "--failed", "--quiet", "--no-legend") == ""
