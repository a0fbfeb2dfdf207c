"""Joins Wi-Fis from the hotspot on emulated radios, as root: `make radios ARGS=FOLDER`.

A Debian 13 with its own kernel runs in qemu, slowly: it has NetworkManager, wpa_supplicant and two
radios of mac80211_hwsim, the board's and that of the networks around, which are hostapd's. Needs
qemu-system-x86 and debootstrap; FOLDER is filled anew.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from tempfile import mkdtemp

from tests.helpers import shared
from tests.helpers.machines.deb_package import newer_package
from tests.helpers.machines.image import newer_image

PACKAGES = "dnsmasq-base hostapd iw kmod linux-image-amd64 network-manager wpasupplicant"
ANSWER_S = 1200.0
AGENT = """#!/usr/bin/python3
import json, subprocess
port = open("/dev/virtio-ports/agent", "r+b", buffering=0)
line = b""
port.write(b'[0, "ready"]\\n')
while True:
    byte = port.read(1)
    line += byte
    if byte == b"\\n":
        run = ["bash", "-c", json.loads(line)]
        done = subprocess.run(run, stdin=-3, stdout=-1, stderr=-2, text=True)
        port.write(json.dumps([done.returncode, done.stdout]).encode() + b"\\n")
        line = b""
"""
UNIT = """[Unit]
StartLimitIntervalSec=0
[Service]
ExecStart=/usr/local/bin/agent
Restart=always
RestartSec=2
[Install]
WantedBy=multi-user.target
"""
MASKED = "cloud-init-local cloud-init-main cloud-init-network cloud-config cloud-final hostapd"
ASK = """
import json, socket, sys, time
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as helper:
    helper.connect("/run/lifeboard-wifi.socket")
    for request in sys.argv[1:]:
        began = time.monotonic()
        helper.send(request.encode())
        print(json.dumps([json.loads(helper.recv(65536)), round(time.monotonic() - began)]))
"""
WEB = """
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(sys.argv[2].encode())
ThreadingHTTPServer((sys.argv[1], 80), Page).serve_forever()
"""
PSK = "wpa=2\nwpa_key_mgmt=WPA-PSK\nrsn_pairwise=CCMP\nwpa_passphrase="
AIR = f"""interface=wlan1
driver=nl80211
hw_mode=g
channel=11
ssid=Home
{PSK}right password
bss=hidden
ssid=Under the stairs
ignore_broadcast_ssid=1
{PSK}another password
bss=cafe
ssid=Cafe
bss=office
ssid=Office
wpa=2
wpa_key_mgmt=WPA-EAP
rsn_pairwise=CCMP
ieee8021x=1
own_ip_addr=127.0.0.1
auth_server_addr=127.0.0.1
auth_server_shared_secret=x
"""
NETWORKS = """
set -e
modprobe mac80211_hwsim radios=2
printf '[keyfile]\\nunmanaged-devices=interface-name:wlan1\\n' >/etc/NetworkManager/conf.d/air.conf
until nmcli general reload 2>/dev/null; do sleep 2; done
sleep 5
ip netns add air
iw phy phy1 set netns name air
ip -n air link set wlan1 down
ip -n air link set wlan1 address 02:00:00:00:10:00
ip netns exec air hostapd -B /root/air.conf
n=0
for dev in wlan1 hidden cafe; do
    n=$((n + 1))
    page="NetworkManager is online"
    [ $dev != cafe ] || page="<p>Welcome! Please sign in.</p>"
    ip -n air addr add 10.0.$n.1/24 dev $dev
    ip netns exec air dnsmasq --conf-file=/dev/null --pid-file= --interface=$dev --no-resolv \\
        --bind-interfaces --except-interface=lo --dhcp-range=10.0.$n.10,10.0.$n.90 \\
        --address=/#/10.0.$n.1
    setsid ip netns exec air python3 /root/web.py 10.0.$n.1 "$page" >/dev/null 2>&1 &
