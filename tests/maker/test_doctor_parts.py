"""What the doctor reads: config.txt, models, versions, the disk, the supply."""

from dataclasses import replace
from pathlib import Path

import pytest

from game.maker.doctor import System, Voltage
from game.maker.doctor.pi import Family, Model, model_of, parse
from game.maker.doctor.system import run_command
from tests.helpers.boards.doctor_trees import HEALTHY, PC, build

FOUR = frozenset({"pi4"})


def test_speed_is_not_that_of_the_first_or_of_one_slow_sync(tmp_path):
    # The first write makes the file, too; then come fifteen.
    lasting = [9.0, *[0.01] * 7, 0.02, *[0.03] * 6, 5.0]
    times = [time for each in lasting for time in (0.0, each)]
    assert System(tmp_path, now=iter(times).__next__).sync_ms() == pytest.approx(20.0)
    assert list(tmp_path.iterdir()) == []


def test_speed_of_a_folder_that_cannot_be_written_is_an_os_error():
    # Not even root can make a file there.
    with pytest.raises(OSError, match=r"lifeboard-doctor-"):
        System(Path("/proc/self/task")).sync_ms()


def test_playing_is_told_by_the_lock_of_the_data_folder(tmp_path):
    assert not System(tmp_path).playing()
    assert build(replace(PC, playing=True), tmp_path / "a").playing()
    stopped = build(PC, tmp_path / "b")
    (stopped.data / "lifeboard.lock").write_text("12345")
    assert not stopped.playing()


@pytest.mark.parametrize(
    ("answer", "voltage"),
    [
        ("throttled=0x0", Voltage(False, False)),
        ("throttled=0x10000", Voltage(False, True)),
        ("throttled=0xe000e", Voltage(False, False)),  # "too hot" is a different problem
        ("throttled=0x50005", Voltage(True, True)),
    ],
)
def test_voltage_is_two_bits_of_what_the_firmware_tells(answer, voltage, tmp_path):
    shown = HEALTHY["3"].shown("vcgencmd get_throttled", answer)
    assert build(shown, tmp_path).voltage() == voltage


def test_command_gives_what_it_prints_whatever_its_status():
    assert run_command(["sh", "-c", "echo inactive; exit 3"]) == "inactive"
    assert run_command(["no-such-command-anywhere"]) is None


@pytest.mark.parametrize(
    ("name", "family", "sections"),
    [
        ("Zero 2 W Rev 1.0", Family.ZERO_2, "pi0 pi0w pi02"),
        ("3 Model A Plus Rev 1.0", Family.THREE, "pi3 pi3+"),
        ("Compute Module 3 Plus Rev 1.0", Family.THREE, "pi3 pi3+ cm3+"),
        ("400 Rev 1.0", Family.FOUR, "pi4 pi400"),
        ("Compute Module 4S Rev 1.0", Family.FOUR, "pi4 cm4s"),
        ("5 Model B Rev 1.1", Family.FIVE, "pi5"),
        ("Zero W Rev 1.1", Family.OTHER, ""),
        ("9 Model B", Family.OTHER, ""),
    ],
)
def test_model_is_told_by_the_name_of_the_device_tree(name, family, sections):
    named = f"Raspberry Pi {name}"
    assert model_of(named) == Model(named, family, frozenset(sections.split()))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("core_freq=500", 500),
        ("  core_freq = 500 ", 500),
        ("#core_freq=500", None),
        ("[pi3]\ncore_freq=250\n[pi4]\ncore_freq=500", 500),
        ("[pi3]\ncore_freq=250\n[all]\ncore_freq=500", 500),
        ("[none]\ncore_freq=500", None),
        ("[gpio4=1]\n[pi4]\ncore_freq=500", None),
        ("[gpio4=1]\n[all]\n[pi4]\ncore_freq=500", 500),
        ("[pi3]\n[pi4]\ncore_freq=500", 500),
        ("core_freq=fast", None),
    ],
)
def test_config_holds_what_holds_for_this_model(text, value):
    assert parse(text, FOUR).number("core_freq") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("dtparam=i2c_arm=on", "on"),
        ("dtparam=i2c_arm", "on"),
        ("device_tree_param=spi=on,i2c_arm=on", "on"),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off", "off"),
        ("dtoverlay=vc4-kms-v3d\ndtparam=i2c_arm=on", "on"),
        ("", None),
    ],
)
def test_config_has_the_last_value_of_a_parameter(text, value):
    assert parse(text, FOUR).parameters.get("i2c_arm") == value
