"""What a viewer must not know makes no difference to anything that they are shown.

Two tables are led in lockstep through the same inputs. They differ only in faces that the viewers
must not see: until an attack shows a difference, what each of these viewers may see is the same.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import Phase as Phase_
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules.base.game import Game
from game.rules.base.message import say
from game.rules.cirkle_mind import GAME as CIRKLE_MIND
from game.table import DRAW_S, Phase, Table, inputs
from game.table.entries import Entry
from game.table.inputs import Asked, Command
from tests.helpers.effort import examples
from tests.helpers.games.toy_hidden import ToyHidden
from tests.table.random_game import LEVELS, events_of

PLIES = 30


class Pair:
    """Two tables in lockstep, where the faces of some sides differ, and those who must not know."""

    def __init__(
        self, game: Game[Any, Any], options: dict[str, str], presence: bool, differ: int, seed: int
    ) -> None:
        self.game, self.presence, self.rng = game, presence, Random(seed)
        self.tables = [Table(game, options, Random(seed), presence, LEVELS) for _ in range(2)]
        self.saved: list[list[Entry]] = [[], []]
        self.stones: list[set[str]] = [set(), set()]
        self.now, self.shown = 0.0, False
        self.viewers: tuple[int | None, ...] = (None,) if differ == 0 else (None, 3 - differ)
        if options.get("level", "").startswith("super"):
            # Each knows both armies: their own, and the revealed one.
            self.viewers = (None,)
        self.set_ups = {each: self._set_ups(each, differ in (0, each)) for each in (1, 2)}
        for table, saved in zip(self.tables, self.saved, strict=True):
            saved += table.start(0.0)
        self.wait(DRAW_S)
        self.give(inputs.SeatsChanged(frozenset()))
        if presence:
            self.stand(set())

    def _set_ups(self, player: int, differs: bool) -> list[dict[str, str]]:
        """Return a side's set-ups for both tables; if it `differs`, two faces are exchanged."""
        pieces = self.game.arranged_at_random(self.game.initial(), player, self.rng)
        one, two = self.rng.sample(sorted(pieces), 2)
        other = pieces | {one: pieces[two], two: pieces[one]} if differs else pieces
        return [pieces, other]

    def wait(self, seconds: float) -> None:
        self.now += seconds
        for table in self.tables:
            table.tick(self.now)
        self.compare()

    def give(self, event: inputs.Input, other: inputs.Input | None = None) -> None:
        """Give both tables the same input, or two indistinguishable ones."""
        reported = []
        for n, each in enumerate((event, other or event)):
            entries = self.tables[n].handle(each, self.now)
            self.saved[n] += entries
            reported.append([entry.kind for entry in entries])
        self.compare()
        # An attack's outcome is revealed together with its faces.
        assert self.shown or reported[0] == reported[1]

    def stand(self, *stones: set[str]) -> None:
        self.stones = [set(stones[0]), set(stones[-1])]
        self.now += 0.5
        self.give(*(inputs.StonesChanged(frozenset(each)) for each in self.stones))

    def compare(self) -> None:
        """Check that only players who may know see a difference, until all is revealed."""
        # What has been shown once stays known, even if its move is taken back.
        self.shown |= self._is_shown()
        if self.shown:
            return
        one, two = self.tables
        assert one.due() == two.due()
        for viewer in self.viewers:
            assert one.scene(viewer) == two.scene(viewer)
            seen, same = one.seen(viewer), two.seen(viewer)
            assert seen == same
            assert list(seen.standing) == list(same.standing)
            assert list(seen.fingers.debounce_until) == list(same.fingers.debounce_until)
            if viewer is not None and self.game.to_move(one.state.position) == viewer:
                # A computer player is told no more than a person on its side.
                assert one.search_request() == two.search_request()

    def _is_shown(self) -> bool:
        """Return whether an attack has shown a difference, or the end has shown everything."""
        one, two = (table.state for table in self.tables)
        if one.outcome is not None or two.outcome is not None:
            return True
        plays = zip(one.history, two.history, strict=True)
        return any(a.faces != b.faces for a, b in plays)

    def restart(self) -> None:
        for n, saved in enumerate(self.saved):
            masked = self.tables[n].state.faults.masked
            self.tables[n] = Table(self.game, {}, Random(0), self.presence, LEVELS)
            assert self.tables[n].resume(saved, self.now) == ()
            self.tables[n].handle(inputs.MaskChanged(masked), self.now)
        if self.presence:
            self.stand(*self.stones)

    def lay_out(self, player: int) -> None:
        """Lay out a side, by message or by hands that make errors."""
        ways = self.set_ups[player]
        if self.rng.random() < 0.4:
            self.give(inputs.SubmitSetup(player, {}))
            self.give(*(inputs.SubmitSetup(player, each) for each in ways))
            if self.rng.random() < 0.3:
                self.give(inputs.SubmitSetup(player, None))
                self.give(*(inputs.SubmitSetup(player, each) for each in ways))
            return
        if self.rng.random() < 0.3:
            # A player sits down there and leaves: what was laid out meanwhile is laid out again.
            self.give(*(inputs.SubmitSetup(player, each) for each in ways))
            if not self.tables[0].state.arranging:
                return
            self.give(inputs.SeatsChanged(frozenset({player})))
            assert player in self.tables[0].state.still_arranging
        self.give(inputs.SeatsChanged(frozenset()))
        self.give(Asked(Command.SET_UP))
        covering = self.tables[0].state.setups.on_board
        player = covering.player if covering else player
        ways = self.set_ups[player]
        arranges = self.game.arranging(self.tables[0].state.position, player)
        assert arranges is not None
        self._around()
        order = [{piece: cell for cell, piece in each.items()} for each in ways]
        rows = [[cells[piece] for piece in arranges.pieces] for cells in order]
        for n in range(len(arranges.pieces)):
            if self.rng.random() < 0.2:
                self._err(rows, n)
            self._set(*(row[n] for row in rows))
        self.give(Asked(Command.CONFIRM))
        assert player not in self.tables[0].state.still_arranging

    def _around(self) -> None:
        """Do something without effect while a player lays out under the cover."""
        covering = self.tables[0].state.setups.on_board
        others = inputs.SeatsChanged(frozenset({3 - covering.player}))
        opponents = inputs.SetOpponents(("3", "") if covering.player == 2 else ("", "3"))
        for event in self.rng.choice(
            (
                [Asked(Command.MENU)],
                [others, opponents, inputs.SeatsChanged(frozenset())],
                [Asked(self.rng.choice((Command.RESIGN, Command.DRAW)))] * 2,
                [inputs.PalmDetected(frozenset(self.game.board.cells[:4]))],
                [Asked(Command.CONFIRM)],
            )
        ):
            self.give(event)
        assert self.tables[0].state.setups.on_board == covering

    def _set(self, *cells: str) -> None:
        self.now += 1.0
        if not self.presence:
            self.give(*(inputs.Touched(cell) for cell in cells))
            self.give(*(inputs.Lifted(cell) for cell in cells))
            return
        self.stand(*(stones - {cell} for stones, cell in zip(self.stones, cells, strict=True)))
        self.stand(*(stones | {cell} for stones, cell in zip(self.stones, cells, strict=True)))

    def _err(self, rows: list[list[str]], done: int) -> None:
        """Make an error when this many pieces are set, and correct it."""
        middle = self.game.board.cells[len(self.game.board.cells) // 2]
        match self.rng.randrange(5):
            case 0:
                self._set(middle, middle)
            case 1 if done:
                # What is lifted and set again in its place counts as set last.
                self._set(*(row[done - 1] for row in rows))
            case 2 if done:
                self.give(Asked(Command.TAKE_BACK))
                self._set(*(row[done - 1] for row in rows))
            case 3:
                self.give(inputs.FaultsChanged(frozenset({middle}), (say("fault.strip"),)))
                self.give(inputs.FaultsChanged(frozenset(), ()))
            case _:
                self._around()

    def play(self, step: Any) -> None:
        """Do one thing at both tables: mostly what is asked for, now and then anything at all."""
        one, two = self.tables
        self.now += 1.1
        assert one.state.phase is two.state.phase
        if not isinstance(step, int):
            self.give(step)
            if isinstance(step, inputs.FaultsChanged):
                self.give(inputs.FaultsChanged(frozenset(), ()))
            return
        cells, rng = self.game.board.cells, Random(step)
        if step % 40 == 0:
            self.restart()
        elif step % 40 == 1:
            self._finger(rng.choice(cells))
        elif one.state.phase is Phase.TAP:
            assert one.next_taps() == two.next_taps()
            self._move(rng)
        elif one.state.phase is Phase.EDIT and one.state.pending:
            cell = rng.choice(one.state.pending).cell
            self._finger(cell)
            if self.presence and rng.random() < 0.7:
                self.stand(set(one.state.expected))
        elif self.presence and one.state.phase is Phase.SHOW:
            self._finger(rng.choice(cells))
        else:
            self.give(Asked(Command.CONFIRM))

    def _move(self, rng: Random) -> None:
        state, done = self.tables[0].state, self.tables[0].state.taps
        ways = []
        for move in self.game.legal_moves(state.position):
            taps = self.game.taps(state.position, move)
            shown = [
                self.game.faces(table.state.position, move) if "*" in move else {}
                for table in self.tables
            ]
            if taps[: len(done)] == done and (shown[0] == shown[1] or rng.random() < 0.05):
                ways.append((not shown[0], taps))
        attacks = [taps for plain, taps in ways if not plain]
        if not ways:
            self.give(Asked(Command.TAKE_BACK))
            return
        for spot in rng.choice(attacks or [taps for _, taps in ways])[len(done) :]:
            self.now += 1.1
            self._finger(spot)

    def _finger(self, spot: str) -> None:
        if self.presence and spot not in self.game.keys:
            self.stand(*(stones ^ {spot} for stones in self.stones))
        else:
            self.give(inputs.Touched(spot))
            self.give(inputs.Lifted(spot))


TABLES = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
HIDDEN_GAMES = pytest.mark.parametrize(
    ("game", "options"),
    [(ToyHidden(), {}), (CIRKLE_MIND, {}), (CIRKLE_MIND, {"level": "super"})],
    ids=["toy", "cirkle-mind", "super"],
)


@TABLES
@HIDDEN_GAMES
@settings(parent=examples(3, 6), phases=(Phase_.explicit, Phase_.reuse, Phase_.generate))
@given(
    data=st.data(),
    differ=st.sampled_from((0, 1, 2)),
    seed=st.integers(0, 10**6),
    steps=st.lists(st.integers(0, 10**6), min_size=PLIES, max_size=PLIES),
)
def test_faces_that_are_hidden_make_no_difference(
    data, game, options, presence, differ, seed, steps
):
    pair, events = Pair(game, {"first": "1", **options}, presence, differ, seed), events_of(game)
    while unsealed := pair.tables[0].state.still_arranging:
        pair.lay_out(pair.rng.choice(unsealed))
    if presence:
        pair.stand(set(pair.tables[0].state.expected))
    for step in steps:
        if pair.shown or pair.tables[0].state.arranging:
            return
        pair.play(step if step % 7 else data.draw(events))


def test_a_face_that_makes_a_difference_would_be_found_out(monkeypatch):
    monkeypatch.setattr("game.table.scene._standing", lambda state, _: state.standing)
    pair = Pair(ToyHidden(), {"first": "1"}, False, 1, 0)
    set_ups = [[inputs.SubmitSetup(n, each) for each in pair.set_ups[n]] for n in (1, 2)]

    def lay_out() -> None:
        for events in (*set_ups, [Asked(Command.CONFIRM)]):
            pair.give(*events)

    with pytest.raises(AssertionError):
        lay_out()
