"""Whole games of CirKle Mind in browsers: two seats, the board, a spectator, and a stranger.

Every message that a browser gets is kept, and searched for faces that are none of its business.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from game.rules.base.hidden import hiding
from game.rules.cirkle_mind import GAME
from game.table.records import Phase
from game.web.addresses import own_addresses
from tests.helpers.pages.browser import complaints
from tests.helpers.pages.page_hands import PageHands
from tests.helpers.pages.real_page import PATIENCE_MS, People
from tests.helpers.programs.mind_listener import Listener, Script, script
from tests.helpers.programs.running import Lifeboard

PLANS = {
    1: ("C4-C5", "B4-B5", "C5-C6", "C6-C7*C8"),
    2: ("D8-D7", "D7-D6", "D6-D5*D4", "H8-H7"),
}
"""Green captures the target that decides; if Green begins, `C5-C6` leaves an attack out."""


class Hearing:
    """A browser's page, and all that it was sent."""

    def __init__(self, page: Page, name: str, player: int | None = None) -> None:
        self.page = page
        self.player = player
        self.ear = Listener(name, None, "en")  # type: ignore[arg-type]
        self.ear.player = player
        self.problems = complaints(page)
        page.on("websocket", lambda it: it.on("framereceived", self._frame))

    def _frame(self, text: str | bytes) -> None:
        assert isinstance(text, str)
        self.ear.heard.append(text)

    def is_at(self, ply: int, phase: str) -> None:
        """Wait until the page shows the game so far on."""
        expect(self.page.locator("#moves li")).to_have_count(ply, timeout=PATIENCE_MS)
        body = self.page.locator("body")
        expect(body).to_have_attribute("data-phase", phase, timeout=PATIENCE_MS)

    @property
    def pieces(self) -> dict[str, str]:
        """Read off the page what should stand where; where nothing is to be put right, it does."""
        drawn = self.page.locator("[data-cell]").evaluate_all(
            "all => all.map(e => [e.dataset.cell, e.dataset.piece, e.dataset.edit,"
            " e.querySelector('.stone:not(.leaving)').getAttribute('href') ?? ''])"
        )
        for cell, piece, edit, href in drawn:
            assert edit or href == (piece and f"#stone-{piece}"), cell
        return {cell: piece for cell, piece, *_ in drawn if piece}

    def leaks(self, game: Script) -> list[object]:
        """Search the messages that came by what was to be known when they came."""
        assert self.ear.heard, "nothing was heard"
        return list(self.ear.leaks(game))


class Board(PageHands):
    """The page of the board, where people touch cells, with those who look on."""

    def __init__(self, browser: Browser, running: Lifeboard, game: Script) -> None:
        self.game = GAME
        self.script = game
        People.__init__(self, browser, running)
        self.counts("[data-cell]", 88)
        self.position = GAME.initial({"level": game.level, "first": "1"})
        self.others: list[Hearing] = []

    def open(self, running: Lifeboard) -> None:
        # From the first byte on.
        self.hearing = Hearing(self.page, "board")
        super().open(running)

    def link(self, player: int) -> str:
        """Read the link to a seat off the panel."""
        link = self.page.locator(f'#sides-list [data-player="{player}"] a')
        self.wait(link)
        return str(link.get_attribute("href"))

    def laid_out(self) -> None:
        """Take note that both have laid out, and say that the board stands so."""
        for player, pieces in self.script.set_ups.items():
            self.position = GAME.play(
                self.position, hiding(GAME).arrangement(self.position, player, pieces)
            )
        expect(self.page.locator("body")).to_have_attribute(
            "data-phase", "confirm", timeout=PATIENCE_MS
        )
        self.button("Done").click()
        self.compare("tap")

    def tidy(self) -> None:
        if self.phase == Phase.SHOW.value:
            self._show()
        super().tidy()

    def _show(self) -> None:
        """See both faces on every page, and cover them."""
        shown = self.script.shown[self.moves - 3]
        for each in (self.hearing, *self.others):
            each.is_at(self.moves, "show")
            faces = each.page.locator("#faces-list li")
            expect(faces).to_have_count(2)
            told = {face.get_attribute("data-face") for face in faces.all()}
            assert told == set(shown.values())
        self.button("Go on").click()
        expect(self.page.locator("#faces")).to_be_hidden(timeout=PATIENCE_MS)

    def play(self, text: str) -> None:
        taps, before = GAME.taps(self.position, text), self.moves
        for count in range(1, len(taps) + 1):
            said = self._said(taps[:count]) if count < len(taps) else None
            self._tap(taps[count - 1], said, before)
        self.position = GAME.play(self.position, text)
        # What an attack shows comes with the move, and before anything is to be put right.
        phases = ("show",) if "*" in text else ("tap", "edit")
        assert self.phase in phases
        self.tidy()
        self.compare("over" if GAME.outcome(self.position) else "tap")

    def compare(self, phase: str) -> None:
        """Compare every page with what the rules let it see; all is seen once the game is over."""
        for each in (self.hearing, *self.others):
            each.is_at(self.moves, phase)
            seen = hiding(GAME).seen_by(self.position, each.player)
            pieces = GAME.pieces(self.position if phase == "over" else seen)
            assert each.pieces == pieces, each.ear.name


