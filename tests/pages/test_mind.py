"""CirKle Mind on the page: its drawing, the seats, what is hidden, set-ups and faces for all."""

import re
from random import Random

from playwright.sync_api import Page, expect

from game.rules.cirkle_mind import GAME
from game.table.inputs import Command
from game.table.phases import Phase
from game.web.access import AccessLevel
from tests.helpers.pages.layout import box
from tests.helpers.pages.mind_page import KEYS, MindPage
from tests.helpers.pages.scripted_page import ADDRESS

FACE = re.compile(r"#(?:stone|outline)-[GM][ygbmk][TSCOX]")


def drawn(page: Page, within: str = "body") -> list[str]:
    """List the faces that are drawn within an element."""
    hrefs = page.locator(f"{within} use").evaluate_all("all => all.map(e => e.href.baseVal)")
    return [href for href in hrefs if FACE.fullmatch(href)]


def open_plainly(page: Page) -> None:
    """Load the page again by the board's address alone, which names no side."""
    page.evaluate("history.replaceState(null, '', '/')")
    page.reload()


def saved_key(page: Page, player: int = 1) -> str | None:
    """Return the key of a seat that the device has saved."""
    key: str | None = page.evaluate(f"localStorage['lifeboard.side.{player}'] ?? null")
    return key


def attack(board: MindPage) -> None:
    """Play at random until there has been an attack."""
    rng, position = Random(3), board.state.position
    attacks, taps = [], []
    while not attacks:
        moves = list(GAME.legal_moves(position))
        attacks = [move for move in moves if "*" in move]
        move = rng.choice(attacks or moves)
        taps += GAME.taps(position, move)
        position = GAME.play(position, move)
    board.tap(*taps)


def test_squares_and_faces_are_drawn_by_shape_and_letter(page):
    seat = MindPage(page, key=1)
    signs = page.locator(".cell .printed-sign").evaluate_all(
        "all => Object.fromEntries(all.map(sign =>"
        " [sign.closest('[data-cell]').dataset.cell, sign.querySelector('text').textContent]))"
    )
    assert signs == {cell: code[0] for cell, code in GAME.presentation.printed.items()}
    for part, attribute in ((".printed-sign path", "d"), (".ground", "fill")):
        looks = page.locator(f".cell {part}").evaluate_all(
            f"all => all.map(e => e.getAttribute('{attribute}'))"
        )
        assert len(set(looks)) == 4
    expect(page.locator(".border")).to_have_count(16)
    bodies = [
        page.locator(f"#stone-{code}").inner_html()
        for code in GAME.arranging(GAME.initial(), 1).pieces
    ]
    assert len(set(bodies)) == 24
    expect(page.locator("#stone-GkT text")).to_have_text("k")
    page.get_by_role("button", name="How to play").click()
    expect(page.locator("#letters")).to_contain_text("y yellow, g green, b blue, m mauve, k black")
    # Labels make room for pieces.
    seat.begin()
    aside = page.locator(".cell .printed-sign").evaluate_all(
        "all => all.filter(sign => new DOMMatrix(getComputedStyle(sign).transform).e < -0.2)"
        ".map(sign => sign.closest('[data-cell]').dataset.cell)"
    )
    assert set(aside) == set(GAME.pieces(seat.state.position)) & set(signs)


def test_invitation_becomes_a_seat_whose_key_only_the_device_keeps(page):
    board = MindPage(page)
    page.evaluate("location.hash = '#invite=invite-2'")
    expect(page.locator("#seat-whose")).to_have_text("Only for Mauve")
    assert page.url == f"{ADDRESS}#side=2"
    assert saved_key(page, 2) == KEYS[2]
    assert KEYS[2] not in page.content()
    assert board.sent == [{"do": "sit", "invite": "invite-2"}]
    page.reload()
    expect(page.locator("#seat")).to_be_visible()
    assert board.sent[1:] == [{"do": "return", "player": 2, "key": KEYS[2]}]
    # The page asks for it again at every new link, and only once.
    board.lose_link()
    board.wait_for(lambda: len(board.sent) > 2)
    expect(page.locator("#arrange")).to_be_visible()
    assert [each["do"] for each in board.sent] == ["sit", "return", "return"]


def test_the_pin_lets_the_holder_of_a_seat_go_on(page):
    board = MindPage(page, key=1, level=AccessLevel.WATCH)
    expect(page.locator("#arrange")).to_be_visible()
    expect(page.get_by_text("You are watching.").first).to_be_hidden()
    page.route("**/pin?*", lambda route: route.fulfill(status=204))
    board.level = AccessLevel.CONTROL
    page.locator("#enter-pin").evaluate("button => button.click()")
    page.locator("#pin").press_sequentially("123456")
    expect(page.locator("body")).to_have_attribute("data-access", "control")
    expect(page.locator("#arrange")).to_be_visible()
    assert [each["do"] for each in board.sent] == ["return", "return"]


