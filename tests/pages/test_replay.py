"""The page of a kept game that is shown again."""

from pathlib import Path

from playwright.sync_api import Page, expect

from game.rules.circle_of_life import GAME
from game.store.journal.store import BOARD, Store
from game.store.records.record import Record, checked, lines_of, outcome_of
from tests.helpers.programs.running import Lifeboard

STARTED = "2026-11-21T12:00:00.000+00:00"
RECORD = checked(
    Record(
        GAME.name,
        {},
        ("Anna", "Beat"),
        computers=("", "3"),
        moves=("e5", "e4", "e6", "d1"),
    ),
    said=False,
)
NOT_OFFERED = (
    *("Resign", "Set up a position", "Check the board", "Anna: change the name"),
    *("Hint", "Teach", "Who plays", "How did it go?"),
)


def test_page_of_a_show_says_which_goes_back_and_on_and_offers_nothing_else(
    page: Page, tmp_path: Path
):
    with Store(tmp_path) as store:
        store.begin(GAME.name, BOARD, lines_of(RECORD, STARTED), outcome_of(RECORD))
    with Lifeboard(tmp_path, "last", "--speed", "20", command="replay") as running:
        page.goto(running.address)
        status = page.get_by_role("status")
        expect(status).to_contain_text("The end, after")
        shown = "Replay of game 1 (November 21, 2026)"
        expect(page).to_have_title(f"{shown} · Circle of Life · lifeboard")
        expect(page.locator("#players .who")).to_have_text(["Anna", "Beat"])
        expect(page.locator("#players")).to_contain_text("computer, level 3")
        expect(page.locator("#moves li")).to_have_count(4)
        expect(page.locator("#moves button")).to_have_count(0)
        for name in NOT_OFFERED:
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        page.get_by_text("How to play").click()
        expect(page.locator("#keys")).to_be_hidden()
        expect(page.locator("#menu-key")).to_be_hidden()
        page.get_by_role("button", name="Take back").click()
        expect(status).to_contain_text("Paused at move 3 of 4")
        expect(page.locator("#moves li")).to_have_count(3)
        page.locator('[data-cell="a1"]').click()
        expect(status).to_contain_text("The end, after")
        expect(page.locator("#replay")).to_have_text(shown)
        page.get_by_label("Language").select_option("de")
        expect(page.locator("#replay")).to_have_text("Wiedergabe von Spiel 1 (21. November 2026)")
