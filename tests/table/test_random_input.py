"""For any input of hands, boards, disks and pages: no errors, no illegal state, no dead end."""

from collections.abc import Iterable
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.azteka import GAME as AZTEKA
from game.rules.base.game import Game
from game.rules.base.message import say
from game.rules.base.registry import all_games
from game.rules.circle_of_life import GAME
from game.table import DRAW_S, UNKNOWN_PIECE, Phase, State, Table, inputs
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command
from tests.helpers.effort import effort, examples
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_hidden import ToyHidden
from tests.table.invariants import Followed, check
from tests.table.random_game import LEVELS, events_of

HANDS = inputs.Touched | inputs.Held | inputs.Lifted | inputs.PalmDetected | inputs.StonesChanged


class RandomGame:
    """A table, the stones on it, and all that was saved of its game."""

    def __init__(self, game: Game[Any, Any], presence: bool, seed: int) -> None:
        options = {"target": "4"} if game is GAME else {}
        self.game, self.presence, self.rng = game, presence, Random(seed)
        self.table = Table(game, options, Random(seed), presence, LEVELS)
        self.now = 0.0
        self.shown = Followed(game)
        self.saved: list[Entry] = []
        self.stones: set[str] = set()
        self.set_up_seen = False
        self._keep(self.table.start(0.0))
        if presence:
            self.stand()
        if game.hidden and seed % 2:
            self._begin_laid_out()

    def _begin_laid_out(self) -> None:
        self.wait(DRAW_S)
        for player in (1, 2):
            pieces = self.game.arranged_at_random(self.state.position, player, self.rng)
            self.give(inputs.SubmitSetup(player, pieces))
        self.put_right() if self.presence else self.give(Asked(Command.CONFIRM))

    @property
    def state(self) -> State:
        return self.table.state

    def _keep(self, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            if entry.kind is EntryKind.START:
                self.saved.clear()
            self.saved.append(entry)
            self.shown.tell(entry)

    def wait(self, seconds: float) -> None:
        before = self.state
        self.now += seconds
        self.table.tick(self.now)
        assert self.state == before or seconds > 0
        check(self.table, self.shown, before, (), self.now)

    def give(self, event: inputs.Input) -> tuple[Entry, ...]:
        self.set_up_seen |= self.state.draft is not None
        self.table.tick(self.now)
        before = self.state
        entries = self.table.handle(event, self.now)
        if entries and entries[0].kind is EntryKind.MOVE and not self.shown.arranging:
            self._check_whose(before, entries[0].text)
        if before.faults.reasons and isinstance(event, HANDS):
            assert (entries, self.state.standing) == ((), before.standing), "play pauses"
        if self.game is GAME:
            self._check_hands(before, event, entries)
        self._keep(entries)
        check(self.table, self.shown, before, entries, self.now, event)
        return entries

    def _check_hands(self, before: State, event: inputs.Input, entries: tuple[Entry, ...]) -> None:
        """Check that only a hand on a right board moves, and only a command takes back."""
        after, kinds = self.state, {entry.kind for entry in entries}
        if EntryKind.MOVE in kinds:
            assert before.phase is Phase.TAP
            assert before.faults.reasons == ()
            assert before.standing == GAME.pieces(before.position)
            new = set(GAME.pieces(after.position)) - set(GAME.pieces(before.position))
            sensed = self.presence and isinstance(event, inputs.StonesChanged)
            assert not sensed or new <= self.stones - before.faults.masked
        assert EntryKind.TAKE_BACK not in kinds or isinstance(event, Asked)

    def _check_whose(self, before: State, text: str) -> None:
        """Check that a computer player that answers makes only the moves that it wants."""
        game, at = self.game, before.position
        player = game.to_move(at)
        level = before.computers[player - 1] if player and before.computers else ""
        if level not in before.engine.levels:
            return
        thought = before.engine.result
        knows = game.seen_by(at, player, remembers=True)
        if thought is None or thought.position != knows or thought.level != level:
            assert before.engine.unavailable is not None
            return
        assert game.move_text(at, game.parse_move(at, thought.moves[0].move)) == text

    def stand(self, stones: Iterable[str] | None = None) -> tuple[Entry, ...]:
        """Let just these stones stand, by default the same as before."""
        self.stones = self.stones if stones is None else set(stones)
        return self.give(inputs.StonesChanged(frozenset(self.stones)))

    def turn_over(self, cells: frozenset[str]) -> None:
        """Set stones where none stand, and take away those that do."""
        self.stand(self.stones ^ cells)

    def turn_ring(self, ring: str) -> None:
        """Turn a ring with all that stands on it, as far as that is sensed."""
        cells = self.game.board.rings.get(ring, ())
        there = {cells[n] for n in range(len(cells)) if cells[n - 1] in self.stones}
        self.stand((self.stones - set(cells)) | there)

    def put_right(self) -> None:
        self.stand(self.state.expected)

    def mend(self) -> None:
        self.give(inputs.FaultsChanged(frozenset(), ()))

    def lift(self) -> None:
        for spot in sorted(self.state.fingers.debounce_until):
            self.give(inputs.Lifted(spot))

    def hint(self) -> None:
        self.give(Asked(Command.HINT))
        self.think()

    def restart(self) -> None:
        """Cut the power and switch on again: stones stay, everything that was not saved is gone."""
        masked = self.state.faults.masked
        self.table = self.resumed(self.rng.choice((LEVELS, LEVELS, ("3",), ())))
        check(self.table, self.shown, self.state, (), self.now)
        self.give(inputs.MaskChanged(masked))
        if self.presence and self.rng.random() < 0.5:
            self.stand()

    def set_up(self, cells: frozenset[str], score: tuple[int, ...]) -> None:
        """Set up a position by hand and page, possible or not."""
        self.give(Asked(Command.SET_UP))
        for cell in sorted(cells):
            if self.state.draft is not None and self.rng.random() < 0.5:
                self.give(inputs.SetPiece(cell, self.rng.choice(("", *self.game.palette))))
            elif self.state.draft is not None:
                self.finger(cell)
            self.give(Asked(Command.RESIGN) if self.rng.random() < 0.3 else inputs.Lifted(cell))
        self.give(inputs.SetScore(score, self.rng.randint(1, len(self.game.players))))
        self.give(Asked(Command.NEW_GAME))

    def put_back(self, count: int) -> None:
        history = self.state.history
        if history:
            self.stand(self.game.pieces(history[-min(count, len(history))].before))

    def finger(self, spot: str) -> tuple[Entry, ...]:
        """Touch and lift as people do; or, where stones are sensed, set or take one."""
        on_board = spot in self.game.board.cells
        if self.presence and on_board and spot not in self.state.faults.masked:
            if spot in self.state.taps[-1:] and spot not in self.stones:
                # What was lifted is put before it is touched once more.
                self.stand(self.stones | {spot})
            return self.stand(self.stones ^ {spot})
        entries = self.give(inputs.Touched(spot))
        return entries + self.give(inputs.Lifted(spot))

    def think(self) -> None:
        """Answer the current search request with random moves."""
        wanted, game = self.table.search_request(), self.game
        if wanted is not None:
            at = wanted.position
            moves = [game.plain_text(at, move) for move in game.legal_moves(at)]
            self.rng.shuffle(moves)
            ideas = tuple(
                inputs.ScoredMove(move, self.rng.random()) for move in moves[: wanted.count]
            )
            self.give(inputs.SearchResult(wanted.position, wanted.level, ideas))

    def next_taps(self) -> list[str]:
        """List the spots that continue a legal move, by the rules or the computer's choice."""
        state, game = self.state, self.game
        done = len(state.taps)
        wants = self.table.scene().proposal
        if wants is not None:
            return [wants.taps[0]]
        moves = game.legal_moves(state.position)
        all_taps = [game.taps(state.position, move) for move in moves]
        return sorted({taps[done] for taps in all_taps if taps[:done] == state.taps})

    def play(self) -> None:
        """Do the next sensible thing, if there is one."""
        if self.state.phase is Phase.DRAW:
            self.wait(DRAW_S)
        elif self.state.phase is Phase.ARRANGE:
            self.lay_out()
        elif self.state.phase is Phase.SHOW:
            self._confirm()
        elif self.state.phase is Phase.TAP and not self.state.faults.reasons:
            if self.rng.random() < 0.7:
                self.think()
            if self.game.hidden and not self.state.taps:
                self.attack()
            else:
                self.finger(self.rng.choice(self.next_taps()))
        else:
            self.edit()

    def attack(self) -> None:
        """Make a whole move that attacks if possible, else one that approaches the other side."""
        state, game = self.state, self.game
        wants = self.table.scene().proposal
        moves = [wants.text] if wants else [*game.legal_moves(state.position)]
        moves.sort(key=lambda move: ("*" not in move, "2" not in move))
        for spot in game.taps(state.position, self.rng.choice(moves[:2])):
            self.wait(1.0)
            self.finger(spot)

    def edit(self) -> None:
        """Do any one of the pending edits."""
        pending = self.state.pending
        if pending:
            self.bring_right(self.rng.choice(pending).cell)

    def bring_right(self, cell: str) -> None:
        ring = self.game.board.rings.get(cell, (cell,))
        cell = self.rng.choice((cell, *ring))
        if self.presence and cell not in self.state.faults.masked:
            # Who exchanges a piece lifts it first.
            self.stand(self.stones - {cell})
            self.stand(self.stones | ({cell} & self.state.expected.keys()))
        else:
            self.finger(cell)

    def carry_on(self) -> None:
        """Do what the table asks for, in any order, until a move is made in this game or a new one.

        Fails if that leads nowhere.
        """
        self.mend()
        for cell in [cell for cell, end in self.state.fingers.debounce_until.items() if end == inf]:
            self.give(inputs.Lifted(cell))
        if self.presence:
            self.stand()
        enough = 2 * len(self.game.board.cells) + 20
        for _ in range(enough):
            self.wait(1.0)
            match self.state.phase:
                case Phase.DRAW:
                    self.wait(DRAW_S)
                case Phase.ARRANGE:
                    self.lay_out()
                case Phase.SHOW | Phase.CONFIRM:
                    self._confirm()
                case Phase.SET_UP:
                    self._end_set_up()
                case Phase.EDIT:
                    self.edit()
                case Phase.OVER:
                    self.give(Asked(Command.NEW_GAME))
                    assert self.state.phase is Phase.DRAW
                case Phase.MENU:
                    self._end_menu()
                case Phase.TAP:
                    if self.table.scene().thinking and self.rng.random() < 0.5:
                        self.give(inputs.EngineUnavailable(say("fault.link")))
                    self.think()
                    entries = self.finger(self.rng.choice(self.next_taps()))
                    if any(entry.kind is EntryKind.MOVE for entry in entries):
                        return
        raise AssertionError(f"no way on from {self.state}")

    def lay_out(self) -> None:
        """Let the next player lay out their pieces, in secret or on the board."""
        state, game = self.state, self.game
        on_board = state.setups.on_board
        player = on_board.player if on_board else next(iter(state.still_arranging))
        arranges = game.arranging(state.position, player)
        assert arranges is not None
        if self.rng.random() < 0.5:
            pieces = game.arranged_at_random(state.position, player, self.rng)
            self.give(inputs.SubmitSetup(player, pieces))
            return
        if on_board is None:
            if self.rng.random() < 0.7:
                self.give(inputs.SeatsChanged(frozenset()))
            self.give(Asked(Command.SET_UP))
        for cell in (*arranges.cells, *arranges.cells):
            # A piece that stands where it does not count is lifted first.
            self.wait(1.0)
            covering = self.state.setups.on_board
            if covering is not None and cell not in covering.cells:
                self.stand(self.stones - {cell})
                self.finger(cell)
        self.give(Asked(Command.CONFIRM))

    def _confirm(self) -> None:
        if self.rng.random() < 0.5:
            self.give(Asked(Command.CONFIRM))
        else:
            self.finger(self.rng.choice(self.game.board.cells))

    def _end_menu(self) -> None:
        """Choose something, or close the menu."""
        self.give(inputs.SeatsChanged(frozenset()))
        menu = self.table.scene().menu.items()
        cells = [cell for cell, each in menu if cell not in self.stones and not each.of_help]
        if cells and self.rng.random() < 0.5:
            self.finger(self.rng.choice(cells))
            assert self.state.phase is Phase.DRAW
        else:
            keys = Command.MENU, Command.NEW_GAME, Command.TAKE_BACK
            self.give(Asked(self.rng.choice(keys)))
            assert self.state.phase is not Phase.MENU

    def _end_set_up(self) -> None:
        """Finish the draft, make sense of it first, or leave it."""
        choice = self.rng.randrange(3)
        if choice == 0:
            self.give(Asked(Command.SET_UP))
        elif choice == 1 and self.state.draft and self.state.draft.flaw is None:
            self.give(Asked(Command.NEW_GAME))
        else:
            self.give(Asked(Command.TAKE_BACK))
            assert self.state.draft is None

    def resumed(self, levels: tuple[str, ...] = LEVELS) -> Table:
        again = Table(self.game, {}, Random(0), self.presence, levels)
        assert again.resume(self.saved, self.now) == ()
        return again


def steps_of(game: Game[Any, Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for events, seconds, and steps that need the stones or a state.

    Sensible ones are frequent, so that games make progress.
    """
    cells = st.sampled_from(game.board.cells)
    some = st.frozensets(cells, max_size=3) | st.frozensets(cells, min_size=1, max_size=12)
    scores = st.tuples(*[st.sampled_from((0, 0, 3, 4))] * len(game.players))
    return st.one_of(
        *[st.just("play")] * 4,
        *[events_of(game)] * 4,
        st.sampled_from(("play", "play", "put_right", "mend", "lift", "restart", "think", "hint")),
        st.tuples(st.just("turn_over"), some),
        st.tuples(st.just("set_up"), some, scores),
        st.tuples(st.just("turn_ring"), st.sampled_from((*game.board.rings, ""))),
        st.tuples(st.just("put_back"), st.integers(1, 6)),
        st.sampled_from((0.0, 0.1, 0.3, 0.6, 2.4, 9.0, 1e9)) | st.floats(0.0, 4.0),
    )


def happen(playing: RandomGame, step: Any) -> None:
    match step:
        case float():
            playing.wait(step)
        case str():
            getattr(playing, step)()
        case (str() as what, *args):
            getattr(playing, what)(*args)
        case _:
            playing.give(step)


TABLES = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
TOYS = (Toy(), ToyHidden())
DISCS = (AZTEKA, AZTEKA.variants["three"])
GAMES = pytest.mark.parametrize("game", [GAME, *DISCS, *TOYS], ids=lambda game: game.name)
KEYED = {game.name: game for game in (*all_games().values(), *TOYS) if game.keys}


@TABLES
@GAMES
@examples(8, 20)
@given(data=st.data(), length=st.sampled_from((3, 10, 40)), seed=st.integers(0, 1000))
def test_whatever_happens_it_stays_legal_resumes_and_goes_on(game, presence, data, length, seed):
    playing = RandomGame(game, presence, seed)
    for step in data.draw(st.lists(steps_of(game), min_size=length, max_size=length)):
        happen(playing, step)
    playing.set_up_seen |= playing.state.draft is not None
    again = playing.resumed()
    assert playing.shown.agrees(again.state)
    if not presence and not playing.set_up_seen:
        assert again.state.standing == playing.state.standing
    playing.carry_on()


@TABLES
@examples(8, 15)
@given(data=st.data(), length=st.sampled_from((10, 40)), seed=st.integers(0, 1000))
def test_a_kill_after_any_entry_loses_nothing_that_was_kept(presence, data, length, seed):
    playing = RandomGame(ToyHidden(), presence, seed)
    for step in data.draw(st.lists(steps_of(ToyHidden()), min_size=length, max_size=length)):
        happen(playing, step)
    for count in range(1, len(playing.saved) + 1):
        again, shown = Table(ToyHidden(), {}, Random(0), presence, LEVELS), Followed(ToyHidden())
        more = again.resume(playing.saved[:count], playing.now)
        for entry in (*playing.saved[:count], *more):
            shown.tell(entry)
        assert shown.agrees(again.state)


@TABLES
@pytest.mark.parametrize("game", KEYED.values(), ids=KEYED)
@pytest.mark.parametrize("seed", range(effort(1, 2)))
def test_whole_games_are_played_to_their_end_over_restarts(game, presence, seed):
    playing = RandomGame(game, presence, seed)
    for ply in range(600):
        if playing.state.phase is Phase.TAP and game.hidden:
            # Where pieces are hidden nothing but attacks brings the end.
            playing.attack()
        else:
            playing.carry_on()
        if playing.state.outcome is not None:
            break
        if ply % 40 == 0:
            before = playing.state
            playing.restart()
            playing.stand() if presence else None
            assert playing.state.position == before.position
            # Whatever stands where a piece belongs counts as that piece after a restart.
            stood, stands = before.standing, playing.state.standing
            known = {cell: p for cell, p in stood.items() if p != UNKNOWN_PIECE}
            assert stands.keys() == stood.keys()
            assert known.items() <= stands.items()
    if playing.state.phase is Phase.SHOW:
        playing.give(Asked(Command.CONFIRM))
    while playing.state.pending:
        playing.wait(1.0)
        playing.edit()
    assert playing.state.phase is Phase.OVER
    assert playing.shown.agrees(playing.resumed().state)
