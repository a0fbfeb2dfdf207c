"""Waiting for a board: what the lights and the page show, and when it is tried again."""

import json
import urllib.request
from contextlib import closing
from dataclasses import replace
from errno import ENODEV
from itertools import pairwise

import pytest
from websockets.sync.client import connect

from game.service.activity import (
    PERIOD,
    RETRY_S,
    STEP_S,
    Waiting,
    WaitingPage,
    log_once,
    running_lights,
)
from game.web import Server, listen
from game.web.access import Access, Pins
from hal.base import schema
from hal.base.errors import LinkFault
from hal.lights import DARK, Colour, Glow
from hal.profile import built_in
from hal.sim.body import Body
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards.profiles import current_ma

ANSWER_S = 20.0


@pytest.fixture
def machine():
    with closing(EmulatedPlatform(built_in(), Body(built_in(), 0.0, seed=1))) as machine:
        yield machine


@pytest.fixture
def waiting(machine):
    with closing(Waiting(None, machine, built_in(), 0.0)) as waiting:
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
    waiting.cover(Glow(Colour(0, 255, 0)))
    waiting.step(3.0)
    assert all(colour.green and not colour.red for colour in machine.latched())
    waiting.cover(None)
    machine.strip.failing = ENODEV
    run(waiting, 3.0, 4.0)
    machine.strip.failing = 0
    run(waiting, 4.0, 9.0)
    assert lit(machine)
    waiting.close()
    assert set(machine.latched()) == {DARK}


def test_lights_draw_little_of_any_supply():
    profile = built_in("rectangle-88")
    bright = replace(profile, power=schema.replace(profile.power, brightness=1.0, budget_ma=90_000))
    frame = running_lights(bright, 0.0)
    assert set(frame) != {DARK}
    assert current_ma(frame, profile.power.channel_ma) <= 500


@pytest.mark.parametrize("error", [None, LinkFault("no Pico is plugged in")])
def test_play_is_tried_again_after_a_while_and_the_reason_logged_once(error, machine, caplog):
    log_once.cache_clear()
    for _ in range(2):
        with closing(Waiting(error, machine, built_in(), 0.0)) as waiting:
            run(waiting, 0.0, RETRY_S - 0.1)
            assert not waiting.over
            assert lit(machine)
            run(waiting, RETRY_S, RETRY_S)
            assert waiting.over
    learn = "no board learned yet; run `sudo lifeboard service learn`"
    assert caplog.messages == [learn if error is None else f"waiting: {error}"]


def test_page_names_itself_to_pages_that_were_open_and_no_file_to_strangers(tmp_path):
    page = WaitingPage("/home/maker/board.toml: no")
    with Server(page, listen(0), Access(Pins(tmp_path))) as server:
        for headers, known in (({}, True), ({"X-Forwarded-For": "192.0.2.1"}, False)):
            asked = urllib.request.Request(server.address, headers=headers)
            with urllib.request.urlopen(asked, timeout=ANSWER_S) as answer:
                assert ("/home/maker" in answer.read().decode()) == known
        with connect(server.address.replace("http", "ws") + "ws") as socket:
            assert json.loads(socket.recv(timeout=ANSWER_S))["page"] == "service"
        # No PIN can be guessed here: it forgets at each try to play who guessed before.
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{server.address}pin", b"{}", timeout=ANSWER_S)
