"""Tutorials and puzzles on emulated boards, with the test's clock and day."""

import signal
from contextlib import closing
from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from game.common import AppError, words
from game.opponent import Rating
from game.play import Snapshot, default_board, fitted_profile
from game.rules.base.game import Game
from game.rules.base.lessons import Kind, Puzzle, daily, puzzles, tutorial
from game.rules.base.message import say
from game.rules.base.registry import all_games
from game.rules.circle_of_life import GAME
from game.store import Solved
from game.table.inputs import Asked, Command, SetNames, Touched
from game.table.scene import Cue
from game.table.state import REJECTED_S
from game.web.lesson import MOVE_S
from game.web.lessons import Puzzles, Tutorial
from game.web.views import state_view
from hal.backends.device import Device
from hal.backends.registry import open_backend
from hal.lights import DARK
from tests.helpers.boards.shown_board import Watcher
from tests.helpers.programs.running import Lifeboard, Talk

STEP_S = 0.01
SETTLED_S = 0.6
"""Time until a stone that was set, or taken off, is sensed."""
AZTEKA = all_games()["azteka"]
GAMES = [game for game in all_games().values() if tutorial(game)]


class Learning:
    """A tutorial on a board, with a clock and a finger that the test moves."""

    def __init__(self, game: Game[Any, Any] = GAME, mode: str = "touch") -> None:
        profile = fitted_profile(default_board("sim", game), game)
        self.profile = replace(profile, sensing=replace(profile.sensing, mode=mode))
        self.now = 100.0
        self.backend = open_backend("mock", self.profile, clock=lambda: self.now)
        self.device = Device(self.profile, self.backend)
        self.watcher = Watcher()
        self.runner = self.started(game)
        self.step(self.now)

    def close(self) -> None:
        self.device.close()

    def step(self, now: float) -> None:
        self.runner.step(now)

    def run(self, seconds: float) -> None:
        """Step as the loop does: at once, since a finger has woken it, then when it is due."""
        end, due = self.now + seconds, self.now
        while self.now < end:
            self.now = min(end, max(self.now + STEP_S, due))
            self.step(self.now)
            due = self.runner.due(self.now)

    def started(self, game: Game[Any, Any]) -> Any:
        return Tutorial(game, self.device, self.watcher)

    def tap(self, spot: str) -> None:
        if spot not in self.profile.cells and spot not in self.profile.keys:
            self.give(Touched(spot))
        elif self.profile.sensing.stones and spot in self.profile.cells:
            for _ in range(2):
                self.backend.press("finger", spot)
                self.run(SETTLED_S)
        else:
            self.backend.press("finger", spot)
            self.run(0.1)
            self.backend.lift("finger")
            self.run(0.1)

    def give(self, request: Asked | Touched | SetNames) -> None:
        self.runner.give(request)
        self.step(self.now)

    def command(self, command: Command) -> None:
        self.give(Asked(command))

    @property
    def seen(self) -> Snapshot:
        return self.watcher.newest

    @property
    def at(self) -> int:
        return self.seen.lesson[0]

    @property
    def said(self) -> str:
        return words("en").texts(self.seen.scene.prompt)

    @property
    def cues(self) -> dict[str, Cue]:
        return {cell: lamp.cue for cell, lamp in self.seen.scene.cells.items()}


@pytest.mark.parametrize(
    ("game", "mode"),
    # Where stones are felt, moves of one touch and of several, which ask for the same in all games.
    [*product(GAMES, ["touch"]), (GAME, "presence"), (AZTEKA, "presence")],
    ids=lambda each: getattr(each, "name", each),
)
def test_tutorial_is_played_on_the_board_from_start_to_end(game, mode):
    with closing(Learning(game, mode)) as shown:
        shown.run(SETTLED_S)
        for number, step in enumerate(tutorial(game), start=1):
            assert shown.seen.lesson == (number, len(tutorial(game)))
            assert shown.said.startswith(step.texts["en"])
            assert any(colour != DARK for colour in shown.watcher.frames[-1])
            entered = step.taps if step.move else (*step.taps, game.board.cells[0])[:1]
            for at, spot in enumerate(entered):
                lit = {cell for cell, cue in shown.cues.items() if cue is Cue.LEGAL}
                expected = step.expected(entered[:at])
                assert lit == expected & {*game.board.cells}
                assert expected - {*game.board.cells} <= shown.seen.scene.keys.keys()
                shown.tap(spot)
            shown.run(5 * MOVE_S)
        assert shown.at == len(tutorial(game))


