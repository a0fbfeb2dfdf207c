"""Laying out the pieces of CirKle Mind on the page of a seat, in every available way."""

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from game.common import words
from game.rules.cirkle_mind import GAME
from game.web.access import AccessLevel
from tests.helpers.pages.fingers import Finger, phone
from tests.helpers.pages.layout import middle
from tests.helpers.pages.mind_page import MindPage
from tests.oracles.set_up_guesser import guess

PIECES = GAME.arranging(GAME.initial(), 1).pieces
MAUVES = GAME.arranging(GAME.initial(), 2).pieces


@pytest.fixture
def seat(page):
    return MindPage(page, key=1)


def full(seat: MindPage) -> dict[str, str]:
    seat.button("Random").click()
    expect(seat.page.locator("#arrange-count")).to_have_text("24 of 24 placed")
    return seat.laid()


def drag(seat: MindPage, source: Locator, goal: Locator) -> None:
    mouse = seat.page.mouse
    (x, y), (to_x, to_y) = middle(source), middle(goal)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 20, y - 20)
    mouse.move(to_x, to_y, steps=3)
    mouse.up()


def test_squares_are_the_player_s_own_as_he_sees_them_and_say_what_is_there(seat):
    page = seat.page
    for player, pieces, first, last in ((1, PIECES, "A4", "H1"), (2, MAUVES, "H8", "A11")):
        if player == 2:
            page.evaluate("location.hash = '#invite=invite-2'")
            expect(page.locator("#seat-whose")).to_contain_text("Mauve")
        squares = page.locator("[data-square]")
        expect(squares.first).to_have_attribute("data-square", first)
        expect(squares.last).to_have_attribute("data-square", last)
        slots = page.locator("[data-slot]").evaluate_all("all => all.map(e => e.dataset.code)")
        assert slots == list(pieces)
    printed = words("en").text(GAME.presentation.piece_word("M" + GAME.presentation.printed["A8"]))
    square = seat.square("A8")
    expect(square).to_have_attribute("aria-label", f"A8, empty square with a {printed}")
    seat.slot("MyC").click()
    square.click()
    expect(square).to_have_attribute("aria-label", f"A8, yellow cross on a square with a {printed}")
    expect(seat.slot("MyC")).to_have_attribute("aria-label", "yellow cross, placed on A8")
    expect(square.locator(".printed-sign text")).to_have_text(GAME.presentation.printed["A8"][0])


def test_mouse_and_keys_lay_out_exchange_take_back_and_let_go(seat):
    page, press = seat.page, seat.page.keyboard.press
    seat.slot(PIECES[0]).focus()
    press("ArrowRight")
    expect(seat.slot(PIECES[1])).to_be_focused()
    press("Enter")
    expect(seat.square("A4")).to_be_focused()
    for key in ("ArrowDown", "ArrowRight", " "):
        press(key)
    assert seat.laid() == {"B3": PIECES[1]}
    # The next piece that is left is picked up by one key.
    expect(seat.slot(PIECES[0])).to_be_focused()
    press("Enter")
    expect(page.locator("#arrange-said")).to_have_text(re.compile("picked up"))
    press("Escape")
    expect(page.locator("#arrange-said")).to_have_text("")
    seat.square("B3").focus()
    press("Enter")
    press("ArrowUp")
    press("Enter")
    assert seat.laid() == {"B4": PIECES[1]}
    press("Delete")
    assert seat.laid() == {}
    for source, goal, laid in (
        (seat.slot("GyC"), seat.square("A1"), {"A1": "GyC"}),
        (seat.slot("GkT"), seat.square("B1"), {"A1": "GyC", "B1": "GkT"}),
        (seat.square("A1"), seat.square("B1"), {"A1": "GkT", "B1": "GyC"}),
        (seat.square("B1"), seat.square("D4"), {"A1": "GkT", "D4": "GyC"}),
        (seat.slot("GbX"), seat.square("D4"), {"A1": "GkT", "D4": "GbX"}),
        (seat.square("D4"), seat.slot("GyS"), {"A1": "GkT"}),
        (seat.square("A1"), page.locator("#title"), {"A1": "GkT"}),
    ):
        drag(seat, source, goal)
        assert seat.laid() == laid
    expect(page.locator("#arrange-count")).to_have_text("1 of 24 placed")
    page.mouse.move(*middle(seat.square("A1")))
    page.mouse.down()
    page.mouse.move(*middle(seat.square("C3")), steps=3)
    expect(page.locator(".ghost")).to_have_count(1)
    expect(seat.square("C3")).to_have_class(re.compile("over"))
    press("Escape")
    page.mouse.up()
    expect(page.locator(".ghost")).to_have_count(0)
    assert seat.laid() == {"A1": "GkT"}


