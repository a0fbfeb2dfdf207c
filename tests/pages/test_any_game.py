"""A game unknown to the page: cells, pieces, colours and keys are drawn all the same.

The game is a made-up one of three players, with a key of its own, on a board of a new shape.
"""

import re
from collections.abc import Mapping
from typing import ClassVar

from playwright.sync_api import Page, expect

from game.rules.base.message import say
from game.rules.base.moves import MoveList
from game.rules.base.values import Outcome
from game.rules.boards.board import Board as Cells
from tests.helpers.games.one_class import OneClassGame
from tests.helpers.pages.scripted_page import Board

CELLS = ("a1", "b1", "c1", "d1", "e1")
PASS = "choice2"


class Steps(OneClassGame):
    """Players take turns setting a piece on a free cell of a row, or pass; a full row is a draw."""

    name: ClassVar[str] = "steps"
    title: ClassVar[str] = "Steps"
    board = Cells(
        "row",
        CELLS,
        {c: tuple(CELLS[n] for n in (i - 1, i + 1) if 0 <= n < 5) for i, c in enumerate(CELLS)},
        {c: (float(i), 0.0) for i, c in enumerate(CELLS)},
        CELLS,
    )
    players = (say("player.first"), say("player.second"), say("player.third"))
    keys = (PASS,)
    hues = ("#ffffff", "#101010", "#00c080")

    def initial(self, options: Mapping[str, str] = {}) -> str:
        return ""

    def legal_moves(self, position: str) -> MoveList[str]:
        held = self.pieces(position)
        free = [cell for cell in CELLS if cell not in held]
        return MoveList((*free, PASS) if free else ())

    def play(self, position: str, move: str) -> str:
        return f"{position} {move}".strip()

    def outcome(self, position: str) -> Outcome | None:
        full = len(self.pieces(position)) == len(CELLS)
        return Outcome(None, "full", say("rules.game_over")) if full else None

    def to_move(self, position: str) -> int | None:
        return None if self.outcome(position) else len(position.split()) % 3 + 1

    def pieces(self, position: str) -> dict[str, str]:
        moves = enumerate(position.split())
        return {cell: "XYZ"[n % 3] + "9" for n, cell in moves if cell != PASS}

    def text(self, position: str) -> str:
        return position

    def parse(self, text: str) -> str:
        return text

    def taps(self, position: str, move: str) -> tuple[str, ...]:
        return (move,)

    def side(self, piece: str) -> int | None:
        return "XYZ".index(piece[0]) + 1


def test_unknown_pieces_are_discs_in_their_hue_and_keys_and_players_are_there(page: Page):
    board = Board(page, game=Steps())
    board.key(PASS).click()
    assert board.heard(1) == [{"do": "key", "name": PASS}]
    board.tap("b1")
    cards = page.locator("#players .player")
    expect(cards.nth(1)).to_have_class(re.compile(r"\bon\b"))
    expect(cards.nth(1).locator("h2")).to_have_text("Second player")
    expect(cards.first.locator(".mark use")).to_have_attribute("href", "#stone-1")
    expect(page.locator("#coach")).to_be_visible()
    board.tap("d1", PASS)
    expect(board.cell("d1").locator(".stone")).to_have_attribute("href", "#stone-Y9")
    expect(page.locator("#stone-Y9 text")).to_have_text("Y9")
    expect(page.locator('#stone-X9 circle[fill="#ffffff"]')).to_have_count(1)
    expect(page.locator('#stone-Y9 circle[fill="#101010"]')).to_have_count(1)
    expect(page.locator(".edge").first).to_have_js_property("tagName", "polygon")
