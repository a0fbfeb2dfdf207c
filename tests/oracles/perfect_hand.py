"""A hand without errors: it enters each move by its taps, and does each edit that is shown.

Owns what it does with fingers and with stones, in any game. It knows what is on the board from its
own actions.
"""

from random import Random
from typing import Any

from game.rules.base.edits import EditKind
from game.rules.base.game import Game
from game.table.inputs import Command, StonesChanged, SubmitSetup
from game.table.phases import Phase
from game.table.touches import SETTLE_S
from tests.table.random_game import TableSession

ENOUGH = 200


class Hand:
    """Plays at a session; where stones are sensed, `turns_first` turns rings before their keys."""

    def __init__(self, session: TableSession, presence: bool, rng: Random) -> None:
        self.session, self.presence, self.rng = session, presence, rng
        self.game: Game[Any, Any] = session.table.game

    @property
    def state(self) -> Any:
        return self.session.table.state

    def make(self, move: Any) -> None:
        position = self.state.position
        after = self.game.play(position, move)
        plies = len(self.state.history)
        turned_first = self.presence and self._turn_first(position, move)
        for n, spot in enumerate(self.game.taps(position, move)):
            if not self.presence or spot in self.game.keys:
                self.session.tap(spot)
            else:
                self._tap_with_stone(spot, self.game.taps(position, move)[:n])
        assert len(self.state.history) == plies + 1, self.session.notice
        assert self.state.position == after
        if self.state.phase is Phase.SHOW:
            self.cover()
        self.bring_right(piecemeal=not turned_first and self.rng.random() < 0.5)

    def lay_out(self) -> None:
        """Lay out all pieces that players must arrange: some by message, some on the board."""
        for player in self.state.still_arranging:
            arranges = self.game.arranging(self.state.position, player)
            assert arranges is not None
            pieces = self.game.arranged_at_random(self.state.position, player, self.rng)
            if self.rng.random() < 0.5:
                self.session.give(SubmitSetup(player, pieces))
                continue
            cells = {piece: cell for cell, piece in pieces.items()}
            self.session.ask(Command.SET_UP)
            for piece in arranges.pieces:
                if self.presence:
                    self._stand(self.session.stones - {cells[piece]})
                    self._stand(self.session.stones | {cells[piece]})
                else:
                    self.session.tap(cells[piece])
            self.session.ask(Command.CONFIRM)
        assert self.state.phase is not Phase.ARRANGE
        self.bring_right()

    def cover(self) -> None:
        shown = {cell for cell, lamp in self.session.table.scene().cells.items() if lamp.signal}
        assert shown == self.state.history[-1].faces.keys()
        self.session.wait(SETTLE_S)
        if self.presence or self.rng.random() < 0.5:
            self.session.ask(Command.CONFIRM)
        else:
            self.session.tap(self.rng.choice(self.game.board.cells))
        assert self.state.phase is not Phase.SHOW

    def _turn_first(self, position: Any, move: Any) -> bool:
        edits = self.game.result(position, move).edits
        if not any(edit.kind is EditKind.TURN for edit in edits) or self.rng.random() < 0.5:
            return False
        after = self.game.play(position, move)
        if self.game.pieces(after):
            self._stand(set(self.game.pieces(after)))
        return True

    def _tap_with_stone(self, cell: str, before: tuple[str, ...]) -> None:
        stones = self.session.stones
        if before and cell == before[-1] and cell not in stones:
            self._stand(stones | {cell})
        if cell in self.session.stones:
            self._stand(self.session.stones - {cell})
            if before and cell not in before and self.state.taps:
                # What stood there is exchanged for what is in the hand.
                self._stand(self.session.stones | {cell})
        else:
            self._stand(self.session.stones | {cell})

    def _stand(self, stones: set[str]) -> None:
        self.session.stones = set(stones)
        self.session.now += 0.5
        self.session.give(StonesChanged(frozenset(stones)))

    def bring_right(self, piecemeal: bool = True) -> None:
        if self.presence and not piecemeal and self.state.ring_turn is not None:
            self._stand(set(self.state.expected))
        for _ in range(ENOUGH):
            pending = self.state.pending
            if not pending:
                break
            if self.state.phase is Phase.CONFIRM and self.rng.random() < 0.2:
                self.session.ask(Command.CONFIRM)
                continue
            edit = self.rng.choice(pending)
            if not self.presence:
                self.session.tap(edit.cell)
            elif edit.kind is EditKind.SWAP:
                self._stand(self.session.stones - {edit.cell})
                self._stand(self.session.stones | {edit.cell})
            else:
                self._stand(self.session.stones ^ {edit.cell})
        assert self.state.pending == ()
        if self.presence:
            assert self.session.stones == set(self.state.standing)
        if not self.presence or self.state.phase is Phase.TAP:
            # After the end there are no prompts to put stones.
            assert dict(self.state.standing) == self.game.pieces(self.state.position)


def resumes(session: TableSession, presence: bool) -> None:
    """Check that a restart restores the game from what was saved."""
    again = session.restarted()
    assert again.state.position == session.table.state.position
    assert again.state.outcome == session.table.state.outcome
    assert len(again.state.history) == len(session.table.state.history)
    assert dict(again.state.standing) == dict(session.table.state.standing), presence
