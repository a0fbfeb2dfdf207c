"""One step of play: what the board felt goes to the table, what the table wants is kept and shown.

Owns the order of these things: kept on disk before it is shown. A slow disk holds up the showing
alone: meanwhile the board is read, and a light says that a touch is felt. Reads no clock of its own
and runs no thread; `game.app.loop` calls `step`.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from game.app import look, power_key
from game.app.discretion import discreet
from game.app.fault_log import FaultLog
from game.app.journal.journal import Journal
from game.app.log_messages import told
from game.app.perception import Perception
from game.app.power_key import PowerKey
from game.app.review import Review
from game.app.words import words
from game.rules.errors import RulesError
from game.rules.game import Game
from game.rules.message import Message
from game.table.book import Entries
from game.table.entries import Kind
from game.table.inputs import Asked, Command, Input, Kept, Lifted, Masked, Touched
from game.table.scene import Cue, Lamp, Scene
from game.table.state import State
from game.table.table import Table
from game.table.thinking import Wanted
from hal.device import Device
from hal.events import KeyTouch, Moment
from hal.light import Frame, Layer, on_screen
from hal.memory import BoardMemory

log = logging.getLogger(__name__)

CELL_KEY = "cell"
"""The key for masked cells: a press moves on to the next one, a long press touches it. While play
pauses, a long press masks the cells that cannot be felt."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What there is to see of a game, immutable, so that any thread may read it.

    In a game that hides things this is what everybody may see, and `private` what each player may.
    """

    game: Game[Any, Any]
    state: State
    scene: Scene
    private: Mapping[int, "Snapshot"] = field(default_factory=dict, repr=False)

    def of(self, player: int | None) -> "Snapshot":
        """Return what a player may see; None only watches."""
        return self if player is None else self.private.get(player, self)


class Audience(Protocol):
    """Whoever watches the game; called from the board's thread and must not block."""

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state."""
        ...

    def see_lights(self, colours: Frame) -> None:
        """Take the newest colours of the strip, as a screen shows them."""
        ...


class Computer(Protocol):
    """The computer player, which thinks outside of the board's thread; no call takes its time."""

    def follow(self, wanted: Wanted | None, now: float) -> tuple[Input, ...]:
        """Take what is to be thought about now, and give what the table is to hear of it, once."""
        ...

    def due(self, now: float) -> float:
        """Return when it is to be asked again at the latest."""
        ...


class NoComputer:
    """Nobody but people."""

    def follow(self, wanted: Wanted | None, now: float) -> tuple[Input, ...]:
        """Think about nothing."""
        return ()

    def due(self, now: float) -> float:
        """Need never be asked."""
        return inf


class Masks(Protocol):
    """Keep which cells are not to be felt, by the names of the game, until they are asked again."""

    @property
    def path(self) -> Path | None:
        """Where they are kept."""
        ...

    @property
    def masked(self) -> frozenset[str]:
        """Give the cells."""
        ...

    def mask(self, cells: Iterable[str]) -> None:
        """Take the whole set of cells."""
        ...

    def save(self) -> None:
        """Write them; raise OSError when that cannot be done."""
        ...


