"""Applies entries to the state, in play and when a game resumes; `Core` holds a table's state."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from game.rules.base.clocks import Clocks
from game.rules.base.edits import Edit, edits_between, turned
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.grades import help_in
from game.rules.base.message import Message, say
from game.rules.base.situation import Situation
from game.rules.base.values import Outcome
from game.rules.boards.fingers import Fingers
from game.table.entries import (
    AGREED,
    RESIGNED,
    TIME_UP,
    Entries,
    Entry,
    EntryKind,
    bad_entry,
    clock_in,
    computers_in,
    names_in,
    options_in,
    parse,
    pieces_in,
    seal_in,
)
from game.table.hands import RING_TURN_S, bound_taps
from game.table.inputs import CONFIRM_S, Command
from game.table.phases import Event, Phase
from game.table.state import (
    NOTICE_S,
    REJECTED_S,
    UNKNOWN_PIECE,
    Confirmation,
    Notice,
    Played,
    RejectedTouch,
    RingTurn,
    Setups,
    State,
)

REBUILD_EDITS = 8
"""If taking back one move needs more edits than this, the whole board is laid out again."""


def apply_entries(state: State, *entries: Entry) -> State:
    """Return the state after applying entries in order; raises RulesError.

    The phase is computed only once, after the last entry, so that a long game resumes quickly.
    """
    kinds, after = set[EntryKind](), state
    for entry in entries:
        kinds.add(entry.kind)
        after = _KINDS[entry.kind](after, entry.text)
    kinds -= {EntryKind.NAMES, EntryKind.COMPUTERS, EntryKind.CLOCK}
    if not kinds:
        return after
    in_setup = state.arranging and kinds <= {EntryKind.SEAL, EntryKind.MOVE}
    event = Event.SETUP_ENTRY if in_setup else Event.ENTRY
    return replace(
        after.after(event),
        ring_turn=state.ring_turn if kinds == {EntryKind.EDIT} else None,
        taps=(),
        menu_return_phase=None,
        fingers=after.fingers.release(after.fingers.down),
        notices=after.notices.clear(),
        engine=after.engine.without_hints(),
        coach=replace(after.coach, shown=None),
    )


def _start(state: State, text: str) -> State:
    agreement, options = parse(options_in(text))
    help_in(agreement.help_levels, len(state.game.players))
    situation = Situation(state.game, state.game.initial(options))
    standing = situation.pieces
    if state.senses_stones:
        # Sensed stones stay until people remove them. On masked cells, as on a board that senses
        # touches only, people are assumed to remove and lay out stones without being asked.
        masked = state.faults.masked
        stays = {cell: each for cell, each in state.standing.items() if cell not in masked}
        standing = stays | {cell: each for cell, each in standing.items() if cell in masked}
    return replace(
        state,
        situation=situation,
        options=options,
        standing=standing,
        history=(),
        undone=(),
        outcome=None,
        agreement=agreement,
        clocks=Clocks.wound(agreement.rule, len(state.game.players)) if agreement.rule else None,
        inspecting="",
        draw_until=None,
        draft=None,
        rebuilding=False,
        showing_faces=False,
        engine=replace(state.engine, result=None, judged=None),
        coach=replace(state.coach, ideas=()),
        setups=Setups(seated=state.setups.seated),
    )


def _set_up(state: State, text: str) -> State:
    if state.history or state.position != state.game.initial(state.options):
        raise bad_entry(EntryKind.SET_UP, text)
    situation = Situation(state.game, state.game.parse(text))
    return replace(
        state,
        situation=situation,
        # If stones are sensed, the standing pieces are read off the board.
        standing=state.standing if state.senses_stones else situation.pieces,
        outcome=situation.outcome,
        rebuilding=False,
    )


def _stands(state: State, text: str) -> State:
    standing = pieces_in(text)
    game = state.game
    if standing.keys() - set(game.board.cells) or set(standing.values()) - set(game.palette):
        raise bad_entry(EntryKind.STANDS, text)
    return replace(state, standing=standing, rebuilding=False)


def _names(state: State, text: str) -> State:
    names = names_in(text)
    if len(names) != len(state.game.players):
        raise bad_entry(EntryKind.NAMES, text)
    return replace(state, names=names if any(names) else ())


def _computers(state: State, text: str) -> State:
    computers = computers_in(text)
    if len(computers) != len(state.game.players):
        raise bad_entry(EntryKind.COMPUTERS, text)
    engine = state.engine.without_hints()
    return replace(state, computers=computers if any(computers) else (), taps=(), engine=engine)


def _move(state: State, text: str) -> State:
    if state.arranging:
        return _arrange(state, text)
    game, done = state.game, state.situation.read(text)
    after, taps = Situation(game, done.after), done.taps
    old, new = state.situation.pieces, after.pieces
    outcome = done.outcome
    played = Played(
        before=done.before,
        player=done.player,
        text=done.text,
        focus=next((tap for tap in reversed(taps) if tap in new), ""),
        removed=done.removed,
        summary=done.summary,
        turned=done.turned,
        faces=game.faces(done.before, done.move),
        clocks=() if state.clocks is None else state.clocks.left,
    )
    # A move is entered on a board that matches the position, unless it is a redo.
    redone = state.undone[-1:] == (played.text,)
    standing = state.standing if redone else old
    if state.senses_stones:
        # Sensors cannot tell stones apart: assume that a ring carries its stones along.
        standing = turned(standing, game.board, played.turned)
    if played.faces:
        # While faces are shown, the moved piece has left its start.
        faces = played.faces
        left = {c for c in taps if c not in faces and standing.get(c) in faces.values()}
        standing = {c: each for c, each in standing.items() if c not in left} | {**faces}
    rebuilding = bool(old) and not new and outcome is None and not state.senses_stones
    if rebuilding:
        # The piece that ended the round was placed too, and is cleared away with the others.
        token = game.presentation.token(game.presentation.side_of(done.before, played.player))
        piece = token if token in game.palette else UNKNOWN_PIECE
        standing = {**dict.fromkeys(set(taps) & set(game.board.cells), piece), **old}
    return replace(
        state,
        situation=after,
        standing=standing,
        history=(*state.history, played),
        undone=state.undone[:-1] if redone else (),
        clocks=state.clocks and state.clocks.moved(played.player),
        outcome=outcome,
        rebuilding=rebuilding,
        showing_faces=bool(played.faces),
    )


def _arrange(state: State, text: str) -> State:
    """Apply a player's set-up move; afterwards people lay out the pieces on the board."""
    submitted, mover = state.setups.submitted, state.situation.to_move or 0
    try:
        done = state.situation.read(text)
    except RulesError:
        done = None
    if done is None or submitted.get(mover, text) != text:
        raise bad_entry(EntryKind.MOVE) from None
    played = Played(done.before, mover, done.text, "", (), done.summary)
    left = {each: move for each, move in submitted.items() if each != mover}
    after = replace(
        _forget_hands(state),
        situation=Situation(state.game, done.after),
        standing={},
        history=(*state.history, played),
        outcome=done.outcome,
        setups=replace(state.setups, submitted=left, on_board=None),
    )
    return replace(after, rebuilding=not state.senses_stones and not after.arranging)


