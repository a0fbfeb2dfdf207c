"""What every game offers to the table, the referee and a computer player.

Owns the seam between the games and everything above them: the base class, and the small values
that pass through it. Must not know sensors, lights or files.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any, Generic, TypeVar

from game.rules.board import Board
from game.rules.errors import BadOption, BadPosition, IllegalMove
from game.rules.message import Message, say
from game.rules.moves import Moves
from game.rules.options import Option

Json = dict[str, object]
P = TypeVar("P")
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Say how a game ended: `winner` is a player's number or None for a draw.

    `reason` is a fixed English text for other programs, `message` the same for the players.
    """

    winner: int | None
    reason: str
    message: Message


class EditKind(Enum):
    """What a hand does to one cell, or to a ring."""

    PUT = "put"
    REMOVE = "remove"
    SWAP = "swap"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Edit:
    """Name a change that a hand must make: `piece` is what stands there afterwards, "" if none.

    Where a ring of the board is to be turned, `cell` is the ring's name (see `Board.rings`), and it
    goes clockwise by so many `steps` of a cell, or back where they are below 0.
    """

    kind: EditKind
    cell: str
    piece: str = ""
    steps: int = 0


class Role(Enum):
    """The part that a cell or a legend entry plays when something is inspected.

    What each means in a game, and which of them it has, stands in its `roles`.
    """

    CRITTER = "critter"
    """The inspected piece, or all that belong to it."""
    PREY = "prey"
    PREDATOR = "predator"
    MARK = "mark"
    """A light that counts something of the inspected piece."""
    OTHER_MARK = "other_mark"
    """The same of another kind."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """Tell about the piece on one cell: roles of cells, roles of legend entries, and in words."""

    cells: Mapping[str, Role]
    legend: Mapping[int, Role]
    message: Message


@dataclass(frozen=True, slots=True)
class Threats:
    """Name cells by what could be taken there, with one player in view.

    `endangered` are his pieces that another player could take in one turn, `edible` those of others
    that he could take in his.
    """

    endangered: frozenset[str] = frozenset()
    edible: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One figure printed beside the board, with a light of its own.

    `shape` holds the centres of its stones in the units of `Board.centres`; `eats` is the index
    of the entry that an arrow points to, or None.
    """

    name: Message
    shape: tuple[tuple[float, float], ...]
    eats: int | None = None


@dataclass(frozen=True, slots=True)
class Flaw:
    """Say why pieces cannot stand together as they do, and on which cells."""

    cells: frozenset[str]
    message: Message


@dataclass(frozen=True, slots=True)
class Goal:
    """Say how near a player is to one of the ends for which he plays: `reached` of `wanted`.

    What is `of_match` outlives the board, of which the bars of lights tell: they leave it out.
    """

    player: int
    word: Message
    reached: int
    wanted: int
    of_match: bool = False


