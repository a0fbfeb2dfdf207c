"""Waiting for a board: what is found, what the lights and pages say, and when it is tried again."""

import html
import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from game.common.data_folder import board_lock
from game.common.errors import AppError, StoreError
from game.common.lock import Lock
from game.common.translation import LANGUAGES
from game.play import board_choice
from game.play.board_mapping import fitted
from game.rules.base.registry import find_game
from game.service import waiting_lights
from game.service.paths import ServicePaths
from game.service.settings import BoardSettings, Settings, read
from game.service.waiting import CHECK_S, RETRY_S, SEARCH_S, Waiting
from game.service.waiting_lights import PERIOD, STEP_S, Pattern
from game.web import server_messages
from game.web.access.access import Access
from game.web.access.pin import Pins
from game.web.server import Server, listen, page_folder
from hal.backends.gpio_platform import GpioPlatform
from hal.base.errors import BackendError, ProfileError
from hal.drivers.i2c import bus_numbers, open_bus
from hal.drivers.spi import open_spi
from hal.lights.colour import DARK
from hal.lights.frame import current_ma
from hal.profile import Profile, built_in, load
from hal.sim.body import Body
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards.emulated_pi import KernelPlatform
from tests.helpers.pages.described import conforms

ANSWER_S = 20.0


class Untouchable:
    """A machine to which access is denied."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the machine's {name} was used")


class Bare(GpioPlatform):
    """A computer that has none of the devices, seen by the drivers of a Pi."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def buses(self) -> tuple[int, ...]:
        return bus_numbers(self._root / "dev")

    def bus(self, number: int) -> Any:
        return open_bus(number, self._root / "dev", self._root / "sys")

    def pixels(self, strip):
        return open_spi(strip, self._root)

    def pins(self) -> Any:
        raise AssertionError("pins are not looked for")


@pytest.fixture
def machine() -> Iterator[EmulatedPlatform]:
    with closing(EmulatedPlatform(built_in(), Body(built_in(), 0.0, seed=1))) as machine:
        yield machine


@pytest.fixture
def waiting(machine: EmulatedPlatform, tmp_path: Path) -> Iterator[Waiting]:
    with closing(Waiting(None, tmp_path / "board.toml", machine)) as waiting:
        yield waiting


def run(waiting: Waiting, begin: float, end: float) -> None:
    """Step as the loop does, from one time up to another and then at that."""
    now = begin
    while now < end:
        waiting.step(now)
        assert waiting.due(now) > now, "the loop would spin"
        now = waiting.due(now)
    waiting.step(end)


def told(waiting: Waiting) -> dict[str, Any]:
    """What pages are told."""
    return waiting.page._news


def lit(machine: EmulatedPlatform) -> list[int]:
    """The pixels that are brighter than the one before and the one after them."""
    levels = [colour.red for colour in machine.latched()]
    return [
        n
        for n, level in enumerate(levels)
        if level > max(levels[n - 1] if n else 0, *levels[n + 1 : n + 2], 0)
    ]


def test_chips_are_found_with_their_places(waiting: Waiting):
    waiting.step(0.0)
    found = told(waiting)["found"]
    assert found["buses"] == [1, 3]
    assert [(chip["bus"], chip["address"]) for chip in found["chips"]] == [
        (chip.bus, f"0x{chip.address:X}") for chip in built_in().chips
    ]
    assert all(chip["recognised"] and chip["mux"] is None for chip in found["chips"])
    assert found["troubles"] == []
    assert waiting.status == (
        "no board learned yet: 6 chips found; run `sudo lifeboard service learn`"
    )
    assert not waiting.over


def test_hardware_is_found_through_the_drivers_of_a_pi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    profile = built_in()
    root = tmp_path / "root"
    root.mkdir()
    with closing(KernelPlatform(profile, Body(profile, 0.0, seed=1), root, monkeypatch)) as machine:
        with closing(Waiting(None, tmp_path / "board.toml", machine)) as waiting:
            waiting.step(0.0)
            assert len(told(waiting)["found"]["chips"]) == 6
            assert told(waiting)["strip"] == ""
            assert len(lit(machine)) >= len(machine.latched()) // PERIOD
        assert set(machine.latched()) == {DARK}


def pi(root: Path) -> Path:
    """Make a root folder that of a Raspberry Pi."""
    file = root / "proc/device-tree/model"
    file.parent.mkdir(parents=True)
    file.write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    return root


