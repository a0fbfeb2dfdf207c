"""What the page says of hands' work, of moves to take back, of names, and of an unkept game."""

import pytest
from playwright.sync_api import Browser, Page, expect

from game.rules.message import say
from game.table.inputs import Asked, Command, Disturbed, Kept, Named, Stood
from game.table.state import Phase
from tests.helpers.pages.told_page import Board, lost
from tests.helpers.programs.running import Lifeboard

pytestmark = pytest.mark.browser

APART = ("e5", "a1", "i5", "a5", "e9", "e1", "c3", "g3")
BOX = "document.getElementById('board').getBoundingClientRect().toJSON()"
FULL = say("journal.full", folder="/home/anna/.local/share/lifeboard/of-the-long-name")


def test_what_hands_must_do_is_listed_in_words_and_empties_by_itself(page: Page):
    board = Board(page, presence=True)
    board.give(Stood(frozenset()), Stood(frozenset({"e5"})))
    expect(page.locator("#todo")).to_be_hidden()
    board.give(Stood(frozenset({"a1", "a2"})))
    expect(page.locator('#todo [data-kind="remove"] li')).to_have_text(
        ["take the piece from a1", "take the piece from a2"]
    )
    expect(page.locator('#todo [data-kind="put"] li')).to_have_text(["put the orange stone on e5"])
    expect(page.locator('#todo [data-kind="remove"] h3')).to_have_text("Take away2")
    board.give(Stood(frozenset({"a2", "e5"})))
    expect(page.locator("#todo li")).to_have_text(["take the piece from a2"])
    board.give(Stood(frozenset({"e5"})))
    expect(page.locator("#todo")).to_be_hidden()


def test_more_than_six_tasks_are_scrolled_to_by_hand_and_by_keyboard(page: Page):
    board = Board(page)
    board.tap(*APART)
    for _ in APART:
        board.ask(Command.TAKE_BACK)
    groups = page.locator("#groups")
    expect(page.locator("#todo li")).to_have_count(8)
    expect(page.get_by_role("status")).to_contain_text("Take away the 8 pieces that pulse")
    assert groups.evaluate("list => list.scrollHeight > list.clientHeight")
    groups.focus()
    expect(groups).to_be_focused()
    board.tap("a1", "a5")
    expect(page.locator("#todo li")).to_have_count(6)
    assert not groups.evaluate("list => list.scrollHeight > list.clientHeight")
    expect(groups).to_have_attribute("tabindex", "-1")


def test_while_play_pauses_nothing_is_asked_of_hands(page: Page):
    board = Board(page)
    board.tap("e5")
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#todo li")).to_have_count(1)
    board.give(lost("a1"))
    expect(page.locator("#todo")).to_be_hidden()