done
systemctl start lifeboard-wifi.socket
"""
JOINS = (
    ("Home", "wrong password", False, "wrong_password"),
    ("Home", "right password", False, None),
    ("Under the stairs", "another password", True, None),
    ("Under the stairs", "wrong password", True, "wrong_password"),
    ("Nowhere", "any password", True, "not_found"),
    ("Cafe", "", False, "portal"),
)
LISTED = [["Cafe", "open"], ["Home", "password"], ["Office", "other"]]
LISTED += [["Under the stairs", "password"]]  # once it was joined


class Qemu:
    """The machine, switched on."""

    def __init__(self, root: Path, disk: Path) -> None:
        address = disk.with_name("agent.sock")
        address.unlink(missing_ok=True)
        kernel, initrd = (next(root.glob(f"boot/{each}-*")) for each in ("vmlinuz", "initrd.img"))
        words = "console=ttyS0 root=/dev/vda rw quiet net.ifnames=0 mitigations=off"
        words += " systemd.default_timeout_start_sec=900 systemd.default_device_timeout_sec=900"
        self.process = subprocess.Popen(
            [
                *("qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-M", "q35"),
                *("-m", "1024", "-smp", "2", "-display", "none", "-nic", "none", "-no-reboot"),
                *("-kernel", kernel, "-initrd", initrd, "-append", words, "-snapshot"),
                *("-drive", f"file={disk},format=raw,if=virtio", "-device", "virtio-serial"),
                *("-chardev", f"socket,path={address},server=on,wait=off,id=agent"),
                *("-device", "virtserialport,chardev=agent,name=agent"),
                *("-serial", f"file:{disk.with_name('console.log')}"),
            ]
        )
        while not address.exists():
            time.sleep(0.1)
        self._agent = socket.socket(socket.AF_UNIX)
        self._agent.connect(str(address))
        self._agent.settimeout(ANSWER_S)
        self._lines = self._agent.makefile("rb")
        assert json.loads(self._lines.readline()) == [0, "ready"]

    def call(self, command: str) -> str:
        """Run a command of bash as root, and return what it printed; fails if it fails."""
        self._agent.sendall(json.dumps(command).encode() + b"\n")
        status, said = json.loads(self._lines.readline())
        assert status == 0, f"{command} ended with {status}:\n{said}"
        return str(said)


def make_disk(folder: Path) -> tuple[Path, Path]:
    """Return the folder that the disk was made of, and the disk; made anew with each package."""
    root, disk = folder / "root", folder / "disk.img"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "--archive", newer_image(), root], check=True)
    shutil.copy(newer_package(), root / "root/lifeboard.deb")
    install = "export DEBIAN_FRONTEND=noninteractive; apt-get update --quiet=2"
    install += f"; apt-get install --yes --quiet=2 --no-install-recommends {PACKAGES}"
    install += "; dpkg --install /root/lifeboard.deb; systemctl disable lifeboard"
    install += f"; systemctl mask {MASKED}; systemctl enable agent; apt-get clean"
    for name, text in {
        "usr/local/bin/agent": AGENT,
        "etc/systemd/system/agent.service": UNIT,
        "root/ask.py": ASK,
        "root/web.py": WEB,
        "root/air.conf": AIR,
    }.items():
        (root / name).write_text(text)
    (root / "usr/local/bin/agent").chmod(0o755)
    subprocess.run(["chroot", root, "sh", "-c", install], check=True)
    disk.unlink(missing_ok=True)
    subprocess.run(["truncate", "--size=3G", disk], check=True)
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-d", root, disk], check=True)
    return root, disk


def main() -> None:
    """Print what each network's join ends with, and after how many seconds of a slow computer."""
    parser = argparse.ArgumentParser("radios", description=__doc__)
    parser.add_argument("folder", type=Path, help="for 6 GB, which are written anew")
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    os.environ.setdefault(shared.FOLDER, mkdtemp(prefix="lifeboard-radios-"))
    machine = Qemu(*make_disk(folder))
    try:
        machine.call(NETWORKS)
        for ssid, password, hidden, problem in JOINS:
            join = json.dumps({"ssid": ssid, "password": password, "hidden": hidden})
            said = machine.call(f"python3 /root/ask.py '{{}}' '{join}'")
            (opened, _), (answer, took_s) = map(json.loads, said.splitlines())
            # A scan does not find all of them each time.
            assert all(network in LISTED for network in opened["networks"]), opened
            assert answer.get("problem") == problem, answer
            print(f"{took_s:4} s  {ssid}: {problem or 'joined'}", flush=True)
        # What was joined before a wrong password is joined again.
        machine.call("nmcli --wait 300 connection up id 'lifeboard Under the stairs'")
    finally:
        machine.process.kill()


if __name__ == "__main__":
    main()
