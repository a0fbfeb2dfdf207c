"""The book of one table: its state, what is recorded in it, and what is only said.

Owns the state's one place and the ways to change it. Decides nothing: what may change when stands
in the modules that hold the book.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from game.rules.game import Game
from game.rules.message import Message
from game.table.entries import Entry, Kind
from game.table.ledger import applied
from game.table.state import Flash, Notice, Phase, State
from game.table.taps import TapWalk
from game.table.thinking import bound

NOTICE_S = 6.0
FLASH_S = 2.5

Entries = tuple[Entry, ...]


class Book:
    """Hold the state of a table. A state in which nothing has changed stays the same object.

    `wishes` are the options that every new game begins with, `rng` draws the others.
    """

    def __init__(
        self, game: Game[Any, Any], state: State, wishes: Mapping[str, str], rng: Random
    ) -> None:
        self.game = game
        self.state = state
        self.wishes = dict(wishes)
        self.rng = rng
        self.walk = TapWalk(game, state.position)

    def record(self, entry: Entry) -> Entries:
        """Change the logical state by one entry, and return it to be kept; raises RulesError."""
        self.state = applied(self.game, self.state, entry)
        if entry.kind not in (Kind.EDIT, Kind.NAMES, Kind.COMPUTERS):
            self.walk = TapWalk(self.game, self.state.position)
        return (entry,)

    def change(self, **fields: Any) -> None:
        """Set fields of the state that follow from no entry."""
        if any(getattr(self.state, name) != value for name, value in fields.items()):
            self.state = replace(self.state, **fields)

    def notify(self, message: Message, now: float, good: bool = False) -> None:
        """Say something for a while."""
        self.change(notice=Notice(message, now + NOTICE_S, good))

    def refuse(self, spot: str, why: Message, now: float) -> None:
        """Flag a touch and say why; nothing else changes."""
        self.change(wrong=Flash(spot, now + FLASH_S))
        self.notify(why, now)

    def turn_to(self, phase: Phase) -> None:
        """Wait for something else than a move or edits, and forget what was begun of these."""
        self.change(
            phase=phase,
            taps=(),
            down=frozenset(),
            echoes=frozenset(),
            inspecting="",
            wrong=None,
            question=None,
            notice=None,
            beneath=None,
        )

    def next_taps(self, after: tuple[str, ...] | None = None) -> frozenset[str]:
        """Return the touches that may go on from the taps that have been made, or from others."""
        taps = self.state.taps if after is None else after
        going_on = self.walk.next_taps(taps)
        only = bound(self.game, self.state, self.state.position)
        if only is None:
            return going_on
        if only[: len(taps)] != taps:
            return frozenset()
        return going_on & set(only[len(taps) : len(taps) + 1])
