"""CirKle Mind on the page: its drawing, the seats, what is hidden, set-ups and faces for all."""

import re
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from game.app.gate.access import Level
from game.rules.cirkle_mind import GAME
from game.table.inputs import Command
from game.table.state import Phase
from tests.helpers.pages.mind_page import ADDRESS, KEYS, MindPage, Umpire

pytestmark = pytest.mark.browser

FACE = re.compile(r"#(?:stone|outline)-[GM][ygbmk][TSCOX]")


def drawn(page: Page, within: str = "body") -> list[str]:
    """List the faces that are drawn within an element."""
    hrefs = page.locator(f"{within} use").evaluate_all("all => all.map(e => e.href.baseVal)")
    return [href for href in hrefs if FACE.fullmatch(href)]


def open_plainly(page: Page) -> None:
    """Open the page anew by the board's address alone, which names no side."""
    page.evaluate("history.replaceState(null, '', '/')")
    page.reload()


def attack(umpire: Umpire, seed: int = 3) -> str:
    """Play by chance, forward rather than back, until there has been an attack; return it."""
    rng = Random(seed)
    while True:
        position = umpire.state.position
        moves = list(GAME.legal_moves(position))
        attacks = [move for move in moves if "*" in move]
        side = GAME.side_of(position, GAME.to_move(position) or 0)
        way = 1 if side == 1 else -1
        ahead = (
            [m for m in moves if way * (int(m.split("-")[1][1:]) - int(m.split("-")[0][1:])) > 0]
            if not attacks
            else []
        )
        move = rng.choice(attacks or ahead or moves)
        umpire.tap(*GAME.taps(position, move))
        if attacks:
            return move


def test_squares_show_their_shape_and_a_letter_for_their_colour(page: Page):
    MindPage(page)
    for cell in GAME.board.cells:
        signs = page.locator(f'[data-cell="{cell}"] .printed-sign')
        expect(signs).to_have_count(1 if cell in GAME.printed else 0)
        if cell in GAME.printed:
            expect(signs.locator("text")).to_have_text(GAME.printed[cell][0])
    shapes = page.locator(".cell .printed-sign path").evaluate_all(
        "all => all.map(e => e.getAttribute('d'))"
    )
    assert len(set(shapes)) == 4
    fills = page.locator(".cell .ground").evaluate_all(
        "all => all.map(e => e.getAttribute('fill'))"
    )
    assert len(set(fills)) == 4
    expect(page.locator('.border[data-side="1"]')).to_have_count(8)
    expect(page.locator('.border[data-side="2"]')).to_have_count(8)


def test_every_face_has_a_drawing_of_its_own(page: Page):
    seat = MindPage(page, key=1)
    bodies = [
        page.locator(f"#stone-{code}").inner_html()
        for code in GAME.arranging(GAME.initial(), 1).pieces
    ]
    assert len(set(bodies)) == 24
    expect(page.locator("#stone-GbX circle")).to_have_count(6)
    expect(page.locator("#stone-GkT text")).to_have_text("k")
    assert seat.player == 1


def test_signs_on_squares_make_room_for_pieces(page: Page):
    board = MindPage(page)
    board.umpire.begin()
    held = next(iter(GAME.pieces(board.umpire.state.position)))
    free = next(
        cell for cell in GAME.printed if cell not in GAME.pieces(board.umpire.state.position)
    )
    where = "e => new DOMMatrix(getComputedStyle(e).transform).e"
    sign = page.locator(f'[data-cell="{held}"] .printed-sign')
    assert sign.evaluate(where) < -0.2
    assert page.locator(f'[data-cell="{free}"] .printed-sign').evaluate(where) == 0


def test_invitation_becomes_a_seat_whose_key_only_the_device_keeps(page: Page):
    seat = MindPage(page, at="#invite=invite-2")
    expect(page.locator("#seat-whose")).to_have_text("This page is Mauve\u2019s: do not show it.")
    assert page.url == f"{ADDRESS}#side=2"
    assert page.evaluate("localStorage['lifeboard.side.2']") == KEYS[2]
    assert KEYS[2] not in page.content()
    assert "invite-2" not in page.evaluate("document.querySelector('#page').outerHTML").replace(
        "#invite=invite-2", ""
    )
    assert seat.sent == [{"do": "sit", "invite": "invite-2"}]
    page.reload()
    expect(page.locator("#seat")).to_be_visible()
    assert seat.sent[1:] == [{"do": "sit", "key": KEYS[2], "player": 2}]


