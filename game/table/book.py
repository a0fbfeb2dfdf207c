"""The book of one table: its state, the entries that change it, and the taps that enter moves.

Owns the one place of the state. Decides nothing: the modules that hold the book do.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.table.computer import bound_taps
from game.table.entries import Entry
from game.table.inputs import Command
from game.table.records import Confirmation, Notice, Phase
from game.table.reducer import apply_entries, apply_entry
from game.table.state import State

CONFIRM_S = 8.0
"""Time in which a command must be given a second time to count."""

Entries = tuple[Entry, ...]


class Book:
    """Hold the state of a table.

    `defaults` are the options that every new game begins with; `rng` draws the others.
    """

    def __init__(
        self, game: AnyGame, state: State, defaults: Mapping[str, str], rng: Random
    ) -> None:
        self.game = game
        self.state = state
        self.defaults = dict(defaults)
        self.rng = rng

    def record(self, entry: Entry) -> Entries:
        """Change the logical state by one entry, and return it to be saved; raises RulesError."""
        self.state = apply_entry(self.game, self.state, entry)
        return (entry,)

    def replay(self, entries: Iterable[Entry]) -> None:
        """Change the logical state by saved entries; raises RulesError, and changes nothing."""
        self.state = apply_entries(self.game, self.state, entries)

    def rest(self) -> None:
        """Wait for what the state asks for by itself."""
        self.state = replace(self.state, phase=self.state.resting)

    def notify(self, message: Message, now: float, good: bool = False) -> None:
        notices = self.state.notices.notify(message, now, good)
        self.state = replace(self.state, notices=notices)

    def refuse(self, spot: str, why: Message, now: float) -> None:
        """Flag a touch and say why; nothing else changes."""
        notices = self.state.notices.reject(spot, why, now)
        self.state = replace(self.state, notices=notices)

    def clear_notice(self, rejected: bool = False) -> None:
        """Stop showing the notice, and the touch that was `rejected` if so."""
        notices = replace(self.state.notices, current=None)
        if rejected:
            notices = replace(notices, rejected=None)
        self.state = replace(self.state, notices=notices)

    def set_taps(self, taps: tuple[str, ...] = ()) -> None:
        """Go on with a move, or forget what was begun of one."""
        self.state = replace(self.state, taps=taps)

    def confirmed(self, command: Command, question: Message, now: float, player: int = 0) -> bool:
        """Tell whether a command is given again, not by the same player's seat; else ask for it."""
        asked = self.state.notices.confirmation
        if asked and asked.command is command and (not player or player != asked.player):
            return True
        until = now + CONFIRM_S
        notices = replace(
            self.state.notices,
            confirmation=Confirmation(command, until, player),
            current=Notice(question, until),
        )
        self.state = replace(self.state, notices=notices)
        return False

    def dismiss(self) -> None:
        """Drop the question whether a command is meant."""
        notices = self.state.notices
        if notices.confirmation is not None:
            notices = replace(notices, confirmation=None, current=None)
            self.state = replace(self.state, notices=notices)

    def turn_to(self, phase: Phase, menu_return_phase: Phase | None = None) -> None:
        """Wait for something else than a move or edits, and forget what was begun of these."""
        self.state = replace(
            self.state,
            phase=phase,
            taps=(),
            inspecting="",
            menu_return_phase=menu_return_phase,
            fingers=self.state.fingers.release_all(),
            notices=self.state.notices.clear(),
        )

    def next_taps(self, after: tuple[str, ...] | None = None) -> frozenset[str]:
        """Return the touches that may go on from the taps made, or `after` others."""
        taps = self.state.taps if after is None else after
        going_on = self.state.situation.walk.next_taps(taps)
        only = bound_taps(self.game, self.state, self.state.position)
        if only is None:
            return going_on
        if only[: len(taps)] != taps:
            return frozenset()
        return going_on & set(only[len(taps) : len(taps) + 1])
