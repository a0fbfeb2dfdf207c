"""Whole games of Azteka and Adaptoid in a real Chromium, tap by tap."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from game.rules.base.registry import find_game
from tests.helpers.pages.page_hands import PageHands
from tests.helpers.programs.running import Lifeboard


@dataclass(frozen=True)
class Script:
    """A game from beginning to end; `deeds` are the keys of what its moves tell of themselves."""

    game: str
    moves: str
    deeds: tuple[str, ...]
    reason: str


BASIC = Script(
    "azteka",
    "b3 b4 b2 T4 a3 c3 b4 c2 b1 h3 d2 g3 T1 h2 e2 T2 e3 d1 f1 T4 e1 a1 g2 T2"
    " c2 T2 g1 b2 f3 b4 T3 h4 T1 a4 g4 d4 c3 T3 T1 c4 c3 T3 e4 T2 e2 T3 e1",
    ("azteka.gave_birth", "azteka.disintegrated", "azteka.round_won"),
    "fewer pieces",
)
THREE = Script("azteka-three", "c4 a2 h4 c3 a3 h3 c1 a4 d3 c2", ("azteka.placed",), "reign")
ADAPTOID = Script(
    "adaptoid",
    "W:d1_B:d5 white /+d2 /d5P /d1L /+c4 d1-e1/d2P /+d4 /d2L /d5L d2-e2/e1P d5-e4/d4P e1-f1/f1L"
    " e4-e3/+f2 e2xf2/f2P e3xf2/d4P f2-f1/f1P /+e4 f1-g1/g1P /c4P",
    ("adaptoid.did_lose", "adaptoid.did_starve", "adaptoid.did_capture"),
    "no adaptoid left",
)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("script", [BASIC, THREE, ADAPTOID], ids=lambda script: script.game)
def test_page_plays_a_whole_game_tap_by_tap(browser: Browser, tmp_path: Path, script: Script):
    game = find_game(script.game)
    running = Lifeboard(tmp_path, "--game", script.game, "--seed", "1")
    with PageHands(browser, running, game) as hands:
        told = ""
        for text in script.moves.split():
            move = game.parse_move(hands.position, text.replace("_", " "))
            told += str(game.result(hands.position, move).summary)
            hands.play(text.replace("_", " "))
        assert [deed for deed in script.deeds if deed not in told] == []
        outcome = game.outcome(hands.position)
        assert outcome is not None
        assert outcome.reason == script.reason
        expect(hands.page.locator("#outcome")).to_be_visible()
        assert hands.page.locator("#outcome").get_attribute("data-player") == str(outcome.winner)
    assert running.stop() == (0, "")
