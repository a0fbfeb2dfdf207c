"""Circle of Life by Nick Bentley: the rules, on immutable positions.

Owns positions, moves, feeding, the two ways to win, and their texts. The shapes and the table of
critters stand in `game.rules.critters`. A move is the name of a cell.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from game.rules.critters import (
    BIT,
    BOARD,
    CIRCLE,
    CRITTERS,
    INDEX,
    MOST_STONES,
    SIDE,
    Critter,
    cells_in,
    prey_of,
)
from game.rules.ecosystem import Ecosystem, draw_cell, groups, open_cells
from game.rules.errors import BadPosition, IllegalMove
from game.rules.game import (
    Edit,
    EditKind,
    Flaw,
    Game,
    Inspection,
    LegendEntry,
    Outcome,
    Role,
    Threats,
)
from game.rules.hexagon import read_cell
from game.rules.message import Message, say
from game.rules.options import Option

_EMPTY, _CODES = ".", "12"
_TEXT = re.compile(
    r"(?P<rows>[.12/]+) (?P<mover>[12]) (?P<eaten1>[0-9]{1,4})-(?P<eaten2>[0-9]{1,4})"
    r" (?P<target>[0-9]{1,3})"
)
MANY = 2
"""Any number that takes the plural, for speaking of a species as such."""
_STONES = {"1": say("piece.orange"), "2": say("piece.blue")}


@dataclass(frozen=True, slots=True)
class Position:
    """Where the stones stand, who moves, and how many stones each player has eaten.

    Players are 0 and 1 inside this module. `stones` are two masks; `critter_at` and `crowd`
    follow from them (see `Ecosystem`) and are kept because they are costly to find again.
    """

    mover: int
    stones: tuple[int, int]
    eaten: tuple[int, int]
    target: int
    critter_at: tuple[Critter | None, ...] = field(compare=False, repr=False)
    crowd: tuple[int, int] = field(compare=False, repr=False)

    def ecosystem(self) -> Ecosystem:
        """Copy the position to a board that changes in place."""
        return Ecosystem(self.stones, self.eaten, self.crowd, self.critter_at)


def _frozen(ecosystem: Ecosystem, mover: int, target: int) -> Position:
    """Copy a board back to a position."""
    stones, eaten, crowd = ecosystem.stones, ecosystem.eaten, ecosystem.crowd
    return Position(
        mover,
        (stones[0], stones[1]),
        (eaten[0], eaten[1]),
        target,
        tuple(ecosystem.critter_at),
        (crowd[0], crowd[1]),
    )


def _open_cells(position: Position) -> int:
    """Return the mask of the mover's legal placements, none when enough has been eaten."""
    if max(position.eaten) >= position.target:
        return 0
    return open_cells(position.stones, position.crowd[position.mover])


def _turn(position: Position, cell: str) -> tuple[Critter, list[Critter]]:
    """Return the critter that a legal placement makes, and what it eats."""
    ecosystem = position.ecosystem()
    mask, _ = ecosystem.joined(position.mover, INDEX[cell])
    return CRITTERS[mask], ecosystem.place(position.mover, INDEX[cell])


def _prey(position: Position, player: int) -> int:
    """Return the mask of all enemy stones that a player could eat by one placement of his."""
    ecosystem, eaten = position.ecosystem(), 0
    enemies = ecosystem.stones[1 - player]
    for cell in cells_in(open_cells(ecosystem.stones, ecosystem.crowd[player])):
        critter = CRITTERS[ecosystem.joined(player, cell)[0]]
        for near in critter.border_cells if enemies & critter.border else ():
            other = ecosystem.critter_at[near] if enemies & BIT[near] else None
            if other is not None and other.species == critter.prey:
                eaten |= other.mask
    return eaten


class Placements:
    """The legal moves of a position: a view on the mask of open cells."""

    __slots__ = ("_mask",)

    def __init__(self, mask: int) -> None:
        self._mask = mask

    def __iter__(self) -> Iterator[str]:
        return (BOARD.cells[index] for index in cells_in(self._mask))

    def __contains__(self, move: object) -> bool:
        index = INDEX.get(move) if isinstance(move, str) else None
        return index is not None and bool(self._mask & BIT[index])

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __bool__(self) -> bool:
        return bool(self._mask)

    def pick(self, rng: Random) -> str:
        """Draw one legal cell, each with the same chance; LookupError if there is none."""
        return BOARD.cells[draw_cell(self._mask, rng)]