def test_plain_and_locked_pages_never_sit_but_offer_the_seat_of_which_there_is_a_key(page):
    seat = MindPage(page, key=1)
    offered = page.locator("#seat-return")
    seat.begin()
    open_plainly(page)
    again = seat.button("Take Green\u2019s seat again")
    expect(again).to_be_visible()
    expect(page.locator("#seat")).to_be_hidden()
    assert drawn(page) == []
    assert [each["do"] for each in seat.sent] == ["return"]
    again.click()
    expect(page.locator("#seat")).to_be_visible()
    assert seat.sent[1:] == [{"do": "return", "player": 1, "key": KEYS[1]}]
    assert page.url == f"{ADDRESS}#side=1"
    seat.locked = True
    open_plainly(page)
    page.locator("#pin-card").get_by_role("button", name="Take Green\u2019s seat again").click()
    expect(page.locator("#seat-whose")).to_be_visible()
    assert page.url == f"{ADDRESS}#side=1"
    seat.locked, seat.has_seats = True, False
    open_plainly(page)
    expect(page.locator("#locked")).to_be_visible()
    expect(offered).to_be_hidden()


def test_void_invitations_unknown_sides_lost_seats_and_void_keys_are_told(page):
    board, wrong = MindPage(page, at="#invite=gone"), page.locator("#seat-wrong")
    expect(wrong).to_have_text("This invitation is void.")
    assert page.url == ADDRESS
    board.button("Close").click()
    expect(wrong).to_be_hidden()
    page.goto(f"{ADDRESS}#side=1")
    expect(wrong).to_contain_text("this device does not have that one")
    assert page.url == ADDRESS
    page.evaluate("location.hash = '#invite=invite-1'")
    expect(page.locator("#arrange")).to_be_visible()
    board.player = None
    board.answer(None, error="The seat was freed.", void=1)
    board.show()
    expect(wrong).to_have_text("The seat was freed.")
    expect(page.locator("#arrange")).to_be_hidden()
    assert saved_key(page) is None
    # The other side's void key is dropped; the valid one stays.
    page.evaluate("localStorage['lifeboard.side.2'] = 'an-old-key'")
    page.evaluate("location.hash = '#invite=invite-1'")
    expect(page.locator("#arrange")).to_be_visible()
    page.evaluate("location.hash = '#side=2'")
    expect(wrong).to_have_text("Void key.")
    assert (saved_key(page), saved_key(page, 2)) == (KEYS[1], None)
    assert page.url == f"{ADDRESS}#side=1"


def test_standing_up_is_asked_twice_and_leaves_neither_key_nor_draft(page):
    seat = MindPage(page, key=1)
    seat.button("Random").click()
    assert seat.laid()
    assert page.evaluate("sessionStorage['lifeboard.draft']")
    seat.button("Leave the seat").click()
    seat.button("Press again to confirm").click()
    expect(page.locator("#seat")).to_be_hidden()
    expect(page.locator("#arrange")).to_be_hidden()
    assert (saved_key(page), page.url) == (None, ADDRESS)
    assert page.evaluate("sessionStorage['lifeboard.draft'] ?? null") is None
    page.evaluate("location.hash = '#invite=invite-1'")
    expect(page.locator("#arrange")).to_be_visible()
    assert seat.laid() == {}
    seat.begin()
    seat.button("Leave the seat").click()
    expect(seat.button("You cannot come back before the end. Press again to leave")).to_be_visible()


def test_seats_show_a_link_and_a_code_and_are_freed_while_they_can_be(page):
    board, rows = MindPage(page), page.locator("#sides-list .side")
    says = page.locator("#readiness .says")
    link = rows.nth(1).get_by_role("link")
    expect(link).to_have_attribute("href", "http://192.168.1.20:8000/#invite=invite-2")
    path = rows.nth(1).get_by_role("img", name="QR code of the link").locator("path")
    sizes = path.evaluate("e => [e.getBBox().width, e.ownerSVGElement.viewBox.baseVal.width]")
    assert sizes[1] - sizes[0] == 8
    board.taken[2] = True
    board.tell_seats()
    expect(rows.nth(1)).to_contain_text("Taken by a device.")
    expect(rows.nth(1).locator(".code")).to_have_count(0)
    board.button("Free the seat").click()
    board.button("Press again to confirm").click()
    assert board.asked("free") == [{"do": "free", "player": 2}]
    expect(says).to_have_text(["not ready yet", "not ready yet"])
    board.seal(2)
    expect(says).to_have_text(["not ready yet", "ready"])
    expect(board.button("Free the seat")).to_have_count(0)
    board.tell({"type": "seats", "seats": []})
    expect(page.locator("#sides")).to_be_hidden()
    board.seal(1)
    expect(page.locator("#readiness")).to_be_hidden()
    # Help that would reveal hidden pieces is not offered.
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator("#coach")).to_be_visible()