def test_commands_go_back_do_the_step_and_begin_again_and_other_touches_are_flagged():
    with closing(Learning()) as shown:
        shown.tap("a1")
        assert (shown.at, shown.cues["a1"], shown.cues["e5"]) == (1, Cue.WRONG, Cue.LEGAL)
        assert words("en").text(shown.seen.scene.notice) == "Not a1: tap the marked cell."
        shown.run(REJECTED_S)
        assert "a1" not in shown.cues
        assert shown.seen.scene.notice is None
        shown.command(Command.TAKE_BACK)
        assert shown.at == 1
        shown.command(Command.CONFIRM)
        assert shown.said == "Orange placed e5: singleton."
        shown.command(Command.CONFIRM)
        assert shown.at == 2
        # What is eaten pulses before it is gone, and the next step follows.
        shown.tap("e4")
        assert (shown.cues["e6"], shown.seen.scene.score) == (Cue.REMOVE, (1, 0))
        shown.run(MOVE_S / 2)
        assert "e6" not in shown.cues
        shown.run(MOVE_S / 2)
        assert shown.said.startswith("Eaten!")
        assert shown.runner.due(shown.now) > shown.now
        shown.command(Command.TAKE_BACK)
        assert shown.at == 2
        for _ in range(40):
            shown.command(Command.CONFIRM)
        assert (shown.at, shown.runner.leads_to) == (len(tutorial(GAME)), "")
        shown.tap("a1")
        assert shown.runner.leads_to == "game"
        shown.command(Command.NEW_GAME)
        assert shown.at == 1


def test_hidden_faces_are_shown_to_the_learner_only_when_attacked():
    (game,) = (game for game in GAMES if game.hidden)
    with closing(Learning(game)) as shown:
        seen = {cell: cell_["piece"] for cell, cell_ in view(shown)["cells"].items()}
        assert (seen["C4"], seen["C8"], seen["F9"]) == ("GyC", "M", "M")
        for _ in range(2):
            shown.command(Command.CONFIRM)
            shown.run(5 * MOVE_S)
        assert view(shown)["lesson"] == {"step": 3, "of": len(tutorial(game))}
        shown.command(Command.CONFIRM)
        assert view(shown)["faces"]["cells"]["C7"]["piece"] == "MyO"
        shown.run(MOVE_S)
        assert view(shown)["cells"]["C7"]["piece"] == "GyC"


def view(shown: Learning) -> dict[str, Any]:
    return state_view.state(shown.seen, words("en"))


def test_game_without_a_tutorial_or_puzzles_says_so(tmp_path):
    with pytest.raises(AppError, match="Azteka for three has no tutorial"):
        Learning(all_games()["azteka-three"])
    with pytest.raises(AppError, match="CirKle Mind has no puzzles"):
        Solving(all_games()["cirkle-mind"], tmp_path)


def test_command_serves_a_tutorial_also_for_a_variant_until_it_is_stopped(tmp_path):
    command = Lifeboard(tmp_path, "azteka-three", command="tutorial")
    with command as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("lesson") == {"step": 1, "of": len(tutorial(AZTEKA))})
        assert running.stop(signal.SIGINT) == (0, "")
    assert not list(tmp_path.glob("games*"))


DAY = date(2026, 11, 27)
MOVE_STEPS = 20
"""Steps of a second until a move and its answer have been shown."""
PUZZLED = [game for game in all_games().values() if puzzles(game)]


class Solving(Learning):
    """The puzzles of a game on a board."""

    def __init__(self, game: Game[Any, Any], folder: Path, mode: str = "touch") -> None:
        self.game, self.folder, self.solved = game, folder, Solved(folder)
        super().__init__(game, mode)
        self.run(SETTLED_S)

    def started(self, game: Game[Any, Any]) -> Puzzles:
        return Puzzles(game, self.device, self.watcher, solved=self.solved, today=lambda: DAY)

    def seek(self, number: int) -> None:
        self.runner.seek(number)
        self.step(self.now)

    @property
    def puzzle(self) -> Puzzle:
        return puzzles(self.game)[self.at - 1]

    def taps(self) -> tuple[str, ...]:
        """Return the touches of the first right move."""
        position = self.puzzle.position
        return self.game.taps(position, self.game.parse_move(position, self.puzzle.line[0]))

    def solve(self) -> None:
        """Make the right moves of the puzzle on the board."""
        line, position = self.puzzle.line, self.puzzle.position
        for number, text in enumerate(line):
            move = self.game.parse_move(position, text)
            for spot in self.game.taps(position, move) if number % 2 == 0 else ():
                self.tap(spot)
            for _ in range(MOVE_STEPS):
                self.now += 1.0
                self.step(self.now)
            position = self.game.play(position, move)

    def lit(self, cue: Cue) -> set[str]:
        return {cell for cell, each in self.cues.items() if each is cue}