def test_the_last_move_is_taken_back_by_pressing_it(page: Page):
    board = Board(page)
    board.tap(*APART[:3])
    page.locator("#moves button").last.click()
    assert board.heard(1) == [{"do": "command", "name": "take_back"}]
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_more_than_one_move_is_taken_back_after_a_question(page: Page):
    board = Board(page)
    board.tap(*APART)
    page.locator('#moves [data-ply="5"]').click()
    expect(page.get_by_role("dialog")).to_contain_text("Take back 4 moves, e9 and all after it?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator('#moves [data-ply="5"]')).to_be_focused()
    page.keyboard.press("Enter")
    board.button("Cancel").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert board.sent == []
    page.locator('#moves [data-ply="5"]').click()
    board.button("Take back 4 moves").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert board.heard(4) == [{"do": "command", "name": "take_back"}] * 4


def test_a_question_about_moves_is_dropped_when_play_has_gone_on(page: Page):
    board = Board(page)
    board.tap(*APART[:3])
    page.locator('#moves [data-ply="1"]').click()
    expect(page.get_by_role("dialog")).to_be_visible()
    board.tap("a5")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert board.sent == []


def test_a_resignation_goes_before_the_moves(page: Page):
    board = Board(page)
    board.tap(*APART[:3])
    board.ask(Command.RESIGN)
    board.ask(Command.RESIGN)
    expect(page.locator("#outcome")).to_be_visible()
    page.locator('#moves [data-ply="2"]').click()
    board.button("Take back 2 moves").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    for message in board.heard(3):
        assert message == {"do": "command", "name": "take_back"}
        board.ask(Command.TAKE_BACK)
    assert [each.text for each in board.table.state.history] == ["e5"]


def test_moves_are_taken_back_on_a_running_board(page: Page, lifeboard: Lifeboard):
    page.goto(lifeboard.address)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    for cell in APART[:4]:
        page.locator(f'[data-cell="{cell}"]').click()
        expect(page.locator(f'[data-cell="{cell}"]')).to_have_attribute("data-cue", "placed")
    page.locator('#moves [data-ply="2"]').click()
    page.get_by_role("button", name="Take back 3 moves").click()
    expect(page.locator("#moves li")).to_have_count(1)
    expect(page.locator("#todo li")).to_have_count(3)
    for cell in ("a1", "a5", "i5"):
        page.locator(f'[data-cell="{cell}"]').click()
    expect(page.locator('[data-cue="legal"]')).to_have_count(60)
    expect(page.locator("#todo")).to_be_hidden()


def test_all_moves_of_a_game_are_there_and_the_newest_in_sight(page: Page):
    board = Board(page)
    spots = [f"{row}{column}" for row in "aceg" for column in range(1, 6)]
    for spot in spots:
        board.tap(spot, *(edit.cell for edit in board.table.state.pending(board.table.game)))
    moves = board.table.state.history
    expect(page.locator("#moves li")).to_have_count(len(moves))
    assert len(moves) > 12
    expect(page.locator("#moves li").last).to_be_in_viewport()


def test_after_a_restart_the_page_asks_to_compare_and_a_button_confirms(page: Page):
    board = Board(page)
    board.tap("e5")
    board.ask(Command.CONFIRM)
    assert board.table.state.phase is Phase.CONFIRM
    expect(page.get_by_role("status")).to_contain_text("Compare it with the lights")
    expect(board.cell("e5")).to_have_attribute("aria-label", "e5, orange stone, should stand here")
    expect(board.button("Resign")).to_be_hidden()
    expect(page.locator("#moves button")).to_be_disabled()
    board.button("The board stands so").click()
    expect(board.button("The board stands so")).to_be_visible()
    assert board.heard(1) == [{"do": "command", "name": "confirm"}]
    board.ask(Command.CONFIRM)
    expect(board.button("The board stands so")).to_be_hidden()
    expect(board.button("Resign")).to_be_visible()


def test_a_board_that_feels_touches_can_be_checked_and_one_that_feels_stones_checks_itself(
    page: Page,
):
    board = Board(page)
    board.button("Check the board").click()
    board.show()
    expect(board.button("Check the board")).to_be_visible()
    assert board.heard(1) == [{"do": "command", "name": "confirm"}]
    stones = Board(page, presence=True)
    expect(stones.button("Set up a position")).to_be_visible()
    expect(stones.button("Check the board")).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 900), (390, 800), (320, 640)], ids=str)
