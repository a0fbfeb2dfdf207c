"""Games of one process: how one is opened, changed on a page's request, and resumed."""

from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import pytest

from game.common import AppError
from game.play import Session, default_board
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as MIND
from game.store import Journal
from game.table import Phase
from game.table.hands import LESSON, menu_choices
from game.table.inputs import SetNames, StartGame
from game.table.players import DRAW_S
from game.table.state import State
from game.table.table import Table
from game.web import GameConfig, Host, game_runtime
from game.web.game_pages import Opening
from game.web.game_runtime import Running
from game.web.host import KINDS, TUTORIAL
from game.web.lessons import Tutorial

PLAYED = StartGame({"first": "1", "target": "5"}, ("", ""), ("Anna", "Bert"))


class HostSession:
    """A host whose board's thread is the test; only steps advance its clock."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.now = 0.0

    @property
    def running(self) -> Running:
        return self.host.running

    @property
    def state(self) -> State:
        assert isinstance(self.running.session, Session)
        return self.running.session.table.state

    def step(self, seconds: float = 3.0) -> None:
        self.now += seconds
        self.host.step(self.now)

    def save(self) -> None:
        """Step until all is on disk."""
        self.step()
        while self.running.journal and self.running.journal.unsaved:
            self.host.wait(1.0)
            self.step()

    def ask(self, game: str, start: StartGame | None = None, kind: str = "game") -> object:
        return self.ask_for(Opening(kind, game, start))

    def ask_for(self, opening: Opening) -> object:
        refused = self.host.ask(opening)
        if self.host._joining.is_alive():
            self.host._joining.join()
        self.settle()
        return refused

    def settle(self) -> None:
        """Step until the change that was asked for is over."""
        self.step()
        while self.host._wanted is not None:
            self.host.wait(1.0)
            self.step()
        self.step()

    def press(self, cell: str) -> None:
        hands = self.running.page.hands
        assert hands is not None
        hands.press("m", cell)
        self.step(0.2)
        hands.lift("m")
        self.step(0.2)


def config(folder: Path, game: Any = GAME, backend: str = "sim", **more: Any) -> GameConfig:
    board = default_board("sim", game)
    return GameConfig(game, board, backend, folder, lambda: 1.0, clock=lambda: 0.0, **more)


def broken(_: GameConfig) -> Any:
    raise AppError("no tutorial is there")


@pytest.fixture
def session(tmp_path):
    with Host(config(tmp_path)) as host:
        yield HostSession(host)


def test_a_game_that_is_left_goes_on_when_it_is_chosen_again(session):
    session.running.session.give(PLAYED)
    session.step()
    session.save()
    first, page = session.running, session.running.page
    assert session.state.names == ("Anna", "Bert")
    session.press("e5")
    assert [played.text for played in session.state.history] == ["e5"]
    begun = StartGame({"first": "2"}, names=("Bert", "Anna"))
    assert session.ask("azteka", begun) is None
    assert session.running.page is not page
    assert session.running.page.game.name == "azteka"
    assert session.running.page.profile.name == "disc-32", "a board that carries it"
    assert session.state.names == ("Bert", "Anna")
    assert dict(session.state.options)["first"] == "2"
    assert session.ask(GAME.name) is None
    assert session.running is not first
    assert session.running.page.profile.name == page.profile.name
    assert session.state.names == ("Anna", "Bert")
    assert [played.text for played in session.state.history] == ["e5"]
    assert session.state.options["target"] == "5"


def test_what_cannot_be_opened_leaves_the_old_game_and_says_why(session, monkeypatch):
    monkeypatch.setitem(KINDS, TUTORIAL, broken)
    session.running.session.give(SetNames(("Anna", "Bert")))
    session.step()
    assert session.ask(GAME.name, kind=TUTORIAL) is None
    assert session.state.names == ("Anna", "Bert")
    notice = session.state.notices.current
    assert notice is not None
    assert notice.message == say(
        "games.not_opened", title="Circle of Life", why="no tutorial is there"
    )
    for game, start, kind in (
        ("chess", None, "game"),
        (GAME.name, None, "dance"),
        (GAME.name, StartGame(computers=("3",)), "game"),
    ):
        assert session.ask(game, start, kind) == say("games.not_here")
    session.ask("azteka", StartGame({"target": "no"}))
    assert session.running.page.game is GAME


def test_moves_that_the_disk_refuses_are_not_left(session, monkeypatch):
    monkeypatch.setattr(Journal, "saving", False)
    session.ask("azteka")
    assert session.running.page.game is GAME
    assert session.state.notices.current is not None
    assert session.state.notices.current.message == say("games.not_saved")


def test_a_real_board_offers_what_fits_on_it(session, tmp_path):
    everywhere = set(session.host.games)
    assert everywhere > {GAME.name, "adaptoid", "azteka", "azteka-three", "cirkle-mind"}
    assert everywhere - set(Host(config(tmp_path, backend="pi")).games) == {
        *("azteka", "azteka-aggressive", "azteka-three", "cirkle-mind")
    }


def test_the_boards_own_menu_leads_to_the_tutorial_and_its_key_back(tmp_path, monkeypatch):
    monkeypatch.setattr("game.web.game_runtime.Hands", type("NoHands", (), {}))
    with Host(config(tmp_path, backend="mock")) as host:
        session = HostSession(host)

        def touch(spot: str) -> None:
            board: Any = session.running.session.device.backend
            board.press("finger", spot)
            for _ in range(5):
                session.step(0.05)
            board.lift("finger")
            session.settle()

        session.step()
        menu = menu_choices(session.state)
        touch(next(cell for cell, choice in menu.items() if choice.level == LESSON))
        lesson = session.running.session
        assert isinstance(lesson, Tutorial)
        touch("e5")
        assert lesson.picture().lesson[0] == 2
        touch("new_game")
        assert session.state.menu_offered


def test_set_ups_do_not_follow_from_earlier_ones_unless_a_seed_says_so(tmp_path, monkeypatch):
    given: list[Random] = []

    def table(game: object, options: object, rng: Random, **more: object) -> Table:
        given.append(rng)
        return Table(game, options, rng, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(game_runtime, "Table", table)
    for name, seed in (("any", None), ("same", 1)):
        with game_runtime.open_game(config(tmp_path / name, MIND, seed=seed)):
            pass
    assert [isinstance(rng, SystemRandom) for rng in given] == [True, False]


@pytest.mark.parametrize(("real", "phase"), [(True, Phase.MENU), (False, Phase.TAP)])
def test_a_real_board_offers_on_its_cells_what_the_page_does(real, phase, tmp_path, monkeypatch):
    if real:
        # Nothing has virtual hands.
        monkeypatch.setattr(game_runtime, "Hands", ())
    with game_runtime.open_game(config(tmp_path, backend="mock")) as running:
        running.session.step(DRAW_S)
        assert running.session.table.state.phase is phase