def test_pi_without_chips_is_led_to_the_doctor(tmp_path: Path):
    root = pi(tmp_path / "root")
    (root / "dev").mkdir()
    with closing(Waiting(None, tmp_path / "board.toml", Bare(root), root=root)) as waiting:
        waiting.step(0.0)
        assert told(waiting)["why"] == "no_chips"
        assert told(waiting)["found"]["pi"]
        assert told(waiting)["spi_off"]
        assert waiting.status == (
            "no board learned yet, and no touch chip answers; run `sudo lifeboard service doctor`"
        )


def test_other_computer_is_led_to_a_simulated_board(tmp_path: Path):
    with closing(Waiting(None, tmp_path / "board.toml", Bare(tmp_path), root=tmp_path)) as waiting:
        run(waiting, 0.0, 60.0)
        assert told(waiting)["why"] == "no_board"
        found = told(waiting)["found"]
        assert (found["pi"], found["ports"], found["buses"], found["chips"]) == (
            False,
            None,
            [],
            [],
        )
        assert "SPI device /dev/spidev0.0 is not there" in told(waiting)["strip"]
        assert waiting.status == (
            "no board learned yet, and this computer is no Raspberry Pi with one;"
            " `sudo lifeboard service learn --backend coprocessor` learns one on a Pico, and"
            ' backend = "sim" in /etc/lifeboard/lifeboard.toml simulates one'
        )


def test_command_of_the_page_makes_the_board_a_simulated_one(tmp_path: Path):
    page = (page_folder() / "waiting.html").read_text(encoding="utf-8")
    (command,) = set(re.findall(r"<code>(sudo sed [^<]+)</code>", page))
    file = tmp_path / "lifeboard.toml"
    command = (
        html.unescape(command)
        .removeprefix("sudo ")
        .replace(str(ServicePaths().settings), str(file))
    )
    installed = Path(str(board_choice.__file__)).parents[2] / "systemd/lifeboard.toml"
    for text in (
        installed.read_text(),
        '[board]\nbackend="pi"  # mine\n',
        '[board]\n#backend = "pi"',
    ):
        file.write_text(text)
        subprocess.run(shlex.split(command), check=True)
        assert read(file) == Settings(BoardSettings("sim"))


def test_bus_that_hangs_is_told_and_searched_again(waiting: Waiting, machine: EmulatedPlatform):
    machine.bus(1).hold()
    waiting.step(0.0)
    found = told(waiting)["found"]
    assert [chip["bus"] for chip in found["chips"]] == [3] * 3
    assert found["troubles"] == [
        {"bus": 1, "detail": "the bus hangs: SDA or SCL is held low, or has no pull-up"}
    ]
    machine.bus(1).release()
    run(waiting, 0.1, SEARCH_S - 0.1)
    assert len(told(waiting)["found"]["chips"]) == 3
    run(waiting, SEARCH_S, SEARCH_S + CHECK_S)
    assert len(told(waiting)["found"]["chips"]) == 6
    assert told(waiting)["found"]["troubles"] == []


def test_learn_sign_runs_along_the_strip(waiting: Waiting, machine: EmulatedPlatform):
    waiting.step(0.0)
    first = lit(machine)
    assert len(first) in (9, 10)
    assert {after - before for before, after in pairwise(first)} == {PERIOD}
    for step in range(1, 2 * PERIOD):
        waiting.step(step * STEP_S)
        assert lit(machine)[0] == (first[0] + step) % PERIOD


def test_signs_draw_little_of_any_supply():
    for name in ("hexagon-61", "disc-32", "rectangle-88"):
        profile = built_in(name)
        power = waiting_lights.power_of(profile)
        for kind in Pattern:
            frames = (
                waiting_lights.pattern_frame(kind, profile.pixel_count, power, n * STEP_S)
                for n in range(16)
            )
            drawn_ma = [current_ma(frame, power.channel_ma) for frame in frames]
            assert max(drawn_ma) <= min(500, profile.power.budget_ma)
    longest = replace(
        profile, pixel_count=2000, power=replace(profile.power, brightness=1.0, budget_ma=90_000)
    )
    frame = waiting_lights.pattern_frame(Pattern.LEARN, 2000, waiting_lights.power_of(longest), 0.0)
    assert set(frame) != {DARK}
    assert current_ma(frame, longest.power.channel_ma) <= 2000 + 300


