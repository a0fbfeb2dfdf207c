"""The files that a release brings for the system: where they go, whose they are, what they say."""

import re
from pathlib import Path

import pytest

from game.app.service.places import GROUPS, NAME, UNIT, Places
from game.app.service.setup.releases import Release
from game.app.service.setup.system_files import SystemFiles
from hal.coprocessor.port import MICROPYTHON, VENDOR
from hal.coprocessor.port import NAME as PORT
from tests.helpers.programs.fake_system import FILES, SITE, make_checkout, make_root

SYSTEMD = Path(__file__).parents[2] / "systemd"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return make_root(tmp_path / "root")


def release(places: Places, version: str, **files: str) -> Release:
    """Make a release that has nothing but files for the system."""
    folder = places.releases / version
    made = {name.replace("_", "."): content for name, content in files.items()}
    checkout = make_checkout(places.root / "checkouts" / version, version, files=made)
    (folder / SITE / FILES).parent.mkdir(parents=True)
    (checkout / FILES).rename(folder / SITE / FILES)
    return Release(folder)


def test_unit_that_somebody_has_edited_is_kept_beside(places: Places):
    files = SystemFiles(places)
    files.place(release(places, "1.0"))
    assert (places.units / UNIT).stat().st_mode & 0o777 == 0o644
    (places.units / UNIT).write_text("edited")
    placed = files.place(release(places, "1.1"))
    assert placed.kept == (places.units / f"{UNIT}.kept-1",)
    assert placed.kept[0].read_text() == "edited"


def test_link_in_the_place_of_a_unit_is_not_written_through(places: Places, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.write_text("outside")
    (places.units / UNIT).symlink_to(outside)
    SystemFiles(places).place(release(places, "1.0"))
    assert outside.read_text() == "outside"
    assert (places.units / UNIT).read_text() == "unit of 1.0"


def test_edits_of_systemctl_go_with_their_unit(places: Places):
    files = SystemFiles(places)
    files.place(release(places, "1.0"))
    beside = places.units / f"{UNIT}.d"
    beside.mkdir()
    (beside / "override.conf").write_text("[Service]\n")
    files.remove(keep_settings=True)
    assert beside.exists()
    files.remove(keep_settings=False)
    assert not beside.exists()


def test_accounts_are_those_that_the_code_names():
    lines = (SYSTEMD / f"{NAME}.sysusers").read_text().splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    assert tuple(each[1] for each in words if each[0] == "g") == GROUPS
    assert [each[1:] for each in words if each[0] == "m"] == [[NAME, group] for group in GROUPS]
    (user,) = (each for each in words if each[0] == "u")
    assert (user[1], user[-1]) == (NAME, str(Places().state))


def test_device_rules_give_devices_to_these_groups_and_name_a_pico():
    text = (SYSTEMD / f"60-{NAME}.rules").read_text()
    assert set(re.findall(r'GROUP="(\w+)"', text)) == set(GROUPS)
    assert set(re.findall(r'MODE="(\d+)"', text)) == {"0660"}
    (rule,) = (line for line in text.splitlines() if line.startswith('SUBSYSTEM=="tty"'))
    assert f'ATTRS{{idVendor}}=="{VENDOR:04x}", ATTRS{{idProduct}}=="{MICROPYTHON:04x}"' in rule
    assert f'SYMLINK+="{PORT.name} {PORT.name}-$attr{{serial}}"' in rule
    assert 'GROUP="dialout"' in rule
