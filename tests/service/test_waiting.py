"""Waiting for a board: what the lights and the page say, and when it is tried again."""

import html
import json
import os
import re
import shlex
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from game.common.data_folder import board_lock
from game.common.errors import AppError, StoreError
from game.common.lock import Lock
from game.common.translation import LANGUAGES, words
from game.play import board_choice
from game.play.board_mapping import fitted
from game.rules.base.registry import find_game
from game.service.paths import ServicePaths
from game.service.settings import BoardSettings, Settings, read
from game.service.waiting import (
    CHECK_S,
    PERIOD,
    RETRY_S,
    STEP_S,
    Waiting,
    log_status,
    running_lights,
)
from game.service.waiting_page import WaitingPage, Why
from game.web.access.access import Access
from game.web.access.pin import Pins
from game.web.server import Server, listen
from hal.base.errors import BackendError, LinkFault, ProfileError, WrongFirmware
from hal.lights.colour import DARK
from hal.lights.frame import current_ma
from hal.profile import Profile, built_in, load
from hal.sim.body import Body
from hal.sim.platform import EmulatedPlatform

ANSWER_S = 20.0


class OnlyLights(EmulatedPlatform):
    """A machine on whose buses nothing may be read or written."""

    def bus(self, number: int) -> Any:
        raise AssertionError(f"bus {number} was used")


@pytest.fixture
def machine() -> Iterator[OnlyLights]:
    with closing(OnlyLights(built_in(), Body(built_in(), 0.0, seed=1))) as machine:
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


def lit(machine: EmulatedPlatform) -> list[int]:
    """The pixels that are brighter than the one before and the one after them."""
    levels = [colour.red for colour in machine.latched()]
    return [
        n
        for n, level in enumerate(levels)
        if level > max(levels[n - 1] if n else 0, *levels[n + 1 : n + 2], 0)
    ]


def test_lights_run_along_the_strip_and_are_out_when_it_is_closed(waiting, machine):
    waiting.step(0.0)
    first = lit(machine)
    assert len(first) in (9, 10)
    assert {after - before for before, after in pairwise(first)} == {PERIOD}
    for step in range(1, 2 * PERIOD):
        waiting.step(step * STEP_S)
        assert lit(machine)[0] == (first[0] + step) % PERIOD
    assert waiting.page.lit
    waiting.close()
    waiting.wait(ANSWER_S)
    waiting.step(10.0)
    assert set(machine.latched()) == {DARK}
    waiting.close()


def test_strip_that_is_gone_is_lit_when_it_is_back(waiting, machine):
    machine.unplug_strip()
    run(waiting, 0.0, 1.0)
    assert not waiting.page.lit
    machine.plug_strip()
    run(waiting, 1.0, 7.0)
    assert waiting.page.lit
    assert lit(machine)


def test_lights_draw_little_of_any_supply():
    bright = replace(built_in(), power=replace(built_in().power, brightness=1.0, budget_ma=90_000))
    for profile in (*map(built_in, ("hexagon-61", "disc-32", "rectangle-88")), bright):
        frame = running_lights(profile, 0.0)
        assert set(frame) != {DARK}
        assert current_ma(frame, profile.power.channel_ma) <= 500


def test_board_learned_before_the_first_look_ends_the_waiting(machine, tmp_path: Path):
    (tmp_path / "board.toml").write_text("anything")
    with closing(Waiting(None, tmp_path / "board.toml", machine)) as waiting:
        waiting.step(0.0)
        run(waiting, 0.1, CHECK_S - 0.1)
        assert not waiting.over, "what fails at once again would keep it busy"
        waiting.step(CHECK_S)
        assert waiting.over


def broken(path: Path) -> ProfileError:
    text = Path(str(board_choice.__file__)).parents[2] / "hal/boards/hexagon-61.toml"
    path.write_text(text.read_text().replace("pixels = 117", "pixels = 0"))
    with pytest.raises(ProfileError) as caught:
        load(path)
    return caught.value


@pytest.mark.parametrize(
    "mend", [os.unlink, lambda path: path.chmod(0o600), lambda path: path.write_text("?")]
)
def test_broken_file_is_told_with_its_key_and_value_until_it_changes(mend, tmp_path: Path):
    path = tmp_path / "named.toml"
    error = broken(path)
    with closing(Waiting(error, tmp_path / "board.toml", None, files=[path])) as waiting:
        run(waiting, 0.0, 2 * RETRY_S)
        assert waiting.page.why is Why.PROFILE
        for part in (str(path), "pixels", "0", "1 to 2000"):
            assert part in waiting.status
        assert not waiting.over
        mend(path)
        run(waiting, 2 * RETRY_S, 2 * RETRY_S + CHECK_S)
        assert waiting.over


def taken(folder: Path, profile: Profile) -> tuple[Lock, StoreError]:
    lock = board_lock(folder, profile, "pi")
    with pytest.raises(StoreError) as caught:
        board_lock(folder, profile, "pi")
    return lock, caught.value


