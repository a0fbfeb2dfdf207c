"""What the doctor reads with: config.txt, models, versions, the disk, the supply."""

from dataclasses import replace
from pathlib import Path

import pytest

from game.app.doctor import System, Voltage
from game.app.doctor.boot import parse
from game.app.doctor.checks_system import older
from game.app.doctor.model import Family, model_of
from game.app.doctor.system import run_command
from tests.helpers.boards.doctor_trees import HEALTHY, PC, SteppingClock, build

FOUR = frozenset({"pi4"})


def test_speed_is_not_that_of_the_first_or_of_one_slow_sync(tmp_path):
    # The first write makes the file, too; then come fifteen, and a large one.
    lasting = [9.0, *[0.01] * 7, 0.02, *[0.03] * 6, 5.0, 2.0]
    times = [time for each in lasting for time in (0.0, each)]
    speed = System(tmp_path, now=iter(times).__next__).speed()
    assert speed.sync_ms == pytest.approx(20.0)
    assert speed.mb_per_s == pytest.approx(2.0)
    assert list(tmp_path.iterdir()) == []


def test_speed_is_taken_where_the_data_folder_will_be_made(tmp_path):
    system = System(tmp_path / "not" / "yet", now=SteppingClock(0.05))
    assert system.data_disk == tmp_path
    system.speed()
    assert list(tmp_path.iterdir()) == []


def test_speed_of_a_folder_that_cannot_be_written_is_an_os_error():
    # Nobody, not even root, makes a file there.
    with pytest.raises(OSError, match=r"lifeboard-doctor-"):
        System(Path("/proc/self/task")).speed()


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
        ("throttled=0xe000e", Voltage(False, False)),  # too hot, which is another matter
        ("throttled=0x50005", Voltage(True, True)),
    ],
)
def test_voltage_is_two_bits_of_what_the_firmware_tells(answer, voltage, tmp_path):
    told = HEALTHY["3"].told("vcgencmd get_throttled", answer)
    assert build(told, tmp_path).voltage() == voltage


def test_voltage_of_the_firmware_goes_before_the_kernels(tmp_path):
    made = HEALTHY["4"].write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert build(made, tmp_path / "a").voltage() == Voltage(False, False)
    silent = made.told("vcgencmd get_throttled", "VCHI initialization failed")
    assert build(silent, tmp_path / "b").voltage() == Voltage(True, None)


def test_command_gives_what_it_prints_whatever_its_status():
    assert run_command(["sh", "-c", "echo inactive; exit 3"]) == "inactive"
    assert run_command(["no-such-command-anywhere"]) is None


@pytest.mark.parametrize(
    ("name", "family", "filters"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", Family.ZERO_2, {"pi0", "pi0w", "pi02"}),
        ("Raspberry Pi 3 Model A Plus Rev 1.0", Family.THREE, {"pi3", "pi3+"}),
        ("Raspberry Pi 4 Model B Rev 1.5", Family.FOUR, {"pi4"}),
        ("Raspberry Pi Compute Module 4S Rev 1.0", Family.FOUR, {"pi4", "cm4s"}),
        ("Raspberry Pi 5 Model B Rev 1.1", Family.FIVE, {"pi5"}),
        ("Raspberry Pi Zero W Rev 1.1", Family.OTHER, {"pi0", "pi0w"}),
        ("Raspberry Pi 9 Model B", Family.OTHER, set()),
    ],
)
def test_model_is_told_by_the_name_of_the_device_tree(name, family, filters):
    model = model_of(name)
    assert model is not None
    assert (model.name, model.family, model.filters) == (name, family, filters)


def test_model_of_another_computer_is_none():
    assert model_of("Radxa ROCK 5B") is None
    assert model_of("") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("core_freq=500", 500),
        ("  core_freq = 500 ", 500),
        ("#core_freq=500", None),
        ("[pi3]\ncore_freq=250\n[pi4]\ncore_freq=500", 500),
        ("[pi3]\ncore_freq=250\n[all]\ncore_freq=500", 500),
        ("[none]\ncore_freq=500", None),
        ("[none]\n[pi4]\ncore_freq=500", None),
        ("[gpio4=1]\ncore_freq=500", None),
        ("core_freq=fast", None),
        ("include more.txt", 500),
        ("[pi3]\ninclude more.txt", None),
    ],
)
def test_config_holds_what_holds_for_this_model(text, value):
    files = {"more.txt": "core_freq=500"}
    assert parse(text, FOUR, files.get).number("core_freq") == value


def test_config_that_includes_itself_comes_to_an_end():
    text = "include config.txt\ncore_freq=500"
    assert parse(text, FOUR, lambda _: text).number("core_freq") == 500


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("dtparam=i2c_arm=on", True),
        ("dtparam=i2c_arm", True),
        ("device_tree_param=spi=on,i2c_arm=on", True),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off", False),
        ("dtoverlay=vc4-kms-v3d\ndtparam=i2c_arm=on", True),
        ("", False),
    ],
)
def test_config_parameters_are_switched_on_and_off(text, on):
    assert parse(text, FOUR).on("i2c_arm") is on


def test_config_overlays_have_the_parameters_of_their_line_and_of_the_next_ones():
    config = parse(
        "dtoverlay=i2c-gpio,bus=3\ndtoverlay=i2c-gpio\ndtparam=bus=4,i2c_gpio_sda=5\n"
        "dtoverlay=\ndtparam=bus=6\ndtoverlay=dwc2",
        FOUR,
    )
    assert [dict(each.parameters) for each in config.overlays_named("i2c-gpio")] == [
        {"bus": "3"},
        {"bus": "4", "i2c_gpio_sda": "5"},
    ]
    assert [each.name for each in config.overlays] == ["i2c-gpio", "i2c-gpio", "dwc2"]


@pytest.mark.parametrize(
    ("version", "than", "is_older"),
    [
        ("2.0.1", "2.0.1.post3", True),
        ("2.0.1.post3", "2.0.1.post3", False),
        ("1.6.2", "2.0.1.post3", True),
        ("10.0", "9.9", False),
        ("4.3.4", "5", True),
    ],
)
def test_versions_are_compared_number_by_number(version, than, is_older):
    assert older(version, than) is is_older
