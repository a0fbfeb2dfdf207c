"""CirKle Mind by Patrick Laterrot: armies that see only each other's backs.

Owns what the table and the referee ask of the game. Positions and turns stand in
`game.rules.cirkle_mind_position`, set-ups in `_setup`, who wins in `_attack`, what is printed on
the board in `_squares`, how positions are written in `_record`, and the words in `_words`.
"""

from collections.abc import Mapping, Sequence
from random import Random

from game.rules.cirkle_mind_attack import Result
from game.rules.cirkle_mind_faces import CODES, SIDES, UNKNOWN, read_code
from game.rules.cirkle_mind_position import (
    DEEDS,
    NOWHERE,
    PASS,
    Deed,
    Level,
    Phase,
    Position,
    after,
    attacks_after,
    is_hidden,
    may,
    moves_of,
    result_of,
    seen_by,
)
from game.rules.cirkle_mind_record import (
    extras,
    pieces_of,
    position_text,
    read_json,
    read_position_text,
)
from game.rules.cirkle_mind_setup import (
    ARRANGINGS,
    SET_UP,
    SetUps,
    at_random,
    has_to_set_up,
    laid_out,
    placed,
    read_set_up,
    text_of,
)
from game.rules.cirkle_mind_squares import BOARD, CELLS, INDEX, SQUARES, Squares
from game.rules.cirkle_mind_words import (
    HANDS,
    KEY,
    RULES,
    SIDE_WORDS,
    TOUCH,
    asked,
    ending,
    inspected,
    key_word,
    move_refusal,
    piece_word,
    signal_of,
    tap_refusal,
    told,
)
from game.rules.cirkle_mind_worth import supposed, worth
from game.rules.errors import IllegalMove
from game.rules.game import Arranging, Game, Inspection, Json, Outcome, Role, Signal
from game.rules.message import Message, say
from game.rules.moves import Moves
from game.rules.options import Option