def _seal(state: State, text: str) -> State:
    player, move = seal_in(text)
    setups = state.setups
    if not state.arranging or player not in range(1, len(state.game.players) + 1):
        raise bad_entry(EntryKind.SEAL)
    submitted = {each: move for each, move in setups.submitted.items() if each != player}
    if move is not None:
        submitted[player] = move
    nothing = move is None and player not in setups.submitted
    arranges = state.game.arranging(state.position, player)
    if nothing or arranges is None or not _can_play(state, submitted):
        raise bad_entry(EntryKind.SEAL)
    others = setups.on_board and setups.on_board.player != player
    setups = replace(setups, submitted=submitted, on_board=setups.on_board if others else None)
    return replace(_forget_hands(state), setups=setups)


def _can_play(state: State, submitted: Mapping[int, str]) -> bool:
    """Return whether submitted moves can be made, as far as the moves before them are known."""
    game, position = state.game, state.position
    try:
        while (mover := game.to_move(position)) in submitted:
            if game.arranging(position, mover or 0) is None:
                return True
            position = game.play(position, game.parse_move(position, submitted[mover or 0]))
    except RulesError:
        return False
    return True


def _cover(state: State, text: str) -> State:
    if not state.showing_faces:
        raise bad_entry(EntryKind.COVER, text)
    return replace(state, showing_faces=False)


