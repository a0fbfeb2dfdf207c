"""One step of play: events go to the table, its entries to the journal, its scene to the lights.

Owns the order: an entry is on disk before it is shown. A slow disk delays only the display:
meanwhile the board is read, and a light confirms each touch. A touch that may yet be noise has a
dim light only. Reads no clock and runs no thread; `game.play.loop` calls `step`.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from game.common import redact_errors, redacted, words
from game.opponent import Computer, KnownHelp, Review
from game.play import light_theme
from game.play.automatic_hands import AutomaticHands
from game.play.board_choice import FittedMasks
from game.play.input_mapping import (
    SHUTDOWN_KEY,
    FaultLog,
    HoldState,
    InputMapper,
    InputQueue,
    PowerKey,
    shutdown_layer,
)
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.store import Journal
from game.table import Cue, Lamp, Scene, State, Table, inputs
from game.table.entries import Entries, Entry, EntryKind
from game.table.inputs import REPEAT, Asked, Command, Input, MaskChanged, Touched
from hal.backends.device import Device
from hal.lights import Frame, Layer, on_screen
from hal.profile import BoardMemory

log = logging.getLogger(__name__)

PARTNER_INPUTS = 8
"""Inputs of the other board in a step; a move needs one or two, and more wait for the next step."""
PAGE_INPUTS = 4
"""Inputs of pages that are handled until the next state is shown: each costs a few ms on the
slowest board, and a flood of them must not delay touches and lights."""


@dataclass(frozen=True, slots=True)
class PuzzleList:
    """The puzzles of a game: the `grades`, which are `solved`, and the `streak` of days.

    `daily` is the number, from 1, of today's. `rating` is that of the puzzle on the board, and
    `own` the solver's, 0 before the first.
    """

    grades: tuple[int, ...]
    solved: tuple[bool, ...]
    daily: int
    streak: int
    rating: int
    own: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The visible state of a game, immutable, so that any thread may read it.

    With hidden information this is the public view, and `private` holds each player's view.
    `automatic` tells whether hands play by themselves; None where they never do.
    `lesson` is the number of a tutorial's step, or of a puzzle, and how many there are.
    In a view of a past position, `ghosts` are the pieces, by cell, that the move before it took.
    """

    game: AnyGame
    state: State
    scene: Scene
    private: Mapping[int, "Snapshot"] = field(default_factory=dict, repr=False)
    automatic: bool | None = None
    lesson: tuple[int, int] | None = None
    puzzles: PuzzleList | None = None
    ghosts: Mapping[str, str] = field(default_factory=dict)

    def of(self, player: int | None) -> "Snapshot":
        """Return a player's view; None for a spectator."""
        return self if player is None else self.private.get(player, self)


Decision = Callable[[State], Input | None]
"""Computes a page's input from the state, on the board's thread; must not block."""


class Audience(Protocol):
    """A viewer of the game, such as the page; called on the board's thread and must not block."""

    def see(self, snapshot: Snapshot) -> None:
        """Receive the newest state."""

    def see_lights(self, colours: Frame) -> None:
        """Receive the newest colours of the strip, as a screen shows them."""


class Partner(Protocol):
    """Another board that takes part in the games of this one; no call blocks."""

    def before(self, event: Input, state: State, now: float) -> Input | None:
        """Return the input that the table takes in place of this one, if any."""

    def follow(self, state: State, saved: bool, now: float) -> Input | None:
        """Return the table's next input, None if it is up to date; `saved` if it is on disk."""

    def due(self, now: float) -> float:
        """Return the latest time of the next `follow`."""