def test_board_in_use_is_left_alone_until_it_is_free(machine, tmp_path: Path):
    lock, error = taken(tmp_path, built_in())
    with closing(Waiting(error, tmp_path / "board.toml", machine)) as waiting, lock:
        run(waiting, 0.0, 60.0)
        assert waiting.page.why is Why.IN_USE
        assert f"process {os.getpid()}" in waiting.status
        assert set(machine.latched()) == {DARK}
        assert not waiting.over
        lock.close()
        waiting.step(60.0 + CHECK_S)
        assert waiting.over


def test_learning_beside_it_has_the_board_for_itself(waiting, machine, tmp_path: Path):
    run(waiting, 0.0, 1.0)
    assert lit(machine)
    with board_lock(tmp_path, built_in(), "pi"):
        run(waiting, 1.0, 1.0 + CHECK_S)
        assert set(machine.latched()) == {DARK}
        run(waiting, 1.0 + CHECK_S, 40.0)
    run(waiting, 40.0, 40.0 + CHECK_S)
    assert lit(machine)
    assert not waiting.over


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (BackendError("pins cannot be used"), Why.HARDWARE),
        (LinkFault("no Pico is plugged in"), Why.LINK),
        (WrongFirmware("the Pico has firmware 9.8.7"), Why.FIRMWARE),
        (StoreError("folder cannot be used"), Why.OTHER),
    ],
)
def test_what_may_be_plugged_in_is_tried_again_and_logged_once(error, why, tmp_path, caplog):
    log_status.cache_clear()
    for _ in range(2):
        with closing(Waiting(error, tmp_path / "board.toml", None)) as waiting:
            run(waiting, 0.0, RETRY_S - 0.1)
            assert (waiting.page.why, waiting.over) == (why, False)
            run(waiting, RETRY_S, RETRY_S)
            assert waiting.over
    assert caplog.messages == [f"waiting: {error}"]


def test_settings_that_do_not_fit_wait_for_other_ones(tmp_path: Path):
    with pytest.raises(AppError) as caught:
        fitted(built_in("disc-32"), find_game("circle-of-life"))
    with closing(Waiting(caught.value, tmp_path / "board.toml", None)) as waiting:
        run(waiting, 0.0, 10 * RETRY_S)
        assert waiting.page.why is Why.SETTINGS
        assert "disc-32" in waiting.status
        assert not waiting.over


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", Why)
def test_page_says_in_each_language_why_and_what_to_do(why: Why, language: str):
    page = WaitingPage(why, "<pixels> is 0")
    said = page.html(words(language), detailed=True)
    assert f'<html lang="{language}">' in said
    assert "&lt;pixels&gt; is 0" in said
    assert "$" not in said
    assert (said.count("<li>") == 2) == (why is Why.IN_USE)


def test_command_of_the_page_makes_the_board_a_simulated_one(tmp_path: Path):
    page = html.unescape(WaitingPage(Why.UNLEARNT).html(words("en"), detailed=True))
    (command,) = re.findall(r"<code>sudo (sed [^<]+)</code>", page)
    file = tmp_path / "lifeboard.toml"
    command = command.replace(str(ServicePaths().settings), str(file))
    installed = Path(str(board_choice.__file__)).parents[2] / "systemd/lifeboard.toml"
    for text in (
        installed.read_text(),
        '[board]\nbackend="pi"  # mine\n',
        '[board]\n#backend = "pi"',
    ):
        file.write_text(text)
        subprocess.run(shlex.split(command), check=True)
        assert read(file) == Settings(BoardSettings("sim"))


def test_page_is_served_and_names_itself_to_pages_that_were_open_before(waiting: Waiting):
    waiting.step(0.0)
    with Server(waiting.page, listen(0)) as server:
        asked = urllib.request.Request(server.address, headers={"Accept-Language": "fr"})
        with urllib.request.urlopen(asked, timeout=ANSWER_S) as answer:
            said = answer.read().decode()
        assert html.escape(words("fr").template("waiting.unlearnt")) in said
        assert html.escape(words("fr").template("waiting.lights")) in said
        with connect(server.address.replace("http", "ws") + "ws") as socket:
            assert json.loads(socket.recv(timeout=ANSWER_S))["page"] == "service"


def test_stranger_is_told_no_files_and_devices(tmp_path: Path):
    page = WaitingPage(Why.PROFILE, "/home/maker/board.toml: no")
    with Server(page, listen(0), Access(Pins(tmp_path))) as server:
        for headers, known in (({}, True), ({"X-Forwarded-For": "192.0.2.1"}, False)):
            asked = urllib.request.Request(server.address, headers=headers)
            with urllib.request.urlopen(asked, timeout=ANSWER_S) as answer:
                assert ("/home/maker" in answer.read().decode()) == known