def test_page_without_a_side_in_its_address_never_sits(page: Page):
    page.add_init_script(f"localStorage['lifeboard.side.1'] = '{KEYS[1]}'")
    board = MindPage(page)
    board.umpire.begin()
    expect(page.locator("#moves li")).to_have_count(2)
    assert board.sent == []
    expect(page.locator("#seat")).to_be_hidden()
    assert drawn(page) == []


def test_plain_page_offers_the_seat_of_which_the_device_has_the_key(page: Page):
    seat = MindPage(page, key=1)
    expect(page.locator("#seat-return")).to_be_hidden()
    seat.umpire.begin()
    open_plainly(page)
    again = seat.button("Sit down again as Green")
    expect(again).to_be_visible()
    expect(page.locator("#seat-return button")).to_have_count(1)
    assert drawn(page) == []
    seat.sent.clear()
    again.click()
    expect(page.locator("#seat")).to_be_visible()
    assert seat.sent == [{"do": "sit", "key": KEYS[1], "player": 1}]
    assert page.url == f"{ADDRESS}#side=1"
    expect(again).to_have_count(0)


def test_locked_page_offers_the_seat_too_and_only_where_there_are_any(page: Page):
    seat = MindPage(page, key=1)
    seat.locked = True
    open_plainly(page)
    again = page.locator("#pin-card").get_by_role("button", name="Sit down again as Green")
    expect(again).to_be_visible()
    again.click()
    expect(page.locator("#seat-whose")).to_be_visible()
    assert page.url == f"{ADDRESS}#side=1"
    seat.locked, seat.has_seats = True, False
    open_plainly(page)
    expect(page.locator("#locked")).to_be_visible()
    expect(page.locator("#seat-return")).to_be_hidden()


def test_being_told_to_wait_loses_no_key_and_a_void_one_is_lost(page: Page):
    seat = MindPage(page, key=1)
    kept = "localStorage['lifeboard.side.1'] ?? null"
    seat.wait = True
    seat.lose_link()
    expect(page.locator("#seat-wrong")).to_have_text("Too many tries.")
    assert page.evaluate(kept) == KEYS[1]
    assert page.url == f"{ADDRESS}#side=1"
    seat.wait = False
    seat.button("Sit down again as Green").click()
    expect(page.locator("#seat")).to_be_visible()
    seat.freed.add(1)
    seat.lose_link()
    expect(page.locator("#seat-wrong")).to_have_text("Void key.")
    expect(page.locator("#seat-return")).to_be_hidden()
    assert page.evaluate(kept) is None
    assert page.url == ADDRESS


def test_void_key_of_the_other_side_leaves_the_one_that_holds(page: Page):
    page.add_init_script("localStorage['lifeboard.side.2'] = 'an-old-key'")
    MindPage(page, key=1)
    page.evaluate("location.hash = '#side=2'")
    expect(page.locator("#seat-wrong")).to_have_text("Void key.")
    kept = "[1, 2].map(n => localStorage['lifeboard.side.' + n] ?? null)"
    assert page.evaluate(kept) == [KEYS[1], None]
    assert page.url == f"{ADDRESS}#side=1"


def test_seat_that_is_given_up_leaves_no_draft_to_who_comes_next(page: Page):
    seat = MindPage(page, key=1)
    seat.button("Random").click()
    assert seat.laid()
    assert page.evaluate("sessionStorage['lifeboard.draft']")
    seat.button("Stand up").click()
    seat.button("Press again to confirm").click()
    expect(page.locator("#arrange")).to_be_hidden()
    assert page.evaluate("sessionStorage['lifeboard.draft'] ?? null") is None
    page.evaluate("location.hash = '#invite=invite-1'")
    expect(page.locator("#arrange")).to_be_visible()
    assert seat.laid() == {}