def _forget_hands(state: State) -> State:
    """Discard the traces of hands, as a player laid out pieces in secret."""
    return replace(state, fingers=Fingers(), hands=replace(state.hands, moved_at=None))


def _edit(state: State, spot: str) -> State:
    rings = state.game.board.rings
    if spot not in rings and spot not in state.game.board.cells:
        raise bad_entry(EntryKind.EDIT, spot)
    standing, pieces = dict(state.standing), state.situation.pieces
    for cell in rings.get(spot, (spot,)):
        standing.pop(cell, None)
        if cell in pieces:
            standing[cell] = pieces[cell]
    after = replace(state, standing=standing)
    return replace(after, rebuilding=state.rebuilding and bool(after.pending))


def _take_back(state: State, _: str) -> State:
    clocks = state.clocks
    if state.outcome is not None and state.situation.outcome is None:
        # A player whose time was up can only play on without a clock.
        clocks = None if state.outcome.reason == TIME_UP else clocks
        return replace(state, outcome=None, showing_faces=False, clocks=clocks)
    if not state.history:
        raise bad_entry(EntryKind.TAKE_BACK)
    last = state.history[-1]
    standing, board = state.standing, state.game.board
    if state.senses_stones:
        # Sensors cannot tell stones apart: assume that a ring turns back with its stones.
        standing = turned(standing, board, last.turned, back=True)
    after = replace(
        state,
        situation=Situation(state.game, last.before),
        history=state.history[:-1],
        undone=(*state.undone, last.text),
        clocks=clocks and replace(clocks, left=last.clocks or clocks.left),
        outcome=None,
        standing=standing,
        showing_faces=False,
        setups=Setups(seated=state.setups.seated),
    )
    if after.arranging:
        return replace(after, standing={}, rebuilding=False, undone=())
    rebuilding = not state.senses_stones and len(after.pending) > REBUILD_EDITS
    if rebuilding and not state.rebuilding:
        now, then = state.situation.pieces, after.situation.pieces
        rebuilding = len(edits_between(now, then, board, state.game.keys)) > REBUILD_EDITS
    return replace(after, rebuilding=rebuilding)


def _ended_for(state: State, kind: EntryKind, text: str) -> tuple[int | None, dict[str, Message]]:
    """Return the winner, and the names of loser and winner as arguments of a message.

    With more than two players, it is not known which of the others would have won.
    """
    count = len(state.game.players)
    if text not in [str(n) for n in range(1, count + 1)]:
        raise bad_entry(kind, text)
    winner = int(text) % count + 1
    loses, wins = (state.called(n) for n in (int(text), winner))
    return (None, {"loser": loses}) if count > 2 else (winner, {"loser": loses, "winner": wins})


def _resign(state: State, text: str) -> State:
    winner, names = _ended_for(state, EntryKind.RESIGN, text)
    one, many = say("table.resigned", **names), say("table.resigned_among_many", **names)
    return _ended(state, Outcome(winner, RESIGNED, one if winner else many))


def _flag(state: State, text: str) -> State:
    winner, names = _ended_for(state, EntryKind.FLAG, text)
    one, many = say("table.time_up", **names), say("table.time_up_among_many", **names)
    return _ended(state, Outcome(winner, TIME_UP, one if winner else many))


def _clock(state: State, text: str) -> State:
    left = clock_in(text)
    if state.clocks is None or len(left) != len(state.game.players):
        raise bad_entry(EntryKind.CLOCK, text)
    return replace(state, clocks=replace(state.clocks, left=left))


def _draw(state: State, text: str) -> State:
    if not state.game.agreed_draws:
        raise bad_entry(EntryKind.DRAW, text)
    return _ended(state, Outcome(None, AGREED, say("table.agreed_draw")))


def _ended(state: State, outcome: Outcome) -> State:
    setups = replace(state.setups, on_board=None)
    return replace(state, outcome=outcome, showing_faces=False, setups=setups)