class CircleOfLife(Game[Position, str]):
    """Twelve species, each eats exactly one other; eat 20 stones, or be unable to place."""

    name = "circle-of-life"
    title = "Circle of Life"
    board = BOARD
    players = (say("player.orange"), say("player.blue"))
    legend = tuple(LegendEntry(s.word, s.centres, prey_of(n)) for n, s in enumerate(CIRCLE))
    rules = (
        say("circle_of_life.rule_place"),
        say("circle_of_life.rule_critter"),
        say("circle_of_life.rule_species"),
        say("circle_of_life.rule_eat"),
        say("circle_of_life.rule_remove"),
        say("circle_of_life.rule_win"),
        say("circle_of_life.rule_inspect"),
    )
    rules_felt = (
        *rules[:4],
        say("circle_of_life.rule_remove_felt"),
        say("circle_of_life.rule_win"),
    )
    palette = tuple(_STONES)
    score_word = say("goal.eaten")
    roles: Mapping[Role, Message] = {
        Role.CRITTER: say("cue.critter"),
        Role.PREY: say("cue.prey"),
        Role.PREDATOR: say("cue.predator"),
    }
    options: Mapping[str, Option] = {"target": Option("20", least=1, most=999)}

    def initial(self, options: Mapping[str, str] = {}) -> Position:
        """Return the empty board; options `first` (1 or 2) and `target` (stones to eat)."""
        settled = self.settle(options)
        return _frozen(Ecosystem(), int(settled["first"]) - 1, int(settled["target"]))

    def legal_moves(self, position: Position) -> Placements:
        """View the cells where the mover may place a stone; none when the game is over."""
        return Placements(_open_cells(position))

    def play(self, position: Position, move: str) -> Position:
        """Place a stone, let its critter feed, and pass the turn; raises IllegalMove."""
        if move not in self.legal_moves(position):
            raise IllegalMove(self.refusal(position, (move,)))
        ecosystem = position.ecosystem()
        ecosystem.place(position.mover, INDEX[move])
        return _frozen(ecosystem, 1 - position.mover, position.target)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner: who has eaten enough, else who cannot place on his own turn."""
        for player, eaten in enumerate(position.eaten):
            if eaten >= position.target:
                message = say("circle_of_life.won_eaten", player=self.players[player], count=eaten)
                return Outcome(player + 1, "stones eaten", message)
        if not _open_cells(position):
            message = say("circle_of_life.won_full", player=self.players[position.mover])
            return Outcome(position.mover + 1, "no legal placement", message)
        return None

    def to_move(self, position: Position) -> int | None:
        """Return the player who places next, None when the game is over."""
        return position.mover + 1 if _open_cells(position) else None

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to `1` or `2`, in the board's order of cells."""
        owners = {}
        for code, stones in zip(_CODES, position.stones, strict=True):
            owners.update(dict.fromkeys(cells_in(stones), code))
        return {BOARD.cells[index]: owners[index] for index in sorted(owners)}

    def score(self, position: Position) -> tuple[int, ...]:
        """Return the stones eaten by each player."""
        return position.eaten

    def goal(self, position: Position) -> int | None:
        """Return how many stones eaten win."""
        return position.target

    def text(self, position: Position) -> str:
        """Write rows from the top (`.12`, split by `/`), mover, stones eaten, and target."""
        pieces = self.pieces(position)
        rows: dict[str, str] = {}
        for cell in BOARD.cells:
            rows[cell[0]] = rows.get(cell[0], "") + pieces.get(cell, _EMPTY)
        drawn = "/".join(rows[row] for row in sorted(rows, reverse=True))
        score = "-".join(str(n) for n in position.eaten)
        return f"{drawn} {position.mover + 1} {score} {position.target}"

    def parse(self, text: str) -> Position:
        """Read what `text` wrote; raises BadPosition."""
        read = _TEXT.fullmatch(text)
        names: dict[str, list[str]] = {}
        for cell in BOARD.cells:
            names.setdefault(cell[0], []).append(cell)
        order = [names[row] for row in sorted(names, reverse=True)]
        rows = read["rows"].split("/") if read else []
        if read is None or [len(row) for row in rows] != [len(row) for row in order]:
            raise BadPosition(say("circle_of_life.bad_text", text=text))
        cells = [cell for row in order for cell in row]
        drawn = zip(cells, "".join(rows), strict=True)
        pieces = {cell: code for cell, code in drawn if code != _EMPTY}
        eaten = (int(read["eaten1"]), int(read["eaten2"]))
        return self._position(pieces, read["mover"], eaten, self._target(read["target"]))

    def from_json(self, position: Mapping[str, object], options: Mapping[str, str]) -> Position:
        """Read `pieces`, `to_move` and `score`; the target is an option. Raises BadPosition."""
        settled = self.settle(options)
        pieces = position.get("pieces", {})
        score = position.get("score", [0, 0])
        if not isinstance(pieces, dict):
            raise BadPosition(say("rules.bad_pieces", value=repr(pieces)))
        if (
            not isinstance(score, list)
            or len(score) != 2
            or not all(type(n) is int and 0 <= n <= 9999 for n in score)
        ):
            raise BadPosition(say("circle_of_life.bad_score", value=repr(score)))
        target = int(settled["target"])
        mover = position.get("to_move", int(settled["first"]))
        if mover is None:
            mover = self._last_to_decide(position, pieces, score, target)
        return self._position(pieces, mover, score, target)

    def move_text(self, position: Position, move: str) -> str:
        """Write the cell, with a trailing `x` when the move eats."""
        _, prey = _turn(position, move)
        return f"{move}x" if prey else move

    def plain_text(self, position: Position, move: str) -> str:
        """Write the cell."""
        return move

    def parse_move(self, position: Position, text: str) -> str:
        """Read a cell in either notation, with or without `x`; raises IllegalMove."""
        cell = read_cell(text.removesuffix("x"), SIDE)
        if cell is None:
            raise IllegalMove(say("circle_of_life.no_such_cell", text=text))
        if cell not in self.legal_moves(position):
            raise IllegalMove(self.refusal(position, (cell,)))
        if text.endswith("x") and not self.move_text(position, cell).endswith("x"):
            raise IllegalMove(say("circle_of_life.eats_nothing", text=text, cell=cell))
        return cell

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        """List the one touch of a placement."""
        return (move,)

    def edits(self, position: Position, move: str) -> tuple[Edit, ...]:
        """List the stone put and the stones eaten."""
        _, prey = _turn(position, move)
        gone = sorted(index for critter in prey for index in critter.cells)
        put = Edit(EditKind.PUT, move, _CODES[position.mover])
        return put, *(Edit(EditKind.REMOVE, BOARD.cells[index]) for index in gone)

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        """Say why a stone cannot be placed there."""
        cell = taps[-1]
        index = INDEX.get(cell)
        if index is None:
            return say("circle_of_life.no_such_cell", text=cell)
        if self.to_move(position) is None:
            return say("rules.game_over")
        if (position.stones[0] | position.stones[1]) & BIT[index]:
            return say("circle_of_life.occupied", cell=cell)
        stones = position.ecosystem().joined(position.mover, index)[0].bit_count()
        return say("circle_of_life.too_big", cell=cell, stones=stones, most=MOST_STONES)

    def piece_word(self, piece: str) -> Message:
        """Name a stone by its colour."""
        return _STONES[piece]

    def set_up(
        self,
        pieces: Mapping[str, str],
        to_move: int,
        score: Sequence[int],
        options: Mapping[str, str],
    ) -> Position:
        """Build a position; raises BadPosition or BadOption."""
        told = {"pieces": dict(pieces), "to_move": to_move, "score": list(score)}
        return self.from_json(told, options)

    def flaw(self, pieces: Mapping[str, str]) -> Flaw | None:
        """Find the first critter of more than 4 stones."""
        for code in _CODES:
            mask = sum(BIT[INDEX[cell]] for cell, piece in pieces.items() if piece == code)
            for group in groups(mask):
                if group not in CRITTERS:
                    cells = _names(group)
                    return Flaw(frozenset(cells), _impossible(cells))
        return None

    def side(self, piece: str) -> int | None:
        """Return the player's side whose stone it is."""
        return int(piece) if piece in _STONES else None

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Show the critter on a cell, all enemies that it would eat, and all that would eat it."""
        index = INDEX.get(cell)
        if index is None or not (position.stones[0] | position.stones[1]) & BIT[index]:
            return None
        critter = position.critter_at[index]
        if critter is None:
            return None
        enemies = position.stones[0 if position.stones[1] & critter.mask else 1]
        predator = (critter.species + 1) % len(CIRCLE)
        cells = {BOARD.cells[index]: Role.CRITTER for index in critter.cells}
        for index in cells_in(enemies):
            other = position.critter_at[index]
            if other is not None and other.species == critter.prey:
                cells[BOARD.cells[index]] = Role.PREY
            elif other is not None and other.species == predator:
                cells[BOARD.cells[index]] = Role.PREDATOR
        legend = {
            critter.species: Role.CRITTER,
            critter.prey: Role.PREY,
            predator: Role.PREDATOR,
        }
        message = say(
            "circle_of_life.inspected",
            species=CIRCLE[critter.species].word,
            prey=CIRCLE[critter.prey].words(MANY),
            predator=CIRCLE[predator].words(MANY),
        )
        return Inspection(cells, legend, message)

    def threats(self, position: Position, player: int) -> Threats:
        """Find the stones that each of the two could eat, were it his turn."""
        own, others = _prey(position, 2 - player), _prey(position, player - 1)
        return Threats(frozenset(_names(own)), frozenset(_names(others)))

    def summary(self, position: Position, move: str) -> Message:
        """Tell which critter a placement makes and how many stones of which species it eats."""
        critter, prey = _turn(position, move)
        made = CIRCLE[critter.species].word
        who = self.players[position.mover]
        if not prey:
            return say("circle_of_life.placed", player=who, cell=move, species=made)
        return say(
            "circle_of_life.ate",
            player=who,
            cell=move,
            species=made,
            count=sum(eaten.size for eaten in prey),
            prey=CIRCLE[critter.prey].words(len(prey)),
        )

    def _target(self, text: str) -> int:
        if not self.options["target"].accepts(text):
            allowed = self.options["target"].allowed
            raise BadPosition(say("rules.bad_option", key="target", value=text, allowed=allowed))
        return int(text)

    def _position(
        self, pieces: Mapping[str, object], mover: object, eaten: Sequence[int], target: int
    ) -> Position:
        """Check and build a position: known cells and codes, no critter of more than 4 stones."""
        if str(mover) not in tuple(_CODES):
            raise BadPosition(say("rules.bad_to_move", value=repr(mover), allowed="1 | 2"))
        if min(eaten) >= target:
            raise BadPosition(say("circle_of_life.both_won", score=f"{eaten[0]}-{eaten[1]}"))
        stones = [0, 0]
        for name, code in pieces.items():
            cell = read_cell(name, SIDE)
            if cell is None:
                raise BadPosition(say("circle_of_life.no_such_cell", text=name))
            if str(code) not in tuple(_CODES):
                value = repr(code)
                raise BadPosition(say("rules.bad_piece", cell=name, value=value, allowed="1 | 2"))
            if (stones[0] | stones[1]) & BIT[INDEX[cell]]:
                raise BadPosition(say("rules.cell_twice", cell=cell))
            stones[int(str(code)) - 1] |= BIT[INDEX[cell]]
        ecosystem = Ecosystem((stones[0], stones[1]), (eaten[0], eaten[1]))
        for player, mask in enumerate(stones):
            for critter in _critters(mask):
                ecosystem.crowd[player] += critter.crowd
                for index in critter.cells:
                    ecosystem.critter_at[index] = critter
        return _frozen(ecosystem, int(str(mover)) - 1, target)

    def _last_to_decide(
        self,
        position: Mapping[str, object],
        pieces: Mapping[str, object],
        score: Sequence[int],
        target: int,
    ) -> int:
        """Find who would have moved in a finished position, which names nobody to move.

        After eating enough it is the other player; without a legal placement the winner himself.
        """
        for player in (1, 2):
            if score[player - 1] >= target:
                return 3 - player
        told = position.get("outcome")
        winner = told.get("winner") if isinstance(told, dict) else None
        for player in (1, 2):
            stuck = not _open_cells(self._position(pieces, player, score, target))
            if stuck and winner in (None, player):
                return player
        raise BadPosition(say("rules.not_over"))


def _critters(mask: int) -> Iterator[Critter]:
    """Split a player's stones into critters; raises BadPosition for one of more than 4 stones."""
    for group in groups(mask):
        if group not in CRITTERS:
            raise BadPosition(_impossible(_names(group)))
        yield CRITTERS[group]


def _names(mask: int) -> tuple[str, ...]:
    return tuple(sorted(BOARD.cells[index] for index in cells_in(mask)))


def _impossible(cells: tuple[str, ...]) -> Message:
    return say("circle_of_life.impossible", cells=cells, stones=len(cells), most=MOST_STONES)


GAME = CircleOfLife()
