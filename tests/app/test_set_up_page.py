"""Setting up a position on the page, in a real Chromium."""

import pytest
from playwright.sync_api import Browser, Page, expect

from game.app.words import LANGUAGES
from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, Laid, Picked, Stood, Tallied
from game.table.state import Phase
from tests.helpers.pages.told_page import Board
from tests.helpers.programs.running import Lifeboard

pytestmark = pytest.mark.browser

BOX = "document.getElementById('board').getBoundingClientRect().toJSON()"


def test_a_position_is_set_up_with_the_palette_and_played_from(page: Page, lifeboard: Lifeboard):
    page.goto(lifeboard.address)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_role("group", name="Set up a position")).to_be_visible()

    def lay(colour: str, *cells: str) -> None:
        page.get_by_role("radio", name=f"Set next: {colour} stone").check()
        expect(page.get_by_role("status")).to_contain_text(f"sets one {colour} stone")
        for cell in cells:
            page.locator(f'[data-cell="{cell}"]').click()
            expect(page.locator(f'[data-cell="{cell}"]')).to_have_attribute("data-cue", "stands")

    lay("blue", "e5", "e6")
    lay("orange", "c3", "c4")
    page.get_by_role("radio", name="Orange moves next").check()
    page.get_by_role("spinbutton", name="Orange: stones eaten").fill("17")
    page.get_by_role("button", name="Blue: one more").click(click_count=3)
    page.get_by_role("button", name="Blue: one less").click()
    expect(page.get_by_role("spinbutton", name="Blue: stones eaten")).to_have_value("2")
    page.get_by_role("button", name="Play from here").click()

    expect(page.locator('[data-cue="legal"]')).to_have_count(57)
    expect(page.locator("#players")).to_be_visible()
    expect(page.locator("#players .player.on h2")).to_contain_text("Orange")
    expect(page.locator("#players .count")).to_have_text(["17 / 20", "2 / 20"])
    position = GAME.set_up(
        {"e5": "2", "e6": "2", "c3": "1", "c4": "1"}, 1, (17, 2), {"target": "20"}
    )
    meal = next(move for move in GAME.legal_moves(position) if not GAME.removed(position, move))
    page.locator(f'[data-cell="{meal}"]').click()
    expect(page.locator(f'[data-cell="{meal}"]')).to_have_attribute("data-cue", "placed")


def test_an_impossible_critter_is_marked_said_and_no_game_begins_with_it(
    page: Page, lifeboard: Lifeboard
):
    page.goto(lifeboard.address)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    page.get_by_role("button", name="Set up a position").click()
    for cell in ("e3", "e4", "e5", "e6", "e7"):
        page.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator('[data-cue="wrong"]')).to_have_count(5)
    done = page.get_by_role("button", name="Play from here")
    expect(done).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("status")).to_contain_text("A critter of 5 stones (e3, e4, e5, e6, e7)")
    done.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#message .alarm")).to_contain_text("A critter of 5 stones")
    expect(done).to_be_visible()
    assert page.locator("#message").inner_text().count("A critter of 5") == 1
    page.get_by_role("button", name="Clear").click()
    expect(page.locator('[data-cue="wrong"]')).to_have_count(0)
    expect(done).to_have_attribute("aria-disabled", "false")


def test_leaving_gives_the_game_back_as_it_was(page: Page):
    board = Board(page)
    board.tap("e5", "a1")
    board.ask(Command.SET_UP)
    expect(page.locator("#players")).to_be_hidden()
    expect(page.locator(".moves")).to_be_hidden()
    board.tap("c3")
    board.button("Leave").click()
    expect(board.button("Leave")).to_be_visible()
    assert board.heard(1) == [{"do": "command", "name": "take_back"}]
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#players")).to_be_visible()
    expect(board.cell("c3")).to_have_attribute("data-cue", "remove")
    assert board.table.state.phase is Phase.EDIT