def test_void_invitation_and_unknown_side_are_told_and_leave_the_address(page: Page):
    board = MindPage(page, at="#invite=gone")
    expect(page.locator("#seat-wrong")).to_have_text("This invitation is void.")
    assert page.url == ADDRESS
    board.button("Close").click()
    expect(page.locator("#seat-wrong")).to_be_hidden()
    page.goto(f"{ADDRESS}#side=1")
    expect(page.locator("#seat-wrong")).to_contain_text("does not sit at that side")
    assert page.url == ADDRESS


def test_link_opened_in_a_tab_that_is_there_sits_down_too(page: Page):
    board = MindPage(page)
    page.evaluate("location.hash = '#invite=invite-1'")
    expect(page.locator("#seat")).to_be_visible()
    assert page.url == f"{ADDRESS}#side=1"
    assert board.player == 1


def test_seat_is_asked_for_again_at_every_new_link_and_once_only(page: Page):
    seat = MindPage(page, key=1)
    seat.lose_link()
    expect(page.locator('body[data-link="open"]')).to_be_visible()
    expect(page.locator("#arrange")).to_be_visible()
    page.locator("#language").select_option("it")
    assert seat.heard("language")
    assert [each["do"] for each in seat.sent] == ["sit", "sit", "language"]


def test_standing_up_is_asked_twice_and_forgets_the_key(page: Page):
    seat = MindPage(page, key=1)
    seat.button("Stand up").click()
    expect(seat.button("Press again to confirm")).to_be_visible()
    page.locator("#title").click()
    seat.button("Stand up").dblclick()
    assert [each["do"] for each in seat.sent] == ["sit"]
    page.locator("#title").click()
    seat.button("Stand up").click()
    seat.button("Press again to confirm").click()
    expect(page.locator("#seat")).to_be_hidden()
    expect(page.locator("#arrange")).to_be_hidden()
    assert page.url == ADDRESS
    assert page.evaluate("localStorage['lifeboard.side.1'] ?? null") is None


def test_standing_up_with_sealed_pieces_is_warned_of(page: Page):
    seat = MindPage(page, key=1)
    seat.umpire.begin()
    expect(page.locator(".stage")).to_be_visible()
    seat.button("Stand up").click()
    expect(seat.button("No way back before the end: press again")).to_be_visible()


def test_who_was_sent_away_is_told_and_sees_no_face_any_more(page: Page):
    seat = MindPage(page, key=1)
    seat.player = None
    seat.answer(None, error="The seat was freed.", void=1)
    seat.show()
    expect(page.locator("#seat-wrong")).to_have_text("The seat was freed.")
    expect(page.locator("#arrange")).to_be_hidden()
    assert page.evaluate("localStorage['lifeboard.side.1'] ?? null") is None


def test_seats_show_a_link_and_a_code_that_open_elsewhere(page: Page):
    board = MindPage(page)
    rows = page.locator("#sides-list .side")
    expect(rows).to_have_count(2)
    link = rows.nth(1).get_by_role("link")
    expect(link).to_have_attribute("href", "http://192.168.1.20:8000/#invite=invite-2")
    expect(link).to_have_attribute("target", "_blank")
    path = rows.nth(1).get_by_role("img", name="QR code of the link").locator("path")
    box = path.evaluate("e => [e.getBBox().width, e.ownerSVGElement.viewBox.baseVal.width]")
    assert box[1] - box[0] == 8
    board.taken[2] = True
    board.tell_seats()
    expect(rows.nth(1)).to_contain_text("A device sits here.")
    expect(rows.nth(1).locator(".code")).to_have_count(0)


def test_freeing_a_seat_is_asked_twice_and_offered_only_while_it_can_be(page: Page):
    board = MindPage(page)
    board.taken[2] = True
    board.tell_seats()
    page.locator("#sides-all summary").wait_for()
    board.button("Free the seat").click()
    board.button("Press again to confirm").click()
    assert board.heard("free") == [{"do": "free", "player": 2}]
    board.umpire.seal(2)
    expect(page.locator('#readiness [data-ready="true"]')).to_have_count(1)
    expect(board.button("Free the seat")).to_have_count(0)


