"""Lessons of a game on the lights and the page: its tutorial, step by step, and its puzzles.

Owns which touch leads to the next step. `game.rules.base` reads the steps and puzzles;
`game.store.solved` saves which are solved.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from math import inf
from typing import Any
from zlib import crc32

from game.common import AppError
from game.opponent import LEVEL_DEVIATION, Rating, rated
from game.play import PuzzleList, Snapshot
from game.rules.base.lessons import Kind, daily, puzzles, refuted, tutorial
from game.rules.base.message import InlineText, Message, say
from game.store import Solved
from game.table import Cue, Lamp, PlayerView
from game.table.inputs import Command, SetNames
from game.web.game_pages import GAME
from game.web.lesson import Lesson, Request, standing

LEARNER = 1
"""The player who learns; in a game that hides pieces, the tutorial shows this player's view."""
OFFERED = 3
"""How many cells the first hint shows, one of them right; the second hint shows that one."""


class Tutorial(Lesson):
    """The tutorial of one game on one board; raises AppError for a game without one.

    The expected touches enter moves. A take-back goes one step back, a confirmation makes the move
    that the step expects, and a new game begins again. A touch after the last step leads to the
    game.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._steps = tutorial(self.game)
        if not self._steps:
            raise AppError(f"{self.game.title} has no tutorial")
        self._views = PlayerView()
        self._go_to(0)

    def _go_on(self) -> None:
        self._go_to(self._at + 1)

    def obey(self, asked: Request, now: float) -> None:
        match asked:
            case Command.TAKE_BACK if self._frames or self._taps:
                self._go_to(self._at)
            case Command.TAKE_BACK:
                self._go_to(max(0, self._at - 1))
            case Command.NEW_GAME:
                self._go_to(0)
            case Command.CONFIRM if (move := self._steps[self._at].move) and not self._frames:
                self._play([move], now)
            case Command.CONFIRM:
                self._go_to(self._at + 1)
            case str() if asked in (*self.game.board.cells, *self.game.keys):
                self._touch(asked, now)

    def _touch(self, spot: str, now: float) -> None:
        """Handle a touch: advance if expected, else flag it; during a move, skip to its end."""
        wanted = self._steps[self._at]
        if self._frames:
            self._go_on()
            return
        expected = wanted.expected(self._taps)
        self._wrong = None
        if expected and spot not in expected:
            keys = expected <= {*self.game.keys}
            where = say("tutorial.press") if keys else say("tutorial.elsewhere", cell=spot)
            why = InlineText("lesson", texts=wanted.wrong) if wanted.wrong else where
            self._flag(spot, why, now)
        elif wanted.move and len(self._taps) + 1 < len(wanted.taps):
            self._taps = (*self._taps, spot)
        elif wanted.move:
            self._play([wanted.move], now)
        elif self._at + 1 == len(self._steps):
            self.leads_to = GAME
        else:
            self._go_on()

    def _go_to(self, at: int) -> None:
        """Begin a step; past the end, begin the last one again."""
        self._at = min(at, len(self._steps) - 1)
        self._begin(self._steps[self._at].position)

    def picture(self) -> Snapshot:
        """Return the step's snapshot: every piece and every expected touch is lit."""
        wanted, expected, light = self._steps[self._at], frozenset[str](), dict[str, Lamp]()
        if self._frames:
            state = self._views.seen(self._frames[0].state, LEARNER)
            prompt = [state.history[-1].summary]
        else:
            lesson_state = replace(self._state, taps=self._taps, inspecting=wanted.inspect)
            state = self._views.seen(lesson_state, LEARNER)
            expected = wanted.expected(self._taps)
            stands = standing(self.game, state)
            light = {
                cell: replace(stands.get(cell, Lamp(Cue.STANDS)), cue=Cue.CRITTER)
                for cell in wanted.light
            }
            mover = state.situation.to_move
            side = mover and self.game.presentation.side_of(state.position, mover)
            light |= {spot: Lamp(Cue.LEGAL, side) for spot in expected & {*self.game.board.cells}}
            by_stones = self.device.profile.sensing.stones and self._at == 0
            prompt = [InlineText("lesson", texts=wanted.texts)]
            prompt += [say("tutorial.by_stone")] if by_stones else []
        return self._seen(state, expected, light, prompt, (self._at + 1, len(self._steps)))


