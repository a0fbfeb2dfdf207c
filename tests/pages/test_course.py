"""How a finished game went, as the page shows it, from a scripted table and a running board."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from game.common import words
from game.engine import Point
from game.opponent import Course
from game.rules.base.message import say
from game.table.inputs import Asked, Command, SetNames
from game.web.access import AccessLevel
from game.web.views import game_view
from tests.helpers.pages.scripted_page import NAMES, Board

MOVES = ("e5", "a1", "i5", "a5", "e9", "e1", "c3", "g3", "i1")
SCORES = (0.52, 0.55, 0.5, 0.7, 0.72, 0.4, 0.42, 0.2, 0.27)
FINAL = 0.1
TURNING = (4, 6)
WORST = "Move 4, Blue a5. Orange 72% Move 5, Orange e9?? Better was d4: 72% instead of 40%."


def points() -> tuple[Point, ...]:
    after = (*SCORES[1:], FINAL)
    made = []
    for ply, (move, score, then) in enumerate(zip(MOVES, SCORES, after, strict=True)):
        player = ply % 2 + 1
        loss = max(0.0, score - then if player == 1 else then - score)
        best = move if loss < 0.01 else "d4"
        made.append(Point(ply, player, move, score, best, (best,), then))
    return tuple(made)


DONE = Course(len(MOVES), points(), TURNING, done=True)


class Ended:
    """A resigned game on a page, with its course."""

    def __init__(self, page: Page, levels: tuple[str, ...] = NAMES, **options: Any) -> None:
        self.page = page
        self.board = Board(page, levels=levels, **options)
        self.board.tap(*MOVES)
        self.board.give(Asked(Command.RESIGN), Asked(Command.RESIGN))
        expect(page.locator("#outcome")).to_be_visible()
        self.ask = page.locator("#ask-course")
        self.chart = page.locator("#chart")
        self.said = page.locator("#course-at")
        self.turns = page.locator("#turning button")

    def tell(self, course: Course | None) -> None:
        self.board.course = course
        self.board.tell(game_view.analysis(course, words(self.board.language)))

    def points_at(self, move: int) -> None:
        expect(self.chart).to_have_attribute("aria-valuenow", str(move))


@pytest.fixture
def ended(page):
    return Ended(page)


def test_a_course_is_asked_for_and_grows_until_it_is_there_or_breaks_off(ended):
    page, course = ended.page, ended.page.locator("#course")
    expect(ended.ask).to_have_text("How did it go?")
    ended.ask.click()
    assert ended.board.heard(1) == [{"do": "analyse"}]
    ended.tell(Course(len(MOVES)))
    expect(page.locator("#course-title")).to_be_focused()
    expect(ended.ask).to_be_hidden()
    expect(page.locator("#course-working")).to_have_text("Looking back: 0 of 9 moves")
    expect(ended.said).to_contain_text("Not analysed yet.")
    ended.tell(Course(len(MOVES), DONE.points[:4]))
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "4")
    expect(page.locator("#turning-title")).to_be_hidden()
    ended.tell(DONE)
    expect(page.locator("#course-working")).to_be_hidden()
    assert page.locator("#chart .line").get_attribute("d").count(" ") == len(MOVES) + 1
    for place in ("#chart .fault", "#moves b:not(:empty)"):
        expect(page.locator(place)).to_have_text(["??", "??", "?!", "?"])
    ended.tell(None)
    expect(course).to_be_hidden()
    expect(page.locator("#moves b:not(:empty)")).to_have_count(0)
    expect(ended.ask).to_be_visible()
    trouble = say("analysis.broken_off")
    ended.tell(Course(len(MOVES), DONE.points[:3], (), done=True, trouble=trouble))
    expect(page.locator("#course-trouble")).to_have_text(words("en").text(trouble))
    expect(page.locator("#course-working")).to_be_hidden()
    expect(page.locator("#no-turning")).to_be_hidden()
    ended.tell(Course(len(MOVES), DONE.points, (), done=True, final=1.0))
    expect(page.locator("#no-turning")).to_have_text("No single move turned the game.")
    ended.chart.focus()
    page.keyboard.press("End")
    expect(ended.said).to_contain_text("Orange 100%")
    ended.board.ask(Command.TAKE_BACK)
    expect(course).to_be_hidden()
    expect(ended.ask).to_be_hidden()


def test_turning_points_say_what_was_better_and_lead_to_their_place(ended):
    ended.tell(DONE)
    expect(ended.turns).to_have_text(
        [
            "Move 5, Orange e9??Better was d4: 72% instead of 40%.",
            "Move 7, Orange c3??Better was d4: 42% instead of 20%.",
        ]
    )
    ended.points_at(4)
    expect(ended.turns.first).to_have_attribute("aria-current", "true")
    ended.turns.last.click()
    ended.points_at(6)
    # The board shows the position in which it was to be played.
    expect(ended.page.locator("#moves [aria-current]")).to_have_attribute("data-ply", "6")
    expect(ended.board.cell("e1")).to_have_attribute("data-cue", "placed")
    expect(ended.board.cell("d4")).to_have_attribute("data-cue", "hint")
    expect(ended.board.cell("c3")).to_have_attribute("data-piece", "")
    expect(ended.page.locator('#turning [aria-current="true"]')).to_have_count(1)
    expect(ended.said).to_contain_text("Blue 58%")
    ended.board.give(SetNames(("<b>A</b>", "")))
    expect(ended.turns.first).to_contain_text("Move 5, <b>A</b> e9")
    ended.board.button("Back to the game").click()
    ended.points_at(len(MOVES))


def test_the_chart_is_walked_by_keys_and_a_finger_and_says_each_move(ended):
    page = ended.page
    ended.tell(DONE)
    expect(ended.chart).to_have_attribute("aria-valuetext", WORST)
    assert ended.chart.get_attribute("aria-label") == "Who was ahead, move by move"
    ended.chart.scroll_into_view_if_needed()
    field = page.locator("#chart .field").bounding_box()
    # A mouse walks while it is pressed.
    for move, reached in ((2, 4), (3, 3), (40, 9)):
        x = field["x"] + field["width"] * move / len(MOVES)
        page.mouse.move(x, field["y"] + field["height"] / 2)
        ended.points_at(reached)
        page.mouse.down()
    page.mouse.up()
    ended.chart.focus()
    for key, move in (
        ("ArrowRight", 9),
        ("PageDown", 6),
        ("PageDown", 4),
        ("PageDown", 0),
        ("ArrowLeft", 0),
        ("PageUp", 4),
        ("ArrowUp", 5),
        ("PageUp", 6),
        ("End", 9),
    ):
        page.keyboard.press(key)
        ended.points_at(move)
    expect(ended.chart).to_have_attribute(
        "aria-valuetext",
        "Move 9, Orange i1? Blue 90% Better was d4: 27% instead of 10%.",
    )
    page.keyboard.press("Home")
    expect(ended.chart).to_have_attribute("aria-valuetext", "Start of the game. Orange 52%")
    page.keyboard.press("ArrowRight")
    expect(ended.said).to_contain_text("Move 1, Orange e5.")
    expect(ended.said).to_contain_text("The best move.")


def test_who_only_watches_cannot_ask_and_no_computers_offer_no_course(page):
    ended = Ended(page, level=AccessLevel.WATCH)
    expect(ended.ask).to_be_hidden()
    ended.tell(DONE)
    ended.turns.last.click()
    ended.points_at(6)
    assert {each["do"] for each in ended.board.sent} == {"look"}
    expect(Ended(page, levels=()).ask).to_be_hidden()