def test_lights_are_out_when_it_is_closed(waiting: Waiting, machine: EmulatedPlatform):
    run(waiting, 0.0, 1.0)
    assert lit(machine)
    waiting.close()
    waiting.wait(ANSWER_S)
    waiting.step(1.1)
    assert set(machine.latched()) == {DARK}
    waiting.close()


def test_board_learned_before_the_first_look_ends_the_waiting(machine, tmp_path: Path):
    (tmp_path / "board.toml").write_text("anything")
    with closing(Waiting(None, tmp_path / "board.toml", machine)) as waiting:
        waiting.step(0.0)
        run(waiting, 0.1, CHECK_S - 0.1)
        assert not waiting.over, "what fails at once again would keep it busy"
        waiting.step(CHECK_S)
        assert waiting.over


def broken(path: Path) -> ProfileError:
    text = (
        Path(str(board_choice.__file__))
        .parents[2]
        .joinpath("hal/boards/hexagon-61.toml")
        .read_text()
    )
    path.write_text(text.replace("pixels = 117", "pixels = 0"))
    with pytest.raises(ProfileError) as caught:
        load(path)
    return caught.value


def test_broken_file_is_told_with_its_key_and_value_until_it_is_mended(machine, tmp_path: Path):
    path = tmp_path / "board.toml"
    with closing(Waiting(broken(path), path, machine)) as waiting:
        run(waiting, 0.0, 2 * RETRY_S)
        assert told(waiting)["why"] == "profile"
        for part in (str(path), "pixels", "0", "1 to 2000"):
            assert part in told(waiting)["detail"]
            assert part in waiting.status
        assert len(told(waiting)["found"]["chips"]) == 6
        assert not waiting.over
        path.write_text(path.read_text().replace("pixels = 0", "pixels = 117"))
        run(waiting, 2 * RETRY_S, 2 * RETRY_S + CHECK_S)
        assert waiting.over


@pytest.mark.parametrize("mend", [os.unlink, lambda path: path.chmod(0o600)])
def test_file_that_goes_or_gets_other_rights_is_tried_again(mend, tmp_path: Path):
    other = tmp_path / "named.toml"
    other.write_text("?")
    error = ProfileError(f"{other}: no")
    with closing(Waiting(error, tmp_path / "board.toml", None, files=[other])) as waiting:
        run(waiting, 0.0, 10.0)
        assert not waiting.over
        mend(other)
        run(waiting, 10.0, 10.0 + CHECK_S)
        assert waiting.over


def taken(folder: Path, profile: Profile) -> tuple[Lock, StoreError]:
    lock = board_lock(folder, profile, "pi")
    with pytest.raises(StoreError) as caught:
        board_lock(folder, profile, "pi")
    return lock, caught.value


def test_board_in_use_is_left_alone_until_it_is_free(tmp_path: Path):
    lock, error = taken(tmp_path, built_in())
    with closing(Waiting(error, tmp_path / "board.toml", Untouchable())) as waiting, lock:
        run(waiting, 0.0, 60.0)
        assert told(waiting)["why"] == "in_use"
        assert told(waiting)["found"] is None
        assert f"process {os.getpid()}" in waiting.status
        assert not waiting.over
        lock.close()
        with pytest.raises(AssertionError, match="was used"):
            waiting.step(60.0 + CHECK_S)


def test_learning_beside_it_has_the_board_for_itself(waiting, machine, tmp_path: Path):
    run(waiting, 0.0, 1.0)
    assert lit(machine)
    with board_lock(tmp_path, built_in(), "pi"):
        run(waiting, 1.0, 1.0 + CHECK_S)
        assert set(machine.latched()) == {DARK}
        machine.unplug_strip()
        machine.bus(1).hold()
        run(waiting, 1.0 + CHECK_S, 40.0)
        assert told(waiting)["taken"]
        assert "another lifeboard is at work" in waiting.status
        machine.plug_strip()
        machine.bus(1).release()
    run(waiting, 40.0, 40.0 + CHECK_S)
    assert lit(machine)
    assert not told(waiting)["taken"]
    assert "6 chips" in waiting.status
    assert not waiting.over


