"""The state of the table: one immutable value, made of the records of `game.table.records`.

Owns what can be read off the state. The transitions are in the modules that own the records.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from game.rules.base.edits import Edit, EditKind, cells_of, edits_between
from game.rules.base.game import AnyGame
from game.rules.base.values import Outcome
from game.table.agreement import Agreement
from game.table.clock import Clocks
from game.table.fingers import Fingers
from game.table.records import (
    Coach,
    Draft,
    EngineState,
    Faults,
    Hands,
    Notices,
    Phase,
    Played,
    RingTurn,
    Setups,
)
from game.table.situation import Situation

_NO_KEYS = ()


@dataclass(frozen=True, slots=True)
class State:
    """The whole state of the table.

    The entries determine `situation`, `options`, `history`, `outcome`, `names` and `computers` (a
    level a player, "" for a person; empty if all are people): only `reducer` changes these.
    `standing` is what stands on the board, as far as hands and touches have told. `rebuilding`
    means that people lay out the whole board; `showing_faces` that people still look at the faces
    that the last move uncovered. `taps` are the touches of a move that is being entered. `cursor`
    is the masked cell that the cell key touches, "" if none; `board_keys` are the board's own.
    `menu_return_phase` is the phase that the menu covers. `undone` are the moves that *Redo* makes
    again, the next one last. `clocks` are None in a game without.
    """

    phase: Phase
    situation: Situation
    options: Mapping[str, str]
    standing: Mapping[str, str] = field(default_factory=dict)
    history: tuple[Played, ...] = ()
    undone: tuple[str, ...] = ()
    outcome: Outcome | None = None
    agreement: Agreement = field(default_factory=Agreement)
    clocks: Clocks | None = None
    names: tuple[str, ...] = ()
    computers: tuple[str, ...] = ()
    rebuilding: bool = False
    showing_faces: bool = False
    taps: tuple[str, ...] = ()
    inspecting: str = ""
    cursor: str = ""
    draw_until: float | None = None
    menu_return_phase: Phase | None = None
    ring_turn: RingTurn | None = None
    draft: Draft | None = None
    fingers: Fingers = field(default_factory=Fingers)
    hands: Hands = field(default_factory=Hands)
    faults: Faults = field(default_factory=Faults)
    notices: Notices = field(default_factory=Notices)
    setups: Setups = field(default_factory=Setups)
    engine: EngineState = field(default_factory=EngineState)
    coach: Coach = field(default_factory=Coach)
    board_keys: frozenset[str] = frozenset()

    @property
    def game(self) -> AnyGame:
        return self.situation.game

    @property
    def position(self) -> Any:
        return self.situation.position

    @property
    def feels_stones(self) -> bool:
        """Whether the board feels stones that stand, and has reported them."""
        return self.hands.felt is not None

    def level_of(self, player: int | None) -> str:
        """Return the level at which a computer plays for a player, "" for a person."""
        return self.computers[player - 1] if player is not None and self.computers else ""

    @property
    def expected(self) -> Mapping[str, str]:
        """What should stand, by cell: as the position or the draft says."""
        return self.situation.pieces if self.draft is None else self.draft.pieces

    @property
    def pending(self) -> tuple[Edit, ...]:
        """What hands must still change: rings first, then cells in the board's order.

        Where stones are felt, each must come to its cell, and no ring is turned as a whole.
        """
        if self.draft is not None:
            return edits_between(self.standing, self.draft.pieces, self.game.board)
        situation, felt = self.situation, self.hands.felt is not None
        if self.outcome is None and situation.arrangers:
            return ()
        edits = situation.edits_from(self.standing, _NO_KEYS if felt else situation.game.keys)
        if self.outcome is None or not felt:
            return edits
        # After the end players put the stones away.
        return tuple(edit for edit in edits if edit.kind is not EditKind.PUT)

    @property
    def arranging(self) -> bool:
        """Whether some player still has to lay out pieces before play begins."""
        return self.outcome is None and self.draft is None and bool(self.situation.arrangers)

    @property
    def still_arranging(self) -> tuple[int, ...]:
        """The players who have not submitted a set-up, in the order of their moves."""
        if not self.arranging:
            return ()
        now, count = self.situation, len(self.game.players)
        first = (now.to_move or 1) - 1
        order = [(first + n) % count + 1 for n in range(count)]
        left = set(now.arrangers) - self.setups.submitted.keys()
        return tuple(each for each in order if each in left)

    @property
    def resting(self) -> Phase:
        """What the table waits for when nothing else was asked of people."""
        if self.showing_faces:
            return Phase.SHOW
        if self.outcome is not None:
            return Phase.OVER
        if self.arranging:
            return Phase.ARRANGE
        if not self.pending:
            return Phase.TAP
        return Phase.CONFIRM if self.rebuilding and not self.feels_stones else Phase.EDIT

    @property
    def turn(self) -> int | None:
        """Who must act, at the end the winner; None while the beginner is drawn."""
        if self.phase is Phase.DRAW:
            return None
        if self.draft is not None:
            return self.draft.to_move
        if self.outcome is not None:
            return self.outcome.winner
        if self.arranging:
            if self.setups.on_board is not None:
                return self.setups.on_board.player
            return next(iter(self.still_arranging), self.situation.to_move)
        if self.after_last_move:
            # A turn lasts until the pieces that it took are gone.
            return self.history[-1].player
        return self.situation.to_move

    @property
    def after_last_move(self) -> bool:
        """Whether hands are still busy with what the last move removed or turned.

        Where stones are felt, hands may disturb other cells meanwhile.
        """
        if not self.history or self.draft is not None or not (edits := self.pending):
            return False
        last, board = self.history[-1], self.game.board
        pending = {cell for edit in edits for cell in cells_of(edit, board)}
        theirs = {cell for edit in last.turned for cell in board.rings[edit.cell]}
        busy = pending & (theirs | set(last.removed) | last.faces.keys())
        return bool(busy) and (busy == pending or self.feels_stones)
