"""Where the parts of the page stand, at many sizes in every game, and how the board is turned."""

import pytest
from playwright.sync_api import expect

from game.common import LANGUAGES
from game.rules.base.registry import find_game
from game.table.inputs import Command, SetNames
from tests.helpers.pages.layout import SIZES, at_sizes, box, boxes, moved, overflow, sticking_out
from tests.helpers.pages.mind_page import MindPage
from tests.helpers.pages.scripted_page import NAMES, Board
from tests.pages.test_accessibility import STATES, adaptoid, circle, mind

WHOLE = ((360, 740), (390, 844), (740, 360), (1024, 768), (2560, 1440))
"""Windows in which board, turn and message are in sight together; the largest board's, but one."""
# The last two are a laptop and a phone at 200 %.
WINDOWS = ((320, 568), (768, 1024), (1280, 720), (640, 360), (195, 422))
LEAST_TEXT_PX = 12
SMALL_TEXT = """least => {
  const walker = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT);
  const small = [];
  while (walker.nextNode()) {
    const { parentElement: parent, textContent: text } = walker.currentNode;
    if (!text.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    // Squares are known by their signs; their names are in the corner, as on a chessboard.
    if (parent.closest(".unseen, .printed, .printed-sign, .stone, #pieces, title")) continue;
    const svg = parent.ownerSVGElement;
    const scale = svg ? svg.getScreenCTM().a : 1;
    const size = scale * parseFloat(getComputedStyle(parent).fontSize);
    if (size < least - 0.1) small.push(`${text.trim()}: ${size.toFixed(1)}`);
  }
  return small;
}"""
HOLDERS = ".player, .tools button, .chooser, #board, #arrange, #seat, #faces, #sides, #set-up"
PARTS = (
    "button, label, legend, input, h2, .mark, .to-move, .count, .goals, .colour, .lamps, .lamp,"
    " .kind, .species, .next, .most"
)
CUT_TEXT = """text => text.scrollWidth > text.clientWidth
  || text.scrollHeight > text.clientHeight + parseFloat(getComputedStyle(text).fontSize) / 2"""
FULL = ("hints and help", "computer", "over", "set-up", "trouble", "course", "azteka for three")
SHOWN = {**STATES, "over": lambda page: circle(page, Command.RESIGN, Command.RESIGN)}
FITTING = [*FULL, "adaptoid", "faces", "secret set-up"]
PHONE_PX, THUMB_PX = 390, 44


@pytest.mark.parametrize("state", FITTING)
def test_words_of_every_language_fit(page, state):
    shown = SHOWN[state](page)
    # German has the longest words; of the others each state takes one, at a phone's sizes.
    others = [each for each in LANGUAGES if each != "de"]
    for language in ("de", others[FITTING.index(state) % len(others)]):
        shown.speak(language)
        if state == "computer":
            page.keyboard.press("Escape")
            expect(page.locator(".chooser")).to_be_hidden()
            page.locator("#who-plays").evaluate("button => button.click()")
        for width, _ in at_sizes(page, SIZES if language == "de" else SIZES[2:]):
            if state in FULL or width >= PHONE_PX:
                assert overflow(page) <= 0, (width, language)
                assert sticking_out(page, HOLDERS, PARTS) == [], (width, language)
            if state == "adaptoid":
                (key,) = boxes(page, "[data-key=choice1]")
                assert min(key["width"], key["height"]) >= THUMB_PX, (width, language)
            if state in ("adaptoid", "azteka for three"):
                # Players are called in full.
                for text in page.locator("#players .who, #players .colour:visible").all():
                    assert not text.evaluate(CUT_TEXT), (width, text.text_content())
        assert "page." not in page.locator("body").inner_text()


LEAST_CELL_PX = 40
CUT = """by => {
  const box = (one) => one.getBoundingClientRect();
  const inside = (one, other) => ["left", "top"].every(side => one[side] >= other[side] - by)
    && ["right", "bottom"].every(side => one[side] <= other[side] + by);
  const apart = (one, other) => one.right <= other.left + by || other.right <= one.left + by
    || one.bottom <= other.top + by || other.bottom <= one.top + by;
  const cells = [...document.querySelectorAll("#board .reach")];
  const rim = document.querySelector(".slab > *");
  const named = "#head, #players, #room, #board-keys, .news, #commands";
  const parts = [...document.querySelectorAll(named)]
    .map((part) => [part.id || part.className, box(part)]).filter(([, { width }]) => width > 0);
  return [
    ...cells.map((cell) => cell.parentNode).filter((cell) => !inside(box(cell), box(rim)))
      .map((cell) => cell.dataset.cell),
    ...(inside(box(rim), box(document.querySelector("#board"))) ? [] : ["rim cut"]),
    ...parts.flatMap(([name, one], at) => parts.slice(at + 1)
      .filter(([, other]) => !apart(one, other)).map(([other]) => `${name} over ${other}`)),
  ];
}"""
CELL_PX = """Math.min(...[...document.querySelectorAll("#board .reach")].flatMap(
  (cell) => [cell.getBoundingClientRect().width, cell.getBoundingClientRect().height]))"""
IN_SIGHT = """cell => {
  const { left, top, right, bottom } = cell.getBoundingClientRect();
  const room = document.querySelector("#room").getBoundingClientRect();
  return left > room.left - 1 && right < room.right + 1 && top > -1 && bottom < innerHeight + 1;
}"""
GAMES = {
    "circle-of-life": circle,
    "eat-your-neighbor": lambda page: Board(page, game=find_game("eat-your-neighbor")),
    "azteka": lambda page: Board(page, game=find_game("azteka")),
    "adaptoid": adaptoid,
    "capture-go": lambda page: Board(page, game=find_game("capture-go"), levels=NAMES),
    "cirkle-mind": lambda page: mind(page, 1),
}


