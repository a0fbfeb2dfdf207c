"""What the page says of edits, moves, names, and an unsaved game."""

from playwright.sync_api import Page, expect

from game.rules.base.message import say
from game.table.inputs import Command, FaultsChanged, Saved, SetNames, StonesChanged
from tests.helpers.pages.layout import at_sizes, box, moved, overflow
from tests.helpers.pages.scripted_page import Board, lost

APART = ("e5", "a1", "i5", "a5", "e9", "e1", "c3", "g3")
BACK = {"do": "command", "name": "take_back"}
FULL = say("journal.full", folder="/home/anna/.local/share/lifeboard/of-the-long-name")


def test_what_hands_must_do_is_listed_in_words_and_empties_by_itself(page: Page):
    board = Board(page, presence=True)
    board.give(StonesChanged(frozenset()), StonesChanged(frozenset({"e5"})))
    expect(page.locator("#todo")).to_be_hidden()
    board.give(StonesChanged(frozenset({"a1", "a2"})))
    expect(page.locator('#todo [data-kind="remove"] li')).to_have_text(
        ["take the piece off a1", "take the piece off a2"]
    )
    expect(page.locator('#todo [data-kind="put"] li')).to_have_text(
        ["place the orange stone on e5"]
    )
    expect(page.locator('#todo [data-kind="remove"] h3')).to_have_text("Take off2")
    board.give(StonesChanged(frozenset({"a2", "e5"})))
    expect(page.locator("#todo li")).to_have_text(["take the piece off a2"])
    # While play pauses, hands are asked for nothing.
    board.give(lost("a1"))
    expect(page.locator("#todo")).to_be_hidden()


def test_more_than_six_tasks_are_scrolled_to_by_hand_and_by_keyboard(page: Page):
    board = Board(page)
    board.tap(*APART)
    board.ask(*[Command.TAKE_BACK] * len(APART))
    groups = page.locator("#groups")
    expect(page.locator("#todo li")).to_have_count(8)
    expect(page.get_by_role("status")).to_contain_text("Take off the 8 pieces that pulse")
    assert groups.evaluate("list => list.scrollHeight > list.clientHeight")
    groups.focus()
    expect(groups).to_be_focused()
    board.tap("a1", "a5")
    expect(page.locator("#todo li")).to_have_count(6)
    expect(groups).to_have_attribute("tabindex", "-1")


def test_all_moves_of_a_game_are_there_and_the_newest_in_sight(page: Page):
    board = Board(page)
    spots = [f"{row}{column}" for row in "aceg" for column in range(1, 6)]
    for spot in spots:
        board.tap(spot, *(edit.cell for edit in board.table.state.pending))
    moves = board.table.state.history
    expect(page.locator("#moves li")).to_have_count(len(moves))
    assert len(moves) > 12
    expect(page.locator("#moves li").last).to_be_in_viewport()


def test_a_board_is_compared_when_asked_for_unless_it_feels_stones(page: Page):
    board = Board(page)
    board.tap("e5")
    confirm = {"do": "command", "name": "confirm"}
    board.button("Check the board").click()
    board.ask(Command.CONFIRM)
    expect(page.get_by_role("status")).to_contain_text("Compare it with the lights")
    expect(board.cell("e5")).to_have_attribute("aria-label", "e5, orange stone, belongs here")
    expect(board.button("Resign")).to_be_hidden()
    board.button("The board is right").click()
    assert board.heard(2) == [confirm, confirm]
    board.ask(Command.CONFIRM)
    expect(board.button("The board is right")).to_be_hidden()
    expect(board.button("Resign")).to_be_visible()
    stones = Board(page, presence=True)
    expect(stones.button("Set up a position")).to_be_visible()
    expect(stones.button("Check the board")).to_be_hidden()


def test_an_unsaved_game_is_warned_of_and_nothing_moves(page: Page):
    board, alert = Board(page, simulated=False), page.get_by_role("alert")
    for width, _ in at_sizes(page):
        expect(page.locator(".player.on")).to_have_count(1)
        before = box(page)
        board.give(Saved(FULL))
        expect(alert).to_contain_text("the disk is full, and this game is not")
        expect(alert).to_be_in_viewport()
        assert not moved(before, box(page)), width
        cards, banner = box(page, "#players"), box(page, "#unsaved")
        assert banner["top"] > cards["top"] or banner["bottom"] <= cards["top"]
        if width == 390:
            # Where a long warning is cut, it opens and closes.
            more = page.locator("#unsaved-more")
            more.click()
            expect(more).to_have_attribute("aria-expanded", "true")
            assert box(page, "#unsaved")["height"] > banner["height"]
            more.click()
            expect(more).to_have_attribute("aria-expanded", "false")
            assert box(page, "#unsaved")["height"] == banner["height"]
        board.give(lost("e5"))
        expect(alert).to_have_count(2)
        assert not moved(before, box(page)), width
        board.give(Saved(None), FaultsChanged(frozenset(), ()))
        expect(alert).to_have_count(0)
        assert overflow(page) <= 0


def test_names_are_written_on_the_cards_and_kept_by_leaving_them(page: Page):
    board, who = Board(page), page.locator("#players .who")
    board.button("Orange: change the name").click()
    expect(page.get_by_role("textbox", name="Player\u2019s name: Orange")).to_be_focused()
    page.keyboard.type(" Anna ")
    page.keyboard.press("Enter")
    expect(board.button("Orange: change the name")).to_be_focused()
    assert board.heard(1) == [{"do": "name", "names": ["Anna", ""]}]
    board.give(SetNames(("<b>Anna</b>", "Zoë")))
    expect(who).to_have_text(["<b>Anna</b>", "Zoë"])
    expect(page.get_by_text("<b>Anna</b>: 0 of 20 stones eaten")).to_be_attached()
    board.button("Zoë: change the name").click()
    page.keyboard.type("Nobody")
    page.keyboard.press("Escape")
    expect(who).to_have_text(["<b>Anna</b>", "Zoë"])
    assert len(board.sent) == 1
    board.button("Zoë: change the name").click()
    page.keyboard.press("Delete")
    page.locator("#title").click()
    expect(page.get_by_role("textbox")).to_have_count(0)
    assert board.heard(2)[1] == {"do": "name", "names": ["<b>Anna</b>", ""]}
    board.ask(Command.SET_UP)
    expect(page.locator("#set-up .who")).to_have_text(["<b>Anna</b>", "Zoë"])


def test_double_clicks_and_held_keys_do_not_answer_their_own_question(page: Page):
    board = Board(page)
    board.tap("e5")
    resign = {"do": "command", "name": "resign"}
    page.locator("#actions").get_by_role("button", name="Resign").dblclick()
    board.button("Resign").focus()
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    board.button("Take back").dblclick()
    assert board.heard(4) == [resign, resign, BACK, BACK]
    board.ask(Command.RESIGN)
    board.button("Press again to confirm").click()
    assert board.heard(5)[4:] == [resign]