@pytest.fixture
def board(tmp_path):
    with closing(Solving(GAME, tmp_path)) as solving:
        yield solving


@pytest.mark.parametrize("mode", ["touch", "presence"])
@pytest.mark.parametrize("game", PUZZLED, ids=lambda game: game.name)
def test_puzzles_are_solved_by_touches_and_lights_alone(game, mode, tmp_path):
    with closing(Solving(game, tmp_path, mode)) as solving:
        lines = {len(each.line): n for n, each in enumerate(puzzles(game), start=1)}
        for number in lines.values():
            solving.seek(number)
            assert solving.lit(Cue.STANDS) == {*game.pieces(solving.puzzle.position)}
            assert solving.lit(Cue.LEGAL) == set(), "nothing tells what is right"
            assert solving.said.endswith(solving.puzzle.texts[0]["en"])
            solving.solve()
            assert solving.lit(Cue.WIN)
            assert solving.said.startswith("Solved!")
            assert solving.seen.puzzles.solved[number - 1]
            solving.tap(game.board.cells[0])
            assert solving.at != number


def test_newcomers_begin_with_the_easiest_puzzle_and_others_with_that_of_the_day(board):
    count = len(puzzles(GAME))
    first = daily(count, DAY.toordinal()) + 1
    assert (board.at, board.seen.puzzles.daily) == (1, first)
    board.solve()
    assert board.started(GAME).picture().lesson == (first, count)
    board.command(Command.NEW_GAME)
    assert board.at == first
    board.solve()
    assert "solved, 1 day in a row" in board.said
    board.tap("e5")
    suiting = board.at
    board.command(Command.TAKE_BACK)
    assert board.at == (suiting - 2) % count + 1
    board.command(Command.NEW_GAME)
    assert board.at == first


def test_first_try_counts_for_the_rating_of_who_solves_and_the_next_puzzle_is_near_it(board):
    def own() -> float:
        return Solved(board.folder).of(GAME.name).rating

    def wrong() -> None:
        board.tap(next(c for c in GAME.legal_moves(board.puzzle.position) if (c,) != board.taps()))
        board.command(Command.TAKE_BACK)

    assert board.seen.puzzles.own == own() == 0
    board.solve()
    won = own()
    assert won > Rating().value > board.puzzle.rating
    assert (board.seen.puzzles.own, board.seen.puzzles.rating) == (round(won), board.puzzle.rating)
    board.tap("e5")
    deviation = Solved(board.folder).of(GAME.name).deviation
    unsolved = [
        each for each in puzzles(GAME) if each.key not in Solved(board.folder).of(GAME.name).solved
    ]
    assert board.puzzle == min(unsolved, key=lambda each: abs(each.rating - won + deviation / 2))
    wrong()
    lost = own()
    assert lost < won
    for again in (wrong, lambda: board.command(Command.HINT), board.solve):
        again()
        assert own() == lost
    board.command(Command.CONFIRM)
    board.command(Command.HINT)
    assert own() < lost
    ada = ("Ada", "") if GAME.to_move(board.puzzle.position) == 1 else ("", "Ada")
    board.give(SetNames(ada))
    assert (board.seen.state.names, own()) == (ada, 0)
    assert not any(board.seen.puzzles.solved)
    board.give(SetNames(("", "")))
    assert own() < lost