@contextmanager
def opened(browser: Browser, name: str, player: int | None = None) -> Iterator[Hearing]:
    with browser.new_context(
        locale="en-GB", viewport={"width": 800, "height": 600}, reduced_motion="reduce"
    ) as context:
        hearing = Hearing(context.new_page(), name, player)
        yield hearing
        assert [each for each in hearing.problems if "WebSocket" not in each] == []


def lay_out(seat: Hearing, pieces: dict[str, str]) -> None:
    """Lay out by the line that players write down, and seal."""
    page = seat.page
    page.get_by_text("Saved set-ups").click()
    line = " ".join(f"{cell}={code[1:]}" for cell, code in pieces.items())
    page.get_by_label("As text, such as").fill(line)
    page.get_by_role("button", name="Set up from the text").click()
    page.get_by_role("button", name="Ready", exact=True).click()


def _stand_up(page: Page) -> None:
    """Leave the seat: a device that may do nothing else is locked then, and shows nothing."""
    page.get_by_role("button", name="Leave the seat").click()
    page.get_by_role("button", name="Press again to confirm").click()
    expect(page.locator("#locked")).to_be_visible(timeout=PATIENCE_MS)
    assert "#" not in page.url.rstrip("#")
    assert page.evaluate("Object.keys(localStorage).filter(e => e.includes('side'))") == []


@pytest.mark.timeout(400)
def test_whole_game_is_played_and_no_browser_gets_a_face_too_many(browser: Browser, tmp_path: Path):
    # tests/web/test_secrecy.py plays another level too.
    game = script("super", 1, PLANS)
    options = ("--game", GAME.name, "--option", "level=super", "--option", "first=1")
    with (
        Lifeboard(tmp_path, *options, "--network") as running,
        Board(browser, running, game) as board,
        opened(browser, "green", 1) as green,
        opened(browser, "mauve", 2) as mauve,
        opened(browser, "spectator") as spectator,
        opened(browser, "stranger") as stranger,
    ):
        board.others = [green, mauve, spectator]
        spectator.page.goto(running.address)
        stranger.page.goto(f"http://{own_addresses()[0]}:{running.port}/#invite=void")
        # Who is not let in reads why.
        wrong = stranger.page.locator("#locked #seat-wrong")
        expect(wrong).to_contain_text("invitation", timeout=PATIENCE_MS)
        for seat in (green, mauve):
            seat.page.goto(board.link(seat.player or 0))
            expect(seat.page.locator("#seat")).to_be_visible(timeout=PATIENCE_MS)
            assert "invite" not in seat.page.url
            lay_out(seat, dict(game.set_ups[seat.player or 0]))
        board.laid_out()
        for number, move in enumerate(game.moves):
            board.play(move)
            if number == 4:
                for seat in (green, mauve):
                    seat.page.reload()
                    seat.is_at(board.moves, "tap")
        outcome = GAME.outcome(board.position)
        assert outcome is not None
        assert outcome.reason == "target captured"
        expect(board.page.locator("#outcome")).to_have_attribute("data-player", str(outcome.winner))
        _stand_up(green.page)
        leaks = [
            leak for each in (board.hearing, stranger, *board.others) for leak in each.leaks(game)
        ]
        assert leaks == []
        assert running.stop() == (0, "")
