"""What holds at every table after every input, in every game.

Owns which entries may follow each other, by the rules alone, without the table's reducer.
"""

from dataclasses import dataclass, field, fields
from typing import Any

from game.rules.base.game import Game
from game.table import Phase, State, Table
from game.table.entries import Entry, EntryKind, computers_in, seal_in
from game.table.inputs import GRADE, Asked, Held, Input, SelectPiece, SetPiece, SetScore, Touched
from tests.oracles.entry_replay import EntryReplay

BY_THE_WAY = {"fingers", "hands", "notices", "cursor", "ring_turn"}
"""Fields that a refused input may still change: hands, notices and the like."""


@dataclass
class Followed(EntryReplay):
    """A game replayed from its entries by its rules, each of which must be allowed to follow."""

    computers: tuple[str, ...] = ()
    sealed: dict[int, str] = field(default_factory=dict)
    showing: bool = False

    def tell(self, entry: Entry) -> None:
        match entry.kind:
            case EntryKind.START:
                self.computers, self.sealed, self.showing = (), {}, False
            case EntryKind.SET_UP:
                assert not self.moves, "a position is set up before the first move"
            case EntryKind.MOVE:
                assert self.outcome is None, "no move after the end"
                assert not self.showing, "no move while faces are shown"
                move = self.game.parse_move(self.position, entry.text)
                assert self.game.move_text(self.position, move) == entry.text
                if self.arranging:
                    mover = self.game.to_move(self.position)
                    assert self.sealed.pop(mover or 0) == entry.text
                else:
                    self.showing = bool(self.game.faces(self.position, move))
            case EntryKind.SEAL:
                assert self.arranging
                player, text = seal_in(entry.text)
                assert text is not None or player in self.sealed
                self.sealed = {**self.sealed, player: text or ""}
                if text is None:
                    del self.sealed[player]
            case EntryKind.COVER:
                assert self.showing
                self.showing = False
            case EntryKind.TAKE_BACK:
                shown = self.game.hidden and self.outcome is not None
                assert not shown, "when all has been shown nothing is taken back"
                self.showing = False
            case EntryKind.RESIGN | EntryKind.DRAW:
                assert not self.arranging, "no end before play begins"
                assert self.outcome is None
                self.showing = False
                agree = self.game.agreed_draws and not any(self.computers)
                assert agree or entry.kind is EntryKind.RESIGN
            case EntryKind.COMPUTERS:
                reported = computers_in(entry.text)
                if self.game.hidden and self.outcome is None:
                    was = self.computers or ("",) * len(reported)
                    made = {n for n, level in enumerate(reported, 1) if level and not was[n - 1]}
                    assert not made & self.sealed.keys()
                    assert self.arranging or not made, "no computer takes over what is hidden"
                self.computers = reported if any(reported) else ()
            case EntryKind.EDIT:
                assert entry.text in (*self.game.board.cells, *self.game.board.rings)
        self.add(entry.kind.value, entry.text)
        if entry.kind is EntryKind.TAKE_BACK and self.arranging:
            self.sealed = {}

    @property
    def arranging(self) -> bool:
        players = range(1, len(self.game.players) + 1)
        return any(self.game.arranging(self.position, each) is not None for each in players)

    def agrees(self, state: State) -> bool:
        """Return whether a table is in this game."""
        ended = state.outcome
        return (
            state.position == self.position
            and [each.before for each in state.history] == self.befores
            and (None if ended is None else (ended.winner, ended.reason)) == self.outcome
            and dict(state.options) == self.own_options
            and state.names == (self.names if any(self.names) else ())
            and state.computers == self.computers
            and dict(state.setups.submitted) == self.sealed
            and state.showing_faces == self.showing
        )


def check(
    table: Table,
    reported: Followed,
    before: State,
    entries: tuple[Entry, ...],
    now: float,
    event: Input | None = None,
) -> None:
    """Check what must be true of a table after an input that led to these entries.

    `shown` is the game with these entries, `before` the state before the input.
    """
    after, game = table.state, table.game
    # A game that begins again at the same moment looks like the one before.
    started = any(each.kind is EntryKind.START for each in entries)
    assert after is before or after != before or started, (
        "a state without change is the same object"
    )
    assert reported.agrees(after)
    if not entries:
        assert after.position is before.position
        assert after.history is before.history
        _check_refused(before, after, event)
    assert game.parse(game.text(after.position)) == after.position
    assert table.due() > now, "a table that is due at once would never rest"
    _check_phase(game, after)
    assert not after.setups.submitted or reported.arranging
    _check_laying_out(game, after, reported.arranging and after.outcome is None)
    _check_scene(table)


def _check_refused(before: State, after: State, event: Input | None) -> None:
    """Check that what is refused changes nothing."""
    notice = after.notices.current
    if (
        isinstance(event, Touched | Held | Asked | SetPiece | SelectPiece | SetScore)
        and notice not in (None, before.notices.current)
        and not (notice.good or notice.message.key.startswith("table.confirm"))
    ):
        names = [each.name for each in fields(after)]
        changed = {name for name in names if getattr(before, name) != getattr(after, name)}
        assert changed <= BY_THE_WAY, event


def _check_phase(game: Game[Any, Any], state: State) -> None:
    phase = state.phase
    if phase is Phase.TAP:
        assert state.pending == ()
        assert state.outcome is None
        assert game.legal_moves(state.position)
    assert phase is not Phase.EDIT or state.pending
    assert phase is not Phase.OVER or state.outcome is not None
    assert phase is not Phase.SHOW or state.showing_faces
    assert (phase is Phase.SET_UP) == (state.draft is not None)
    assert (phase is Phase.DRAW) == (state.draw_until is not None)
    assert (phase is Phase.MENU) == (state.menu_return_phase is not None)
    assert not state.taps or phase is Phase.TAP
    assert not (state.engine.hints and state.engine.hinting)
    assert state.ring_turn is None or state.ring_turn.ring in game.board.rings


def _check_laying_out(game: Game[Any, Any], state: State, arranging: bool) -> None:
    assert arranging == state.arranging
    assert arranging or state.phase is not Phase.ARRANGE
    covers = state.setups.on_board.player if state.setups.on_board is not None else None
    assert covers is None or (arranging and covers not in state.setups.seated)
    assert covers is None or state.phase is not Phase.MENU


def _check_scene(table: Table) -> None:
    game, position = table.game, table.state.position
    wanted, scene = table.search_request(), table.scene()
    if wanted is not None:
        mover = game.to_move(position)
        knows = game.seen_by(position, mover, remembers=True)
        assert wanted.position == (game.seen_by(position, None) if wanted.level == GRADE else knows)
        assert game.hidden or wanted.position is position
        assert game.legal_moves(position)
        assert wanted.level in ("", GRADE, *table.state.engine.levels)
    assert not (scene.thinking and scene.proposal)
    assert set(scene.cells) <= set(game.board.cells)
    assert set(scene.keys) <= set(game.keys)
    assert scene.prompt