@dataclass(eq=False, repr=False)
class Session:
    """One table on one board, with its journal, its audience and its computer player.

    With hidden information only table and journal know everything; all else, lights and logs
    included, gets the public view, or the view of one player.

    The board has the cells of the game. `memory` stores the masked cells. `brightness` returns the
    strip's present brightness, None for the profile's. `hands` play by themselves on a simulated
    board. A `partner` is another board in the same game. `known_help` follows the players' names.
    """

    table: Table
    device: Device
    journal: Journal
    audience: Audience
    memory: FittedMasks | BoardMemory = field(default_factory=BoardMemory)
    brightness: Callable[[], float] | None = None
    computer: Computer | None = None
    review: Review | None = None
    hands: AutomaticHands | None = None
    partner: Partner | None = None
    known_help: KnownHelp | None = None

    def __post_init__(self) -> None:
        self._asked: InputQueue[Input | Decision] = InputQueue()
        self._inputs_left = PAGE_INPUTS
        self._input_mapper = InputMapper()
        self._shown: tuple[State, object] | None = None
        self._scene: Scene | None = None
        self._acknowledged: frozenset[str] = frozenset()
        self._layers: tuple[Layer, ...] = ()
        self._covered: tuple[Layer, ...] = ()
        self._power_key = PowerKey()
        self._fault_log = FaultLog()
        self._ended = False

    @property
    def switched_off(self) -> bool:
        return self._power_key.hold is HoldState.OFF

    @property
    def leads_to(self) -> str:
        return "tutorial" if self.table.state.lesson_wanted else ""

    def begin(self, now: float, *first: Input, start: inputs.StartGame | None = None) -> None:
        """Resume the newest game, ended or not, or start one; then take the inputs `first`."""
        with redact_errors(self.table.game):
            entries = self.journal.newest(now) if start is None else []
            resumed = self._resume(entries, now) if entries else None
            self._keep(self.table.start(now, start or REPEAT) if resumed is None else resumed, now)
            for each in (MaskChanged(self.memory.masked), *first):
                self._handle(each, now)

    def _resume(self, entries: list[Entry], now: float) -> Entries | None:
        """Resume a game, and return the entries that follow; None if it does not fit the rules."""
        game = self.table.game
        try:
            more = self.table.resume(entries, now)
        except RulesError as error:
            # With hidden information the reason may reveal the position.
            why = redacted(game, f" ({words('en').text(error.message)})", "")
            log.warning(
                "the newest game does not fit the rules%s; it is kept in the history, and a new"
                " game begins",
                why,
            )
            return None
        state = self.table.state
        self._ended = state.outcome is not None
        log.info("a game of %s goes on after %d moves", game.name, len(state.history))
        return more

    def give(self, request: Input | Decision, source: str = "") -> None:
        """Queue what a page asks for, from any thread; a touch counts on masked cells and keys.

        Raises `queue.Full` if too much of its `source` waits.
        """
        self._asked.put(request, source)
        self.device.backend.wake()

    def analyse(self) -> None:
        """Request the course of the finished game, from any thread."""
        if self.review is not None:
            self.review.ask()

    def step(self, now: float) -> None:
        """Sense, decide, save, show: in this order."""
        with redact_errors(self.table.game):
            self._sense(now)
            self._read_requests(now)
            if self.journal.trouble != self.table.state.notices.save_problem:
                self._handle(inputs.Saved(self.journal.trouble, self.journal.saving), now)
            self._keep(self.table.tick(now), now)
            self._follow_partner(now)
            self._think(now)
            if self.hands is not None:
                for each in self.hands.follow(self.table.game, self.table.state, now):
                    self._handle(each, now)
            self._show(now)
            if self.known_help and (levels := self.known_help.follow(self.table.state)):
                self._handle(levels, now)
            if self.review and (found := self.review.look(self.table.seen())):
                self._handle(found, now)

    def due(self, now: float) -> float:
        if self._asked and self._inputs_left:
            return now
        due = min(self.device.due(now), self._power_key.due(now), self.table.due())
        for each in (self.hands, self.partner):
            if each is not None:
                due = min(due, each.due(now))
        return max(now, due)

    def wait(self, timeout_s: float) -> None:
        self.device.backend.wait(timeout_s)

    def _sense(self, now: float) -> None:
        game, touches = self.table.game, self.device.poll(now)
        pressed, key = SHUTDOWN_KEY in self.device.pressed, self._power_key
        if pressed or key.notice is not None or key.hold is not HoldState.IDLE:
            key.update(pressed, now)
        self._fault_log.take(self.device.faults, now)
        for event in touches:
            made = self._input_mapper.read(event, now)
            lost = frozenset().union(*(fault.cells for fault in self.device.faults))
            if lost and made == Asked(Command.TOUCH_CELL):
                # During a pause this key masks the cells that cannot be sensed.
                made = MaskChanged(self.device.masked | lost)
            # A board may have keys of other games.
            foreign = isinstance(made, Touched) and made.spot not in (*game.board.cells, *game.keys)
            if made is not None and not foreign:
                self._handle(made, now)

    def _read_requests(self, now: float) -> None:
        for asked in self._asked.take(self._inputs_left):
            self._inputs_left -= 1
            request = asked(self.table.state) if callable(asked) else asked
            if isinstance(request, Touched) and request.spot not in self.table.game.keys:
                if request.spot in self.device.masked:
                    self._handle(request, now)
                    self._handle(inputs.Lifted(request.spot), now)
            elif request is not None:
                self._handle(request, now)

    def _follow_partner(self, now: float) -> None:
        """Pass the partner's inputs to the table until it is up to date."""
        if self.partner is None:
            return
        for _ in range(PARTNER_INPUTS):
            event = self.partner.follow(self.table.state, not self.journal.unsaved, now)
            if event is None:
                return
            self._take(event, now)

    def _think(self, now: float) -> None:
        while self.computer and (found := self.computer.follow(self.table.search_request())):
            for each in found:
                self._handle(each, now)

    def _handle(self, event: Input, now: float) -> None:
        """Pass one input to the table, or ask the other board if it must consent."""
        partner = self.partner
        taken = partner.before(event, self.table.state, now) if partner else event
        if taken is not None:
            self._take(taken, now)

    def _take(self, event: Input, now: float) -> None:
        if isinstance(event, MaskChanged):
            event = MaskChanged(event.cells & self.device.profile.cells.keys())
            self.device.mask(event.cells)
            self.memory.mask(event.cells)
            self.memory.save()
        entries = self.table.handle(event, now)
        if log.isEnabledFor(logging.DEBUG):
            # Where touches lay out hidden pieces, their cells must not be logged.
            summary = redacted(self.table.game, event, type(event).__name__)
            log.debug("%s -> %s", summary, [entry.kind.value for entry in entries])
        self._keep(entries, now)

    def _keep(self, entries: Entries, now: float) -> None:
        """Append entries to the journal, note their cells, and log when a game begins or ends."""
        if not entries:
            return
        state, kinds = self.table.state, {entry.kind for entry in entries}
        self.journal.append(entries, state.outcome, now)
        edited = {entry.text for entry in entries if entry.kind is EntryKind.EDIT}
        if EntryKind.MOVE in kinds:
            edited.add(state.history[-1].focus)
        self._acknowledged |= edited & self.device.profile.cells.keys()
        if EntryKind.START in kinds:
            self._ended = False
            log.info("a game of %s begins", self.table.game.name)
        if self._ended and state.outcome is None:
            log.info("the end of the game was taken back")
        elif state.outcome is not None and not self._ended:
            text = words("en").text(state.outcome.message)
            log.info("the game ends after %d moves: %s", len(state.history), text)
        self._ended = state.outcome is not None

    def _show(self, now: float) -> None:
        """Paint the lights, and pass a new state to the audience."""
        if self.brightness is not None:
            self.device.dim(self.brightness())
        # Read `settled` before `trouble`: a disk that fails in between also settles the journal.
        settled = self.journal.settled
        if settled:
            self._inputs_left = PAGE_INPUTS
        if settled and self.journal.trouble == self.table.state.notices.save_problem:
            self._show_state()
        elif self._acknowledged:
            self._show_acknowledged()
        if self.device.paint(self._painted(), now):
            colours = on_screen(self.device.backend.lit(), self.device.power)
            self.audience.see_lights(colours)

    def _show_state(self) -> None:
        """Show the table's state, which is on disk."""
        self._acknowledged = frozenset()
        state, table = self.table.state, self.table
        automatic = None if self.hands is None else self.hands.automatic
        shown, beside = self._shown, (self._power_key.notice, automatic)
        if shown is not None and state is shown[0] and beside == shown[1]:
            return
        self._shown, public = (state, beside), self._snapshot(None, automatic)
        self.device.backend.settle(self._empty(public.state))
        self._scene = public.scene
        self._layers = light_theme.light_layers(self._scene, self.device.profile.lights)
        private = {
            player: self._snapshot(player, automatic)
            for player in range(1, len(table.game.players) + 1)
            if table.seen(player) is not state
        }
        self.audience.see(replace(public, private=private))

    def _snapshot(self, player: int | None, automatic: bool | None) -> Snapshot:
        """Take a viewer's snapshot, without requests that automatic hands fulfil."""
        scene = self.table.scene(player)
        scene = scene.without_hands() if automatic else scene
        if self._power_key.notice is not None:
            scene = replace(scene, notice=self._power_key.notice)
        return Snapshot(self.table.game, self.table.seen(player), scene, automatic=automatic)

    def _show_acknowledged(self) -> None:
        """Confirm, on the lights only, touches that are not on disk yet."""
        if self._scene is not None:
            cells = {**self._scene.cells, **dict.fromkeys(self._acknowledged, Lamp(Cue.FELT))}
            if cells != self._scene.cells:
                self._scene = replace(self._scene, cells=cells)
                self._layers = light_theme.light_layers(self._scene, self.device.profile.lights)

    def _painted(self) -> tuple[Layer, ...]:
        """Return the layers to paint: contacts cover the scene, and the power key's layer all."""
        covered = self._layers
        # Contacts would show where pieces are laid out in secret.
        contacts = self.device.contacts
        if contacts and not self.table.state.arranging:
            covered = (*covered, dict.fromkeys(contacts, light_theme.CONTACT))
        if self._power_key.hold in (HoldState.HELD, HoldState.OFF):
            share = self._power_key.share
            covered = (*covered, shutdown_layer(share, self.device.profile.pixels))
        if covered != self._covered:
            self._covered = covered
        return self._covered

    def _empty(self, state: State) -> frozenset[str]:
        """Return the cells without a stone that could be sensed; on a touch board, all cells."""
        cells = self.device.profile.cells.keys()
        if not self.device.profile.sensing.stones:
            return frozenset(cells)
        # The table does not tell where pieces are laid out in secret.
        standing = cells if state.arranging else {**state.expected, **state.standing}
        return frozenset(cells - standing)
