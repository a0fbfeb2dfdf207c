"""What the page says of computer players, hints, the coach and the menu, told by a table."""

import pytest
from playwright.sync_api import Page, expect

from game.rules.base.message import say
from game.table.inputs import (
    JUDGE,
    Command,
    Dismissed,
    EngineUnavailable,
    ScoredMove,
    SetNames,
    SetOpponents,
)
from tests.helpers.pages.layout import SIZES, at_sizes, box, moved
from tests.helpers.pages.scripted_page import NAMES, Board

IDEAS = (ScoredMove("a1", 1.0, decided=True), ScoredMove("e4", 0.62), ScoredMove("e7", 0.55))
TEACHABLE = ("e5", "e3", "d5", "d3", "b3")
"""Blue can then eat two from d4, and the coach says so."""


@pytest.fixture
def board(page):
    return Board(page, levels=NAMES)


def against_blue(board: Board, *cells: str) -> None:
    board.give(SetOpponents(("", "3")))
    board.tap(*cells)


def choose(page: Page, seat: int, name: str) -> None:
    page.locator("dialog [name=level]").nth(seat).select_option(label=name)


def marked(page: Page, cue: str) -> dict[str, str | None]:
    """Return which sign each cell with a cue shows."""
    cells = page.locator(f'[data-cell][data-cue="{cue}"]').all()
    return {
        str(cell.get_attribute("data-cell")): cell.locator(".cue").get_attribute("href")
        for cell in cells
    }


def test_who_plays_is_chosen_changed_or_left_as_it_was(board):
    page, dialog = board.page, board.page.get_by_role("dialog", name="Players")
    for leave in (lambda: page.keyboard.press("Escape"), lambda: board.button("Cancel").click()):
        board.button("Players").click()
        choose(page, 0, "Computer: Chick")
        leave()
        expect(dialog).to_be_hidden()
    assert board.sent == []
    board.give(SetNames(("<b>Anna</b>", "")))
    board.button("Players").click()
    expect(page.get_by_role("textbox", name="Orange")).to_have_value("<b>Anna</b>")
    choose(page, 1, "Computer: Fox (3)")
    page.get_by_role("textbox", name="Blue").fill(" Deep ")
    dialog.get_by_role("button", name="New game").click()
    expect(dialog).to_be_hidden()
    started = {"do": "start", "game": "circle-of-life", "options": None}
    assert board.heard(1) == [started | {"computers": ["", "3"], "names": ["<b>Anna</b>", "Deep"]}]
    board.give(SetNames(("", "")))
    against_blue(board, "e5")
    board.button("Players").press("Enter")
    expect(page.get_by_role("textbox", name="Orange")).to_be_focused()
    page.keyboard.type("Anna")
    choose(page, 0, "Computer: Chick")
    choose(page, 1, "Computer: Hare (2)")
    board.button("Apply to this game").press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(board.button("Players")).to_be_focused()
    assert board.heard(3)[1:] == [
        {"do": "opponents", "computers": ["random", "2"]},
        {"do": "name", "names": ["Anna", ""]},
    ]


def test_new_game_asks_on_what_terms_and_a_rematch_exchanges_sides(page):
    board = Board(page, levels=("even", *NAMES))
    board.give(SetNames(("Anna", "Bert")))
    against_blue(board, "e5")
    board.button("New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    expect(dialog).to_contain_text("and ends here. Past games shows it.")
    dialog.get_by_role("combobox", name="Clock").select_option(
        label="5 min a game, and 3 s more each move"
    )
    dialog.get_by_role("combobox", name="Even match").select_option("Help for the weaker player")
    dialog.get_by_role("button", name="Start").click()
    expect(board.button("Rematch")).to_be_hidden()
    board.ask(Command.RESIGN, Command.RESIGN)
    board.button("Rematch").click()
    started = {"do": "start", "game": "circle-of-life"}
    assert board.heard(2) == [
        started
        | {
            "options": {"clock": "fischer:300+3", "help": "even"},
            "computers": ["", "3"],
            "names": ["Anna", "Bert"],
        },
        started
        | {"options": {"first": "1", "target": "20"}}
        | {"computers": ["3", ""], "names": ["Bert", "Anna"]},
    ]


def test_help_and_choice_are_offered_where_they_make_sense(board):
    page = board.page
    for name in ("Hint", "Coach", "Players"):
        expect(board.button(name)).to_be_enabled()
    board.tap("e5")
    board.ask(Command.RESIGN, Command.RESIGN)
    expect(page.locator("#outcome")).to_be_visible()
    for name in ("Hint", "Coach"):
        expect(board.button(name)).to_be_disabled()
    board.button("Players").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="New game")).to_be_visible()
    expect(board.button("Apply to this game")).to_be_hidden()
    page.keyboard.press("Escape")
    board.ask(Command.SET_UP)
    for name in ("Hint", "Coach"):
        expect(board.button(name)).to_be_hidden()
    board.button("Players").click()
    expect(dialog.get_by_role("button", name="New game")).to_be_hidden()
    choose(page, 1, "Computer: Mouse (1)")
    board.button("Apply to this game").click()
    assert board.heard(1) == [{"do": "opponents", "computers": ["", "1"]}]
    board = Board(page, levels=())
    for name in ("Hint", "Coach", "Players"):
        expect(board.button(name)).to_be_visible(visible=name == "Coach")


