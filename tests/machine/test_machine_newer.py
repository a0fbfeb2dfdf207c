"""The Debian package on Debian 13, whose Python is that of the Raspberry Pi OS of today, and its
first start from a card, without a network."""

import platform

import pytest

from game.maker.card import FOLDER, LOG, write
from tests.helpers.machines.deb_package import newer_package
from tests.helpers.machines.image import newer_image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import SETTINGS, Served

pytestmark = pytest.mark.timeout(600)

LGPIO = ("lgpio.py", f"_lgpio.cpython-313-{platform.machine()}-linux-gnu.so")
HAS_LGPIO = "from game.maker.system import this_process; print(this_process().lgpio)"
CONFIG = "#dtparam=spi=on\narm_64bit=1\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"
CARD = {
    # That of the package rpi-cloud-init-mods, by which Raspberry Pi OS reads its boot partition.
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": (
        "datasource_list: [NoCloud, None]\n"
        "datasource: {NoCloud: {seedfrom: 'file:///boot/firmware'}}\n"
    ),
    "boot/firmware/config.txt": CONFIG,
    # As Raspberry Pi Imager 2 writes them.
    "boot/firmware/meta-data": "instance-id: rpi-imager-1790000000000\n",
    "boot/firmware/user-data": (
        "#cloud-config\nmanage_resolv_conf: false\nuser:\n  name: maker\n  shell: /bin/bash\n"
        "  lock_passwd: true\n  groups: [users]\n  sudo: null\n"
        "runcmd:\n  - [ touch, /root/by-imager ]\n"
    ),
}


def test_first_start_of_a_card_installs_the_package_and_plays(tmp_path):
    machine = Machine([newer_image()], tmp_path / "machine")
    for name, text in CARD.items():
        file = machine.disk / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    boot = machine.disk / "boot/firmware"
    pin = write(newer_package(), boot, None)
    with (boot / FOLDER / "lifeboard.toml").open("a") as settings:
        settings.write(SETTINGS)
    try:
        machine.boot()
        served = Served(machine)
        assert served.unit["ActiveState"] == "active", (boot / FOLDER / LOG).read_text()
        served.until_move(1)
        served.play("e5")
        served.until_move(2)
        assert machine.call("systemctl", "--failed", "--quiet", "--no-legend") == ""
        assert machine.call("lifeboard", "pin").strip() == pin
        assert not list(boot.glob(f"{FOLDER}/*.json"))
        assert machine.call("hostname").strip() == "lifeboard"
        assert machine.call("id", "-Gn", "maker").split() == ["maker", "users"]
        assert machine.inside("/root/by-imager").exists()
        config = (boot / "config.txt").read_text()
        assert config.startswith(CONFIG)
        assert config.count("core_freq_min=500") == 1
        # What python3-lgpio of the system brings is found.
        look = ("/usr/lib/lifeboard/bin/python3", "-c", HAS_LGPIO)
        assert machine.call(*look).strip() == "False"
        for name in LGPIO:
            machine.write(f"/usr/lib/python3/dist-packages/{name}", "")
        assert machine.call(*look).strip() == "True"
        # Switched on again, it is as it was left.
        machine.power_off()
        machine.boot()
        served.until_move(2)
        assert (boot / "config.txt").read_text() == config
        machine.power_off()
    finally:
        machine.throw_away()
