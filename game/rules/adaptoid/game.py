"""Adaptoid as the table, the referee and a computer player use it, and its texts."""

import re
from collections.abc import Mapping
from functools import cached_property

from game.rules.adaptoid import field, presentation, turns
from game.rules.adaptoid.field import BOARD, CELL, Position, TurnPhase, cells_in
from game.rules.adaptoid.turns import moves_of, played
from game.rules.base import reading
from game.rules.base.errors import BadPosition, not_legal
from game.rules.base.game import Game, MoveResult, score_goals, settle
from game.rules.base.message import LONGEST, say
from game.rules.base.moves import MoveList
from game.rules.base.values import CHOICES, Goal, Json, Outcome

_KEY_OF = {turns.Part.LEG: presentation.LEG_KEY, turns.Part.PINCER: presentation.PINCER_KEY}
_CHOICES = {"white": turns.ColourChoice(field.WHITE), "black": turns.ColourChoice(field.BLACK)}
_CELL = f"({'|'.join(BOARD.cells)})"
_PLACING = re.compile(f"W:{_CELL} B:{_CELL}")
_TURN = re.compile(rf"(?:{_CELL}[-x]{_CELL})?/(?:(\+)?{_CELL}([LP])?)?")
_TEXT = re.compile(
    r"(?P<pieces>-|[^ ]+) (?P<phase>place|choose|play) (?P<over>#?)(?P<mover>[12])"
    r" (?P<colours>--|WB|BW) (?P<score1>[0-9]{1,4})-(?P<score2>[0-9]{1,4})"
)
_ALLOWED = "[WB][0-6]L[0-6]P, L + P <= 6"


class _AdaptoidResult(MoveResult[Position, turns.Move]):
    @cached_property
    def removed(self) -> tuple[str, ...]:
        """The cells where the captured adaptoids of both colours stood when the turn began."""
        turn = self.move if isinstance(self.move, turns.Turn) else None
        done = None if turn is None else turns.turned(self.before, turn)
        return () if done is None else cells_in(done.captured | done.lost | done.starved)


class Adaptoid(Game[Position, turns.Move]):
    """Bodies grow legs and pincers, fight, and starve where it is crowded; capture five."""

    name = "adaptoid"
    title = "Adaptoid"
    board = BOARD
    players = (say("player.first"), say("player.second"))
    keys = CHOICES
    effects = _AdaptoidResult
    words = presentation.AdaptoidPresentation

    def legal_moves(self, position: Position) -> MoveList[turns.Move]:
        return moves_of(position)

    def play(self, position: Position, move: turns.Move) -> Position:
        after = played(position, move)
        if after is None:
            raise not_legal(self.move_text(position, move))
        return after

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner: a player who has captured five, or whose opponent has no adaptoid."""
        if not position.over:
            return None
        who = self.presentation.called(position, position.mover + 1)
        captured = position.score[position.mover]
        if captured >= turns.ENOUGH:
            message = say("adaptoid.won_captured", player=who, count=captured)
            return Outcome(position.mover + 1, "five captured", message)
        message = say("adaptoid.won_alone", player=who)
        return Outcome(position.mover + 1, "no adaptoid left", message)

    def to_move(self, position: Position) -> int | None:
        return None if position.over else position.mover + 1

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to colour, legs and pincers, as `W2L1P`."""
        found = {}
        for colour, mask in zip(field.COLOURS, position.bodies, strict=True):
            for place in field.places_in(mask):
                limbs = position.limbs[place]
                found[place] = f"{colour}{limbs >> 3}L{limbs & 7}P"
        return {CELL[place]: found[place] for place in sorted(found)}

    def score(self, position: Position) -> tuple[int, ...]:
        return position.score

    def goals(self, position: Position) -> tuple[Goal, ...]:
        return score_goals(presentation.CAPTURED, position.score, turns.ENOUGH)

    def taps(self, position: Position, move: turns.Move) -> tuple[str, ...]:
        """List start, goal, the cell of growth, a limb's key; the first key for an empty turn."""
        if isinstance(move, turns.Placing):
            return CELL[move.white], CELL[move.black]
        if isinstance(move, turns.ColourChoice):
            return (CELL[position.bodies[move.colour].bit_length() - 1],)
        taps = [] if move.start == turns.NOWHERE else [CELL[move.start], CELL[move.goal]]
        if move.part is not None:
            taps.append(CELL[move.at])
        if move.part in _KEY_OF:
            taps.append(_KEY_OF[move.part])
        return tuple(taps) or (presentation.LEG_KEY,)

    def move_text(self, position: Position, move: turns.Move) -> str:
        """Write a placing (`W:d4 B:e4`), a colour (`white`) or a turn (`b2-c4/c4L`)."""
        if isinstance(move, turns.Placing):
            return f"W:{CELL[move.white]} B:{CELL[move.black]}"
        if isinstance(move, turns.ColourChoice):
            return [*_CHOICES][move.colour]
        text = "/"
        if move.start != turns.NOWHERE:
            how = "x" if position.enemy >> move.goal & 1 else "-"
            text = f"{CELL[move.start]}{how}{CELL[move.goal]}/"
        if move.part is turns.Part.BODY:
            return f"{text}+{CELL[move.at]}"
        return text if move.part is None else f"{text}{CELL[move.at]}{move.part.value}"

    def parse_move(self, position: Position, text: str) -> turns.Move:
        move = _read_move(text)
        if move is None or self.move_text(position, move) != text:
            raise not_legal(text)
        self.play(position, move)
        return move

    def text(self, position: Position) -> str:
        """Write pieces, phase, who moves (or `#` and who has won), colours by player, and score."""
        pieces = ",".join(f"{cell}={code}" for cell, code in self.pieces(position).items())
        won = "#" if position.over else ""
        colours = "".join(_colours_of(position) or "--")
        score = "-".join(str(n) for n in position.score)
        return f"{pieces or '-'} {position.phase.value} {won}{position.mover + 1} {colours} {score}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        if read is None:
            raise BadPosition(say("adaptoid.bad_text", text=text[: 2 * LONGEST]))
        mover = int(read["mover"])
        data: Json = {
            "pieces": reading.split_pieces(read["pieces"]),
            "phase": read["phase"],
            "colours": None if read["colours"] == "--" else list(read["colours"]),
            "score": [int(read["score1"]), int(read["score2"])],
            "to_move": None if read["over"] else mover,
            "outcome": {"winner": mover},
        }
        position = self.from_json(data, {})
        if self.text(position) != text:
            raise BadPosition(say("adaptoid.bad_text", text=text[: 2 * LONGEST]))
        return position

    def extras(self, position: Position) -> Json:
        colours, supply = _colours_of(position), field.supply(position.bodies, position.limbs)
        return {"phase": position.phase.value, "colours": colours, "supply": supply}

    def from_json(self, position: reading.Data, options: Mapping[str, str]) -> Position:
        """Read a position. Without a phase, it is in play if it has pieces. Without colours,
        player 1 is White. The supply must agree with the pieces.
        """
        data, first = position, int(settle(self, options)["first"])
        bodies, limbs = _read_pieces(data)
        usual = TurnPhase.PLAY if any(bodies) else TurnPhase.PLACE
        phase = reading.read_choice(data, "phase", usual)
        colours, score = data.get("colours"), reading.read_score(data)
        allowed = [["W", "B"], ["B", "W"]] if phase is TurnPhase.PLAY else []
        if colours is not None and colours not in allowed:
            raise reading.bad_key("colours", colours, " | ".join(map(str, ["null", *allowed])))
        found = Position(phase, 0, int(colours == ["B", "W"]), bodies, limbs, score)
        found = (_settled if phase is TurnPhase.PLAY else _started)(found, data, first)
        left, supplied = field.supply(bodies, limbs), data.get("supply")
        if supplied not in (None, left):
            raise reading.bad_key("supply", supplied, str(left))
        return found


