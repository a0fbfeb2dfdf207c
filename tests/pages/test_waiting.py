"""The page of a service that waits for a board, in a real Chromium."""

import io
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from game.common.translation import LANGUAGES, words
from game.maker.display import ToolDisplay, ToolScreen
from game.rules.circle_of_life import GAME
from game.service.pin_command import shown
from game.service.waiting import SEARCH_S, Waiting
from game.web.access.access import Access, AccessLevel, Caller
from game.web.access.pin import Pins
from game.web.server import Server, listen
from hal.base.errors import BackendError, ProfileError
from hal.drivers.i2c_search import BusSearch
from hal.drivers.spi import open_spi
from hal.lights.strip import Pixels
from hal.profile import Strip
from hal.sim.body import Body
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards.profiles import board_named
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.layout import at_sizes, overflow

DOCTOR, RELOAD = "sudo lifeboard service doctor", "sudo lifeboard service reload"
LEARN = "sudo lifeboard service learn"


class Elsewhere(Access):
    """Take every client for a device of the network."""

    def level(self, caller: Caller) -> AccessLevel:
        return super().level(replace(caller, client="192.0.2.1"))

    def pin_changed(self, caller: Caller) -> bool:
        return super().pin_changed(replace(caller, client="192.0.2.1"))

    def may_link(self, caller: Caller) -> bool:
        return super().may_link(replace(caller, client="192.0.2.1"))


@pytest.fixture
def machine() -> Iterator[EmulatedPlatform]:
    profile = board_named("hexagon-61-mux")
    with closing(EmulatedPlatform(profile, Body(profile, 0.0, seed=1))) as machine:
        yield machine


@pytest.fixture
def waiting(machine: EmulatedPlatform, tmp_path: Path) -> Iterator[Waiting]:
    with closing(Waiting(None, tmp_path / "board.toml", machine, root=pi(tmp_path))) as waiting:
        waiting.step(0.0)
        yield waiting


def pi(root: Path) -> Path:
    """Make a root folder that of a Raspberry Pi."""
    file = root / "proc/device-tree/model"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    return root


def test_page_says_in_every_language_what_was_found_and_what_to_do(
    page: Page, waiting: Waiting, machine: EmulatedPlatform
):
    with Server(waiting.page, listen(0)) as server:
        page.goto(server.address)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy").nth(1).click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == "sudo lifeboard service learn"
        expect(page.get_by_role("status")).to_contain_text("Teach your board first")
        expect(page.locator("#chips li")).to_have_count(6)
        expect(page.locator("#chips li").first).to_have_text(
            "bus 1, multiplexer 0x70, channel 0, address 0x5A"
        )
        expect(page.get_by_text("white lights run along the strip")).to_be_visible()
        steps = page.get_by_role("region", name="What to do").locator("code:visible")
        expect(steps).to_have_text(
            ["sudo lifeboard service doctor", "sudo lifeboard service learn"]
        )
        page.get_by_text("Or try it without a board").click()
        expect(steps).to_have_count(4)
        expect(steps.nth(2)).to_contain_text('backend = "sim"')
        expect(page.locator("#troubles-row")).to_be_hidden()
        machine.bus(1).hold()
        waiting.step(SEARCH_S)
        expect(page.locator("#troubles")).to_contain_text("bus 1: the bus hangs")
        expect(page.locator("#count")).to_have_text("None answers.")
        expect(page.get_by_role("status")).to_contain_text("No touch chip answers")
        expect(steps).to_have_text([DOCTOR, re.compile("^sudo sed "), RELOAD])
        for language in LANGUAGES:
            page.get_by_role("combobox").select_option(language)
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert "page." not in page.locator("body").inner_text()
            for size in at_sizes(page, ((360, 740),)):
                assert overflow(page) <= 0, (size, language)
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)


