"""What the page says of computer players, hints, teaching and the menu, told by a table."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from game.app.gate.access import Level
from game.app.words import LANGUAGES
from game.engine.levels import LEVELS
from game.rules.message import say
from game.table.inputs import (
    Asked,
    Command,
    Idea,
    Named,
    Opposed,
    Stumped,
    Thought,
)
from tests.helpers.pages.told_page import Board

pytestmark = pytest.mark.browser

NAMES = tuple(level.name for level in LEVELS)
SIZES = [(1280, 800), (700, 500), (390, 844), (320, 640)]
BOX = "document.getElementById('board').getBoundingClientRect().toJSON()"
IDEAS = (Idea("a1", 1.0, decided=True), Idea("e4", 0.62), Idea("e7", 0.55))
ENDANGERED, EDIBLE = ("e3", "d3"), ("e5", "d5")


def board_of(page: Page, **options: Any) -> Board:
    return Board(page, levels=NAMES, **options)


def against_blue(board: Board, *cells: str) -> None:
    board.give(Opposed(("", "3")))
    board.tap(*cells)


def think(board: Board, level: str, *ideas: Idea) -> None:
    board.give(Thought(board.table.state.position, level, ideas))


def teachable(board: Board) -> None:
    """Play to where two of blue could be eaten, and blue could eat two."""
    board.tap("e5", "e3", "d5", "d3", "b3")


def choose(page: Page, seat: int, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).nth(seat).check()


def marked(page: Page, cue: str) -> dict[str, str | None]:
    """Return which sign each cell with a cue shows."""
    cells = page.locator(f'[data-cell][data-cue="{cue}"]').all()
    return {
        str(cell.get_attribute("data-cell")): cell.locator(".cue").get_attribute("href")
        for cell in cells
    }


def test_who_plays_is_chosen_for_a_new_game(page: Page):
    board = board_of(page)
    board.button("Who plays").click()
    dialog = page.get_by_role("dialog", name="Who plays")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("group")).to_have_count(2)
    expect(dialog.get_by_role("radio", checked=True)).to_have_count(2)
    choose(page, 1, "computer, level 3: Casual player")
    expect(dialog.locator(".said")).to_have_text(["a person", "computer, level 3: Casual player"])
    dialog.get_by_role("button", name="New game").click()
    expect(dialog).to_be_hidden()
    assert board.heard(1) == [{"do": "oppose", "computers": ["", "3"], "new": True}]


def test_who_plays_is_changed_from_now_on_and_by_the_keyboard_alone(page: Page):
    board = board_of(page)
    against_blue(board, "e5")
    board.button("Who plays").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="a person").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    here = page.get_by_role("radio", name="computer, level 3: Casual player").nth(1)
    expect(here).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(board.button("Who plays")).to_be_focused()
    assert board.heard(1) == [{"do": "oppose", "computers": ["random", "2"], "new": False}]


@pytest.mark.parametrize("how", ["Escape", "Cancel"])
def test_a_choice_that_is_left_changes_nothing(page: Page, how: str):
    board = board_of(page)
    board.button("Who plays").click()
    choose(page, 0, "computer, random")
    if how == "Cancel":
        board.button("Cancel").click()
    else:
        page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    board.button("Who plays").click()
    expect(page.get_by_role("radio", name="a person").first).to_be_checked()
    assert board.sent == []


def test_an_ended_game_goes_on_with_nobody_and_a_position_begins_no_game(page: Page):
    board = board_of(page)
    board.tap("e5")
    board.give(Asked(Command.RESIGN), Asked(Command.RESIGN))
    expect(page.locator("#outcome")).to_be_visible()
    board.button("Who plays").click()
    expect(board.button("From now on")).to_be_hidden()
    page.keyboard.press("Escape")
    board.ask(Command.SET_UP)
    expect(page.locator("#set-up")).to_be_visible()
    board.button("Who plays").click()
    expect(page.locator("#opponents-new")).to_be_hidden()
    choose(page, 1, "computer, level 1: First game")
    board.button("From now on").click()
    assert board.heard(1) == [{"do": "oppose", "computers": ["", "1"], "new": False}]


def test_names_stand_in_the_choice_as_text_and_come_while_it_is_open(page: Page):
    board = board_of(page)
    board.button("Who plays").click()
    board.give(Named(("<b>Anna</b>", "")))
    expect(page.locator("#seats .who")).to_have_text(["<b>Anna</b>", "Blue"])


def test_a_card_says_computer_and_that_it_thinks(page: Page):
    board = board_of(page)
    board.give(Named(("", "Deep")))
    against_blue(board, "e5")
    expect(page.locator("#players .kind .whole")).to_have_text(["", "computer, level 3"])
    expect(page.locator(".player.thinking .to-move")).to_have_text("thinks…")
    expect(page.get_by_role("status")).to_contain_text("It is thinking")
    think(board, "3", Idea("e6", 0.6))
    expect(page.locator(".player.thinking")).to_have_count(0)
    expect(page.locator(".player.on .to-move")).to_have_text("to move")


def test_the_wanted_move_has_a_sign_of_its_own_and_is_pressed_like_any(page: Page):
    board = board_of(page)
    against_blue(board, "e5")
    expect(page.locator('[data-cue="proposed"]')).to_have_count(0)
    think(board, "3", Idea("e6", 0.6))
    expect(board.cell("e6")).to_have_attribute("data-cue", "proposed")
    assert marked(page, "proposed") == {"e6": "#cue-proposed"}
    assert marked(page, "legal") == {}
    expect(board.cell("e6")).to_have_attribute("data-player", "2")
    expect(board.cell("e6")).to_have_attribute(
        "aria-label", "e6, empty, the computer wants to play here"
    )
    expect(page.get_by_role("status")).to_contain_text("e6")
    board.cell("e6").click()
    assert board.heard(2)[0]["spot"] == "e6"
    board.tap("e6")
    expect(page.locator("#moves li")).to_have_count(2)
    expect(board.cell("e6")).to_have_attribute("data-player", "")


def test_moves_go_in_pairs_where_a_computer_answers(page: Page):
    board = board_of(page)
    against_blue(board, "e5")
    for answer, mine in (("e6", "a1"), ("a3", "i5")):
        think(board, "3", Idea(answer, 0.6))
        board.tap(answer, mine)
    expect(page.locator("#moves li")).to_have_count(5)
    back = {"do": "command", "name": "take_back"}
    page.locator('#moves [data-ply="5"]').click()
    assert board.heard(1) == [back]
    board.ask(Command.TAKE_BACK)
    # The last move is the computer's, and goes with the person's before it, without a question.
    page.locator('#moves [data-ply="4"]').click()
    assert board.heard(2) == [back] * 2
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator('#moves [data-ply="2"]').click()
    expect(page.get_by_role("dialog")).to_contain_text("Take back 4 moves, e5 and all after it?")
    board.button("Take back 4 moves").click()
    assert board.heard(4) == [back] * 4
    board.ask(Command.TAKE_BACK)
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#moves li")).to_have_count(0)


def test_a_computer_that_does_not_answer_is_told_of_and_holds_nothing_up(page: Page):
    board = board_of(page)
    against_blue(board, "e5")
    board.give(Stumped(say("opponent.silent")))
    expect(page.locator("#stumped")).to_contain_text("does not answer")
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator('[data-cue="legal"]')).to_have_count(60)
    board.tap("e6")
    expect(page.locator("#moves li")).to_have_count(2)
    board.give(Stumped(None))
    expect(page.locator("#stumped")).to_be_hidden()


def test_hints_are_ranked_on_the_board_and_listed_until_they_are_hidden(page: Page):
    board = board_of(page)
    teachable(board)
    hint = page.get_by_role("button", name="Hint", exact=True)
    expect(hint).to_have_attribute("aria-pressed", "false")
    hint.click()
    board.ask(Command.HINT)
    expect(hint).to_have_class("busy")
    expect(hint).to_have_attribute("aria-pressed", "true")
    think(board, "", *IDEAS)
    expect(hint).not_to_have_class("busy")
    expect(page.locator("#idea-list li")).to_have_text(["a1wins", "e462\u00a0%", "e755\u00a0%"])
    assert marked(page, "hint") == {
        "a1": "#cue-hint",
        "e4": "#cue-hint-2",
        "e7": "#cue-hint-3",
    }
    expect(board.cell("e7")).to_have_attribute(
        "aria-label", "e7, empty, a good move, hint 3: 55\u00a0%"
    )
    hint.click()
    board.ask(Command.HINT)
    expect(page.locator("#ideas")).to_be_hidden()
    expect(hint).to_have_attribute("aria-pressed", "false")
    expect(page.locator('[data-cue="hint"]')).to_have_count(0)
    assert board.heard(2) == [{"do": "command", "name": "hint"}] * 2


def test_teaching_marks_what_could_be_eaten_by_shapes_that_the_legend_explains(page: Page):
    board = board_of(page)
    teachable(board)
    board.button("Teach").click()
    board.ask(Command.TEACH)
    expect(board.button("Teach")).to_have_attribute("aria-pressed", "true")
    assert marked(page, "endangered") == dict.fromkeys(ENDANGERED, "#cue-endangered")
    assert marked(page, "edible") == dict.fromkeys(EDIBLE, "#cue-edible")
    page.get_by_text("How to play").click()
    for words, sign in (
        ("could be eaten next turn", "#cue-endangered"),
        ("can be eaten", "#cue-edible"),
        ("a good move", "#cue-hint"),
        ("the computer wants to play here", "#cue-proposed"),
    ):
        entry = page.locator("#cues li", has_text=words)
        expect(entry).to_be_visible()
        expect(entry.locator("use")).to_have_attribute("href", sign)
        expect(page.locator(f"svg.symbols {sign}")).to_have_count(1)
    board.ask(Command.TEACH)
    expect(page.locator('[data-cue="edible"]')).to_have_count(0)
    assert board.heard(1) == [{"do": "command", "name": "teach"}]


def test_the_menu_on_the_board_has_a_level_on_each_cell_and_is_closed_on_the_page(page: Page):
    board = board_of(page)
    against_blue(board, "e5")
    board.ask(Command.MENU)
    expect(page.locator('[data-cue="legal"]')).to_have_count(2 * len(NAMES))
    expect(page.locator('[data-cue="chosen"]')).to_have_count(1)
    chosen = page.locator('[data-cue="chosen"]')
    expect(chosen).to_have_attribute("data-player", "2")
    expect(chosen.locator(".name")).to_have_text("3")
    own = page.locator('[data-cell][data-player="1"] .name').all_text_contents()
    assert own == ["?", "1", "2", "3", "4", "5", "6"]
    for hidden in ("Take back", "Resign", "Hint"):
        expect(board.button(hidden)).to_be_hidden()
    board.button("Back to the game").click()
    assert board.heard(1) == [{"do": "command", "name": "menu"}]
    board.ask(Command.MENU)
    expect(board.cell("c1").locator(".name")).to_have_text("c1")
    expect(board.button("Take back")).to_be_visible()


def test_help_is_offered_only_while_there_is_something_to_help_with(page: Page):
    board = board_of(page)
    for name in ("Hint", "Teach", "Who plays"):
        expect(board.button(name)).to_be_enabled()
    board.tap("e5")
    board.give(Asked(Command.RESIGN), Asked(Command.RESIGN))
    expect(board.button("Hint")).to_be_disabled()
    expect(board.button("Teach")).to_be_disabled()
    expect(board.button("Who plays")).to_be_enabled()
    board.ask(Command.SET_UP)
    expect(board.button("Hint")).to_be_hidden()
    expect(board.button("Teach")).to_be_hidden()


def test_a_board_without_computers_offers_none(page: Page):
    board = Board(page)
    expect(board.button("Teach")).to_be_visible()
    expect(board.button("Hint")).to_be_hidden()
    expect(board.button("Who plays")).to_be_hidden()


def test_who_only_watches_sees_who_plays_and_cannot_change_it(page: Page):
    board = board_of(page, level=Level.WATCH)
    against_blue(board, "e5")
    expect(page.locator("#players .kind .whole")).to_have_text(["", "computer, level 3"])
    for name in ("Hint", "Teach", "Who plays"):
        expect(board.button(name)).to_be_hidden()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_board_does_not_move_under_fingers_for_any_help(
    browser: Browser, size: tuple[int, int]
):
    with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
        page = context.new_page()
        board = board_of(page)
        board.give(Opposed(("", "3")))
        expect(page.locator("#players .kind .whole").nth(1)).not_to_be_empty()
        before = page.evaluate(BOX)
        board.tap("e5")
        expect(page.locator(".thinking")).to_be_visible()
        assert page.evaluate(BOX) == before
        think(board, "3", Idea("e3", 0.6))
        expect(page.locator('[data-cue="proposed"]')).to_have_count(1)
        assert page.evaluate(BOX) == before
        board.tap("e3", "d5")
        think(board, "3", Idea("d3", 0.6))
        board.tap("d3")
        board.give(Asked(Command.HINT), Asked(Command.TEACH))
        think(board, "", Idea("e4", 0.62), Idea("e7", 0.55), Idea("a1", 0.5))
        expect(page.locator('[data-cue="hint"]')).to_have_count(3)
        expect(page.locator('[data-cue="edible"]')).not_to_have_count(0)
        assert page.evaluate(BOX) == before
        board.ask(Command.MENU)
        expect(board.button("Back to the game")).to_be_visible()
        assert page.evaluate(BOX) == before
        board.ask(Command.MENU)
        board.tap("b3")
        board.give(Stumped(say("opponent.died")))
        expect(page.locator("#stumped")).to_be_visible()
        assert page.evaluate(BOX) == before


STICKING_OUT = """(holders) => [...document.querySelectorAll(holders)].flatMap((holder) => {
  const { left, right, bottom } = holder.getBoundingClientRect();
  return [...holder.querySelectorAll("button, label, span, p, legend")].filter((part) => {
    const box = part.getBoundingClientRect();
    return getComputedStyle(part).clipPath === "none" && box.width > 0
      && (box.left < left - 1 || box.right > right + 1 || box.bottom > bottom + 1);
  }).map((part) => part.outerHTML);
})"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_cards_buttons_and_choices_hold_their_words(
    browser: Browser, size: tuple[int, int], language: str
):
    with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
        page = context.new_page()
        board = board_of(page, language=language)
        board.give(Named(("Bartholomäus", "Maximiliane")), Opposed(("", "random")))
        board.tap("e5")
        expect(page.locator(".thinking")).to_be_visible()
        words, count = page.locator(".thinking .to-move"), page.locator(".thinking .count")
        drawn = """part => { const range = document.createRange(); range.selectNodeContents(part);
            return range.getBoundingClientRect().toJSON(); }"""
        assert words.evaluate(drawn)["right"] <= count.evaluate(drawn)["left"]
        for kind in page.locator(".thinking .kind, .thinking .kind .brief").all():
            assert kind.evaluate("kind => kind.scrollWidth <= kind.clientWidth")
        page.locator("#who-plays").click()
        page.locator('[value="6"]').nth(1).check()
        assert page.evaluate(STICKING_OUT, ".player, .tools button, .opponents, .seat") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
