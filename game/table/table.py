"""The umpire: takes what was felt and asked, and says what to show and what to keep.

Owns who takes which input, the passing of time, and the pauses while the board is disturbed. Reads
no clock, draws no number but from the generator it is given, and knows no sensor, light or file. A
refused input changes nothing but the words shown and a flash on the cell.
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any
from unicodedata import category

from game.rules.game import Game
from game.rules.message import Message, say
from game.table import setting_up
from game.table.arranging import arrange, follow, seat
from game.table.asking import aim, ask
from game.table.beginning import DRAW_S as DRAW_S
from game.table.beginning import begin
from game.table.book import Book, Entries
from game.table.entries import LONGEST_NAME, Entry, Kind, names_text
from game.table.inputs import (
    Arranged,
    Asked,
    Command,
    Disturbed,
    Held,
    Input,
    Kept,
    Laid,
    Lifted,
    Masked,
    Named,
    Opposed,
    Palmed,
    Picked,
    Seated,
    Stood,
    Stumped,
    Tallied,
    Thought,
    Touched,
)
from game.table.opposing import oppose, stump, think
from game.table.presence import read, stood
from game.table.prompts import NOTHING_TO_CONFIRM, PAUSED, WAIT_FOR_DRAW
from game.table.scene import Scene, scene
from game.table.secrecy import Veil
from game.table.state import Phase, State
from game.table.thinking import Wanted, wanted
from game.table.touching import hold, lift, touch
from game.table.travelling import lasting


class Table:
    """One game at the table, and the next ones after it.

    `start` and `handle` return the entries that must be kept before the scene is shown. With
    `presence` the board feels stones that stand, else touches. `levels` names the computer players
    that there are, easiest first.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        options: Mapping[str, str],
        rng: Random,
        presence: bool = False,
        levels: tuple[str, ...] = (),
    ) -> None:
        self.game = game
        self._presence = presence
        settled = game.settle(options)
        state = State(Phase.OVER, game.initial(options), settled, levels=levels)
        self._book = Book(game, state, options, rng)
        self._veil = Veil(game)
        self._seats_told = False

    @property
    def state(self) -> State:
        """All that the table knows now."""
        return self._book.state

    def start(self, now: float) -> Entries:
        """Begin a new game; who begins is drawn unless the options name him."""
        return begin(self._book, now) + follow(self._book)

    def resume(self, entries: Iterable[Entry], now: float) -> Entries:
        """Bring back a game from its entries; raises RulesError if they do not fit the rules.

        A board that feels its stones compares itself with the game; else people do. Returns what
        follows from these entries by itself, and must be kept.
        """
        for entry in entries:
            self._book.record(entry)
        more = follow(self._book)
        self._catch_up()
        if self._presence and self.state.relaying:
            self._book.change(relaying=False)
            self._book.change(phase=self.state.resting(self.game))
        if self.state.outcome is not None or not self.state.standing:
            return more
        if self._presence:
            self._book.notify(say("table.resumed_felt"), now, good=True)
        else:
            self._book.change(phase=Phase.CONFIRM)
        return more

    def handle(self, event: Input, now: float) -> Entries:
        """Take one input; return what must be kept."""
        self.tick(now)
        entries = self._take(event, now)
        entries += follow(self._book)
        self._catch_up()
        self._book.change(travel=lasting(self.game, self.state, now))
        return entries

    def tick(self, now: float) -> None:
        """Let time pass: end the draw, and forget what has been shown long enough."""
        state = self.state
        changes: dict[str, object] = {}
        if state.draw_until is not None and now >= state.draw_until:
            changes |= {"draw_until": None, "phase": state.resting(self.game)}
            if state.notice and state.notice.message == WAIT_FOR_DRAW:
                changes["notice"] = None
        for name, timed in self._timed():
            if now >= timed:
                changes[name] = None
        if changes:
            self._book.change(**changes)
            self._catch_up()
        self._book.change(travel=lasting(self.game, self.state, now))

    def due(self) -> float | None:
        """Return when `tick` next has something to do, None if never."""
        times = [until for _, until in self._timed()]
        if self.state.draw_until is not None:
            times.append(self.state.draw_until)
        if self.state.travel is not None and not self.state.travel.late:
            times.append(self.state.travel.until)
        return min(times, default=None)

    def wanted(self) -> Wanted | None:
        """Return what a computer player is to think about now, None if nothing."""
        return wanted(self.game, self.state)

    def seen(self, viewer: int | None = None) -> State:
        """Return what a player may know of the table now; None: what everybody may."""
        return self._veil.seen(self.state, viewer)

    def scene(self, viewer: int | None = None) -> Scene:
        """Return what a player may be shown now; None: what everybody may, as on the board."""
        return scene(self.game, self.seen(viewer), self._book.next_taps())

    def _timed(self) -> list[tuple[str, float]]:
        """List what is shown for a while only, and until when."""
        state = self.state
        shown = (("notice", state.notice), ("wrong", state.wrong), ("question", state.question))
        return [(name, each.until) for name, each in shown if each is not None]

    def _catch_up(self) -> None:
        """Let what stands and the cursor follow any change."""
        read(self._book)
        aim(self._book)

    def _take(self, event: Input, now: float) -> Entries:
        book = self._book
        match event:
            case Asked(Command.CONFIRM) if self._compares_itself():
                # A board that feels its stones compares itself.
                book.notify(NOTHING_TO_CONFIRM, now)
            case Asked(command):
                return ask(book, command, now)
            case Disturbed(cells, reasons):
                self._disturb(cells, reasons, now)
            case Masked(cells):
                self._mask(cells)
            case Stood(cells):
                return stood(book, cells, now) if self._presence else ()
            case Touched(spot):
                return self._touch(spot, now)
            case Held(spot) if not self._presence:
                hold(book, spot)
            case Lifted(spot) if not self._presence or spot in self.game.keys:
                lift(book, spot, now)
            case Palmed() if not self.state.disturbed:
                book.notify(say("table.palm"), now)
            case Kept(trouble, safe):
                self._kept(trouble, safe or trouble is None, now)
            case Named(names):
                return self._name(names, now)
            case Laid() | Picked() | Tallied():
                setting_up.change(book, event, now)
            case Arranged():
                return arrange(book, event, now)
            case Seated(players):
                anew, self._seats_told = self._seats_told, True
                return seat(book, players, anew, now)
            case Opposed():
                return oppose(book, event, now)
            case Thought():
                think(book, event)
            case Stumped():
                stump(book, event, now)
        return ()

    def _compares_itself(self) -> bool:
        """Tell whether nobody needs to confirm anything, as the board feels its stones."""
        unseen = self.state.phase in (Phase.ARRANGE, Phase.SHOW)
        return self._presence and not self.state.disturbed and not unseen

    def _touch(self, spot: str, now: float) -> Entries:
        """Take a touch, unless play pauses; a board that feels stones has no other touches."""
        if self.state.disturbed:
            self._book.notify(PAUSED, now)
            return ()
        felt_standing = self._presence and spot in self.game.board.cells
        if felt_standing and spot not in self.state.masked:
            return ()
        return touch(self._book, spot, now)

    def _disturb(self, cells: frozenset[str], reasons: tuple[Message, ...], now: float) -> None:
        """Pause play, or go on: with the same position, and nothing begun in between."""
        state = self.state
        if reasons:
            if not state.disturbed:
                self._hush()
            self._book.change(
                disturbed=reasons,
                lost=cells,
                unsure=state.unsure | cells,
                taps=(),
                down=frozenset(),
                echoes=frozenset(),
                contacts={},
                sliding=frozenset(),
                vain={},
                inspecting="",
            )
        elif state.disturbed:
            self._book.change(disturbed=(), lost=frozenset())
            # While cells are left out, not all is well.
            news = say("table.goes_on_without") if state.masked else say("table.goes_on")
            self._book.notify(news, now, good=True)

    def _kept(self, trouble: Message | None, kept: bool, now: float) -> None:
        """Say for how long the game is not being kept; play goes on meanwhile."""
        if kept and not self.state.kept:
            self._book.notify(say("table.kept_again"), now, good=True)
        self._book.change(unkept=trouble, kept=kept)

    def _name(self, names: tuple[str, ...], now: float) -> Entries:
        """Note who plays; each name on one line, without what no name has."""
        tidy = tuple(_tidy(name) for name in names)
        count = len(self.game.players)
        if len(tidy) != count or any(len(name) > LONGEST_NAME for name in tidy):
            self._book.notify(say("table.bad_names", players=count, most=LONGEST_NAME), now)
            return ()
        if tidy == (self.state.names or ("",) * count):
            return ()
        return self._book.record(Entry(Kind.NAMES, names_text(tidy)))

    def _hush(self) -> None:
        """Forget what was just said of play, which a pause would contradict; questions stand."""
        self._book.change(wrong=None)
        if self.state.question is None:
            self._book.change(notice=None)

    def _mask(self, cells: frozenset[str]) -> None:
        """Take the whole set of cells that are not felt; on those no finger is ever lifted."""
        state = self.state
        self._book.change(
            masked=cells,
            unsure=(state.unsure | state.masked) - cells,
            down=state.down - cells,
            echoes=state.echoes - cells,
            contacts={cell: end for cell, end in state.contacts.items() if cell not in cells},
            inspecting="" if state.inspecting in cells else state.inspecting,
        )


def _tidy(name: str) -> str:
    """Drop what no name has: controls and halves of characters part words, others just go."""
    parted = "".join(" " if category(each) in ("Cc", "Cs") else each for each in name)
    return " ".join("".join(c for c in parted if c.isprintable() or c.isspace()).split())
