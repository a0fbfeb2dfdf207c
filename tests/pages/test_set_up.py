"""Setting up a position on the page."""

from playwright.sync_api import Page, expect

from game.table.inputs import Asked, Command, SelectPiece, SetPiece, SetScore
from game.table.phases import Phase
from tests.helpers.pages.hosted import Hosted
from tests.helpers.pages.scripted_page import Board


def test_an_impossible_critter_is_marked_said_and_no_game_begins_with_it(page: Page, board: Hosted):
    page.goto(board.address)
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
    board.button("Cancel").click()
    expect(board.button("Cancel")).to_be_visible()
    assert board.heard(1) == [{"do": "command", "name": "take_back"}]
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#players")).to_be_visible()
    expect(board.cell("c3")).to_have_attribute("data-cue", "remove")
    assert board.table.state.phase is Phase.EDIT


def test_on_a_real_board_a_press_lays_and_clears_and_lights_lead_the_hands(page: Page):
    board = Board(page, simulated=False)
    board.ask(Command.SET_UP)
    board.give(SelectPiece("2"))
    expect(page.get_by_role("radio", name="Place next: blue stone")).to_be_checked()
    board.cell("e5").click()
    board.give(SetPiece("e5", "2"))
    expect(board.cell("e5")).to_have_attribute("data-cue", "put")
    expect(page.locator("#todo li")).to_have_text(["place the blue stone on e5"])
    board.cell("e5").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#dead")).to_be_hidden()
    assert board.heard(2) == [
        {"do": "lay", "cell": "e5", "piece": "2"},
        {"do": "lay", "cell": "e5", "piece": ""},
    ]


def test_keyboard_alone_chooses_piece_mover_and_score(page: Page):
    board = Board(page)
    board.ask(Command.SET_UP)
    page.get_by_role("radio", name="Place next: orange stone").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("radio", name="Next to move: Orange").focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("spinbutton", name="Blue: stones eaten").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Blue: one more")).to_be_focused()
    assert board.heard(4)[0] == {"do": "pick", "piece": "2"}
    assert board.sent[1] == {"do": "score", "score": [0, 0], "to_move": 2}
    assert board.sent[-1] == {"do": "score", "score": [0, 2], "to_move": 2}


def test_scores_stay_in_their_bounds_and_news_do_not_overwrite_what_is_typed(page: Page):
    board = Board(page)
    board.give(Asked(Command.SET_UP), SetScore((18, 0), 1))
    more = board.button("Orange: one more")
    expect(board.button("Blue: one less")).to_be_disabled()
    more.click()
    expect(more).to_be_disabled()
    blue = page.get_by_role("spinbutton", name="Blue: stones eaten")
    for typed, taken in (("77", "19"), ("", "0")):
        blue.fill(typed)
        blue.blur()
        expect(blue).to_have_value(taken)
    board = Board(page)
    board.ask(Command.SET_UP)
    orange = page.get_by_role("spinbutton", name="Orange: stones eaten")
    orange.fill("17")
    board.give(SetScore((0, 5), 2))
    expect(blue).to_have_value("5")
    expect(orange).to_have_value("17")
    orange.press("Enter")
    assert board.heard(1) == [{"do": "score", "score": [17, 5], "to_move": 2}]