@pytest.mark.parametrize("name", GAMES)
def test_cells_are_large_nothing_is_cut_and_board_turn_and_message_are_in_sight(page, name):
    board = GAMES[name](page)
    expect(page.locator("#players .player.on")).to_have_count(1)
    if name == "azteka":
        # A birth can be chosen.
        board.play("c3", "a1", "c4", "b1", "c2", "a2", "c1")
    for size in at_sizes(page, WINDOWS):
        assert page.evaluate(CELL_PX) >= LEAST_CELL_PX - 0.1, size
        assert page.evaluate(CUT, 1) == [], size
        assert overflow(page) <= 0, size
        for cell in (page.locator("#board .cell").first, page.locator("#board .cell").last):
            cell.focus()
            assert cell.evaluate(IN_SIGHT), size
    page.evaluate("scrollTo(0, 0)")
    # The largest board is scrolled on the smallest window.
    for width, height in at_sizes(page, WHOLE[name == "cirkle-mind" :]):
        keys = ("#board-keys",) if page.locator("#board-keys").is_visible() else ()
        parts = ("#room", ".say", "#players", *keys)
        room, message, *_ = edges = boxes(page, *parts)
        for part, edge in zip(parts, edges, strict=True):
            assert min(edge["left"], edge["top"]) >= 0, (width, height, part, edge)
            assert edge["right"] <= width, (width, height, part, edge)
            assert edge["bottom"] <= height + 1, (width, height, part, edge)
        apart = message["left"] >= room["right"] or message["top"] >= room["bottom"]
        assert apart, (width, height)
        assert page.evaluate(SMALL_TEXT, LEAST_TEXT_PX) == [], (width, height)
        assert overflow(page) <= 0, (width, height)


BROKEN = """() => [...document.querySelectorAll("#commands button")].flatMap((button) => {
  const { left, right } = button.getBoundingClientRect(), part = new Range(), broken = [];
  const text = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  while (text.nextNode()) {
    for (const { 0: word, index } of text.currentNode.data.matchAll(/[^ \\n]+/g)) {
      part.setStart(text.currentNode, index);
      part.setEnd(text.currentNode, index + word.length);
      const lines = [...part.getClientRects()];
      const out = lines.some((line) => line.left < left - 1 || line.right > right + 1);
      if (lines.length > 1 || out) broken.push(word);
    }
  }
  return broken;
})"""


def test_phone_shows_hidden_game_in_full_width_and_rare_buttons_whole_on_request(page):
    seat = MindPage(page, key=1)
    # Pieces are laid out without scrolling.
    for _, height in at_sizes(page, ((740, 360), (844, 390))):
        for part in ("#plots", "#tray", "#arrange-seal", "#arrange-clear"):
            assert box(page, part)["bottom"] <= height, (height, part)
    seat.begin()
    for _size in at_sizes(page, ((390, 844),)):
        assert page.evaluate(CELL_PX) >= THUMB_PX
        assert box(page, "#seat")["height"] < 2 * THUMB_PX
    resign = page.get_by_role("button", name="Resign")
    expect(resign).to_be_hidden()
    page.locator("#commands-more").click()
    for language in LANGUAGES:
        seat.speak(language)
        sizes = ((1280, 720), (768, 1024), (320, 568), (195, 422))
        for size in at_sizes(page, sizes if language == "de" else sizes[2:]):
            assert page.evaluate(BROKEN) == [], (size, language)
    seat.speak("en")
    page.set_viewport_size({"width": 390, "height": 844})
    resign.click()
    expect(page.locator("#no-answer")).to_be_visible()
    expect(page.locator("#commands-more")).to_be_hidden()


def test_name_that_is_cut_is_whole_at_a_touch(page):
    names = ("W" * 40, "👨\u200d👩\u200d👧" * 8)
    circle(page).give(SetNames(names))
    for name, who in zip(names, page.locator("#players .who").all(), strict=True):
        expect(who).to_have_text(name)
        assert who.evaluate(CUT_TEXT)
        who.click()
        assert not who.evaluate(CUT_TEXT)


def test_a_question_is_answered_by_itself_or_by_no_and_never_by_take_back(page):
    board = circle(page)
    board.ask(Command.RESIGN)
    expect(board.button("Take back")).to_be_hidden()
    expect(board.button("New game")).to_be_disabled()
    board.button("Cancel").click()
    page.keyboard.press("Escape")
    assert board.heard(2) == [{"do": "dismiss"}] * 2
    page.evaluate("document.body.dataset.link = 'lost'")
    style = "button => getComputedStyle(button).borderStyle"
    assert board.button("New game").evaluate(style) == "dashed"


def test_board_is_turned_and_stays_so_in_this_browser(page):
    board = circle(page)
    before = box(page, '[data-cell="e1"]')
    middle = box(page, '[data-cell="e5"]')
    turn = page.get_by_role("button", name="Turn the board")
    for _ in range(3):
        turn.click()
    after = box(page, '[data-cell="e1"]')
    assert before["x"] < middle["x"] < after["x"]
    assert not moved(middle, box(page, '[data-cell="e5"]'))
    expect(board.cell("e3")).to_have_attribute("data-piece", "2")
    board.cell("e1").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.cell") == "e2"
    page.reload()
    expect(board.cell("e1")).to_be_visible()
    assert not moved(after, box(page, '[data-cell="e1"]'))
    # A player's own side is at the bottom, as it is where the pieces are laid out.
    page = page.context.new_page()
    mind(page, 2)
    assert box(page, '[data-cell="A11"]')["y"] > box(page, '[data-cell="A1"]')["y"]
    assert box(page, '[data-cell="A1"]')["x"] > box(page, '[data-cell="H1"]')["x"]