class Session:
    """One table on one board, with its journal, its audience and its computer player.

    Only table and journal know all of a game that hides things: whatever else there is, lights and
    logs too, is given what everybody may see, or what the one player may whom it serves.

    The board has the cells of the game. `notes` says, in English, what went wrong when a game was
    taken up. `memory` keeps which cells are masked. `brightness` gives the strip's brightness at
    any moment, None leaves it to the profile.
    """

    def __init__(
        self,
        table: Table,
        device: Device,
        journal: Journal,
        audience: Audience,
        memory: Masks | None = None,
        brightness: Callable[[], float] | None = None,
        computer: Computer | None = None,
        review: Review | None = None,
    ) -> None:
        self.table = table
        self.device = device
        self.notes: tuple[str, ...] = ()
        self._journal = journal
        self._audience = audience
        self._memory: Masks = BoardMemory() if memory is None else memory
        self._brightness = brightness
        self._computer = NoComputer() if computer is None else computer
        self._review = review
        self._asked: SimpleQueue[Input] = SimpleQueue()
        self._cell_key_held = False
        self._perception = Perception()
        self._shown: State | None = None
        self._true: State | None = None
        self._public = table.seen()
        self._scene: Scene | None = None
        self._felt: frozenset[str] = frozenset()
        self._layers: tuple[Layer, ...] = ()
        self._power_key = PowerKey()
        self._power_told: Message | None = None
        pixels = device.profile.pixels
        self._spots = sorted(pixels, key=pixels.__getitem__)
        self._covered: tuple[Layer, ...] = ()
        self._fault_log = FaultLog()
        self._ended = False

    @property
    def switched_off(self) -> bool:
        """Whether somebody held the key that switches off: play is to end now."""
        return self._power_key.hold is power_key.Hold.OFF

    def begin(self, now: float, *first: Input) -> None:
        """Take up the newest game, ended or not; if there is none that can be, start one.

        The table hears of what is `first` before anything that the board feels.
        """
        with discreet(self.table.game):
            self._begin(now)
            for each in first:
                self._handle(each, now)

    def _begin(self, now: float) -> None:
        entries = self._journal.newest(now)
        more: Entries = ()
        try:
            if entries:
                more = self.table.resume(entries, now)
                state = self.table.state
                self._ended = state.outcome is not None
                moves = len(state.history)
                log.info(
                    "a game of %s goes on after %d moves",
                    self.table.game.name,
                    moves,
                    extra=told(LIFEBOARD_GAME=self.table.game.name, LIFEBOARD_MOVES=moves),
                )
        except RulesError as error:
            # In a game that hides things the reason may tell what stands where.
            hidden = self.table.game.hidden
            why = "" if hidden else f" ({words('en').text(error.message)})"
            self.notes = (
                f"the newest game does not fit the rules{why};"
                " it is kept in the history, and a new game begins",
            )
            entries = []
        more = more if entries else self.table.start(now)
        if more:
            self._keep(more, now)
        self._handle(Masked(self._memory.masked & self.device.profile.cells.keys()), now)

    def ask(self, command: Command) -> None:
        """Hand over a command, from any thread."""
        self._hand_over(Asked(command))

    def touch(self, cell: str) -> None:
        """Touch a masked cell, which cannot be felt; from any thread. Others are left alone."""
        self._hand_over(Touched(cell))

    def press(self, key: str) -> None:
        """Press a key of the game, whether the board has it or not; from any thread.

        Other keys are left alone.
        """
        if key in self.table.game.keys:
            self._hand_over(Touched(key))

    def give(self, wish: Input) -> None:
        """Hand over what a page asks of the table, from any thread."""
        self._hand_over(wish)

    def analyse(self) -> None:
        """Ask how the game went that is over, from any thread."""
        if self._review is not None:
            self._review.ask()

    def mask(self, cells: frozenset[str]) -> None:
        """Take the whole set of cells that are not to be felt any more, from any thread."""
        self._hand_over(Masked(cells & self.device.profile.cells.keys()))

    def step(self, now: float) -> None:
        """Sense, decide, keep, show: in this order."""
        with discreet(self.table.game):
            self._step(now)

    def _step(self, now: float) -> None:
        felt = self.device.poll(now)
        self._power_key.look(power_key.KEY in self.device.pressed, now)
        self._fault_log.take(self.device.faults, self.device.masked, now)
        for event in felt:
            if isinstance(event, KeyTouch) and event.key == CELL_KEY:
                self._press_cell_key(event.moment, now)
            elif (each := self._perception.felt(event, now)) is not None and self._means(each):
                self._handle(each, now)
        while True:
            try:
                asked = self._asked.get_nowait()
            except Empty:
                break
            if isinstance(asked, Touched) and asked.spot not in self.table.game.keys:
                self._touch_masked(asked.spot, now)
            else:
                self._handle(asked, now)
        if self._journal.trouble != self.table.state.unkept:
            self._handle(Kept(self._journal.trouble, self._journal.kept), now)
        self.table.tick(now)
        self._think(now)
        self._show(now)
        if self._review is not None:
            self._review.look(self._seen())

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        due = self.table.due()
        board = min(self.device.due(now), self._power_key.due(), self._computer.due(now))
        return max(now, board if due is None else min(due, board))

    def wait(self, timeout_s: float) -> None:
        """Sleep until the board may have changed, something is asked, or the time-out."""
        self.device.backend.wait(timeout_s)

    def _think(self, now: float) -> None:
        """Let the table hear of the computer player, and that of what the table then wants."""
        while heard := self._computer.follow(self.table.wanted(), now):
            for each in heard:
                self._handle(each, now)

    def _hand_over(self, asked: Input) -> None:
        self._asked.put(asked)
        self.device.backend.wake()

    def _handle(self, event: Input, now: float) -> None:
        """Give one input to the table, and have kept what it wants kept."""
        if isinstance(event, Masked):
            self.device.mask(event.cells)
            self._remember_mask(event.cells)
        entries = self.table.handle(event, now)
        # Where touches lay out pieces unseen, even the cells of these are nobody's business.
        told_of = type(event).__name__ if self.table.game.hidden else event
        log.debug("%s -> %s", told_of, [entry.kind.value for entry in entries])
        if entries:
            self._keep(entries, now)

    def _keep(self, entries: Entries, now: float) -> None:
        """Hand entries to the journal, and note which cells they are about."""
        state = self.table.state
        self._journal.keep(entries, state.outcome, now)
        edited = {entry.text for entry in entries if entry.kind is Kind.EDIT}
        if any(entry.kind is Kind.MOVE for entry in entries):
            edited.add(state.history[-1].focus)
        self._felt |= edited & self.device.profile.cells.keys()
        self._log_game(entries)

    def _log_game(self, entries: Entries) -> None:
        """Log that a game begins or ends; moves are told at the level of debugging alone."""
        game, state = self.table.game, self.table.state
        if any(entry.kind is Kind.START for entry in entries):
            self._ended = False
            log.info("a game of %s begins", game.name, extra=told(LIFEBOARD_GAME=game.name))
        if self._ended == (state.outcome is not None):
            return
        self._ended = state.outcome is not None
        moves = len(state.history)
        fields: dict[str, object] = {"LIFEBOARD_GAME": game.name, "LIFEBOARD_MOVES": moves}
        if state.outcome is None:
            log.info("the end of the game was taken back", extra=told(**fields))
            return
        fields["LIFEBOARD_OUTCOME"] = text = words("en").text(state.outcome.message)
        log.info("the game ends after %d moves: %s", moves, text, extra=told(**fields))

    def _means(self, felt: Input) -> bool:
        """Tell whether what was felt means something in this game: a board has keys of others."""
        game = self.table.game
        return not isinstance(felt, Touched) or felt.spot in (*game.board.cells, *game.keys)

    def _touch_masked(self, cell: str, now: float) -> None:
        if cell in self.device.masked:
            self._handle(Touched(cell), now)
            self._handle(Lifted(cell), now)

    def _press_cell_key(self, moment: Moment, now: float) -> None:
        if moment is Moment.HELD:
            lost = frozenset().union(*(fault.cells for fault in self.device.faults))
            if lost:
                self._handle(Masked(self.device.masked | lost), now)
            else:
                self._handle(Asked(Command.TOUCH_CELL), now)
        elif moment is Moment.UP and not self._cell_key_held:
            self._handle(Asked(Command.NEXT_CELL), now)
        self._cell_key_held = moment is Moment.HELD

    def _remember_mask(self, cells: frozenset[str]) -> None:
        self._memory.mask(cells)
        try:
            self._memory.save()
        except OSError as error:
            log.warning("board file %s cannot be written: %s", self._memory.path, error)

    def _show(self, now: float) -> None:
        """Paint the lights, and tell the audience of a state that it has not seen."""
        if self._brightness is not None:
            self.device.dim(self._brightness())
        # In this order: a disk may fail in between, by which all that is waiting is settled too.
        settled = self._journal.settled
        if settled and self._journal.trouble == self.table.state.unkept:
            self._show_state()
        elif self._felt:
            self._show_felt()
        if self.device.paint(self._painted(), now):
            colours = on_screen(self.device.shown(), self.device.power)
            self._audience.see_lights(colours)

    def _show_state(self) -> None:
        """Show the table's state, which is on disk."""
        state = self.table.state
        self._felt = frozenset()
        if state is not self._shown or self._power_key.notice != self._power_told:
            self._shown = state
            self._power_told = self._power_key.notice
            public = self._seen()
            self.device.backend.settle(self._empty(public))
            self._scene = self.table.scene()
            self._layers = look.layers(self._scene, self.device.profile.lights)
            self._audience.see(
                Snapshot(self.table.game, public, self._with_news(self._scene), self._private())
            )

    def _seen(self) -> State:
        """Return what everybody may see."""
        if self._true is not self.table.state:
            self._true, self._public = self.table.state, self.table.seen()
        return self._public

    def _private(self) -> dict[int, Snapshot]:
        """Give what each player may see, where they do not all see the same."""
        table = self.table
        if not table.game.hidden:
            return {}
        return {
            player: Snapshot(table.game, table.seen(player), self._with_news(table.scene(player)))
            for player in range(1, len(table.game.players) + 1)
        }

    def _with_news(self, scene: Scene) -> Scene:
        """Let a scene tell of the key that switches off."""
        return scene if self._power_told is None else replace(scene, notice=self._power_told)

    def _show_felt(self) -> None:
        """Show, on the lights alone, that touches are felt which are not on disk yet."""
        if self._scene is not None:
            cells = {**self._scene.cells, **dict.fromkeys(self._felt, Lamp(Cue.FELT))}
            if cells != self._scene.cells:
                self._scene = replace(self._scene, cells=cells)
                self._layers = look.layers(self._scene, self.device.profile.lights)

    def _painted(self) -> tuple[Layer, ...]:
        """Give the layers to paint: over all others, what is seen of the key that switches off."""
        if self._power_key.hold not in (power_key.Hold.HELD, power_key.Hold.OFF):
            return self._layers
        covered = (*self._layers, power_key.going_out(self._power_key.share, self._spots))
        if covered != self._covered:
            self._covered = covered
        return self._covered

    def _empty(self, state: State) -> frozenset[str]:
        """Give the cells on which nothing stands that could be felt.

        Where touches are moments, stones are not felt, and so every cell counts as empty.
        """
        cells = self.device.profile.cells.keys()
        if self.device.profile.sensing.mode == "touch":
            return frozenset(cells)
        if state.arranging(self.table.game):
            # What stands while players lay out their pieces nobody may know.
            return frozenset()
        return frozenset(cells - state.expected(self.table.game).keys() - state.standing.keys())