def _read_move(text: str) -> turns.Move | None:
    """Read a move that may be legal in some position."""
    if text in _CHOICES:
        return _CHOICES[text]
    if read := _PLACING.fullmatch(text):
        return turns.Placing(field.PLACE[read[1]], field.PLACE[read[2]])
    if read := _TURN.fullmatch(text):
        start, goal, at = (field.PLACE.get(read[n] or "", turns.NOWHERE) for n in (1, 2, 4))
        part = read[3] or read[5]
        return turns.Turn(start, goal, turns.Part(part) if part else None, at)
    return None


def _colours_of(position: Position) -> tuple[str, ...] | None:
    if position.phase is not TurnPhase.PLAY:
        return None
    return (field.COLOURS[position.white], field.COLOURS[1 - position.white])


def _read_code(code: str) -> tuple[int, int] | None:
    """Return the colour and the limbs that a code stands for."""
    read = field.CODE.fullmatch(code)
    if read is None or int(read[2]) + int(read[3]) > field.SOCKETS:
        return None
    return field.COLOURS.index(read[1]), int(read[2]) << 3 | int(read[3])


def _read_pieces(data: reading.Data) -> tuple[tuple[int, int], bytes]:
    bodies, limbs = [0, 0], bytearray(field.BARE)
    for cell, (colour, number) in reading.read_pieces(data, BOARD, _read_code, _ALLOWED):
        bodies[colour] |= 1 << field.PLACE[cell]
        limbs[field.PLACE[cell]] = number
    for name, left in field.supply(bodies, limbs).items():
        if min(left.values()) < 0:
            used = {part: field.EACH - count for part, count in left.items()}
            raise BadPosition(say("adaptoid.too_many", colour=name, **used, most=field.EACH))
    return (bodies[0], bodies[1]), bytes(limbs)


def _started(position: Position, data: reading.Data, first: int) -> Position:
    """Check a position before play: nothing on the board, or one bare body of each colour."""
    phase, bodies = position.phase, position.bodies
    places = phase is TurnPhase.PLACE
    wanted = (0, 0) if places else (1, 1)
    counts = (bodies[0].bit_count(), bodies[1].bit_count())
    if counts != wanted or any(position.limbs) or any(position.score):
        raise BadPosition(say("adaptoid.bad_start", phase=phase.value))
    mover = reading.read_to_move(data, first if places else 3 - first)
    if mover is None:
        raise reading.not_over()
    return Position(phase, mover - 1, bodies=bodies)


def _settled(position: Position, data: reading.Data, first: int) -> Position:
    """Find who moves, or who has won; if both qualify, the given winner, else who moved last."""
    white, bodies, limbs, score = position.white, position.bodies, position.limbs, position.score
    enemies = (bodies[1 ^ white], bodies[white])
    winners = [n + 1 for n in (0, 1) if score[n] >= turns.ENOUGH or not enemies[n]]
    mover = reading.read_to_move(data, first)
    if mover is None:
        mover = reading.read_winner(data, winners)
    elif 3 - mover in winners:
        mover = 3 - mover
    return Position(position.phase, mover - 1, white, bodies, limbs, score, bool(winners))


GAME = Adaptoid()