def test_page_that_only_watches_has_no_seats_and_cannot_cover(page):
    board = MindPage(page, level=AccessLevel.WATCH)
    expect(page.locator("#readiness")).to_be_visible()
    expect(page.locator("#sides")).to_be_hidden()
    expect(page.locator("#cover-start")).to_be_hidden()
    board.begin()
    attack(board)
    expect(page.locator("#faces")).to_be_visible()
    expect(page.locator("#cover-faces")).to_be_hidden()
    board.ask(Command.CONFIRM)
    expect(page.locator("#faces")).to_be_hidden()


def test_hidden_pieces_are_drawn_nowhere_until_they_are_shown(page):
    seat = MindPage(page, key=1)
    seat.button("Random").click()
    pieces = seat.laid()
    seat.button("Hide my pieces").click()
    expect(page.locator("#arrange")).to_be_hidden()
    seat.button("Show my pieces").click()
    assert seat.laid() == pieces
    seat.begin()
    expect(page.locator("#moves li")).to_have_count(2)
    assert len(drawn(page)) == 24
    seat.button("Hide my pieces").click()
    expect(page.locator("#seat-whose")).to_have_text("Green\u2019s pieces are hidden.")
    assert drawn(page) == []
    words = page.locator("#page").evaluate("e => e.outerHTML")
    assert not re.search(r"(yellow|black) (cross|circle|square|triangle|target), ", words)
    attack(seat)
    expect(page.locator("#faces-list li")).to_have_count(2)
    assert drawn(page, "#board") == []
    seat.ask(Command.CONFIRM)
    expect(page.locator("#faces")).to_be_hidden()
    assert drawn(page) == []
    page.reload()
    expect(seat.button("Show my pieces")).to_be_visible()
    assert drawn(page) == []
    seat.button("Show my pieces").click()
    assert len(drawn(page, "#board")) >= 23


def test_board_itself_takes_a_set_up_under_a_cover(page):
    board = MindPage(page)
    codes = GAME.arranging(GAME.initial(), 1).pieces
    cells = GAME.arranging(GAME.initial(), 1).cells
    board.button("Set up on the board, under a cover").click()
    expect(page.locator("#covering-who")).to_contain_text("Green sets up on the board.")
    expect(page.locator("#covering-next")).to_have_text(re.compile(r"Next: .+, 1 of 24"))
    expect(page.locator("#covering-mark use")).to_have_attribute("href", f"#stone-{codes[0]}")
    expect(board.button("Confirm")).to_be_disabled()
    board.tap(*cells[:3])
    expect(page.locator("#covering-next")).to_have_text(re.compile(r"4 of 24"))
    # Pieces that were set are shown nowhere.
    cues = page.locator("[data-cell]").evaluate_all(
        "all => all.filter(e => e.dataset.standing || e.dataset.piece).length"
    )
    assert cues == 0
    board.button("Take the last one back").click()
    expect(page.locator("#covering-next")).to_have_text(re.compile(r"3 of 24"))
    board.tap(*cells[2:24])
    expect(page.locator("#covering-next")).to_have_text("All 24 are placed.")
    board.button("Confirm").click()
    expect(page.locator('#readiness [data-player="1"]')).to_contain_text("ready")
    assert set(board.state.setups.submitted) == {1}
    board.button("Set up on the board, under a cover").click()
    expect(page.locator("#covering-who")).to_contain_text("Mauve")
    board.button("Cancel").click()
    expect(page.locator("#covering")).to_be_hidden()


def test_attack_shows_both_faces_large_until_they_are_covered(page):
    board = MindPage(page)
    board.begin()
    assert drawn(page) == []
    attack(board)
    assert board.state.phase is Phase.SHOW
    faces = board.state.history[-1].faces
    shown = page.locator("#faces-list li")
    expect(shown).to_have_count(2)
    assert {e.get_attribute("data-face") for e in shown.all()} == set(faces.values())
    assert {text[: text.index(": ")] for text in shown.all_inner_texts()} == set(faces)
    assert box(page, "#faces-list .mark >> nth=0")["width"] > 90
    expect(page.locator("#faces-result")).to_contain_text("attacks")
    board.button("Go on").click()
    expect(page.locator("#faces")).to_be_hidden()
    assert drawn(page) == []
    assert board.asked("command") == [{"do": "command", "name": "confirm"}]
