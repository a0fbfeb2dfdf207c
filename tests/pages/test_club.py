"""The page of a club in a real browser: 32 boards, live, and their results."""

import json
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, expect

from game.house.club_page import ClubPage
from game.house.pairings import Tournament
from game.web.server import Server, listen
from tests.helpers.house.published_board import FakeBroker
from tests.house.test_club import STATE, result

BOARDS = 32
PLAYERS = ("Ada", "Bo", "Cy", "<b>Di</b>")


def test_page_shows_every_board_and_what_changes(tmp_path: Path, page: Page):
    broker = FakeBroker()
    club = ClubPage("mqtt://localhost/club", tmp_path, Tournament(PLAYERS), broker.open)

    def say(board: int, topic: str, payload: object) -> None:
        text = payload if isinstance(payload, str) else json.dumps(payload)
        broker.hear(f"club/board {board}/{topic}", text.encode(), True)

    for board in range(BOARDS):
        say(board, "availability", "online")
        say(board, "state", STATE)
    with closing(club), listen(0) as listening, Server(club, listening) as server:
        page.goto(server.address)
        cards = page.locator(".board")
        expect(cards).to_have_count(BOARDS)
        first = cards.filter(has=page.get_by_role("heading", name="board 0", exact=True))
        expect(first.locator("circle")).to_have_count(61)
        expect(first.locator('circle[style*="fill"]')).to_have_count(1)
        expect(first.locator(".moves")).to_contain_text("Bo · 0 · 0:5")
        say(0, "state", {**STATE, "pieces": {"e5": 1, "a1": 2}, "to_move": 1, "moves": 2})
        expect(first.locator('circle[style*="fill"]')).to_have_count(2)
        expect(first.locator(".moves")).to_contain_text("Ada")
        say(0, "availability", "offline")
        expect(first).to_contain_text("offline")
        late = {"ended": "2999-01-01T00:00", "started": "2999"}
        say(1, "results", {"version": 1, "results": [result(1, PLAYERS[2:], 2, **late)]})
        expect(page.locator("#points li").first).to_have_text("<b>Di</b>: 1")
        expect(page.locator("#rounds section")).to_have_count(3)
        expect(page.locator("#rounds")).to_contain_text("<b>Di</b>: 0")
        expect(page.locator("#results li")).to_have_count(1)
        page.locator("#language").select_option("de")
        expect(page.locator("h1")).to_have_text("Klub")
