"""The umpire: takes what was felt and asked, and says what to show and what to keep.

Owns the transitions between states. Reads no clock, draws no number but from the generator it is
given, and knows no sensor, light or file. A refused input changes nothing but the words shown
and a flash on the cell.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from game.rules.game import Game, Outcome
from game.rules.message import Message, say
from game.table.entries import BadEntry, Entry, Kind, options_in, options_text
from game.table.inputs import Asked, Command, Held, Input, Lifted, Palmed, Touched
from game.table.prompts import too_early
from game.table.scene import Scene, scene
from game.table.state import Flash, Notice, Phase, Played, Question, State
from game.table.taps import TapWalk

DRAW_S = 2.4
NOTICE_S = 6.0
FLASH_S = 2.5
QUESTION_S = 8.0

_WAIT = say("table.wait_for_draw")

Entries = tuple[Entry, ...]


class Table:
    """One game at the table, and the next ones after it.

    `start` and `handle` return the entries that must be kept before the scene is shown.
    """

    def __init__(self, game: Game[Any, Any], options: Mapping[str, str], rng: Random) -> None:
        self.game = game
        self._wishes = dict(options)
        self._rng = rng
        self.state = State(Phase.OVER, game.initial(options), game.settle(options))
        self._walk = TapWalk(game, self.state.position)

    def start(self, now: float) -> Entries:
        """Begin a new game; who begins is drawn unless the options name him."""
        options = self.game.settle(self._wishes)
        if "first" not in self._wishes:
            options["first"] = str(self._rng.randint(1, len(self.game.players)))
        to_clear = bool(self.state.standing)
        entries = self._record(Entry(Kind.START, options_text(options)))
        self.state = replace(self.state, phase=Phase.DRAW, draw_until=now + DRAW_S)
        if to_clear:
            self._notify(say("table.clear_board"), now)
        return entries

    def resume(self, entries: Iterable[Entry], now: float) -> None:
        """Bring back a game from its entries; raises RulesError if they do not fit the rules."""
        for entry in entries:
            self._apply(entry)
        self._notify(say("table.resumed"), now)

    def handle(self, event: Input, now: float) -> Entries:
        """Take one input; return what must be kept."""
        self.tick(now)
        match event:
            case Touched(spot):
                return self._on_touch[self.state.phase](self, spot, now)
            case Held(spot):
                self._on_hold(spot)
            case Lifted(spot):
                self._on_lift(spot, now)
            case Palmed():
                self._notify(say("table.palm"), now)
            case Asked(command):
                return self._on_ask[command](self, now)
        return ()

    def tick(self, now: float) -> None:
        """Let time pass: end the draw, and forget what has been shown long enough."""
        state = self.state
        if state.draw_until is not None and now >= state.draw_until:
            state = replace(state, draw_until=None, phase=Phase.TAP)
            if state.notice and state.notice.message == _WAIT:
                state = replace(state, notice=None)
        if state.notice and now >= state.notice.until:
            state = replace(state, notice=None)
        if state.wrong and now >= state.wrong.until:
            state = replace(state, wrong=None)
        if state.question and now >= state.question.until:
            state = replace(state, question=None)
        self.state = state

    def due(self) -> float | None:
        """Return when `tick` next has something to do, None if never."""
        state = self.state
        times = [timed.until for timed in (state.notice, state.wrong, state.question) if timed]
        if state.draw_until is not None:
            times.append(state.draw_until)
        return min(times, default=None)

    def scene(self) -> Scene:
        """Return what the board shows now."""
        return scene(self.game, self.state, self._walk.next_taps(self.state.taps))

    def _record(self, entry: Entry) -> Entries:
        self._apply(entry)
        return (entry,)

    def _apply(self, entry: Entry) -> None:
        """Change the logical state by one entry, in play as in resuming."""
        self._apply_kind[entry.kind](self, entry.text)
        if entry.kind is not Kind.EDIT:
            self._walk = TapWalk(self.game, self.state.position)
        state = self.state
        if state.outcome is not None:
            phase = Phase.OVER
        elif state.pending(self.game):
            phase = Phase.EDIT
        else:
            phase = Phase.TAP
        self.state = replace(
            state,
            phase=phase,
            taps=(),
            down=frozenset(),
            wrong=None,
            notice=None,
            question=None,
        )

    def _apply_start(self, text: str) -> None:
        options = options_in(text)
        position = self.game.initial(options)
        # Touches cannot tell what stood there before: people clear and lay out the board unasked.
        self.state = State(Phase.TAP, position, options, standing=self.game.pieces(position))

    def _apply_move(self, text: str) -> None:
        game, before = self.game, self.state.position
        move = game.parse_move(before, text)
        after = game.play(before, move)
        taps = game.taps(before, move)
        pieces = game.pieces(after)
        played = Played(
            before=before,
            player=game.to_move(before) or 0,
            text=game.move_text(before, move),
            focus=next((tap for tap in reversed(taps) if tap in pieces), ""),
            removed=game.removed(before, move),
            summary=game.summary(before, move),
        )
        self.state = replace(
            self.state,
            position=after,
            history=(*self.state.history, played),
            outcome=game.outcome(after),
        )

    def _apply_edit(self, cell: str) -> None:
        if all(edit.cell != cell for edit in self.state.pending(self.game)):
            raise BadEntry(say("table.bad_entry", kind=Kind.EDIT.value, text=cell))
        standing = dict(self.state.standing)
        standing.pop(cell, None)
        expected = self.game.pieces(self.state.position).get(cell)
        if expected:
            standing[cell] = expected
        self.state = replace(self.state, standing=standing)

    def _apply_take_back(self, _: str) -> None:
        state = self.state
        if state.outcome is not None and self.game.outcome(state.position) is None:
            self.state = replace(state, outcome=None)
        elif state.history:
            *earlier, last = state.history
            self.state = replace(state, position=last.before, history=tuple(earlier), outcome=None)
        else:
            raise BadEntry(say("table.bad_entry", kind=Kind.TAKE_BACK.value, text=""))

    def _apply_resign(self, text: str) -> None:
        players = [str(number + 1) for number in range(len(self.game.players))]
        if text not in players:
            raise BadEntry(say("table.bad_entry", kind=Kind.RESIGN.value, text=text))
        loser = int(text)
        winner = loser % len(players) + 1
        message = say(
            "table.resigned",
            loser=self.game.players[loser - 1],
            winner=self.game.players[winner - 1],
        )
        self.state = replace(self.state, outcome=Outcome(winner, "resigned", message))

    def _touch_in_draw(self, spot: str, now: float) -> Entries:
        self._notify(_WAIT, now)
        return ()

    def _touch_in_tap(self, spot: str, now: float) -> Entries:
        """Go on with a move, defer a touch on a piece (it may be held), or refuse."""
        taps = (*self.state.taps, spot)
        move = self._walk.move(taps)
        if move is not None:
            return self._move(move, taps)
        if spot in self._walk.next_taps(self.state.taps):
            self.state = replace(self.state, taps=taps, wrong=None, notice=None)
        elif self._stands(spot):
            self.state = replace(self.state, down=self.state.down | {spot})
        else:
            self._refuse(spot, now)
        return ()

    def _move(self, move: Any, taps: tuple[str, ...]) -> Entries:
        """Record a move, and the edits that the hand which entered it has made by its touches."""
        entries = self._record(Entry(Kind.MOVE, self.game.move_text(self.state.position, move)))
        for edit in self.state.pending(self.game):
            if edit.cell in taps:
                entries += self._record(Entry(Kind.EDIT, edit.cell))
        return entries

    def _touch_in_edit(self, spot: str, now: float) -> Entries:
        """Confirm an edit, defer a touch on another piece, or refuse."""
        if any(edit.cell == spot for edit in self.state.pending(self.game)):
            return self._record(Entry(Kind.EDIT, spot))
        if self._stands(spot):
            self.state = replace(self.state, down=self.state.down | {spot})
        else:
            self._refuse(spot, now)
        return ()

    def _on_hold(self, spot: str) -> None:
        """Inspect the piece under a finger that stays; a tap that this finger began is undone."""
        state = self.state
        if state.phase is Phase.TAP and state.taps[-1:] == (spot,) and self._stands(spot):
            self.state = replace(state, taps=state.taps[:-1], inspecting=spot, wrong=None)
        elif spot in state.down:
            self.state = replace(state, down=state.down - {spot}, inspecting=spot, wrong=None)

    def _on_lift(self, spot: str, now: float) -> None:
        """End an inspection, or refuse a touch on a piece that was not held."""
        if spot == self.state.inspecting:
            self.state = replace(self.state, inspecting="")
        if spot in self.state.down:
            self.state = replace(self.state, down=self.state.down - {spot})
            self._refuse(spot, now)

    def _ask_new_game(self, now: float) -> Entries:
        state = self.state
        if state.phase is Phase.DRAW:
            self._notify(_WAIT, now)
            return ()
        unfinished = state.history and state.outcome is None
        if unfinished and not self._confirmed(Command.NEW_GAME, say("table.confirm_new"), now):
            return ()
        return self.start(now)

    def _ask_take_back(self, now: float) -> Entries:
        state = self.state
        if state.phase is not Phase.DRAW and state.taps:
            self.state = replace(state, taps=(), notice=None, wrong=None)
            return ()
        if state.phase is Phase.DRAW or not (state.history or state.outcome):
            self._notify(say("table.nothing_to_take_back"), now)
            return ()
        return self._record(Entry(Kind.TAKE_BACK))

    def _ask_resign(self, now: float) -> Entries:
        state = self.state
        loser = state.turn(self.game)
        if state.outcome is not None or loser is None:
            self._notify(say("table.nothing_to_resign"), now)
            return ()
        question = say("table.confirm_resign", player=self.game.players[loser - 1])
        if not self._confirmed(Command.RESIGN, question, now):
            return ()
        return self._record(Entry(Kind.RESIGN, str(loser)))

    def _confirmed(self, command: Command, question: Message, now: float) -> bool:
        """Tell whether a command is given the second time; else ask for it."""
        asked = self.state.question
        if asked is not None and asked.command is command:
            return True
        self.state = replace(
            self.state,
            question=Question(command, now + QUESTION_S),
            notice=Notice(question, now + QUESTION_S),
        )
        return False

    def _stands(self, spot: str) -> bool:
        return spot in self.state.standing

    def _refuse(self, spot: str, now: float) -> None:
        """Flag a touch and say why; nothing else changes."""
        state = self.state
        pending = state.pending(self.game)
        if state.phase is Phase.OVER:
            why = say("rules.game_over")
        elif pending:
            why = too_early(spot, self._stands(spot), pending)
        else:
            why = self.game.refusal(state.position, (*state.taps, spot))
        self.state = replace(state, wrong=Flash(spot, now + FLASH_S))
        self._notify(why, now)

    def _notify(self, message: Message, now: float) -> None:
        self.state = replace(self.state, notice=Notice(message, now + NOTICE_S))

    _on_touch: Mapping[Phase, Callable[["Table", str, float], Entries]] = {
        Phase.DRAW: _touch_in_draw,
        Phase.TAP: _touch_in_tap,
        Phase.EDIT: _touch_in_edit,
        Phase.OVER: _touch_in_edit,
    }
    _on_ask: Mapping[Command, Callable[["Table", float], Entries]] = {
        Command.NEW_GAME: _ask_new_game,
        Command.TAKE_BACK: _ask_take_back,
        Command.RESIGN: _ask_resign,
    }
    _apply_kind: Mapping[Kind, Callable[["Table", str], None]] = {
        Kind.START: _apply_start,
        Kind.MOVE: _apply_move,
        Kind.EDIT: _apply_edit,
        Kind.TAKE_BACK: _apply_take_back,
        Kind.RESIGN: _apply_resign,
    }
