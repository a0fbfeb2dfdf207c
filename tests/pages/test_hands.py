"""What the page says of edits, moves, names, and an unsaved game, and setting up a position."""

from playwright.sync_api import expect

from game.rules.base.message import say
from game.table.inputs import (
    Asked,
    Command,
    Dismissed,
    FaultsChanged,
    Saved,
    SelectPiece,
    SetNames,
    SetPiece,
    SetScore,
    StonesChanged,
)
from tests.helpers.pages.layout import SIZES, at_sizes, box, moved, overflow
from tests.helpers.pages.scripted_page import Board, lost

APART = ("e5", "a1", "i5", "a5", "e9", "e1", "c3", "g3")
BACK = {"do": "command", "name": "take_back"}
FULL = say("journal.full", folder="/home/anna/.local/share/lifeboard/of-the-long-name")


def test_a_board_that_feels_stones_lists_what_hands_must_do_and_compares_itself(page):
    board = Board(page, presence=True)
    expect(board.button("Set up a position")).to_be_visible()
    expect(board.button("Check the board")).to_be_hidden()
    board.give(StonesChanged(frozenset()), StonesChanged(frozenset({"e5"})))
    expect(page.locator("#todo")).to_be_hidden()
    board.give(StonesChanged(frozenset({"a1", "a2"})))
    taken, placed = (page.locator(f'#todo [data-kind="{kind}"]') for kind in ("remove", "put"))
    expect(taken.locator("h3")).to_have_text("Take off2")
    expect(taken.locator("li")).to_have_text(["take the piece off a1", "take the piece off a2"])
    expect(placed.locator("li")).to_have_text(["place the orange stone on e5"])
    board.give(StonesChanged(frozenset({"a2", "e5"})))
    expect(page.locator("#todo li")).to_have_text(["take the piece off a2"])
    # While play pauses, hands are asked for nothing.
    board.give(lost("a1"))
    expect(page.locator("#todo")).to_be_hidden()


def test_more_than_six_tasks_are_scrolled_to_and_the_newest_move_is_in_sight(page):
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
    board.tap(*(edit.cell for edit in board.table.state.pending))
    for spot in [f"{row}{column}" for row in "aceg" for column in range(1, 6)]:
        board.tap(spot, *(edit.cell for edit in board.table.state.pending))
    expect(page.locator("#moves li")).to_have_count(len(board.table.state.history))
    expect(page.locator("#moves li").last).to_be_in_viewport()
    # Nothing is scrolled to that is not there.
    end = box(page, ".below")["bottom"]
    assert page.evaluate("document.documentElement.scrollHeight") <= max(720, end + 24)


def test_a_board_is_compared_when_asked_for(page):
    board = Board(page)
    board.tap("e5")
    confirm = {"do": "command", "name": "confirm"}
    board.button("Check the board").click()
    board.ask(Command.CONFIRM)
    expect(page.get_by_role("status")).to_contain_text("Compare it with the lights")
    expect(board.button("Resign")).to_be_hidden()
    board.button("The board is right").click()
    assert board.heard(2) == [confirm, confirm]


def test_an_unsaved_game_is_warned_of_and_nothing_moves(page):
    board, alert = Board(page, simulated=False), page.get_by_role("alert")
    for width, _ in at_sizes(page, SIZES[::2]):
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
        board.give(lost("e5"))
        expect(alert).to_have_count(2)
        assert not moved(before, box(page)), width
        board.give(Saved(None), FaultsChanged(frozenset(), ()))
        expect(alert).to_have_count(0)
        assert overflow(page) <= 0


def test_names_are_written_on_the_cards_and_kept_by_leaving_them(page):
    board, who = Board(page), page.locator("#players .who")
    board.button("Orange: change the name").click()
    expect(page.get_by_role("textbox", name="Player\u2019s name: Orange")).to_be_focused()
    page.keyboard.type(" Anna ")
    page.keyboard.press("Enter")
    assert board.heard(1) == [{"do": "name", "names": ["Anna", ""]}]
    board.give(SetNames(("<b>Anna</b>", "Zoë")))
    expect(who).to_have_text(["<b>Anna</b>", "Zoë"])
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


def test_an_impossible_critter_is_marked_said_and_no_game_begins_with_it(page, board):
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


def test_double_clicks_answer_no_question_and_leaving_a_set_up_gives_the_game_back(page):
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
    board.give(Dismissed())
    board.tap("a1")
    board.ask(Command.SET_UP)
    expect(page.locator("#players")).to_be_hidden()
    board.button("Cancel").click()
    assert board.heard(6)[5:] == [BACK]
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#players")).to_be_visible()


def test_on_a_real_board_a_press_lays_and_clears_and_lights_lead_the_hands(page):
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


def test_piece_mover_and_score_are_chosen_by_keyboard_and_stay_in_their_bounds(page):
    board = Board(page)
    board.give(Asked(Command.SET_UP), SetScore((18, 0), 1))
    more = board.button("Orange: one more")
    orange, blue = (
        page.get_by_role("spinbutton", name=f"{name}: stones eaten") for name in ("Orange", "Blue")
    )
    expect(board.button("Blue: one less")).to_be_disabled()
    page.get_by_role("radio", name="Place next: orange stone").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("radio", name="Next to move: Orange").focus()
    page.keyboard.press("ArrowDown")
    blue.press("ArrowUp")
    blue.press("ArrowUp")
    page.keyboard.press("Tab")
    expect(board.button("Blue: one more")).to_be_focused()
    assert board.heard(4)[0] == {"do": "pick", "piece": "2"}
    assert board.sent[1] == {"do": "score", "score": [18, 0], "to_move": 2}
    assert board.sent[-1] == {"do": "score", "score": [18, 2], "to_move": 2}
    more.click()
    expect(more).to_be_disabled()
    for typed, taken in (("77", "19"), ("", "0")):
        blue.fill(typed)
        blue.blur()
        expect(blue).to_have_value(taken)
    # News do not overwrite what is typed.
    board.give(SetScore((19, 0), 2))
    orange.fill("17")
    board.give(SetScore((0, 5), 2))
    expect(blue).to_have_value("5")
    expect(orange).to_have_value("17")
    orange.press("Enter")
    board.wait_for(lambda: board.sent[-1]["score"] == [17, 5])
    assert board.sent[-1] == {"do": "score", "score": [17, 5], "to_move": 2}
