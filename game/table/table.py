"""A game on a board: takes sensor readings and requests, and returns what to show and to save.

A refused input saves no entry: the table shows why, and flags the touched cell.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from random import Random

from game.rules.base.clocks import SAVE_S
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import say
from game.rules.base.situation import Situation
from game.rules.boards.fingers import Fingers
from game.table import inputs, players
from game.table.commands import aim_cursor, ask
from game.table.entries import OTHER_BOARD, Entries, Entry, EntryKind, clock_text, parse
from game.table.hands import SearchRequest, mover, proposed_move, search_request
from game.table.phases import Event, Phase
from game.table.reducer import Core, EntryRefused
from game.table.scene import PlayerView, Scene, scene_of
from game.table.setup import advance_setups, change_draft, change_seats, submit_setup
from game.table.state import EngineState, State
from game.table.stones import read_stones, stones_changed
from game.table.touches import hold, lift, look, perform, touch
from game.table.words import PAUSED

MOST_ENTRIES = 20_000
"""Most entries of a game; 8 hours with a move every 5 s and two edits per move need 17,280."""
_ALWAYS = frozenset({EntryKind.START, EntryKind.RESIGN, EntryKind.FLAG, EntryKind.DRAW})
"""Kinds that are never refused, as they end a game, or begin the next one."""
_BY_CLOCK = frozenset({EntryKind.MOVE, EntryKind.TAKE_BACK, EntryKind.RESIGN, EntryKind.DRAW})


class Table(Core):
    """One game at the table, and the games after it.

    `start` and `handle` return the entries that must be saved before the scene is shown. With
    `presence` the board senses standing stones, else touches. `levels` names the available computer
    players, easiest first; `keys` are the board's own keys. Another board takes part in the games
    of a `shared` table. A table that `offers` opens its menu while nothing has been chosen yet.
    """

    def __init__(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        rng: Random,
        presence: bool = False,
        levels: tuple[str, ...] = (),
        keys: frozenset[str] = frozenset(),
        shared: bool = False,
        offers: bool = False,
    ) -> None:
        _, own = parse(options)
        settled, engine = settle(game, own), EngineState(levels, shared=shared)
        start = Situation(game, game.initial(own))
        state = State(Phase.OVER, start, settled, engine=engine, board_keys=keys)
        super().__init__(game, state, dict(options), rng)
        self._offers = offers
        self._presence = presence
        self._view = PlayerView()
        self._seats_known = False
        self._count = 0

    def start(self, now: float, request: inputs.StartGame = inputs.REPEAT) -> Entries:
        """Begin a new game; who begins is drawn unless the options say. Raises BadOption."""
        entries = players.begin(self, now, request) + advance_setups(self)
        self._add(entries)
        return entries

    def resume(self, entries: Sequence[Entry], now: float) -> Entries:
        """Restore a game from its entries; raises RulesError if they do not fit the rules.

        A board that senses stones is compared with the game automatically, others by people.
        Returns the entries that follow automatically, and must be saved.
        """
        self.record(*entries)
        more = advance_setups(self)
        self._add((*entries, *more))
        self._update()
        self._pass_clock(now)
        if self._presence and self.state.rebuilding:
            self.state = replace(self.state, rebuilding=False).after(Event.BOARD_READ)
        if self.state.outcome is not None or not self.state.standing:
            return more
        if self._presence:
            self.notify(say("table.resumed_felt"), now, good=True)
        else:
            self.state = self.state.after(Event.BOARD_COMPARED)
        return more

    def handle(self, event: inputs.Input, now: float) -> Entries:
        """Handle one input; return what must be saved.

        An input that would exceed the limits of a game is refused. If nothing changes, the state
        stays the same object.
        """
        passed = self.tick(now)
        before = first = self.state
        if before.clocks is not None:
            before = self.state = replace(before, clocks=before.clocks.read(now))
        try:
            entries = self._take(event, now)
        except RulesError as error:
            self.refuse(error, now)
            entries = ()
        if self.state.arranging:
            entries += advance_setups(self)
        kinds = {entry.kind for entry in entries}
        full = self._count + len(entries) > MOST_ENTRIES and bool(kinds) and not kinds & _ALWAYS
        if full and not isinstance(event, inputs.SeatsChanged):
            # Keep the sensed stones, which have changed although the input is refused.
            hands = replace(before.hands, sensed=self.state.hands.sensed)
            self.state = replace(before, hands=hands)
            self.notify(say("table.too_long", entries=MOST_ENTRIES), now)
            entries = ()
        self._add(entries)
        self._update()
        self._settle(first, now)
        if entries and before.clocks is not None and kinds & _BY_CLOCK:
            # Save the time that was left before the entries.
            passed += (Entry(EntryKind.CLOCK, clock_text(before.clocks.left)),)
        return passed + entries

    def _add(self, entries: Sequence[Entry]) -> None:
        """Count the entries of a game, without those of its clock, which are few."""
        for entry in entries:
            self._count = 0 if entry.kind is EntryKind.START else self._count
            self._count += entry.kind is not EntryKind.CLOCK

    def tick(self, now: float) -> Entries:
        """Let time pass: end the draw, and drop what was shown long enough.

        Returns what must be saved: a running clock now and then, and the end of a game by time.
        """
        entries = self._read_clock(now)
        state = before = self.state
        if state.draw_until is not None and now >= state.draw_until:
            state = replace(state, draw_until=None)
            state = state.after(Event.DRAW_ENDS) if state.phase is Phase.DRAW else state
        if (notices := state.notices.expire(now)) is not state.notices:
            state = replace(state, notices=notices)
        self.state = state
        if self._offers and self.state.phase is not Phase.DRAW:
            self._offers = False
            players.offer_menu(self)
        if self.state is not before or entries:
            self._update()
        self._settle(before, now)
        return entries

    def due(self) -> float:
        """Return when `tick` next has something to do, infinity if never."""
        state, turn = self.state, self.state.ring_turn
        times = [*state.notices.times(), state.draw_until]
        times.append(state.clocks.due if state.clocks is not None else None)
        times.append(turn.until if turn is not None else None)
        return min((each for each in times if each is not None), default=inf)

    def search_request(self) -> SearchRequest | None:
        """Return the search that the engine should run now, None if there is none."""
        return search_request(self.state)

    def seen(self, viewer: int | None = None) -> State:
        """Return the state as a player may see it now; None is a spectator."""
        return self._view.seen(self.state, viewer)

    def scene(self, viewer: int | None = None) -> Scene:
        """Return the scene that a player may see now; None is a spectator or the board itself."""
        return scene_of(self.seen(viewer), self.next_taps())

    def _update(self) -> None:
        if self._presence:
            read_stones(self)
        if self.state.faults.masked or self.state.cursor:
            aim_cursor(self)

    def _settle(self, before: State, now: float) -> None:
        """Do what follows from time; if nothing changed, restore the same state object."""
        if self.state.agreement.help_levels:
            players.follow_coach(self, now)
        if self.state.ring_turn is not None and now >= self.state.ring_turn.until:
            self.state = replace(self.state, ring_turn=None)
        self._pass_clock(now)
        if self.state == before:
            self.state = before

    def _read_clock(self, now: float) -> Entries:
        """Read a running clock when that is due; end the game when its time is up."""
        clocks = self.state.clocks
        player = clocks.running if clocks is not None else None
        if clocks is None or player is None or now < (clocks.due or 0.0):
            return ()
        elsewhere = bool(self.state.level_of(player))
        if elsewhere and not clocks.left[player - 1]:
            return ()
        clocks = clocks.read(now)
        saved: Entries = ()
        if now >= clocks.saved_at + SAVE_S:
            clocks = replace(clocks, saved_at=now)
            saved = (Entry(EntryKind.CLOCK, clock_text(clocks.left)),)
        self.state = replace(self.state, clocks=clocks)
        if elsewhere or clocks.left[player - 1] > 0:
            # The other board decides when its player's time is up.
            return saved
        return saved + self.record(Entry(EntryKind.FLAG, str(player)))

    def _pass_clock(self, now: float) -> None:
        """Run the clock of the person who enters a move, after the first move of the game.

        The clock of a player at another board runs here for display until the move arrives.
        """
        state = self.state
        if state.clocks is None:
            return
        playing = state.phase is Phase.TAP and state.history and not state.faults.reasons
        player = mover(state) if playing else None
        level = state.level_of(player)
        shared = level == OTHER_BOARD and state.engine.shared
        thinks = shared and not proposed_move(state)
        clocks = state.clocks.run_for(player if thinks or not level else None, now)
        self.state = replace(state, clocks=clocks)

    def _take(self, event: inputs.Input, now: float) -> Entries:
        match event:
            case inputs.Asked(command, player):
                return ask(self, command, now, player)
            case inputs.Dismissed() if (shown := self.state.notices).confirmation is not None:
                notices = replace(shown, confirmation=None, current=None)
                self.state = replace(self.state, notices=notices)
            case inputs.FaultsChanged():
                self._change_faults(event, now)
            case inputs.MaskChanged(cells):
                self._change_mask(cells)
            case inputs.StonesChanged(cells):
                return stones_changed(self, cells, now) if self._presence else ()
            case inputs.Touched(spot):
                return self._touch(spot, touch, now)
            case inputs.Performed(spot):
                return self._touch(spot, perform, now)
            case inputs.Held(spot) if not self._presence:
                hold(self, spot)
            case inputs.Lifted(spot) if not self._presence or spot in self.game.keys:
                return lift(self, spot, now)
            case inputs.Look(spot) if not self.state.fingers.down:
                look(self, spot)
            case inputs.GradesFound(position, grades) if mover(self.state) is not None:
                if position == self.state.situation.public:
                    guidance = replace(self.state.guided, grades=grades)
                    self.state = replace(self.state, guidance=guidance)
            case inputs.SetHelp():
                players.set_help(self, event)
            case inputs.PalmDetected() if not self.state.faults.reasons:
                self.notify(say("table.palm"), now)
            case inputs.Saved(trouble, safe):
                saved = safe or trouble is None
                notices = replace(self.state.notices, save_problem=trouble, saved=saved)
                self.state = replace(self.state, notices=notices)
            case inputs.SetNames(names):
                return players.set_names(self, names)
            case inputs.SetPiece() | inputs.SelectPiece() | inputs.SetScore():
                change_draft(self, event)
            case inputs.SubmitSetup():
                return submit_setup(self, event)
            case inputs.SeatsChanged(seated):
                known, self._seats_known = self._seats_known, True
                return change_seats(self, seated, known, now)
            case inputs.SetOpponents():
                return players.set_opponents(self, event)
            case inputs.Decided(entries):
                return self.record(*entries)
            case inputs.StartGame():
                return players.start_game(self, event, now)
            case inputs.Announce(message, good):
                self.notify(message, now, good)
            case inputs.SearchResult():
                players.take_search_result(self, event)
            case inputs.EngineUnavailable():
                players.set_engine_trouble(self, event)
        return ()

    def _touch(self, spot: str, act: Callable[[Core, str, float], Entries], now: float) -> Entries:
        """Handle a touch unless play pauses; if stones are sensed, only on keys or masked cells."""
        if self.state.faults.reasons:
            raise EntryRefused(PAUSED)
        sensed = self._presence and spot in self.game.board.cells
        if sensed and spot not in self.state.faults.masked:
            return ()
        return act(self, spot, now)

    def _change_mask(self, cells: frozenset[str]) -> None:
        """Stop sensing exactly these cells; stones on newly unmasked cells are not known yet."""
        state, faults = self.state, self.state.faults
        self.state = replace(
            state,
            faults=replace(faults, masked=cells, unverified=faults.unread - cells),
            # No lift will be sensed there.
            fingers=state.fingers.forget(cells),
            inspecting="" if state.inspecting in cells else state.inspecting,
        )

    def _change_faults(self, event: inputs.FaultsChanged, now: float) -> None:
        """Pause play and discard a begun move, or resume play with the same position."""
        before = self.state.faults
        faults = replace(before, reasons=event.reasons, warnings=event.warnings, cells=frozenset())
        if event.reasons:
            unverified = before.unverified | event.cells
            faults = replace(faults, cells=event.cells, unverified=unverified)
            self.state = replace(self.state, taps=(), fingers=Fingers(), inspecting="")
        self.state = replace(self.state, faults=faults)
        if event.reasons and not before.reasons:
            # A notice about play would contradict the pause.
            self.clear_notice(rejected=True)
        elif before.reasons and not event.reasons:
            self.notify(say("table.goes_on"), now, good=True)