def test_finger_drags_and_taps_on_a_phone(browser):
    with phone(browser, height=844) as page:
        seat, finger = MindPage(page, key=2, level=AccessLevel.WATCH), Finger(page)
        finger.drag(seat.slot("MyC"), seat.square("A8"))
        expect(seat.square("A8")).to_have_attribute("data-laid", "MyC")
        seat.slot("MkT").tap()
        expect(seat.slot("MkT")).to_have_attribute("aria-pressed", "true")
        seat.square("B8").tap()
        expect(seat.square("B8")).to_have_attribute("data-laid", "MkT")
        finger.drag(seat.square("A8"), seat.square("B8"))
        assert seat.laid() == {"A8": "MkT", "B8": "MyC"}
        finger.drag(seat.square("B8"), seat.slot("MyC"))
        assert seat.laid() == {"A8": "MkT"}


def test_random_set_ups_are_whole_and_change_by_mirror_undo_and_clear(seat):
    pieces = full(seat)
    assert sorted(pieces.values()) == sorted(PIECES)
    GAME.arrangement(GAME.initial(), 1, pieces)
    seat.button("Mirror").click()
    mirrored = {"HGFEDCBA"["ABCDEFGH".index(cell[0])] + cell[1]: c for cell, c in pieces.items()}
    assert seat.laid() == mirrored
    seat.button("Undo").click()
    assert seat.laid() == pieces
    seat.button("Clear").click()
    assert seat.laid() == pieces
    seat.button("Press again to confirm").click()
    assert seat.laid() == {}
    seat.button("Undo").click()
    assert seat.laid() == pieces


def test_random_set_ups_tell_a_guesser_no_more_than_chance(page):
    # Later ones would follow from earlier ones of the browser's own generator.
    page.add_init_script("Math.random = () => 0.5")
    MindPage(page, key=1)
    press = """count => Array.from({length: count}, () => {
        document.getElementById("arrange-random").click();
        return JSON.parse(sessionStorage["lifeboard.draft"]).pieces;
    })"""
    guessed = guess(page.evaluate(press, 2_000), "GgX")
    assert guessed.as_good_as_chance, guessed


def test_ready_seals_all_pieces_which_can_be_changed_until_both_have(seat):
    expect(seat.button("Ready")).to_be_disabled()
    pieces = full(seat)
    missing = next(iter(pieces))
    seat.square(missing).focus()
    seat.page.keyboard.press("Delete")
    expect(seat.button("Ready")).to_be_disabled()
    seat.button("Undo").click()
    seat.button("Ready").click()
    expect(seat.page.locator("#arrange-count")).to_have_text("Ready")
    assert seat.asked("arrange") == [{"do": "arrange", "pieces": pieces}]
    expect(seat.page.locator("#tray")).to_be_hidden()
    # Pieces can no longer be moved.
    seat.square(missing).click(force=True)
    seat.page.keyboard.press("Delete")
    assert seat.laid() == pieces
    seat.button("Change it").click()
    expect(seat.page.locator("#tray")).to_be_visible()
    assert seat.state.setups.submitted == {}
    assert seat.laid() == pieces
    seat.refusal = "It cannot stand so."
    seat.button("Ready").click()
    expect(seat.page.locator("#arrange-wrong")).to_have_text("It cannot stand so.")
    assert seat.laid() == pieces
    seat.refusal = ""
    seat.button("Ready").click()
    seat.seal(2)
    expect(seat.page.locator("#arrange")).to_be_hidden()
    expect(seat.page.locator(".stage")).to_be_visible()
    assert seat.page.evaluate("sessionStorage['lifeboard.draft']") is None