def test_a_computer_thinks_wants_its_move_or_does_not_answer(board):
    page = board.page
    board.give(SetNames(("", "Deep")))
    against_blue(board, "e5")
    expect(page.locator("#players .kind .whole")).to_have_text(["", "computer, Fox"])
    expect(page.locator(".player.thinking .to-move")).to_have_text("thinks…")
    expect(page.get_by_role("status")).to_contain_text("is choosing")
    board.think("3", ScoredMove("e6", 0.6))
    expect(page.locator(".player.thinking")).to_have_count(0)
    expect(page.locator(".player.on .to-move")).to_have_text("to move")
    expect(board.cell("e6")).to_have_attribute("data-cue", "proposed")
    assert marked(page, "proposed") == {"e6": "#cue-proposed"}
    expect(board.cell("e6")).to_have_attribute("data-player", "2")
    board.tap("e6", "a1")
    expect(board.cell("e6")).to_have_attribute("data-player", "")
    board.give(EngineUnavailable(say("opponent.stopped")))
    expect(page.locator("#engine-failed")).to_contain_text("stopped")
    expect(page.locator("#trouble")).to_be_hidden()
    board.give(EngineUnavailable(None))
    expect(page.locator("#engine-failed")).to_be_hidden()


def test_hints_are_ranked_and_listed_and_the_coach_uses_signs_that_are_explained(board):
    page, hint = board.page, board.button("Hint")
    board.tap(*TEACHABLE)
    hint.click()
    board.ask(Command.HINT)
    expect(hint).to_have_class("busy")
    expect(hint).to_have_attribute("aria-pressed", "true")
    board.think("", *IDEAS)
    expect(hint).not_to_have_class("busy")
    expect(page.locator("#idea-list li")).to_have_text(["a1wins", "e462%", "e755%"])
    assert marked(page, "hint") == {"a1": "#cue-hint", "e4": "#cue-hint-2", "e7": "#cue-hint-3"}
    hint.click()
    board.ask(Command.HINT)
    expect(page.locator("#ideas")).to_be_hidden()
    expect(hint).to_have_attribute("aria-pressed", "false")
    expect(page.locator('[data-cue="hint"]')).to_have_count(0)
    assert board.heard(2) == [{"do": "command", "name": "hint"}] * 2
    # The coach says one idea.
    board.button("Coach").click()
    board.ask(Command.COACH)
    expect(board.button("Coach")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#message")).to_contain_text("d4 pays: it eats 2 stones")
    assert marked(page, "edible") == dict.fromkeys(("e5", "d5"), "#cue-edible")
    assert marked(page, "hint") == {"d4": "#cue-hint"}
    page.get_by_role("button", name="How to play").click()
    entry = page.locator("#cues li", has_text="could be eaten next turn")
    expect(entry.locator("use")).to_have_attribute("href", "#cue-endangered")
    expect(page.locator("svg.symbols #cue-endangered")).to_have_count(1)
    board.ask(Command.COACH)
    expect(page.locator('[data-cue="edible"]')).to_have_count(0)
    assert board.heard(3)[2:] == [{"do": "command", "name": "coach"}]


def test_the_board_does_not_move_under_fingers_for_any_help_question_or_menu(board):
    page = board.page
    for size in at_sizes(page, SIZES[1::2]):
        board.give(SetOpponents(("", "3")))
        expect(page.locator("#players .kind .whole").nth(1)).not_to_be_empty()
        before = box(page)
        board.tap("e5")
        expect(page.locator(".thinking")).to_be_visible()
        assert not moved(before, box(page)), size
        board.think("3", ScoredMove("e3", 0.6))
        expect(page.locator('[data-cue="proposed"]')).to_have_count(1)
        assert not moved(before, box(page)), size
        board.tap("e3", "d5")
        board.think("3", ScoredMove("d3", 0.6))
        board.tap("d3")
        board.ask(Command.HINT, Command.COACH)
        board.think("", ScoredMove("e4", 0.62), ScoredMove("e7", 0.55), ScoredMove("a1", 0.5))
        expect(page.locator('[data-cue="hint"]')).to_have_count(3)
        expect(page.locator('[data-cue="edible"]')).not_to_have_count(0)
        assert not moved(before, box(page)), size
        board.ask(Command.MENU)
        expect(page.locator('[data-cue="chosen"] .name')).to_have_text("3")
        expect(board.button("Take back")).to_be_hidden()
        board.button("Back to the game").click()
        assert not moved(before, box(page)), size
        board.ask(Command.MENU, Command.COACH, Command.RESIGN)
        expect(page.locator("#no-answer")).to_be_visible()
        assert not moved(before, box(page)), size
        board.give(Dismissed())
        board.tap("b3")
        board.give(EngineUnavailable(say("opponent.stopped")))
        expect(page.locator("#engine-failed")).to_be_visible()
        assert not moved(before, box(page)), size
        board.give(EngineUnavailable(None))
        board.ask(*[Command.NEW_GAME] * 2)
        while board.table.state.pending:
            board.tap(*(edit.cell for edit in board.table.state.pending))
        board.now += 10
        board.table.tick(board.now)
        board.show()
    assert {"do": "command", "name": "menu"} in board.sent


def test_who_stands_better_is_a_bar_where_players_agreed_and_says_how_sure_it_is(page):
    bar = page.locator("button.chances")
    Board(page, levels=NAMES)
    expect(bar).to_be_hidden()
    board = Board(page, levels=NAMES, assistance="chances")
    expect(bar).to_have_attribute("aria-label", "About even: what is this?")
    turns = (("e5", 0.8, "Blue ahead: about 80%"), ("a1", 0.7, "Orange ahead: about 70%"))
    sizes = at_sizes(page, ((390, 844), (1280, 800)))
    for (cell, value, said), _ in zip(turns, sizes, strict=True):
        board.tap(cell)
        before = box(page)
        board.think(JUDGE, ScoredMove("c3", value))
        expect(bar).to_have_attribute("aria-label", f"{said}: what is this?")
        assert not moved(before, box(page))
    bar.click()
    expect(page.get_by_role("dialog")).to_contain_text("5 to 10 points more or less")
