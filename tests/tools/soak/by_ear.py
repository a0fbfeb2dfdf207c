"""What a person believes who hears what a board says, and sees neither its lights nor a page.

Owns the position in such a person's mind, made of the moves that they hear, and what words ask them
to do. They know the rules, sense which stones stand, and remember what they set up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from game.common import AppError
from game.play import Snapshot, sounds_for
from game.play.voice import Speech
from game.rules.base.game import AnyGame, known_options
from game.rules.base.message import Message
from game.table.phases import Phase
from game.table.scene import Cue, Lamp
from game.table.state import State
from tests.tools.soak.view import View, started_by

PHASES: Mapping[str, Phase] = {
    **dict.fromkeys(("table.confirm_board", "table.clear_all", "table.lay_out"), Phase.CONFIRM),
    **dict.fromkeys(("table.to_arrange", "table.covering"), Phase.ARRANGE),
    **dict.fromkeys(("table.covering_felt", "table.covering_done"), Phase.ARRANGE),
    **dict.fromkeys(("table.cover", "table.cover_felt"), Phase.SHOW),
    "table.drawing": Phase.DRAW,
    "table.play_again": Phase.OVER,
}
"""The phase in which each sentence is asked."""
TO_DO: Mapping[str, Cue] = {
    **dict.fromkeys(("table.take_away", "table.lift"), Cue.REMOVE),
    **dict.fromkeys(("table.put", "table.lay"), Cue.PUT),
    **dict.fromkeys(("table.exchange", "table.exchange_felt"), Cue.SWAP),
    **dict.fromkeys(("table.turn_ring", "table.turn_ring_back"), Cue.TURNED),
}
"""What a sentence asks hands to do, on the cells or with the ring that it names."""

World = list[tuple[Any, str]]
"""The positions so far, each with the cell that the move before it is about, "" for none."""


class Ear:
    """Listen to the sounds and the voice of a board, and to nothing else.

    `remembered` returns what a player has set up in secret, by cell.
    """

    def __init__(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        remembered: Callable[[int], Mapping[str, str]],
    ) -> None:
        self._game = game
        self._options = options
        self._remembered = remembered
        self._speech = Speech()
        self._asked: list[Message] = []
        self._news: list[Message] = []
        # All ways in which the game may have begun, as far as was heard.
        self._worlds: list[World] = []
        self._heard = 0
        self._before: State | None = None
        self._resumes = False

    def restart(self) -> None:
        """Listen to a board that has power again, and begins with what happened last."""
        self._speech, self._before = Speech(), None
        self._resumes = bool(self._worlds) and len(self._worlds[0]) > 1

    def listen(self, snapshot: Snapshot) -> View | None:
        """Hear the sounds and sentences of a snapshot; return None if there are none.

        After a sound they know that what they have just done is no longer asked for.
        """
        self._speech.take(snapshot)
        news, requests = list[Message](), list[Message]()
        while (said := self._speech.next()) is not None:
            (news if self._speech.saying is None else requests).append(said)
        sounds = sounds_for(self._game, self._before, snapshot.state)
        self._before = snapshot.state
        if not news and not requests and not sounds:
            return None
        self._heard += len(news) + len(requests) + len(sounds)
        held = [each for each in self._asked if each in self._speech.asked]
        self._asked = held + requests
        if self._phase() is Phase.DRAW:
            self._worlds = []
        elif not self._worlds:
            firsts = known_options(self._game)["first"].choices
            every = ({**self._options, "first": each} for each in firsts)
            self._worlds = [[(self._game.initial(options), "")] for options in every]
        if self._worlds and self._resumes and news:
            news, self._resumes = news[1:], False
        self._news = news or self._news
        for message in news:
            self._believe(message)
        self._worlds = list(filter(self._agrees, self._worlds)) or self._worlds
        return self._view()

    def _believe(self, message: Message) -> None:
        """Apply a move, or one that is taken back; other messages change no position."""
        if message.key == "aloud.taken_back":
            for world in self._worlds:
                del world[-1]
            return
        moved = [[*world, after] for world in self._worlds for after in self._after(world, message)]
        self._worlds = moved or self._worlds

    def _after(self, world: World, message: Message) -> World:
        """Return the position after the move that a sentence tells; none where it tells none."""
        game, (position, _) = self._game, world[-1]
        player, sets_up, moves = game.to_move(position), False, list[Any]()
        if player is not None and game.arranging(position, player) is not None:
            if not (pieces := self._remembered(player)):
                return []
            text = game.arrangement(position, player, pieces)
            sets_up, moves = True, [game.parse_move(position, text)]
        elif player is not None:
            moves = list(game.legal_moves(position))
        results = (game.result(position, move) for move in moves)
        fits = [each for each in results if each.summary == message]
        if len({repr(each.after) for each in fits}) > 1:
            texts = ", ".join(sorted(each.text for each in fits))
            raise AppError(f"hears {message}, which can be any of {texts}")
        for done in fits[:1]:
            taps, stands = () if sets_up else done.taps, game.pieces(done.after)
            return [(done.after, next((tap for tap in reversed(taps) if tap in stands), ""))]
        if sets_up and message.key.startswith("mind.set_up"):
            # The board had no power when the first of the two was reported as ready.
            return self._after([(game.play(position, moves[0]), "")], message)
        return []

    def _agrees(self, world: World) -> bool:
        """Return whether a position can be the one that is meant: its players, and the mover."""
        game, who, (position, _) = self._game, next(self._players(), None), world[-1]
        called = [game.presentation.called(position, n + 1) for n in range(len(game.players))]
        plays = [each.args for each in self._asked if each.key == "aloud.plays"]
        mover = game.to_move(position)
        moves = self._phase() is not Phase.TAP or not mover or who == called[mover - 1]
        return moves and all(
            called[game.players.index(each["player"])] == each["side"] for each in plays
        )

    def _players(self) -> Iterator[object]:
        """Yield the players who are asked for something, not those who are ready."""
        for message in self._asked:
            if message.key == "table.has_arranged":
                continue
            yield from message.args.get("players", ())  # type: ignore[misc]
            if "player" in message.args:
                yield message.args["player"]

    def _phase(self) -> Phase:
        keys = [message.key for message in self._asked]
        found = next((PHASES[key] for key in keys if key in PHASES), None)
        return found or (Phase.EDIT if TO_DO.keys() & keys else Phase.TAP)

    def _view(self) -> View:
        game, phase = self._game, self._phase()
        start = game.initial(self._options)
        position, focus = self._worlds[0][-1] if self._worlds else (start, "")
        started = started_by(self._asked)
        shows = focus and not started and phase is not Phase.OVER
        lit = {focus: Cue.PLACED} if shows else {}
        if phase is Phase.DRAW:
            lit = {game.board.cells[0]: Cue.DRAW}
        elif phase is Phase.TAP:
            lit |= dict.fromkeys(self._next_taps(position, started), Cue.LEGAL)
        for message in self._asked:
            cue = TO_DO.get(message.key)
            if phase is Phase.CONFIRM and message.key == "aloud.cells":
                cue = Cue.STANDS
            if cue is not None:
                lit |= dict.fromkeys(_named(message), cue)
        turn = game.to_move(position)
        if phase is Phase.ARRANGE:
            who, players = next(self._players(), None), range(1, len(game.players) + 1)
            called = game.presentation.called
            turn = next((n for n in players if called(position, n) == who), turn)
        lamps = {spot: Lamp(cue) for spot, cue in lit.items()}
        return View(game, phase, lamps, turn, self._asked, self._news, position, self._heard)

    def _next_taps(self, position: Any, started: Sequence[str]) -> set[str]:
        """Return by the rules which spots can be touched next."""
        game, at = self._game, len(started)
        every = (game.taps(position, move) for move in game.legal_moves(position))
        named = ((taps, tuple("" if tap in game.keys else tap for tap in taps)) for taps in every)
        return {
            taps[at] for taps, names in named if len(taps) > at and names[:at] == tuple(started)
        }


def _named(message: Message) -> Iterable[str]:
    """Return the cells that a sentence names, or the key of a ring."""
    args: Mapping[str, Any] = message.args
    if "ring" in args:
        return (f"ring{args['ring']}",)
    return args.get("cells") or [piece.args["cell"] for piece in args.get("pieces", ())]