@dataclass(eq=False)
class Puzzles(Lesson):
    """The puzzles of one game on one board; raises AppError for a game without any.

    Newcomers begin with the first, others with that of the day or, if it is solved, another one. A
    wrong move is shown with what refutes it, and taken back. A take-back begins the puzzle again,
    or goes to the one before. A confirmation goes on to the unsolved puzzle that is nearest to the
    solver's rating. A new game begins the puzzle of the day, and a number leads to that puzzle. A
    name that is given to a player is the solver's. The first try of a puzzle counts for the rating:
    a wrong move or a hint loses it.
    """

    solved: Solved = field(kw_only=True)
    today: Callable[[], date] = field(default=date.today, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._puzzles = puzzles(self.game)
        if not self._puzzles:
            raise AppError(f"{self.game.title} has no puzzles")
        self._at = self._played = self._hints = 0
        self._refuted: set[tuple[str, ...]] = set()  # The taps of wrong moves that were tried
        self._go_to(self._daily if any(self._are_solved) else 0)
        if self._are_solved[self._at]:
            self._go_to(self._next)

    @property
    def _daily(self) -> int:
        return daily(len(self._puzzles), self.today().toordinal())

    @property
    def _are_solved(self) -> tuple[bool, ...]:
        keys = set(self.solved.of(self.game.name).solved)
        return tuple(each.key in keys for each in self._puzzles)

    @property
    def _next(self) -> int:
        """The unsolved puzzle that suits best, untried ones first; if all are solved, the next."""
        count, solved = len(self._puzzles), self._are_solved
        after = [(self._at + step) % count for step in range(1, count + 1)]
        tried, own = self.solved.of(self.game.name).tried, self._rating
        # Little is known of newcomers: they start with easier puzzles.
        wanted = own.value - own.deviation / 2

        def suits(at: int) -> tuple[bool, bool, float]:
            each = self._puzzles[at]
            return at == self._at, each.key in tried, abs(each.rating - wanted)

        return min((at for at in after if not solved[at]), key=suits, default=after[0])

    @property
    def _rating(self) -> Rating:
        known = self.solved.of(self.game.name)
        return Rating(known.rating, known.deviation) if known.rating else Rating()

    @property
    def _done(self) -> bool:
        return not self._frames and self._played == len(self._puzzles[self._at].line)

    def obey(self, asked: Request, now: float) -> None:
        match asked:
            case Command.TAKE_BACK if self._taps or self._played or self._frames:
                self._go_to(self._at)
            case Command.TAKE_BACK:
                self._go_to((self._at - 1) % len(self._puzzles))
            case Command.CONFIRM:
                self._go_to(self._next)
            case Command.NEW_GAME:
                self._go_to(self._daily)
            case Command.HINT if not self._frames and not self._done:
                self._hints = min(2, self._hints + 1)
                self._rate(0.0)
            case SetNames(names):
                was = self._state.names
                self.solved.name_solver(
                    next((n for n, old in zip(names, was, strict=False) if n != old), "")
                )
                self._go_to(self._at)
            case int() if 1 <= asked <= len(self._puzzles):
                self._go_to(asked - 1)
            case str() if asked in (*self.game.board.cells, *self.game.keys):
                self._touch(asked, now)

    def _touch(self, spot: str, now: float) -> None:
        if self._frames:
            self._go_on()
            return
        if self._done:
            self._go_to(self._next)
            return
        game, position, taps = self.game, self._state.position, (*self._taps, spot)
        ways = self._ways()
        self._taps, self._wrong = (), None
        if taps == self._right:
            line = self._puzzles[self._at].line[self._played :][:2]
            self._played, self._hints = self._played + len(line), 0
            self._refuted.clear()
            self._play(line, now)
        elif taps in ways:
            self._refuted.add(taps)
            self._refute(spot, ways[taps], now)
        elif any(each[: len(taps)] == taps for each in ways):
            self._taps = taps
        else:
            self._flag(spot, game.presentation.refusal(position, taps), now)

    def _refute(self, spot: str, move: Any, now: float) -> None:
        """Show a wrong move and the answer to it, and flag the touch meanwhile."""
        game, position, puzzle = self.game, self._state.position, self._puzzles[self._at]
        moves, why = refuted(game, puzzle, self._played, position, move), say("puzzle.wrong")
        if len(moves) > 1:
            other = game.presentation.called(position, 3 - (game.to_move(position) or 1))
            why = say("puzzle.refuted", player=other, move=moves[1])
        elif puzzle.kind is Kind.MOST:
            player, after = self._player - 1, game.play(position, move)
            gain = game.score(after)[player] - game.score(position)[player]
            why = say("puzzle.less", gain=gain, most=puzzle.count)
        self._rate(0.0)
        self._play(moves, now)
        self._wrong = spot, why

    def _rate(self, score: float) -> None:
        """Rate the solver by a puzzle that was never tried; the score is 1 if it is solved."""
        puzzle, name = self._puzzles[self._at], self.game.name
        if puzzle.key not in self.solved.of(name).tried:
            new = rated(self._rating, Rating(puzzle.rating, LEVEL_DEVIATION), score)
            # People improve: with a smaller deviation the rating could not follow.
            self.solved.rate(name, puzzle.key, new.value, max(LEVEL_DEVIATION, new.deviation))

    def _ways(self) -> dict[tuple[str, ...], Any]:
        position = self._state.position
        return {self.game.taps(position, each): each for each in self.game.legal_moves(position)}

    @property
    def _right(self) -> tuple[str, ...]:
        position, text = self._state.position, self._puzzles[self._at].line[self._played]
        return self.game.taps(position, self.game.parse_move(position, text))

    def _go_on(self) -> None:
        """Keep the position shown, or take a wrong move back; save a solved puzzle."""
        if self._wrong is None:
            self._state = self._frames[-1].state
        self._frames, self._wrong, self._next_s = (), None, inf
        if self._done:
            self._rate(1.0)
            day = self.today().toordinal() if self._at == self._daily else None
            self.solved.add(self.game.name, self._puzzles[self._at].key, day)

    @property
    def _player(self) -> int:
        # The player who must find the moves.
        return self.game.to_move(self._puzzles[self._at].position) or 1

    def _go_to(self, at: int) -> None:
        self._at, self._played, self._hints = at, 0, 0
        self._refuted.clear()
        self._begin(self._puzzles[at].position)
        players = range(1, len(self.game.players) + 1)
        names = tuple(self.solved.solver if n == self._player else "" for n in players)
        self._state = replace(self._state, names=names)

    def picture(self) -> Snapshot:
        """Return the puzzle's snapshot: every piece is lit, and only hints show the solution."""
        puzzle, light, expected = self._puzzles[self._at], dict[str, Lamp](), frozenset[str]()
        state = replace(self._state, taps=self._taps)
        player = self._player
        side = self.game.presentation.side_of(puzzle.position, player)
        streak = self.solved.streak(self.game.name, self.today().toordinal())
        themes = say("puzzle.themes", themes=tuple(each.value for each in puzzle.themes))
        prompt: list[Message] = []
        if self._frames:
            state = self._frames[0].state
            prompt = [state.history[-1].summary]
        elif self._done:
            pieces, side_of = state.situation.pieces, self.game.presentation.side
            own = [cell for cell, piece in pieces.items() if side_of(piece) == side]
            # After the end of a round the board is empty.
            light = dict.fromkeys(own or self.game.board.rim, Lamp(Cue.WIN, side))
            prompt += [say("puzzle.solved"), *(each.summary for each in state.history[-1:]), themes]
            if self._at == self._daily and streak:
                prompt.append(say("puzzle.streak", count=streak))
            prompt.append(say("puzzle.next"))
        else:
            at = len(self._taps)
            ways = [each for each in self._ways() if each[:at] == self._taps]
            nexts = {each[at] for each in ways}
            expected = frozenset(nexts if at else nexts & {*self.game.keys})
            hinted = self._hinted({each[at] for each in ways if each not in self._refuted})
            light = dict.fromkeys(hinted, Lamp(Cue.HINT, side))
            if not hinted:
                called = self.game.presentation.called(puzzle.position, player)
                before = self.game.presentation.before(puzzle.position)
                prompt += [say("puzzle.you_are", player=called), *([before] if before else [])]
            prompt.append(InlineText("lesson", texts=puzzle.texts[self._played // 2]))
            if len(hinted) == 1:
                prompt.append(say("puzzle.hint"))
            elif hinted:
                prompt += [say("puzzle.hint_some"), themes]
        grades, today = tuple(each.grade for each in self._puzzles), self._daily + 1
        rating = round(self.solved.of(self.game.name).rating)
        listed = PuzzleList(grades, self._are_solved, today, streak, puzzle.rating, rating)
        return self._seen(
            state, expected, light, prompt, (self._at + 1, len(self._puzzles)), listed
        )

    def _hinted(self, nexts: set[str]) -> list[str]:
        """Return the touches that a hint shows: the right one, and with the first hint others."""
        right, at = self._right, len(self._taps)
        if not self._hints or right[:at] != self._taps:
            return []
        seed = self._puzzles[self._at].key
        others = sorted(nexts - {right[at]}, key=lambda each: crc32(f"{seed}{each}".encode()))
        return [right[at], *(others[: OFFERED - 1] if self._hints == 1 else ())]