def test_wrong_move_is_answered_by_what_refutes_it_and_taken_back(board):
    number, wrong = next(
        (number, cell)
        for number, each in enumerate(puzzles(GAME), start=1)
        for cell in GAME.legal_moves(each.position)
        if each.kind is Kind.SAVE and GAME.outcome(GAME.play(each.position, cell)) is None
        if GAME.move_text(each.position, cell) != each.line[0]
    )
    board.seek(number)
    position = board.puzzle.position
    board.tap(wrong)
    assert board.cues[wrong] is Cue.WRONG
    notice, plies = board.seen.scene.notice, set[int]()
    assert notice.key == "puzzle.refuted"
    while board.seen.state.position != position:
        assert board.seen.scene.notice == notice
        plies.add(len(board.seen.state.history))
        last = board.seen.state
        board.now += 1.0
        board.step(board.now)
    assert plies == {1, 2}
    assert last.outcome.winner != GAME.to_move(position)
    assert last.history[-1].text == notice.args["move"]
    assert (board.seen.scene.notice, board.lit(Cue.WRONG)) == (None, set())
    # Any touch, and a take-back, end what is shown.
    for end in (lambda: board.tap(wrong), lambda: board.command(Command.TAKE_BACK)):
        board.tap(wrong)
        end()
        assert (board.at, board.seen.state.position) == (number, position)
    assert not any(board.seen.puzzles.solved)
    board.solve()
    assert board.said.startswith("Solved!")


def test_move_that_brings_less_than_the_most_says_how_much(board):
    board.seek(next(n for n, p in enumerate(puzzles(GAME), start=1) if p.kind is Kind.MOST))
    position, mover = board.puzzle.position, GAME.to_move(board.puzzle.position) - 1
    wrong = next(cell for cell in GAME.legal_moves(position) if (cell,) != board.taps())
    board.tap(wrong)
    gain = GAME.score(GAME.play(position, wrong))[mover] - GAME.score(position)[mover]
    less = say("puzzle.less", gain=gain, most=board.puzzle.count)
    assert board.seen.scene.notice == less


def test_wrong_end_of_a_move_of_several_touches_begins_it_again(tmp_path):
    game = all_games()["adaptoid"]
    with closing(Solving(game, tmp_path)) as board:
        position, right = board.puzzle.position, board.taps()
        ways = [game.taps(position, move) for move in game.legal_moves(position)]
        wrong = next(taps for taps in ways if len(taps) > 1 and taps != right)
        for spot in wrong[:-1]:
            board.tap(spot)
            assert board.lit(Cue.LEGAL) or board.seen.scene.keys
        board.tap(wrong[-1])
        assert board.lit(Cue.LEGAL) == set()
        assert board.seen.scene.notice.key in ("puzzle.wrong", "puzzle.refuted")
        board.command(Command.TAKE_BACK)
        board.solve()
        assert board.said.startswith("Solved!")


def test_illegal_touch_says_why_and_hints_name_the_theme_narrow_it_down_and_then_tell(board):
    occupied = next(iter(GAME.pieces(board.puzzle.position)))
    board.tap(occupied)
    assert board.cues[occupied] is Cue.WRONG
    assert board.seen.scene.notice.key == "circle_of_life.occupied"
    board.run(REJECTED_S)
    assert board.lit(Cue.WRONG) == set()
    (right,), theme = board.taps(), words("en").text(board.puzzle.themes[0].value)
    assert theme not in board.said
    board.command(Command.HINT)
    assert theme in board.said
    assert right in board.lit(Cue.HINT)
    shown = board.lit(Cue.HINT)
    assert len(shown) == 3
    wrong = min(shown - {right})
    board.tap(wrong)
    board.run(60)
    # What was refuted is offered no more.
    assert (board.lit(Cue.HINT) > {right}, wrong in board.lit(Cue.HINT)) == (True, False)
    board.command(Command.HINT)
    assert board.lit(Cue.HINT) == {right}
    board.solve()
    assert theme in board.said


def test_streak_counts_days_in_a_row_and_is_kept(tmp_path):
    for day, streak in ((1, 1), (1, 1), (2, 2), (3, 3), (5, 1)):
        Solved(tmp_path).add("a", f"key{day}", day)
        assert Solved(tmp_path).streak("a", day) == streak
    assert [Solved(tmp_path).streak("a", day) for day in (6, 7)] == [1, 0]
    assert Solved(tmp_path).of("a").solved == ["key1", "key2", "key3", "key5"]
    assert Solved(tmp_path).of("b").solved == []


@pytest.mark.parametrize("text", ["{", '{"version": 1, "games": 7}', '{"version": 9}'])
def test_file_that_cannot_be_read_is_told_and_replaced(text, tmp_path, caplog):
    (tmp_path / "puzzles.json").write_text(text)
    solved = Solved(tmp_path)
    assert "which puzzles are solved cannot be read" in caplog.text
    solved.add("a", "key")
    assert Solved(tmp_path).of("a").solved == ["key"]