def test_board_is_not_taken_in_the_middle_of_a_search(waiting, machine, tmp_path: Path):
    board_lock(tmp_path, built_in(), "pi").close()
    refused = []

    def buses() -> tuple[int, ...]:
        try:
            board_lock(tmp_path, built_in(), "pi").close()
        except StoreError:
            refused.append(True)
        return ()

    machine.buses = buses
    waiting.step(0.0)
    assert refused
    board_lock(tmp_path, built_in(), "pi").close()


def test_hardware_that_changes_is_tried_again(machine: EmulatedPlatform, tmp_path: Path):
    chip = machine.bus(3).detach(0x5A)
    trouble = BackendError("I2C bus 3 cannot be opened")
    with closing(Waiting(trouble, tmp_path / "board.toml", machine)) as waiting:
        run(waiting, 0.0, SEARCH_S + 1)
        assert told(waiting)["why"] == "hardware"
        assert not waiting.over
        machine.bus(3).attach(0x5A, chip)
        run(waiting, SEARCH_S + 1, 2 * SEARCH_S + CHECK_S)
        assert waiting.over


def test_trouble_that_cannot_be_watched_is_tried_again_after_a_while(tmp_path: Path):
    for error in (BackendError("pins cannot be used"), StoreError("folder cannot be used")):
        with closing(Waiting(error, tmp_path / "board.toml", None)) as waiting:
            run(waiting, 0.0, RETRY_S - 0.1)
            assert not waiting.over
            run(waiting, RETRY_S, RETRY_S)
            assert waiting.over


def test_settings_that_do_not_fit_wait_for_other_ones(tmp_path: Path):
    with pytest.raises(AppError) as caught:
        fitted(built_in("disc-32"), find_game("circle-of-life"))
    with closing(Waiting(caught.value, tmp_path / "board.toml", None)) as waiting:
        run(waiting, 0.0, 10 * RETRY_S)
        assert told(waiting)["why"] == "settings"
        assert "disc-32" in waiting.status
        assert told(waiting)["strip"] is None
        assert not waiting.over


def page_of(server: Server, language: str, **how: Any) -> ClientConnection:
    address = server.address.replace("http", "ws")
    return connect(f"{address}ws?lang={language}", max_queue=None, **how)


def heard(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=ANSWER_S))
        if message["type"] == kind:
            return message


def test_page_is_told_words_and_news_and_speaks_another_language(waiting, machine, tmp_path: Path):
    with Server(waiting.page, listen(0)) as server, page_of(server, "en") as socket:
        hello = heard(socket, "hello")
        assert conforms(hello, server_messages.WaitingHello)
        assert (hello["page"], hello["lang"], hello["langs"]) == ("waiting", "en", LANGUAGES)
        assert hello["words"]["page.waiting_unlearnt"] == "Teach your board first"
        waiting.step(0.0)
        first = heard(socket, "waiting")
        assert conforms(first, server_messages.Waiting)
        assert (first["strip"], len(first["found"]["chips"])) == ("", 6)
        machine.unplug_strip()
        waiting.step(1.0)
        assert heard(socket, "waiting")["strip"]
        socket.send(json.dumps({"do": "language", "lang": "fr"}))
        assert heard(socket, "hello")["lang"] == "fr"
        assert heard(socket, "waiting")["strip"]
        for message in ({"do": "language", "lang": "xx"}, {"do": "press"}, "nonsense"):
            socket.send(json.dumps(message))
            assert "allowed" in heard(socket, "error")["text"]


def test_stranger_is_told_nothing_before_the_pin(waiting: Waiting, tmp_path: Path):
    waiting.step(0.0)
    access = Access(Pins(tmp_path))
    with Server(waiting.page, listen(0), access) as server:
        stranger = {"X-Forwarded-For": "192.0.2.1"}
        origin = server.address.rstrip("/")
        with page_of(server, "de", additional_headers=stranger, origin=origin) as socket:
            first = json.loads(socket.recv(timeout=ANSWER_S))
            assert (first["type"], first["page"], first["lang"]) == ("locked", "waiting", "de")
            assert "0x5A" not in json.dumps(first)
            socket.send(json.dumps({"do": "language", "lang": "it"}))
            second = json.loads(socket.recv(timeout=ANSWER_S))
            assert (second["type"], second["lang"]) == ("locked", "it")
            socket.send(json.dumps({"do": "dance"}))
            assert json.loads(socket.recv(timeout=ANSWER_S))["type"] == "error"
        with page_of(server, "de") as socket:
            assert heard(socket, "waiting")["found"]