_KINDS: Mapping[EntryKind, Callable[[State, str], State]] = {
    EntryKind.START: _start,
    EntryKind.MOVE: _move,
    EntryKind.EDIT: _edit,
    EntryKind.TAKE_BACK: _take_back,
    EntryKind.RESIGN: _resign,
    EntryKind.DRAW: _draw,
    EntryKind.FLAG: _flag,
    EntryKind.CLOCK: _clock,
    EntryKind.SET_UP: _set_up,
    EntryKind.STANDS: _stands,
    EntryKind.SEAL: _seal,
    EntryKind.COVER: _cover,
    EntryKind.NAMES: _names,
    EntryKind.COMPUTERS: _computers,
}


class EntryRefused(RulesError):
    """Refuse an input and show why; on a `spot`, also flag the touch there."""

    def __init__(self, message: Message, spot: str = "") -> None:
        super().__init__(message)
        self.spot = spot


@dataclass(eq=False, repr=False)
class Core:
    """Holds the state of a table.

    `defaults` are the options of every new game; `rng` draws the beginner and computers' set-ups.
    """

    game: AnyGame
    state: State
    defaults: dict[str, str]
    rng: Random

    def record(self, *entries: Entry) -> Entries:
        """Change the logical state by entries, which must be saved, and return them.

        Raises RulesError, and then changes nothing.
        """
        self.state = apply_entries(self.state, *entries)
        return entries

    def notify(self, message: Message, now: float, good: bool = False) -> None:
        """Show a message for a while."""
        notices = replace(self.state.notices, current=Notice(message, now + NOTICE_S, good))
        self.state = replace(self.state, notices=notices)

    def refuse(self, error: RulesError, now: float) -> None:
        """Show why an input is refused, and flag its touch; change nothing else."""
        if isinstance(error, EntryRefused) and error.spot:
            rejected = RejectedTouch(error.spot, now + REJECTED_S)
            self.state = replace(self.state, notices=replace(self.state.notices, rejected=rejected))
        self.notify(error.message, now)

    def clear_notice(self, rejected: bool = False) -> None:
        """Stop showing the notice, and with `rejected` also the flag of a rejected touch."""
        shown = self.state.notices
        notices = replace(shown, current=None, rejected=None if rejected else shown.rejected)
        self.state = replace(self.state, notices=notices)

    def confirmed(
        self, command: Command, question: Message, now: float, seat: int = 0, player: int = 0
    ) -> bool:
        """Return whether a command from a seat, 0 for none, is confirmed; if not, ask `player`."""
        asked = self.state.notices.confirmation
        if asked and asked.command is command and (not seat or asked.player in (0, seat)):
            return True
        until = now + CONFIRM_S
        notices = replace(
            self.state.notices,
            confirmation=Confirmation(command, until, player),
            current=Notice(question, until),
        )
        self.state = replace(self.state, notices=notices)
        return False

    def turn_to(self, event: Event, menu_return_phase: Phase | None = None) -> None:
        """Enter the phase that follows an event, and discard begun moves, holds and notices."""
        self.state = replace(
            self.state.after(event),
            taps=(),
            inspecting="",
            menu_of_help=False,
            menu_return_phase=menu_return_phase,
            fingers=self.state.fingers.release(self.state.fingers.down),
            notices=self.state.notices.clear(),
        )

    def show_turns(self, turned: Iterable[Edit], now: float, back: bool = False) -> None:
        """Start the running lights of rings that are turned, or turned back."""
        for edit in turned:
            turn = RingTurn(edit.cell, -edit.steps if back else edit.steps, now + RING_TURN_S)
            self.state = replace(self.state, ring_turn=turn)

    def next_taps(self, after: tuple[str, ...] | None = None) -> frozenset[str]:
        """Return the touches that may follow the current taps, or the taps in `after`."""
        taps = self.state.taps if after is None else after
        going_on = self.state.situation.walk.next_taps(taps)
        only = bound_taps(self.state)
        if only is None:
            return going_on
        if only[: len(taps)] != taps:
            return frozenset()
        return going_on & set(only[len(taps) : len(taps) + 1])