def test_page_that_only_watches_has_no_seats_and_cannot_cover(page: Page):
    board = MindPage(page, level=Level.WATCH)
    expect(page.locator("#readiness")).to_be_visible()
    expect(page.locator("#sides")).to_be_hidden()
    expect(page.locator("#cover-start")).to_be_hidden()
    board.umpire.begin()
    attack(board.umpire)
    expect(page.locator("#faces")).to_be_visible()
    expect(page.locator("#cover-faces")).to_be_hidden()
    board.umpire.ask(Command.CONFIRM)
    expect(page.locator("#faces")).to_be_hidden()


def test_seat_shows_its_own_faces_and_backs_of_the_others(browser: Browser):
    umpire = Umpire()
    with browser.new_context() as one, browser.new_context() as two, browser.new_context() as three:
        green, mauve = (MindPage(c.new_page(), umpire, key=k) for c, k in ((one, 1), (two, 2)))
        board = MindPage(three.new_page(), umpire)
        umpire.begin()
        for seat, letter in ((green, "G"), (mauve, "M")):
            expect(seat.page.locator(".stage")).to_be_visible()
            faces = drawn(seat.page, "#board")
            assert len(faces) == 24
            assert {face[7] for face in faces} == {letter}
        expect(board.page.locator("#moves li")).to_have_count(2)
        assert drawn(board.page) == []
        expect(board.page.locator('#board [href="#stone-G"]')).to_have_count(24)


def test_hidden_pieces_are_drawn_nowhere_until_they_are_shown(page: Page):
    seat = MindPage(page, key=1)
    seat.umpire.begin()
    expect(page.locator("#moves li")).to_have_count(2)
    assert len(drawn(page)) == 24
    seat.button("Hide my pieces").click()
    expect(page.locator("#seat-whose")).to_have_text("Green\u2019s pieces are hidden.")
    assert drawn(page) == []
    words = page.locator("#page").evaluate("e => e.outerHTML")
    assert not re.search(r"(yellow|black) (cross|circle|square|triangle|target), ", words)
    move = attack(seat.umpire)
    expect(page.locator("#faces-list li")).to_have_count(2)
    assert drawn(page, "#board") == []
    assert move
    seat.umpire.ask(Command.CONFIRM)
    expect(page.locator("#faces")).to_be_hidden()
    assert drawn(page) == []
    page.reload()
    expect(seat.button("Show my pieces")).to_be_visible()
    assert drawn(page) == []
    seat.button("Show my pieces").click()
    assert len(drawn(page, "#board")) >= 23


def test_hiding_covers_a_set_up_under_way_and_keeps_it(page: Page):
    seat = MindPage(page, key=1)
    seat.button("Random").click()
    pieces = seat.laid()
    seat.button("Hide my pieces").click()
    expect(page.locator("#arrange")).to_be_hidden()
    expect(page.locator("#readiness")).to_be_visible()
    seat.button("Show my pieces").click()
    assert seat.laid() == pieces


def test_set_ups_of_all_are_told_without_any_square(page: Page):
    board = MindPage(page)
    says = page.locator("#readiness .says")
    expect(says).to_have_text(["not ready yet", "not ready yet"])
    expect(page.locator(".player.on")).to_have_count(0)
    board.umpire.seal(2)
    expect(says).to_have_text(["not ready yet", "ready"])
    board.umpire.seal(1)
    expect(page.locator("#readiness")).to_be_hidden()


def test_board_itself_takes_a_set_up_under_a_cover(page: Page):
    board = MindPage(page)
    codes = GAME.arranging(GAME.initial(), 1).pieces
    cells = GAME.arranging(GAME.initial(), 1).cells
    board.button("Set up on the board, under a cover").click()
    expect(page.locator("#covering-who")).to_contain_text("Green sets up on the board.")
    expect(page.locator("#covering-next")).to_have_text(re.compile(r"Next: .+, 1 of 24"))
    expect(page.locator("#covering-mark use")).to_have_attribute("href", f"#stone-{codes[0]}")
    expect(board.button("They stand so")).to_be_disabled()
    board.umpire.tap(*cells[:3])
    expect(page.locator("#covering-next")).to_have_text(re.compile(r"4 of 24"))
    # What has been set is seen nowhere.
    cues = page.locator("[data-cell]").evaluate_all(
        "all => all.filter(e => e.dataset.standing || e.dataset.piece).length"
    )
    assert cues == 0
    board.button("Take the last one back").click()
    expect(page.locator("#covering-next")).to_have_text(re.compile(r"3 of 24"))
    board.umpire.tap(*cells[2:24])
    expect(page.locator("#covering-next")).to_have_text("All 24 stand.")
    board.button("They stand so").click()
    expect(page.locator('#readiness [data-player="1"]')).to_contain_text("ready")
    expect(page.locator("#covering")).to_be_hidden()
    assert set(board.umpire.state.sealed) == {1}
    board.button("Set up on the board, under a cover").click()
    expect(page.locator("#covering-who")).to_contain_text("Mauve")
    board.button("Stop").click()
    expect(page.locator("#covering")).to_be_hidden()