class CirkleMind(Game[Position, str]):
    """Two hidden armies; who captures the target of the other's own colour wins.

    Players and sides are numbered from 1 here, and from 0 in the modules beneath. `squares` is what
    is printed on the board.
    """

    name = "cirkle-mind"
    title = "CirKle Mind"
    board = BOARD
    players = (say("player.first"), say("player.second"))
    rules = (*RULES, TOUCH)
    rules_felt = (*RULES, HANDS)
    options: Mapping[str, Option] = {
        "level": Option(Level.EASY.value, choices=tuple(level.value for level in Level))
    }
    keys = (KEY,)
    roles: Mapping[Role, Message] = {Role.CRITTER: say("mind.role_itself")}
    hues = ("#32b450", "#aa5adc")
    agreed_draws = True
    hidden = True
    score_word = say("goal.pieces_captured")

    def __init__(self, squares: Squares = SQUARES) -> None:
        self.squares = squares
        self.printed = {
            cell: code for cell, code in zip(CELLS, squares.printed, strict=True) if code
        }

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board before the set-ups; options `level`, and `first`, who begins."""
        settled = self.settle(options)
        return Position(Level(settled["level"]), begins=int(settled["first"]) - 1)

    def legal_moves(self, position: Position) -> Moves[str]:
        """View the set-ups of the one who is to make his, or list the moves."""
        if position.phase is Phase.SET_UP:
            return SetUps(position, self.squares)
        return moves_of(position)

    def play(self, position: Position, move: str) -> Position:
        """Set up, move, attack or pass; raises IllegalMove, also where a hidden face decides."""
        if position.phase is Phase.SET_UP:
            return placed(position, move)
        if not may(position, move):
            raise IllegalMove(move_refusal(position, move))
        deed = self._deed(position, move)
        if deed is not None and is_hidden(position, deed):
            raise _hidden(deed)
        return after(position, move, self.squares)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner, once a player has lost the target of his army's own colour."""
        if not position.over:
            return None
        army = position.army(position.mover)
        message = ending(SIDE_WORDS[army], SIDE_WORDS[1 - army])
        return Outcome(position.mover + 1, "target captured", message)

    def to_move(self, position: Position) -> int | None:
        """Return the player who sets up or moves next, None when the game is over."""
        return None if position.over else position.mover + 1

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to side, colour and shape, as `GyC`; to the side if hidden."""
        return pieces_of(position)

    def score(self, position: Position) -> tuple[int, ...]:
        """Return how many pieces each player has captured."""
        return position.score

    def text(self, position: Position) -> str:
        """Write a position on one line, hidden faces too; `parse` reads it back."""
        return position_text(position)

    def parse(self, text: str) -> Position:
        """Read what `text` wrote; raises BadPosition."""
        return read_position_text(text)

    def from_json(self, position: Mapping[str, object], options: Mapping[str, str]) -> Position:
        """Read the referee's keys, after an exchange of armies; raises BadPosition or BadOption."""
        settled = self.settle(options)
        return read_json(position, Level(settled["level"]), int(settled["first"]) - 1)

    def extras(self, position: Position) -> Json:
        """Tell the phase, whether the first move is made, and whose faces everybody was shown."""
        return extras(position)

    def parse_move(self, position: Position, text: str) -> str:
        """Read a legal move, a set-up in any order of cells; raises IllegalMove and says why."""
        if position.phase is Phase.SET_UP:
            return text_of(read_set_up(position.mover, text))
        if not may(position, text):
            raise IllegalMove(move_refusal(position, text))
        return text

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        """List from and to, and then the square attacked, or the key if none is but could be."""
        if move == PASS:
            return (KEY,)
        deed = DEEDS[position.army(position.mover)][move]
        way = (CELLS[deed.start], CELLS[deed.goal])
        if deed.target != NOWHERE:
            return (*way, CELLS[deed.target])
        return (*way, KEY) if attacks_after(position, deed) else way

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        """Say why a cell or the key, touched after others that began a move, goes on to none."""
        return tap_refusal(position, taps)

    def asks(self, position: Position, taps: Sequence[str]) -> Message | None:
        """Say that an attack, or the key, is due."""
        return asked(position, taps)

    def key_word(self, position: Position, taps: Sequence[str], key: str) -> Message:
        """Say that the key passes, or ends the turn without an attack."""
        return key_word(position)

    def piece_word(self, piece: str) -> Message:
        """Name a face, or a back where the face is hidden."""
        return piece_word(piece)

    def side(self, piece: str) -> int | None:
        """Return 1 for green backs, 2 for mauve ones."""
        known = read_code(piece)
        return None if known is None else known[0] + 1

    def side_of(self, position: Position, player: int) -> int:
        """Return the side that a player sets up, and after an exchange the one that he leads."""
        return position.army(player - 1) + 1

    def token(self, side: int) -> str:
        """Depict a side by a piece whose face is hidden."""
        return SIDES[side - 1]

    def called(self, position: Position, player: int) -> Message:
        """Name a player by the army that he leads now."""
        return SIDE_WORDS[position.army(player - 1)]

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Tell what is printed on a square, and of its piece what this position knows."""
        message = inspected(position, cell, self.squares) if cell in INDEX else None
        return None if message is None else Inspection({cell: Role.CRITTER}, {}, message)

    def summary(self, position: Position, move: str) -> Message:
        """Tell what a legal move does, with the faces that an attack shows."""
        return told(position, move, self.squares, covered=False)

    def arranging(self, position: Position, player: int) -> Arranging | None:
        """Return a player's army and his defence squares, until he has set up."""
        return ARRANGINGS[player - 1] if has_to_set_up(position, player - 1) else None

    def arrangement(self, position: Position, player: int, pieces: Mapping[str, str]) -> str:
        """Write the set-up of a player, from codes of pieces by cell; raises IllegalMove."""
        if not has_to_set_up(position, player - 1):
            raise IllegalMove(say("rules.nothing_to_arrange"))
        return text_of(laid_out(player - 1, pieces))

    def laid(self, position: Position, player: int, text: str) -> dict[str, str]:
        """Read codes of pieces by cell from what `arrangement` wrote; raises IllegalMove."""
        layout = read_set_up(player - 1, text)
        return {CELLS[at]: CODES[player - 1][layout[at]] for at in sorted(layout)}

    def arranged_at_random(self, position: Position, player: int, rng: Random) -> dict[str, str]:
        """Lay out a player's army by chance, as codes of pieces by cell."""
        if not has_to_set_up(position, player - 1):
            raise IllegalMove(say("rules.nothing_to_arrange"))
        layout = at_random(position, player - 1, rng, self.squares)
        return {CELLS[at]: CODES[player - 1][layout[at]] for at in sorted(layout)}

    def supposed(self, position: Position, rng: Random) -> Position:
        """Draw the faces that are hidden from those that an army must still have."""
        return supposed(position, rng)

    def worth(self, position: Position) -> tuple[float, ...] | None:
        """Guess by what is left of the armies, and what can be attacked; None if any is hidden."""
        return None if UNKNOWN in position.faces else worth(position)

    def seen_by(self, position: Position, player: int | None, remembers: bool = False) -> Position:
        """Return what a player sees, or who only watches; see `Game.seen_by`."""
        return seen_by(position, None if player is None else player - 1, remembers)

    def faces(self, position: Position, move: str) -> Mapping[str, str]:
        """Return the two pieces of an attack, by the square moved to and the one attacked."""
        deed = self._deed(position, move)
        if deed is None or deed.target == NOWHERE:
            return {}
        side = position.army(position.mover)
        return {
            CELLS[deed.goal]: CODES[side][position.faces[deed.start]],
            CELLS[deed.target]: CODES[1 - side][position.faces[deed.target]],
        }

    def covered_text(self, text: str) -> str:
        """Write a set-up as the bare word, and every other move as it is."""
        return SET_UP if text.split()[:1] == [SET_UP] else text

    def covered_summary(self, position: Position, move: str) -> Message:
        """Tell what a legal move does, without a face."""
        return told(position, move, self.squares, covered=True)

    def signal(self, piece: str) -> Signal | None:
        """Depict a face by its colour, and by as many flashes as its shape has."""
        return signal_of(piece)

    def removed(self, position: Position, move: str) -> tuple[str, ...]:
        """Name the square of the piece that an attack removes: its own, or the one moved to.

        Raises IllegalMove where a hidden face decides.
        """
        deed = self._deed(position, move)
        if deed is None or deed.target == NOWHERE:
            return ()
        if is_hidden(position, deed):
            raise _hidden(deed)
        result = result_of(position, deed, self.squares)
        if result is Result.BOTH:
            return ()
        return (CELLS[deed.target if result is Result.ATTACKER else deed.goal],)

    def _deed(self, position: Position, move: str) -> Deed | None:
        """Return what a piece does in a move; None for a set-up and for passing."""
        if position.phase is Phase.SET_UP:
            return None
        return DEEDS[position.army(position.mover)].get(move)


def _hidden(deed: Deed) -> IllegalMove:
    return IllegalMove(say("mind.hidden", target=CELLS[deed.target]))


GAME = CirkleMind()
