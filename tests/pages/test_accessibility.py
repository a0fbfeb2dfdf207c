"""No state of a page has a violation that axe-core finds, in light and dark."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from game.maker.display import ToolDisplay
from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME
from game.service.activity import WaitingPage
from game.table.inputs import Command, MaskChanged, ScoredMove, SetNames, SetOpponents
from game.web import Server, listen
from game.web.access import AccessLevel
from tests.helpers.pages.accessibility import violations
from tests.helpers.pages.layout import at_sizes, box, overflow
from tests.helpers.pages.mind_page import MindPage
from tests.helpers.pages.scripted_page import NAMES, Board, lost
from tests.maker.test_display import SCREEN, FakeHands
from tests.pages.test_course import DONE, Ended
from tests.pages.test_games import hosted_with_past
from tests.pages.test_mind import attack

IDEAS = (ScoredMove("e4", 0.62), ScoredMove("e7", 0.55), ScoredMove("a1", 0.5))


@pytest.fixture
def page(browser):
    """Open a tab in which axe-core may apply styles of its own."""
    with browser.new_context(bypass_csp=True) as context:
        yield context.new_page()


def circle(page: Page, *commands: Command) -> Board:
    board = Board(page, levels=NAMES)
    board.tap("e5", "e3", "d5", "d3", "b3")
    board.ask(*commands)
    return board


def mind(page: Page, key: int | None = None) -> MindPage:
    seat = MindPage(page, key=key)
    seat.begin()
    return seat


def hints(page: Page) -> Board:
    board = circle(page, Command.HINT, Command.COACH)
    board.think("", *IDEAS)
    page.locator("details").evaluate_all("all => all.forEach(each => each.open = true)")
    return board


def computer(page: Page) -> Board:
    board = circle(page)
    board.give(SetNames(("Bartholomäus der Große", "W" * 40)), SetOpponents(("", "3")))
    page.locator("#who-plays").click()
    expect(page.locator(".chooser")).to_be_visible()
    return board


def adaptoid(page: Page) -> Board:
    board = Board(page, game=find_game("adaptoid"))
    board.tap("d4", "e4", "d4", "d4")
    return board


def course(page: Page) -> Board:
    """Show a device that only watches how a game went."""
    ended = Ended(page, level=AccessLevel.WATCH)
    ended.tell(DONE)
    return ended.board


def trouble(page: Page) -> Board:
    board = circle(page)
    board.give(MaskChanged(frozenset(GAME.board.cells[:20])), lost("e5"))
    return board


def faces(page: Page) -> MindPage:
    seat = mind(page, 1)
    attack(seat)
    page.locator("#sides-all").evaluate("e => e.open = true")
    return seat


def arranging(page: Page) -> MindPage:
    seat = MindPage(page, key=1)
    page.locator("#arrange-random").click()
    page.locator(".kept summary").click()
    return seat


def locked(page: Page) -> None:
    seat = MindPage(page)
    seat.locked = True
    page.reload()
    expect(page.locator("#locked")).to_be_visible()


STATES: dict[str, Callable[[Page], Any]] = {
    "hints and help": hints,
    "set-up": lambda page: circle(page, Command.SET_UP),
    "menu": lambda page: circle(page, Command.MENU),
    "computer": computer,
    "trouble": trouble,
    "course": course,
    "azteka for three": lambda page: Board(page, game=find_game("azteka-three")),
    "adaptoid": adaptoid,
    "seats": MindPage,
    "secret set-up": arranging,
    "faces": faces,
    "locked": locked,
}
WINDOWS = ((195, 422), (640, 360), (1280, 720))
"""A phone and a laptop at 200 %, and the laptop."""
DIALOGS = ("New game", "Past games", "Settings", "How to play", "How moves are written")


@pytest.mark.parametrize("state", STATES)
def test_state_of_the_page_has_no_violation(page, state):
    STATES[state](page)
    assert violations(page) == []


def test_page_its_dialogs_and_others_have_no_violation_at_any_size(page, tmp_path):
    with hosted_with_past(tmp_path) as board:
        page.goto(f"{board.address}?game=1")
        expect(page.locator("#look")).to_be_visible()
        assert violations(page) == []
        page.goto(f"{board.address}page/offline.html")
        expect(page.get_by_role("heading")).to_have_text("The board is out of reach")
        assert violations(page) == []
        page.goto(board.address)
        for name in DIALOGS:
            page.set_viewport_size({"width": 1280, "height": 720})
            page.get_by_role("button", name=name).first.click()
            expect(page.get_by_role("dialog", name=name)).to_be_visible()
            for size in at_sizes(page, WINDOWS):
                # Wider windows do not make dialogs wider, and sizes no other colours.
                if size == WINDOWS[0]:
                    assert violations(page, "dialog[open]") == [], name
                assert overflow(page) <= 0, (name, size)
                shown = box(page, "dialog[open]")
                assert 0 <= shown["left"] < shown["right"] <= size[0], (name, size)
            page.keyboard.press("Escape")
        for size in at_sizes(page, WINDOWS[:1]):
            assert violations(page, dark=False) == [], size


def test_makers_pages_have_no_violation(page, tmp_path):
    hands, streams = FakeHands("new_game"), (None, io.StringIO())
    with ToolDisplay(GAME.board, 0, streams, browser=False, hands=hands) as display:
        display.show(SCREEN)
        page.goto(display.address)
        expect(page.locator("#board [data-cell]")).to_have_count(61)
        assert violations(page) == []
    with Server(WaitingPage("no board"), listen(0)) as server:
        page.goto(server.address)
        expect(page.get_by_role("status")).to_contain_text("cannot play yet")
        assert violations(page) == []