def test_on_a_real_board_a_press_lays_and_clears_and_lights_lead_the_hands(page: Page):
    board = Board(page, simulated=False)
    board.ask(Command.SET_UP)
    board.give(Picked("2"))
    expect(page.get_by_role("radio", name="Set next: blue stone")).to_be_checked()
    board.cell("e5").click()
    board.give(Laid("e5", "2"))
    expect(board.cell("e5")).to_have_attribute("data-cue", "put")
    expect(page.locator("#todo li")).to_have_text(["put the blue stone on e5"])
    board.cell("e5").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#dead")).to_be_hidden()
    assert board.heard(2) == [
        {"do": "lay", "cell": "e5", "piece": "2"},
        {"do": "lay", "cell": "e5", "piece": ""},
    ]


def test_stones_that_are_felt_set_up_by_standing(page: Page):
    board = Board(page, presence=True)
    board.give(Stood(frozenset()), Asked(Command.SET_UP), Picked("2"))
    board.give(Stood(frozenset({"e5"})))
    expect(board.cell("e5")).to_have_attribute("aria-label", "e5, blue stone, should stand here")
    expect(page.get_by_role("status")).to_contain_text("what you set now counts as one blue stone")


def test_keyboard_alone_chooses_piece_mover_and_score(page: Page):
    board = Board(page)
    board.ask(Command.SET_UP)
    page.get_by_role("radio", name="Set next: orange stone").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("radio", name="Orange moves next").focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("spinbutton", name="Blue: stones eaten").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Blue: one more")).to_be_focused()
    assert board.heard(4)[0] == {"do": "pick", "piece": "2"}
    assert board.sent[1] == {"do": "tally", "score": [0, 0], "to_move": 2}
    assert board.sent[-1] == {"do": "tally", "score": [0, 2], "to_move": 2}


def test_scores_stay_between_none_and_one_less_than_wins(page: Page):
    board = Board(page)
    board.give(Asked(Command.SET_UP), Tallied((18, 0), 1))
    more = page.get_by_role("button", name="Orange: one more")
    less = page.get_by_role("button", name="Blue: one less")
    expect(less).to_be_disabled()
    more.click()
    expect(more).to_be_disabled()
    value = page.get_by_role("spinbutton", name="Blue: stones eaten")
    value.fill("77")
    value.blur()
    expect(value).to_have_value("19")
    value.fill("")
    value.blur()
    expect(value).to_have_value("0")


def test_a_score_that_is_being_typed_is_not_overwritten_by_news(page: Page):
    board = Board(page)
    board.ask(Command.SET_UP)
    value = page.get_by_role("spinbutton", name="Orange: stones eaten")
    value.fill("17")
    board.give(Tallied((0, 5), 2))
    expect(page.get_by_role("spinbutton", name="Blue: stones eaten")).to_have_value("5")
    expect(value).to_have_value("17")
    value.press("Enter")
    assert board.heard(1) == [{"do": "tally", "score": [17, 5], "to_move": 2}]
    board.give(Tallied((17, 5), 2), Tallied((3, 5), 2))
    value.press("ArrowUp")
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#set-up")).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 900), (390, 800), (700, 500)], ids=str)
def test_the_board_does_not_move_when_setting_up_begins(browser: Browser, size: tuple[int, int]):
    with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
        page = context.new_page()
        board = Board(page)
        expect(page.locator(".player.on")).to_have_count(1)
        before = page.evaluate(BOX)
        board.ask(Command.SET_UP)
        expect(page.locator("#set-up")).to_be_visible()
        assert page.evaluate(BOX) == before


STICKING_OUT = """() => [...document.querySelectorAll("#set-up .player")].flatMap((card) => {
  const { left, right, bottom } = card.getBoundingClientRect();
  return [...card.querySelectorAll("h2, input, button, .next, .most")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && (box.left < left || box.right > right || box.bottom > bottom
      || (part.matches(".next") && part.scrollWidth > part.clientWidth));
  }).map((part) => part.outerHTML);
})"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(320, 640), (390, 800), (700, 500), (1280, 900)], ids=str)
def test_the_cards_hold_all_that_sets_up(browser: Browser, size: tuple[int, int], language: str):
    with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
        page = context.new_page()
        board = Board(page, language=language)
        board.give(Asked(Command.SET_UP), Tallied((19, 19), 1))
        expect(page.locator("#set-up .player.on")).to_have_count(1)
        assert page.evaluate(STICKING_OUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
