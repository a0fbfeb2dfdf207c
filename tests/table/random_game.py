"""A table with a clock and hands of its own, and random inputs, for the tests of the table."""

from copy import copy
from random import Random
from typing import Any, Self

from hypothesis import strategies as st

from game.rules.base.game import Game
from game.rules.base.message import say
from game.rules.boards.fingers import DEBOUNCE_S
from game.table import DRAW_S, Phase, State, Table, inputs
from game.table.inputs import Asked, Command, ScoredMove

TWO_MEALS = ("e5", "d4", "a1", "f5", "a3", "i5", "e6")
"""Cells in turn: orange's e6 makes a pair with e5, which eats the singletons on d4 and f5."""
LEVELS = ("random", "1", "2", "3", "4", "5", "6")


class TableSession:
    """A table with a clock of its own, touched by a hand that lifts again.

    In presence sensing the hand sets and takes stones, and the table is told where they stand.
    """

    def __init__(
        self, game: Game[Any, Any], options: dict[str, str], presence: bool, offers: bool = False
    ) -> None:
        self.table = Table(game, options, Random(7), presence, LEVELS, offers=offers)
        self.now = 0.0
        self.saved = list(self.table.start(self.now))
        self.stones = set(game.pieces(self.table.state.position)) if presence else set()
        if presence:
            self.do(set())
        self.wait(DRAW_S)

    def twin(self) -> "TableSession":
        """Return a session in the same state that goes on by itself."""
        other = copy(self)
        other.table = copy(self.table)
        other.saved, other.stones = list(self.saved), set(self.stones)
        return other

    def restarted(self, *masked: str) -> Table:
        """Return a new table, as after a power cut: the game resumed, then the board read."""
        presence = self.table.state.hands.sensed is not None
        table = Table(self.table.game, {}, Random(0), presence, self.table.state.engine.levels)
        table.resume(self.saved, 0.0)
        table.handle(inputs.MaskChanged(frozenset(masked)), 0.0)
        assert table.handle(inputs.StonesChanged(frozenset(self.stones)), 0.3) == ()
        return table

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.table.tick(self.now)

    def give(self, event: Any) -> None:
        self.now += 0.05
        self.saved += self.table.handle(event, self.now)

    def do(self, *steps: Any) -> Self:
        """Take steps: spots by finger or stone, stones at once, seconds, commands and inputs."""
        board, sensed = self.table.game.board.cells, self.table.state.hands.sensed is not None
        for step in steps:
            masked = isinstance(step, str) and step in self.table.state.faults.masked
            match step:
                case Command():
                    self.ask(step)
                case int() | float():
                    self.wait(step)
                case str() if not sensed or masked or step not in board:
                    self.tap(step)
                case str() | set():
                    self.stones ^= {step} if isinstance(step, str) else step
                    self.give(inputs.StonesChanged(frozenset(self.stones)))
                case _:
                    self.give(step)
        return self

    def tap(self, *spots: str) -> None:
        """Touch and lift, one spot after the other, at the pace of people who think."""
        for spot in spots:
            self.now += DEBOUNCE_S
            self.give(inputs.Touched(spot))
            self.give(inputs.Lifted(spot))

    def ask(self, *commands: Command) -> None:
        for command in commands:
            self.give(Asked(command))

    def oppose(self, *computers: str) -> Self:
        """Let computers play from now on, one level a player, "" for a person."""
        return self.do(inputs.SetOpponents(computers))

    def think(self, *moves: str, value: float = 0.5) -> Self:
        """Answer the current search request with these moves, best first."""
        wanted = self.table.search_request()
        assert wanted is not None, "nothing is to be thought about"
        ideas = tuple(ScoredMove(move, value) for move in moves)
        return self.do(inputs.SearchResult(wanted.position, wanted.level, ideas))

    def disturb(self, *cells: str) -> Self:
        reason = say("fault.chip", part="B", cells=cells)
        return self.do(inputs.FaultsChanged(frozenset(cells), (reason,)))

    def mend(self) -> Self:
        return self.do(inputs.FaultsChanged(frozenset(), ()))

    def mask(self, *cells: str) -> Self:
        return self.do(inputs.MaskChanged(frozenset(cells)))

    def cue(self, cell: str) -> str:
        lamp = self.table.scene().cells.get(cell)
        return lamp.cue.value if lamp else ""

    def cues(self, cue: str) -> list[str]:
        return [cell for cell in self.table.game.board.cells if self.cue(cell) == cue]

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def phase(self) -> Phase:
        return self.table.state.phase

    @property
    def moves(self) -> list[str]:
        return [played.text for played in self.table.state.history]

    def kinds(self, since: int = 0) -> list[str]:
        return [entry.kind.name for entry in self.saved[since:]]

    @property
    def pieces(self) -> dict[str, str]:
        return self.table.game.pieces(self.table.state.position)

    @property
    def notice(self) -> str:
        notice = self.table.scene().notice
        return notice.key if notice else ""

    @property
    def prompts(self) -> list[str]:
        return [message.key for message in self.table.scene().prompt]


def events_of(game: Game[Any, Any]) -> st.SearchStrategy[inputs.Input]:
    """Return a strategy for inputs of hands, boards, disks and pages."""
    cells = st.sampled_from(game.board.cells)
    spots = st.one_of(cells, cells, st.sampled_from((*game.keys, "z9", "")))
    some = st.frozensets(cells, max_size=3)
    pieces = st.sampled_from((*game.palette, "", "9"))
    names = st.sampled_from(("", "Ada", " Bea  B. ", "x" * 41, "\x00"))
    levels = st.sampled_from(("", "", "random", "3", "99"))
    players = len(game.players)
    who = st.tuples(*[levels] * players)

    def arranged(player: int, seed: int, odd: bool | None) -> inputs.SubmitSetup:
        """Lay out pieces for the start of a game; `odd` are too many, None starts again."""
        if odd is None or not game.hidden or not 1 <= player <= players:
            return inputs.SubmitSetup(player, None if odd is None else {})
        pieces = game.arranged_at_random(game.initial(), player, Random(seed))
        more = {game.board.cells[5]: "Ga"} if odd else {}
        return inputs.SubmitSetup(player, {**pieces, **more})

    numbers, odd = st.integers(0, players + 1), st.sampled_from((False, False, False, True, None))
    scores = st.lists(st.integers(-1, 6), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        *(
            st.builds(touched, spots)
            for touched in (inputs.Touched, inputs.Lifted, inputs.Held, inputs.Performed)
        ),
        st.builds(inputs.PalmDetected, st.frozensets(cells, min_size=3, max_size=5)),
        st.builds(inputs.FaultsChanged, some, st.just((say("fault.strip"),))),
        st.builds(inputs.MaskChanged, some),
        st.builds(inputs.Saved, st.sampled_from((None, say("fault.strip")))),
        st.builds(inputs.SetNames, st.lists(names, max_size=3).map(tuple)),
        st.builds(inputs.SeatsChanged, st.frozensets(st.integers(1, players))),
        st.builds(inputs.EngineUnavailable, st.sampled_from((None, say("fault.link")))),
        st.builds(inputs.SetOpponents, who) | st.builds(inputs.StartGame, st.none(), who),
        *[st.builds(Asked, st.sampled_from(Command))] * 3,
        *[st.builds(arranged, numbers, st.integers(0, 9), odd)] * 2,
        st.builds(inputs.SetPiece, spots, pieces) | st.builds(inputs.SelectPiece, pieces),
        st.builds(inputs.SetScore, scores, st.integers(0, 3)),
    )
