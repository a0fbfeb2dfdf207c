"""Adaptoid: the game as the table, the referee and a computer player see it.

Owns the `Game`. Its field, its turns, its words and its texts stand in modules of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from game.rules.adaptoid_field import (
    BOARD,
    CELL,
    COLOURS,
    PLACE,
    Phase,
    Position,
    cells_in,
    pieces_of,
)
from game.rules.adaptoid_moves import moves_of, played, takeable
from game.rules.adaptoid_texts import (
    colours_of,
    move_text,
    position_text,
    read_json,
    read_move,
    read_position_text,
    supply_of,
)
from game.rules.adaptoid_turns import (
    ENOUGH,
    NOWHERE,
    Choice,
    Move,
    Part,
    Placing,
    Turn,
    turned,
)
from game.rules.adaptoid_words import (
    COLOUR_WORDS,
    LEG_KEY,
    PINCER_KEY,
    inspection,
    key_word,
    move_refusal,
    piece_word,
    summary,
    tap_refusal,
)
from game.rules.errors import IllegalMove
from game.rules.game import (
    CHOICES,
    Edit,
    Game,
    Inspection,
    Json,
    Outcome,
    Role,
    Threats,
    differences,
)
from game.rules.message import Message, say
from game.rules.moves import Moves

_KEY_OF = {Part.LEG: LEG_KEY, Part.PINCER: PINCER_KEY}


class Adaptoid(Game[Position, Move]):
    """Bodies grow legs and pincers, fight, and starve where it is crowded; capture five."""

    name = "adaptoid"
    title = "Adaptoid"
    board = BOARD
    players = (say("player.first"), say("player.second"))
    keys = CHOICES
    hues = ("#ffd278", "#1e5aff")
    score_word = say("goal.captured")
    rules = (
        say("adaptoid.rule_start"),
        say("adaptoid.rule_move"),
        say("adaptoid.rule_fight"),
        say("adaptoid.rule_grow"),
        say("adaptoid.rule_starve"),
        say("adaptoid.rule_win"),
        say("adaptoid.rule_touch"),
    )
    rules_felt = (*rules[:-1], say("adaptoid.rule_hands"))
    roles: Mapping[Role, Message] = {
        Role.CRITTER: say("adaptoid.role_itself"),
        Role.PREY: say("adaptoid.role_prey"),
        Role.MARK: say("adaptoid.role_legs"),
        Role.OTHER_MARK: say("adaptoid.role_pincers"),
    }

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board; option `first` says who places the two first bodies."""
        return Position(mover=int(self.settle(options)["first"]) - 1)

    def legal_moves(self, position: Position) -> Moves[Move]:
        """View the placings, the two colours, or the turns; none when the game is over."""
        return moves_of(position)

    def play(self, position: Position, move: Move) -> Position:
        """Make a move; raises IllegalMove."""
        after = played(position, move)
        if after is None:
            raise IllegalMove(move_refusal(position, move))
        return after

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner: who has captured five, or whose opponent has no adaptoid left."""
        if not position.over:
            return None
        who, captured = self.called(position, position.mover + 1), position.score[position.mover]
        if captured >= ENOUGH:
            message = say("adaptoid.won_captured", player=who, count=captured)
            return Outcome(position.mover + 1, "five captured", message)
        message = say("adaptoid.won_alone", player=who)
        return Outcome(position.mover + 1, "no adaptoid left", message)

    def to_move(self, position: Position) -> int | None:
        """Return the player who decides next, None when the game is over."""
        return None if position.over else position.mover + 1

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to colour, legs and pincers, as `W2L1P`."""
        return pieces_of(position)

    def score(self, position: Position) -> tuple[int, ...]:
        """Return how many enemies each player has captured."""
        return position.score

    def goal(self, position: Position) -> int | None:
        """Return how many captured enemies win."""
        return ENOUGH

    def text(self, position: Position) -> str:
        """Write pieces, phase, who moves, colours and score."""
        return position_text(position)

    def parse(self, text: str) -> Position:
        """Read what `text` wrote; raises BadPosition."""
        return read_position_text(text)

    def from_json(self, position: Mapping[str, object], options: Mapping[str, str]) -> Position:
        """Read the referee's keys; raises BadPosition or BadOption."""
        return read_json(position, int(self.settle(options)["first"]))

    def extras(self, position: Position) -> Json:
        """Tell the phase, the colour of each player, and what each colour has left."""
        return {
            "phase": position.phase.value,
            "colours": colours_of(position),
            "supply": supply_of(position),
        }

    def move_text(self, position: Position, move: Move) -> str:
        """Write a placing (`W:d4 B:e4`), a colour (`white`) or a turn (`b2-c4/c4L`)."""
        return move_text(position, move)

    def parse_move(self, position: Position, text: str) -> Move:
        """Read a legal move; raises IllegalMove."""
        return read_move(position, text)

    def taps(self, position: Position, move: Move) -> tuple[str, ...]:
        """List the touches: from and to, where something grows, and the key of a limb.

        A body's first touch also chooses its colour; where nothing moves and nothing can grow, the
        first key ends the turn.
        """
        if isinstance(move, Placing):
            return CELL[move.white], CELL[move.black]
        if isinstance(move, Choice):
            return (CELL[position.bodies[move.colour].bit_length() - 1],)
        taps = [] if move.start == NOWHERE else [CELL[move.start], CELL[move.goal]]
        if move.part is not None:
            taps.append(CELL[move.at])
        if move.part in _KEY_OF:
            taps.append(_KEY_OF[move.part])
        return tuple(taps) or (LEG_KEY,)

    def edits(self, position: Position, move: Move) -> tuple[Edit, ...]:
        """List what changes: where it came from, where it went, what grew, and who starved."""
        touched: list[str] = []
        if isinstance(move, Turn):
            touched = [CELL[at] for at in (move.start, move.goal, move.at) if at != NOWHERE]
        elif isinstance(move, Placing):
            touched = [CELL[move.white], CELL[move.black]]
        after = self.play(position, move)
        order = tuple(dict.fromkeys((*touched, *BOARD.cells)))
        return differences(pieces_of(position), pieces_of(after), order)

    def removed(self, position: Position, move: Move) -> tuple[str, ...]:
        """List where the captured of both colours stood when the turn began, sorted."""
        done = turned(position, move) if isinstance(move, Turn) else None
        return () if done is None else cells_in(done.captured | done.lost | done.starved)

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        """Say why these touches enter no legal move."""
        return tap_refusal(position, taps)

    def asks(self, position: Position, taps: Sequence[str]) -> Message | None:
        """Say which body is put, that a colour is chosen, or that the turn's growth is due."""
        if position.phase is Phase.PLACE:
            return say("adaptoid.ask_black") if taps else say("adaptoid.ask_white")
        if position.phase is Phase.CHOOSE:
            return say("adaptoid.ask_colour")
        return say("adaptoid.ask_growth") if len(taps) == 2 else None

    def key_word(self, position: Position, taps: Sequence[str], key: str) -> Message:
        """Say which limb a key adds, or that it ends a turn in which nothing can grow."""
        return key_word(position, taps, key)

    def piece_word(self, piece: str) -> Message:
        """Name an adaptoid by its colour and limbs."""
        return piece_word(piece)

    def side(self, piece: str) -> int | None:
        """Return 1 for White's and 2 for Black's."""
        return COLOURS.index(piece[0]) + 1 if piece[:1] in tuple(COLOURS) else None

    def side_of(self, position: Position, player: int) -> int:
        """Return the side that a player has chosen; before that, by his number."""
        if position.phase is not Phase.PLAY:
            return player
        return 1 + (player - 1 ^ position.white)

    def token(self, side: int) -> str:
        """Depict a side by an adaptoid of it with limbs."""
        return ("W2L2P", "B2L2P")[side - 1]

    def called(self, position: Position, player: int) -> Message:
        """Name a player by his colour, once it is chosen."""
        if position.phase is not Phase.PLAY:
            return self.players[player - 1]
        return COLOUR_WORDS[self.side_of(position, player) - 1]

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Show an adaptoid's limbs, what it could capture, and whether it starves."""
        if not (position.bodies[0] | position.bodies[1]) >> PLACE.get(cell, len(CELL)) & 1:
            return None
        return inspection(position, PLACE[cell])

    def threats(self, position: Position, player: int) -> Threats:
        """Find all that each could capture in one turn, by a fight or by starving, were it his."""
        if position.phase is not Phase.PLAY or position.over:
            return Threats()
        own, others = (takeable(replace(position, mover=who)) for who in (2 - player, player - 1))
        return Threats(frozenset(cells_in(own)), frozenset(cells_in(others)))

    def summary(self, position: Position, move: Move) -> Message:
        """Tell what a turn moves, captures, loses, grows and starves."""
        return summary(position, move, self.called(position, position.mover + 1))


GAME = Adaptoid()