def test_an_unkept_game_is_warned_of_and_nothing_moves(browser: Browser, size: tuple[int, int]):
    with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
        page = context.new_page()
        board = Board(page, simulated=False)
        expect(page.locator(".player.on")).to_have_count(1)
        before = page.evaluate(BOX)
        board.give(Kept(FULL))
        expect(page.get_by_role("alert")).to_contain_text("The disk is full, and this game is not")
        expect(page.get_by_role("alert")).to_be_in_viewport()
        assert page.evaluate(BOX) == before
        cards = page.locator("#players").bounding_box()
        banner = page.locator("#unkept").bounding_box()
        assert banner["y"] > cards["y"] or banner["y"] + banner["height"] <= cards["y"]
        board.give(lost("e5"))
        expect(page.get_by_role("alert")).to_have_count(2)
        assert page.evaluate(BOX) == before
        board.give(Kept(None), Disturbed(frozenset(), ()))
        expect(page.get_by_role("alert")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_on_a_narrow_page_a_long_warning_opens_and_closes(browser: Browser):
    with browser.new_context(viewport={"width": 390, "height": 800}) as context:
        page = context.new_page()
        board = Board(page)
        board.give(Kept(FULL))
        closed = page.locator("#unkept").bounding_box()["height"]
        more = board.button("Show all of it")
        more.click()
        expect(more).to_have_attribute("aria-expanded", "true")
        assert page.locator("#unkept").bounding_box()["height"] > closed
        more.click()
        expect(more).to_have_attribute("aria-expanded", "false")
        assert page.locator("#unkept").bounding_box()["height"] == closed


def test_names_are_written_on_the_cards(page: Page):
    board = Board(page)
    page.get_by_role("button", name="Orange: change the name").click()
    entry = page.get_by_role("textbox", name="Name of the player: Orange")
    expect(entry).to_be_focused()
    page.keyboard.type(" Anna ")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Orange: change the name")).to_be_focused()
    assert board.heard(1) == [{"do": "name", "names": ["Anna", ""]}]
    board.give(Named(("Anna", "")))
    expect(page.locator("#players .who")).to_have_text(["Anna", "Blue"])
    expect(page.get_by_text("Anna: 0 of 20 stones eaten")).to_be_attached()
    board.ask(Command.SET_UP)
    expect(page.locator("#set-up .who")).to_have_text(["Anna", "Blue"])


def test_a_name_is_kept_by_leaving_it_and_left_by_escape(page: Page):
    board = Board(page)
    board.give(Named(("", "Zoë")))
    page.get_by_role("button", name="Zoë: change the name").click()
    page.keyboard.type("Nobody")
    page.keyboard.press("Escape")
    expect(page.locator("#players .who")).to_have_text(["Orange", "Zoë"])
    assert board.sent == []
    page.get_by_role("button", name="Zoë: change the name").click()
    page.keyboard.press("Delete")
    page.locator("#title").click()
    expect(page.get_by_role("textbox")).to_have_count(0)
    assert board.heard(1) == [{"do": "name", "names": ["", ""]}]


def test_a_name_of_markup_is_only_text(page: Page):
    board = Board(page)
    board.give(Named(("<b>x</b>", "{name}")))
    expect(page.locator("#players .who")).to_have_text(["<b>x</b>", "{name}"])


def test_a_long_name_stays_in_its_card(browser: Browser):
    with browser.new_context(viewport={"width": 320, "height": 640}) as context:
        page = context.new_page()
        board = Board(page)
        board.give(Named(("W" * 40, "Bartholomäus der Große")), Asked(Command.SET_UP))
        expect(page.locator("#set-up")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("width", [1280, 800, 390, 320])
def test_a_card_shows_name_colour_and_count_side_by_side(browser: Browser, width: int):
    with browser.new_context(viewport={"width": width, "height": 600}) as context:
        page = context.new_page()
        board = Board(page, language="it")
        board.give(Named(("Wilhelmina", "Bob O'X")))
        expect(page.locator("#players .who")).to_have_text(["Wilhelmina", "Bob O'X"])
        expect(page.locator("#players .colour")).to_have_text(["Arancione", "Blu"])
        for who in page.locator("#players .who").all():
            assert who.evaluate("name => name.scrollWidth <= name.clientWidth")
        # The widest that a game of twenty stones comes to.
        page.evaluate(
            "document.querySelectorAll('#players .count')"
            ".forEach((count) => { count.textContent = '19 / 20'; })"
        )
        for card in page.locator("#players .player").all():
            words, count = (
                card.locator(each).evaluate(
                    "part => { const range = document.createRange();"
                    " range.selectNodeContents(part);"
                    " return range.getBoundingClientRect().toJSON(); }"
                )
                for each in (".of-player", ".count")
            )
            assert words["right"] < count["left"]
            assert count["right"] <= card.bounding_box()["x"] + card.bounding_box()["width"]
        board.give(Named(("", "")))
        expect(page.locator("#players .who")).to_have_text(["Arancione", "Blu"])
        expect(page.locator("#players .colour")).to_have_text(["", ""])


@pytest.mark.parametrize("name", ["Resign", "New game"])
def test_a_double_click_does_not_answer_its_own_question(page: Page, name: str):
    board = Board(page)
    board.tap("e5")
    command = {"do": "command", "name": name.lower().replace(" ", "_")}
    button = page.locator(f'#actions [data-command="{command["name"]}"]')
    button.dblclick()
    board.button("Take back").dblclick()
    back = {"do": "command", "name": "take_back"}
    assert board.heard(3) == [command, back, back]
    board.ask(Command(command["name"]))
    expect(button).to_have_text("Press again to confirm")
    button.click()
    assert board.heard(4)[3:] == [command]


def test_a_key_that_is_held_does_not_answer_its_own_question(page: Page):
    board = Board(page)
    board.tap("e5")
    board.button("Resign").focus()
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    board.button("Take back").click()
    assert [each["name"] for each in board.heard(2)] == ["resign", "take_back"]