@dataclass(frozen=True, slots=True)
class Arranging:
    """What a player lays out before play, unseen by the others: all `pieces`, on some of `cells`.

    The order of both is known to everybody, and tells nothing.
    """

    cells: tuple[str, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signal:
    """How a single light depicts a piece: in a colour (`#rrggbb`), with so many flashes in a row.

    Without any it is lit all the time.
    """

    hue: str
    flashes: int


CHOICES = ("choice1", "choice2")
"""The keys of a board whose meaning each game gives them."""
HUES = ("#ff7814", "#286eff", "#e6dc5a")
"""The colours of the sides where a game has none of its own: orange, blue, yellow."""


class Game(ABC, Generic[P, M]):
    """One game: pure functions on immutable positions.

    A descendant must override what is abstract and may override the rest. Players are numbered
    from 1; pieces are the referee's codes. `taps` must be prefix-free in every position: no
    legal move's taps begin another's. `rules_felt` are the rules for a board that feels stones
    while they stand, where nothing is touched; without them it shows `rules`. `palette` are the
    pieces that a position can be set up with; a game without it begins at its start only.

    `keys` are the taps that are no cells: the names of the board's rings where these can be turned,
    and the two keys that mean what the game says (`CHOICES`). `roles` says what inspecting shows.
    Pieces come in sides, numbered from 1, with a colour each (`hues`, as `#rrggbb`). `variants` are
    games of their own that the option `variant` of this one chooses. Where `agreed_draws`, players
    may agree that nobody wins. `score_word` says what the score counts. `printed` are codes of what
    is printed on cells. In a `hidden` game players do not know all: `arranging`, `seen_by`, `faces`
    and what stands beside these then say who knows what.
    """

    name: str
    title: str
    board: Board
    players: tuple[Message, ...]
    legend: tuple[LegendEntry, ...] = ()
    rules: tuple[Message, ...] = ()
    rules_felt: tuple[Message, ...] = ()
    options: Mapping[str, Option] = {}
    palette: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    roles: Mapping[Role, Message] = {}
    hues: tuple[str, ...] = HUES
    variants: Mapping[str, "Game[Any, Any]"] = {}
    agreed_draws: bool = False
    hidden: bool = False
    printed: Mapping[str, str] = {}
    score_word: Message = say("goal.score")

    @abstractmethod
    def initial(self, options: Mapping[str, str] = {}) -> P:
        """Set up the start position; `first` (a player's number) and the game's own options.

        Raises BadOption.
        """

    @abstractmethod
    def legal_moves(self, position: P) -> Moves[M]:
        """View the legal moves; none when the game is over."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """Return the position after a legal move; raises IllegalMove."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""

    @abstractmethod
    def to_move(self, position: P) -> int | None:
        """Return who decides next, None when the game is over."""

    @abstractmethod
    def pieces(self, position: P) -> dict[str, str]:
        """Map each occupied cell to its piece's code."""

    @abstractmethod
    def text(self, position: P) -> str:
        """Write a position on one line; `parse` reads it back."""

    @abstractmethod
    def parse(self, text: str) -> P:
        """Read what `text` wrote; raises BadPosition."""

    @abstractmethod
    def taps(self, position: P, move: M) -> tuple[str, ...]:
        """List the touches (cells, or names of keys) that enter a move."""

    def score(self, position: P) -> tuple[int, ...]:
        """Return one number a player; nothing but zeros unless overridden."""
        return (0,) * len(self.players)

    def from_json(self, position: Mapping[str, object], options: Mapping[str, str]) -> P:
        """Read a position in the referee's keys; raises BadPosition or BadOption.

        A game that does not override this begins at its start only.
        """
        raise BadPosition(say("rules.no_set_up", game=self.title))

    def move_text(self, position: P, move: M) -> str:
        """Write a legal move in canonical record notation; a move that is a text is its own."""
        return str(move)

    def edits(self, position: P, move: M) -> tuple[Edit, ...]:
        """List what hands change on the board for a move: what stands differently after it."""
        after = self.play(position, move)
        return differences(self.pieces(position), self.pieces(after), self.board.cells)

    def refusal(self, position: P, taps: Sequence[str]) -> Message:
        """Say why these touches, all but the last of them accepted, enter no legal move."""
        if self.to_move(position) is None:
            return say("rules.game_over")
        return say("rules.not_legal", text=" ".join(taps))

    def piece_word(self, piece: str) -> Message:
        """Name a piece for the players, by its code."""
        return say("piece.code", code=piece)

    def side(self, piece: str) -> int | None:
        """Return the side, from 1, that a piece belongs to; None if it is nobody's."""
        return None

    def side_of(self, position: P, player: int) -> int:
        """Return the side whose pieces a player has now: that of his own number unless overridden.

        A player who has none yet is given one all the same, for his lights.
        """
        return player

    def token(self, side: int) -> str:
        """Return the piece that depicts a side: the first one of it that positions are set up with.

        Where there is none, that is the side's number.
        """
        return next((piece for piece in self.palette if self.side(piece) == side), str(side))

    def called(self, position: P, player: int) -> Message:
        """Name a player by what he plays now."""
        return self.players[player - 1]

    def asks(self, position: P, taps: Sequence[str]) -> Message | None:
        """Say what the next touch after these is for; None where that goes without saying."""
        return None

    def key_word(self, position: P, taps: Sequence[str], key: str) -> Message:
        """Say what a key would do that is one of the next touches after these."""
        return (
            say("key.turn", ring=key.removeprefix("ring"))
            if key in self.board.rings
            else say("key.choice", key=key)
        )

    def plain_text(self, position: P, move: M) -> str:
        """Write a move as a list of legal moves shows it; as `move_text` unless overridden."""
        return self.move_text(position, move)

    def parse_move(self, position: P, text: str) -> M:
        """Read a legal move in canonical or plain text; raises IllegalMove and says why."""
        for move in self.legal_moves(position):
            if text in (self.move_text(position, move), self.plain_text(position, move)):
                return move
        raise IllegalMove(say("rules.not_legal", text=text))

    def extras(self, position: P) -> Json:
        """Return the referee's further keys of this game."""
        return {}

    def set_up(
        self,
        pieces: Mapping[str, str],
        to_move: int,
        score: Sequence[int],
        options: Mapping[str, str],
    ) -> P:
        """Build a position from pieces by cell, who moves and the score; raises BadPosition."""
        raise BadPosition(say("rules.no_set_up", game=self.title))

    def flaw(self, pieces: Mapping[str, str]) -> Flaw | None:
        """Find what makes it impossible that these pieces stand so; None if they can."""
        return None

    def goal(self, position: P) -> int | None:
        """Return the score that wins; None if the game has none."""
        return None

    def goals(self, position: P) -> tuple[Goal, ...]:
        """Say how near each player is to each of his ends; by his score unless overridden."""
        wanted = self.goal(position)
        if wanted is None:
            return ()
        return tuple(
            Goal(player, self.score_word, reached, wanted)
            for player, reached in enumerate(self.score(position), start=1)
        )

    def worth(self, position: P) -> tuple[float, ...] | None:
        """Guess the share of a point that each player may expect of a whole position.

        It looks at what stands there, and not ahead; None where nothing but the goals tells it.
        """
        return None

    def inspect(self, position: P, cell: str) -> Inspection | None:
        """Tell about the piece on a cell; None where there is nothing to tell."""
        return None

    def threats(self, position: P, player: int) -> Threats:
        """Find what a player could take, and what others could take of his, for teaching."""
        return Threats()

    @property
    def teaches(self) -> bool:
        """Whether pieces can be taken in this game, and `threats` finds which."""
        return type(self).threats is not Game.threats

    def summary(self, position: P, move: M) -> Message:
        """Tell in words what a legal move does, for those who sit at the table."""
        return say(
            "table.played",
            player=self.called(position, self.to_move(position) or 1),
            move=self.move_text(position, move),
        )

    def arranging(self, position: P, player: int) -> Arranging | None:
        """Return what a player still has to lay out before play begins; None if nothing.

        All players may do so at the same time, though `to_move` names one after the other. As long
        as anybody has to, the legal moves are too many to be listed or counted: of `legal_moves`
        only `in`, `pick` and truth can be asked then, and moves have no taps.
        """
        return None

    def arrangement(self, position: P, player: int, pieces: Mapping[str, str]) -> str:
        """Write the move by which a player has laid out pieces, by cell; raises IllegalMove.

        It is what `move_text` would give when it is his turn, and `parse_move` reads then.
        """
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def laid(self, position: P, player: int, text: str) -> dict[str, str]:
        """Read by cell the pieces of what `arrangement` wrote for a player; raises IllegalMove."""
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def arranged_at_random(self, position: P, player: int, rng: Random) -> dict[str, str]:
        """Lay out a player's pieces by chance, by cell, as a computer player does."""
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def seen_by(self, position: P, player: int | None, remembers: bool = False) -> P:
        """Return a position with nothing that a player must not see; None only watches.

        Pieces that he does not see are pieces of their side with an unknown face. Who `remembers`
        also knows what the game has shown him before. Its legal moves and their texts are those of
        the position itself; what an unknown face decides cannot be played.
        """
        return position

    def supposed(self, position: P, rng: Random) -> P:
        """Give by chance a whole position that may be the one of which a player sees this much.

        Unknown faces become any that can be there; a position without them comes back as it is.
        """
        return position

    def faces(self, position: P, move: M) -> Mapping[str, str]:
        """Return the hidden pieces that a move shows to everybody, by the cells where they are."""
        return {}

    def covered_text(self, text: str) -> str:
        """Write a move for those who must not see what is hidden in its record."""
        return text

    def covered_summary(self, position: P, move: M) -> Message:
        """Tell in words what a legal move does, without the faces that it shows or hides."""
        return self.summary(position, move)

    def signal(self, piece: str) -> Signal | None:
        """Return how a light depicts a hidden piece that is shown; None where none is hidden."""
        return None

    def removed(self, position: P, move: M) -> tuple[str, ...]:
        """List, sorted, the cells whose piece leaves the board in a move.

        A piece like it that is put elsewhere is taken for the same, which was only moved.
        """
        edits, pieces = self.edits(position, move), self.pieces(position)
        put = Counter(edit.piece for edit in edits if edit.piece)
        gone = []
        for kind in (EditKind.REMOVE, EditKind.SWAP):
            for edit in edits:
                if edit.kind is kind and put[pieces[edit.cell]]:
                    put[pieces[edit.cell]] -= 1
                elif edit.kind is kind:
                    gone.append(edit.cell)
        return tuple(sorted(gone))

    @property
    def known_options(self) -> dict[str, Option]:
        """All options by name: `first`, the number of the player who begins, and the game's own."""
        first = Option("1", choices=tuple(str(n + 1) for n in range(len(self.players))))
        return {"first": first, **self.options}

    def settle(self, options: Mapping[str, str]) -> dict[str, str]:
        """Fill in the defaults of all options and check the rest; raises BadOption."""
        known = self.known_options
        for key, value in options.items():
            if key not in known:
                raise BadOption(
                    say("rules.unknown_option", key=key, value=value, allowed=", ".join(known))
                )
            if not known[key].accepts(value):
                raise BadOption(
                    say("rules.bad_option", key=key, value=value, allowed=known[key].allowed)
                )
        return {key: options.get(key, option.default) for key, option in known.items()}


def perft(game: Game[P, M], position: P, depth: int) -> int:
    """Count the lines of `depth` legal moves from a position, as chess programs do."""
    moves = game.legal_moves(position)
    if depth <= 1:
        return len(moves) if depth else 1
    return sum(perft(game, game.play(position, move), depth - 1) for move in moves)


def differences(
    before: Mapping[str, str], after: Mapping[str, str], cells: Sequence[str]
) -> tuple[Edit, ...]:
    """List the edits of single cells that turn what stands into something else."""
    edits = []
    for cell in cells:
        now, then = before.get(cell, ""), after.get(cell, "")
        if now == then:
            continue
        kind = EditKind.SWAP if now and then else EditKind.PUT if then else EditKind.REMOVE
        edits.append(Edit(kind, cell, then))
    return tuple(edits)