def test_attack_shows_both_faces_large_until_they_are_covered(page: Page):
    board = MindPage(page)
    board.umpire.begin()
    assert drawn(page) == []
    attack(board.umpire)
    assert board.umpire.state.phase is Phase.SHOW
    faces = board.umpire.state.history[-1].faces
    shown = page.locator("#faces-list li")
    expect(shown).to_have_count(2)
    assert {e.get_attribute("data-face") for e in shown.all()} == set(faces.values())
    for cell, piece in faces.items():
        assert any(text.startswith(f"{cell}: ") for text in shown.all_inner_texts()), piece
    box = shown.first.locator(".mark").bounding_box()
    assert box is not None
    assert box["width"] > 90
    expect(page.locator("#faces-result")).to_contain_text("attacks")
    board.button("Cover the faces").click()
    expect(page.locator("#faces")).to_be_hidden()
    assert drawn(page) == []
    assert board.heard("command") == [{"do": "command", "name": "confirm"}]


@pytest.mark.parametrize("width", [1280, 800, 390])
def test_faces_seats_and_bar_fit_at_all_widths(browser: Browser, width: int):
    for language in ("en", "it", "fr", "de"):
        with browser.new_context(viewport={"width": width, "height": 800}) as context:
            seat = MindPage(context.new_page(), Umpire(language), key=2)
            seat.umpire.begin()
            attack(seat.umpire)
            expect(seat.page.locator("#faces")).to_be_in_viewport()
            assert seat.page.evaluate("document.documentElement.scrollWidth") <= width
            seat.page.locator("#sides-all").evaluate("e => e.open = true")
            assert (
                seat.page.evaluate(
                    "[...document.querySelectorAll('button')].filter(e => e.offsetParent"
                    " && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
                )
                == []
            )
            assert "page." not in seat.page.locator("body").inner_text()


def test_page_opened_anew_shows_the_stage_that_the_game_is_in(page: Page):
    board = MindPage(page)
    board.umpire.ask(Command.SET_UP)
    board.umpire.tap("A1", "B1")
    page.reload()
    expect(page.locator("#covering-next")).to_have_text(re.compile("3 of 24"))
    board.umpire.ask(Command.TAKE_BACK)
    board.umpire.ask(Command.TAKE_BACK)
    board.umpire.ask(Command.TAKE_BACK)
    board.umpire.seal(1)
    page.reload()
    expect(page.locator('#readiness [data-ready="true"]')).to_have_count(1)
    board.umpire.seal(2)
    page.reload()
    expect(page.locator("#readiness")).to_be_hidden()
    board.button("The board stands so").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "tap")
    attack(board.umpire)
    page.reload()
    expect(page.locator("#faces-list li")).to_have_count(2)
    board.umpire.ask(Command.CONFIRM)
    page.reload()
    expect(page.locator("#moves li")).not_to_have_count(0)
    expect(page.locator("#faces")).to_be_hidden()


def test_help_that_would_tell_of_hidden_pieces_is_not_offered(page: Page):
    board = MindPage(page)
    board.umpire.begin()
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator("#teach")).to_be_hidden()


def test_letters_of_the_colours_are_explained(page: Page):
    MindPage(page)
    page.get_by_text("How to play").click()
    expect(page.locator("#letters")).to_contain_text("y yellow, g green, b blue, m mauve, k black")


def test_page_without_seats_has_no_panel_of_them(page: Page):
    board = MindPage(page)
    expect(page.locator("#sides")).to_be_visible()
    board.tell({"type": "seats", "seats": []})
    expect(page.locator("#sides")).to_be_hidden()
