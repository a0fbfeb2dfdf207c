"""An added game is played on the page, and its record goes out and comes in."""

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from tests.cli.test_fifth_game import GAME, install_game, run
from tests.helpers.pages.page_hands import PageHands
from tests.helpers.programs.running import Lifeboard


@pytest.mark.timeout(300)
def test_fifth_game_is_played_on_the_page_and_kept(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
):
    install_game(tmp_path, monkeypatch)
    data, rng = tmp_path / "data", Random(23)
    running = Lifeboard(data, "--game", "foxes", "--seed", "1")
    with PageHands(browser, running, GAME) as hands:
        page = hands.page
        expect(page.locator("#pieces .fox-ears").first).to_be_attached()
        for language, rule in (("it", "Una volpe fa un passo"), ("en", "A fox goes one step")):
            page.locator("#language").select_option(language)
            expect(page.locator("#rules")).to_contain_text(rule)
        while GAME.outcome(hands.position) is None:
            moves = list(GAME.legal_moves(hands.position))
            meals = [each for each in moves if GAME.result(hands.position, each).removed]
            hands.play(rng.choice(meals or moves))
        expect(hands.page.locator("#outcome")).to_be_visible()
    assert running.stop() == (0, "")
    assert "Red - Grey" in run("history", "--data", str(data))
    assert '[Reason "eaten"]' in run("show", "last", "--data", str(data))
    record = run("export", "last", "--data", str(data))
    assert '[Game "foxes"]' in record
    other = str(tmp_path / "other")
    (tmp_path / "record.txt").write_text(record)
    run("import", str(tmp_path / "record.txt"), "--data", other)
    assert run("export", "1", "--data", other).split("]")[-1] == record.split("]")[-1]