def test_draft_survives_a_reload_and_the_loss_of_the_link(seat):
    seat.slot("GyC").click()
    seat.square("A1").click()
    seat.page.reload()
    expect(seat.square("A1")).to_have_attribute("data-laid", "GyC")
    pieces = full(seat)
    seat.lose_link()
    expect(seat.page.locator('body[data-link="open"]')).to_be_visible()
    expect(seat.page.locator("#arrange")).to_be_visible()
    assert seat.laid() == pieces
    seat.button("Ready").click()
    expect(seat.page.locator("#arrange-count")).to_have_text("Ready")
    seat.page.reload()
    expect(seat.page.locator("#arrange-count")).to_have_text("Ready")
    assert seat.laid() == pieces


def test_set_ups_are_kept_under_names_on_the_device_alone(seat):
    page = seat.page
    page.get_by_text("Saved set-ups").click()
    seat.button("Save").click()
    expect(page.locator("#set-up-said")).to_have_text("Give it a name first.")
    pieces = full(seat)
    name = page.get_by_label("Name of the set-up")
    name.fill("Fortress")
    name.press("Enter")
    seat.button("Mirror").click()
    name.fill("Mirrored")
    seat.button("Save").click()
    page.reload()
    page.get_by_text("Saved set-ups").click()
    expect(page.locator("#set-up-list .who")).to_have_text(["Fortress", "Mirrored"])
    seat.button("Load Fortress").click()
    assert seat.laid() == pieces
    saved = json.loads(page.evaluate("localStorage['lifeboard.set_ups']"))["cirkle-mind"]
    assert saved["Fortress"] == " ".join(
        f"{cell}={pieces[cell][1:]}" for cell in GAME.board.cells if cell in pieces
    )
    entry = page.locator('[data-name="Mirrored"]')
    entry.get_by_role("button", name="Delete").click()
    entry.get_by_role("button", name="Press again to confirm").click()
    expect(page.locator("#set-up-list .who")).to_have_text(["Fortress"])
    assert [each["do"] for each in seat.sent if each["do"] != "return"] == []


def test_line_is_written_and_read_also_that_of_the_other_side(page):
    seat = MindPage(page, key=2)
    page.get_by_text("Saved set-ups").click()
    field = page.get_by_label("As text, such as A1=yC B1=kT")
    field.fill("setup A1=yC B2=kT C4=gX")
    seat.button("Set up from the text").click()
    assert seat.laid() == {"A11": "MyC", "B10": "MkT", "C8": "MgX"}
    seat.button("Copy my set-up into the text").click()
    expect(field).to_have_value("C8=gX B10=kT A11=yC")
    for wrong in ("A1=yC A1=kT", "A1=yC B1=yC", "A1=zz", "nonsense"):
        field.fill(wrong)
        seat.button("Set up from the text").click()
        expect(page.locator("#set-up-said")).to_contain_text(f"Change {wrong.split()[-1]}")
    assert seat.laid() == {"A11": "MyC", "B10": "MkT", "C8": "MgX"}


def test_browser_that_keeps_nothing_lays_out_all_the_same(page):
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, {get() { throw new Error('no'); }})"
    )
    seat = MindPage(page, at="#invite=invite-1")
    expect(page.locator("#seat-wrong")).to_contain_text("saves nothing")
    full(seat)
    page.get_by_text("Saved set-ups").click()
    page.get_by_label("Name of the set-up").fill("Fortress")
    seat.button("Save").click()
    expect(page.locator("#set-up-said")).to_have_text("This browser saves nothing.")
    seat.button("Ready").click()
    expect(page.locator("#arrange-count")).to_have_text("Ready")