class Bare:
    """A computer without any of the devices, seen by the drivers of a Pi."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def buses(self) -> tuple[int, ...]:
        return ()

    def search(self) -> BusSearch:
        return BusSearch((), (), ())

    def pixels(self, strip: Strip) -> Pixels:
        return open_spi(strip, self._root)


def test_missing_spi_and_i2c_are_told_in_the_page_s_language(page: Page, tmp_path: Path):
    board = tmp_path / "board.toml"
    with closing(Waiting(None, board, Bare(tmp_path), root=pi(tmp_path))) as waiting:
        waiting.step(0.0)
        with Server(waiting.page, listen(0)) as server:
            for language in LANGUAGES:
                page.goto(f"{server.address}?lang={language}")
                found = page.locator("#found")
                for row, switch in (("#strip-row", "do_spi"), ("#buses-row", "do_i2c")):
                    code = found.locator(f"{row} code")
                    expect(code).to_have_text(f"sudo raspi-config nonint {switch} 0")
                    said = words(language).template(f"page.waiting_no_{switch[3:]}")
                    expect(found.locator(f"{row} dd > p:visible")).to_have_text(said)
                expect(found.locator("[lang=en]")).to_have_count(0)
                expect(page.locator("#lights")).to_be_hidden()


def test_each_reason_has_its_own_steps_and_what_is_only_said_in_english_is_marked_so(
    page: Page, machine: EmulatedPlatform, tmp_path: Path
):
    file, closed = "board.toml: [strip] pixels is 0", "mend it with `sudo mend`"
    machine.unplug_strip()
    machine.bus(1).hold()
    board = tmp_path / "board.toml"
    for title, error in (
        ("file cannot be used", ProfileError(file)),
        ("The board cannot be opened", BackendError(closed)),
    ):
        with closing(Waiting(error, board, machine, root=pi(tmp_path))) as waiting:
            waiting.step(0.0)
            with Server(waiting.page, listen(0)) as server:
                page.goto(server.address)
                expect(page.get_by_role("heading", name=title)).to_be_visible()
                expect(page.locator("#detail")).to_contain_text(str(error).replace("`", ""))
                expect(page.locator(".steps > li:visible")).to_have_count(2)
                page.goto(f"{server.address}?lang=de")
                expect(page.locator("#strip-row [lang=en]")).to_contain_text("strip is unplugged")
                expect(page.locator("#troubles [lang=en]")).to_contain_text("the bus hangs")
    expect(page.locator("#detail [lang=en] code")).to_have_text("sudo mend")


def test_computer_that_can_have_no_board_is_led_to_a_simulated_one(page: Page, tmp_path: Path):
    board = tmp_path / "board.toml"
    with closing(Waiting(None, board, Bare(tmp_path), root=tmp_path)) as waiting:
        waiting.step(0.0)
        with Server(waiting.page, listen(0)) as server:
            page.goto(server.address)
            title = words("en").template("page.waiting_no_board")
            expect(page.locator("#title")).to_have_text(title)
            expect(page.locator("code:visible")).to_have_text(
                [f"{LEARN} --backend coprocessor", re.compile("^sudo sed "), RELOAD]
            )
            expect(page.locator("summary")).to_be_hidden()
            expect(page.locator("#found")).to_be_hidden()


def test_stranger_sees_what_was_found_after_the_pin(page: Page, waiting: Waiting, tmp_path: Path):
    pins = Pins(tmp_path)
    with Server(waiting.page, listen(0), Elsewhere(pins)) as server:
        page.goto(server.address)
        field = page.get_by_role("textbox", name="PIN")
        expect(field).to_be_focused()
        assert "0x5A" not in page.content()
        expect(page.locator("#told")).to_be_hidden()
        field.fill(pins.pin)
        expect(page.locator("#chips li")).to_have_count(6)
        expect(field).to_be_hidden()
        page.reload()
        expect(page.locator("#chips li")).to_have_count(6)
        shown(tmp_path, Path(), new=True)
        page.get_by_role("combobox").select_option("de")
        expect(page.get_by_text("Gib die neue PIN ein: Sie wurde geändert.")).to_be_visible()
        expect(page.locator("#pin")).to_be_focused()
        assert "0x5A" not in page.content()


def test_page_becomes_whatever_is_served_in_its_place(page: Page, waiting: Waiting, tmp_path: Path):
    with Server(waiting.page, listen(0)) as server:
        page.goto(server.address)
        expect(page.locator("#chips li")).to_have_count(6)
        port = int(server.address.rsplit(":", 1)[1].strip("/"))
    expect(page.get_by_text("Trying again")).to_be_visible()
    with hosted(tmp_path / "data", port=port):
        expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    with Server(waiting.page, listen(port)):
        expect(page.locator("#chips li")).to_have_count(6)
    terminal = (None, io.StringIO())
    with ToolDisplay(GAME.board, port, terminal, browser=False) as display:
        display.show(ToolScreen("Learn", "Touch e5"))
        expect(page.get_by_role("status")).to_have_text("Touch e5")
