"""CirKle Mind by Patrick Laterrot: two armies; each sees only the backs of the other's pieces.

A text can hold a position as a player sees it; the referee's keys hold all faces.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from random import Random

from game.rules.base import reading
from game.rules.base.errors import BadPosition, IllegalMove, not_legal
from game.rules.base.game import HiddenGame, MoveResult, settle
from game.rules.base.message import LONGEST, Message, say
from game.rules.base.moves import Moves
from game.rules.base.values import Arranging, Json, Option, Outcome, Signal
from game.rules.cirkle_mind import position as rules
from game.rules.cirkle_mind import presentation
from game.rules.cirkle_mind.faces import CODES, FACES, NUMBER, OWN_TARGET, PIECES, SIDES, UNKNOWN
from game.rules.cirkle_mind.position import MindPhase, Position, RuleLevel, cells_in
from game.rules.cirkle_mind.presentation import KEY, SIDE_WORDS, CirkleMindPresentation
from game.rules.cirkle_mind.squares import BOARD, CELLS, INDEX, ZONES

_LEVELS = "|".join(level.value for level in RuleLevel)
_LOST = r"-|(?:[ygbmk][TSCOX])+"
_TEXT = re.compile(
    rf"(?P<pieces>-|[^ ]+) (?P<level>{_LEVELS}) (?P<phase>setup|play) (?P<over>#?)(?P<mover>[12])"
    rf" (?P<begins>[-12]) (?P<score1>[0-9]{{1,2}})-(?P<score2>[0-9]{{1,2}})"
    rf" (?P<lost1>{_LOST})/(?P<lost2>{_LOST})"
)
_SHOWN = "+"
_SET_UP = "setup"
_COUNT = len(FACES)
_ALL = sum(1 << number for number in NUMBER.values())
_ALLOWED = f"{' | '.join(SIDES)} + {' '.join(FACES)}"


class _MindResult(MoveResult[Position, str]):
    game: "CirkleMind"

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """The square that an attack clears; raises IllegalMove if a hidden face decides."""
        position, action = self.before, self.game._action(self.before, self.move)
        if action is None or self.after.lost == position.lost:
            return ()
        side = position.army(position.mover)
        stays = self.after.lost[side] == position.lost[side]
        return (CELLS[action.target if stays else action.goal],)


class CirkleMind(HiddenGame[Position, str]):
    """Two hidden armies; methods number players from 1, positions and other modules from 0."""

    name = "cirkle-mind"
    title = "CirKle Mind"
    board = BOARD
    players = (say("player.first"), say("player.second"))
    options: Mapping[str, Option] = {
        "level": Option(
            RuleLevel.EASY.value,
            choices=tuple(level.value for level in RuleLevel),
            word=say("option.level"),
            choice_words=tuple(say(f"option.level.{level.value}") for level in RuleLevel),
        )
    }
    keys = (KEY,)
    effects = _MindResult
    agreed_draws = True
    words = CirkleMindPresentation

    def legal_moves(self, position: Position) -> Moves[str]:
        if position.phase is MindPhase.SET_UP:
            return _SetUps(position.mover)
        return rules.moves_of(position)

    def play(self, position: Position, move: str) -> Position:
        """Set up, move, attack or pass; raises IllegalMove, also if a hidden face decides."""
        if position.phase is MindPhase.SET_UP:
            return _set_up(position, move)
        if not rules.may(position, move):
            raise not_legal(move)
        action = self._action(position, move)
        if action is not None and rules.is_hidden(position, action):
            raise IllegalMove(say("mind.hidden", target=CELLS[action.target]))
        return rules.after(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the winner, once a player has lost the target of their army's own colour."""
        if not position.over:
            return None
        army = position.army(position.mover)
        message = say("mind.won", player=SIDE_WORDS[army], other=SIDE_WORDS[1 - army])
        return Outcome(position.mover + 1, "target captured", message)

    def to_move(self, position: Position) -> int | None:
        return None if position.over else position.mover + 1

    def score(self, position: Position) -> tuple[int, ...]:
        return position.score

    def parse_move(self, position: Position, text: str) -> str:
        """Read a legal move, or a set-up with cells in any order; raises IllegalMove."""
        if position.phase is MindPhase.SET_UP:
            return _set_up_text(_read_set_up(position.mover, text))
        if not rules.may(position, text):
            raise not_legal(text)
        return text

    def taps(self, position: Position, move: str) -> tuple[str, ...]:
        """List start, goal, and the attacked square, or the key to decline a possible attack."""
        if move == rules.PASS:
            return (KEY,)
        action = rules.ACTIONS[position.army(position.mover)][move]
        way = (CELLS[action.start], CELLS[action.goal])
        if action.target != rules.NOWHERE:
            return (*way, CELLS[action.target])
        return (*way, KEY) if rules.attacks_after(position, action) else way

    def arranging(self, position: Position, player: int) -> Arranging | None:
        if position.phase is MindPhase.PLAY or player <= position.mover:
            return None
        return Arranging(ZONES[player - 1], CODES[player - 1][1 : _COUNT + 1])

    def arrangement(self, position: Position, player: int, pieces: Mapping[str, str]) -> str:
        if not self.arranging(position, player):
            return super().arrangement(position, player, pieces)
        layout = {cell: code.removeprefix(SIDES[player - 1]) for cell, code in pieces.items()}
        return _set_up_text(_whole_set_up(player - 1, layout))

    def laid(self, position: Position, player: int, text: str) -> dict[str, str]:
        layout = _read_set_up(player - 1, text)
        return {cell: SIDES[player - 1] + face for cell, face in layout.items()}

    def arranged_at_random(self, position: Position, player: int, rng: Random) -> dict[str, str]:
        if not self.arranging(position, player):
            return super().arranged_at_random(position, player, rng)
        layout = _random_set_up(player - 1, rng)
        return {cell: SIDES[player - 1] + face for cell, face in layout.items()}

    def supposed(self, position: Position, rng: Random) -> Position:
        return rules.supposed(position, rng)

    def seen_by(self, position: Position, player: int | None, remembers: bool = False) -> Position:
        return rules.seen_by(position, None if player is None else player - 1, remembers)

    def faces(self, position: Position, move: str) -> Mapping[str, str]:
        """Return the two pieces of an attack, by the attacker's new square and the target."""
        action = self._action(position, move)
        if action is None or action.target == rules.NOWHERE:
            return {}
        side = position.army(position.mover)
        return {
            CELLS[action.goal]: CODES[side][position.faces[action.start]],
            CELLS[action.target]: CODES[1 - side][position.faces[action.target]],
        }

    def covered_text(self, text: str) -> str:
        return _SET_UP if text.split()[:1] == [_SET_UP] else text

    def covered_summary(self, position: Position, move: str) -> Message:
        return presentation.summary_of(position, move, covered=True)

    def signal(self, piece: str) -> Signal | None:
        if (face := piece[1:]) not in NUMBER:
            return None
        return Signal(presentation.HUES[face[0]], presentation.FLASHES[face[1]])

    def _action(self, position: Position, move: str) -> rules.Action | None:
        """Return what a piece does in a move; None for a set-up and for passing."""
        if position.phase is MindPhase.SET_UP:
            return None
        return rules.ACTIONS[position.army(position.mover)].get(move)

    def pieces(self, position: Position) -> dict[str, str]:
        """Map each occupied cell to side, colour and shape, as `GyC`; to the side if hidden."""
        armies, faces = position.armies, position.faces
        found = ((cell, INDEX[cell]) for cell in cells_in(armies[0] | armies[1]))
        return {cell: CODES[armies[1] >> at & 1][faces[at]] for cell, at in found}

    def text(self, position: Position) -> str:
        """Write pieces, level, phase, who moves (or `#` and the winner), who makes the first move
        if it is still to be made, the score, and each side's losses. `+` marks a shown piece.
        """
        shown = set(cells_in(position.shown))
        standing = self.pieces(position).items()
        pieces = ",".join(f"{cell}={code}{_SHOWN * (cell in shown)}" for cell, code in standing)
        state = f"{position.phase.value} {'#' * position.over}{position.mover + 1}"
        begins = "-" if position.begins is None else position.begins + 1
        score = f"{position.score[0]}-{position.score[1]}"
        lost = "/".join("".join(_faces_in(own)) or "-" for own in position.lost)
        return f"{pieces or '-'} {position.level.value} {state} {begins} {score} {lost}"

    def parse(self, text: str) -> Position:
        read = _TEXT.fullmatch(text)
        if read is None:
            raise BadPosition(say("mind.bad_text", text=text[: 2 * LONGEST]))
        codes = reading.split_pieces(read["pieces"])
        marked = (cell for cell, code in codes.items() if code.endswith(_SHOWN) and cell in INDEX)
        pieces = {cell: code.removesuffix(_SHOWN) for cell, code in codes.items()}
        armies, faces = _read_pieces({"pieces": pieces}, hidden=True)
        position = Position(
            RuleLevel(read["level"]),
            MindPhase(read["phase"]),
            int(read["mover"]) - 1,
            None if read["begins"] == "-" else int(read["begins"]) - 1,
            (int(read["score1"]), int(read["score2"])),
            bool(read["over"]),
            armies,
            faces,
            sum(1 << INDEX[cell] for cell in marked),
            (_read_lost(read["lost1"]), _read_lost(read["lost2"])),
        )
        if self.text(position) != text or max(position.score) > _COUNT:
            raise BadPosition(say("mind.bad_text", text=text[: 2 * LONGEST]))
        if position.phase is MindPhase.SET_UP:
            _check_set_up(position, seen=True)
        else:
            _check_play(position)
        return position

    def extras(self, position: Position) -> Json:
        return {
            "phase": position.phase.value,
            "begun": position.phase is MindPhase.PLAY and position.begins is None,
            "shown": list(cells_in(position.shown)),
        }

    def from_json(self, position: reading.Data, options: Mapping[str, str]) -> Position:
        """Read a position. Without a phase, it is in play if it has pieces, and then the first move
        has been made. In play, pieces that are not on the board are lost.
        """
        data, settled = position, settle(self, options)
        level, first = RuleLevel(settled["level"]), int(settled["first"]) - 1
        armies, faces = _read_pieces(data, hidden=False)
        usual = MindPhase.PLAY if any(armies) else MindPhase.SET_UP
        phase, score = reading.read_choice(data, "phase", usual), reading.read_score(data, _COUNT)
        playing, shown = phase is MindPhase.PLAY, _read_shown(data, armies[0] | armies[1])
        opened = reading.read_flag(data, "begun", playing)
        if not playing:
            turn = 1 if armies[0] else 0
            if opened:
                raise reading.bad_key("begun", opened, "false")
            if (mover := data.get("to_move", turn + 1)) != turn + 1:
                raise reading.bad_key("to_move", mover, str(turn + 1))
            found = Position(level, phase, turn, first, score, False, armies, faces, shown)
            _check_set_up(found, seen=False)
            return found
        lost = (_ALL ^ _known(armies[0], faces), _ALL ^ _known(armies[1], faces))
        mover = reading.read_to_move(data, first + 1)
        over = mover is None
        if mover is None:
            # The leader of the other army has won.
            leaders = (1, 2) if level.exchanged else (2, 1)
            gone = [n for side, n in enumerate(leaders) if lost[side] >> OWN_TARGET[side] & 1]
            mover = reading.read_winner(data, sorted(gone))
        begins = None if opened or over else mover - 1
        return Position(level, phase, mover - 1, begins, score, over, armies, faces, shown, lost)


def _faces_in(bits: int) -> list[str]:
    return [face for face, number in NUMBER.items() if bits >> number & 1]


def _known(army: int, faces: bytes) -> int:
    """Return the faces of an army, as bits, that are not hidden."""
    return sum({1 << faces[INDEX[cell]] for cell in cells_in(army)}) & _ALL


def _read_pieces(data: reading.Data, hidden: bool) -> tuple[tuple[int, int], bytes]:
    """Read the armies and the faces; if `hidden`, faces may be unknown."""
    armies, faces, seen = [0, 0], bytearray(rules.BARE), set[str]()
    known = {code: piece for code, piece in PIECES.items() if hidden or piece[1] != UNKNOWN}
    for cell, (side, number) in reading.read_pieces(data, BOARD, known.get, _ALLOWED):
        code = CODES[side][number]
        if code in seen:
            raise BadPosition(say("mind.piece_twice", cell=cell, piece=code))
        seen |= {code} - {*SIDES}
        armies[side] |= 1 << INDEX[cell]
        faces[INDEX[cell]] = number
    for name, cells in zip(SIDES, armies, strict=True):
        if cells.bit_count() > _COUNT:
            count = cells.bit_count()
            raise BadPosition(say("mind.too_many", side=name, count=count, most=_COUNT))
    return (armies[0], armies[1]), bytes(faces)


def _read_lost(text: str) -> int:
    faces = [text[at : at + 2] for at in range(0, len(text), 2)] if text != "-" else []
    return sum({1 << NUMBER.get(face, 0) for face in faces})


def _check_set_up(position: Position, seen: bool) -> None:
    """Refuse armies that are not complete and at home; a view (`seen`) may lack them."""
    there = tuple(cells.bit_count() for cells in position.armies)
    at_home = {*cells_in(position.armies[0])} <= {*ZONES[0]}
    counts = {(0, 0)} if position.mover == 0 else {(_COUNT, 0)} | ({(0, 0)} if seen else set())
    untouched = not any((*position.score, position.shown, position.over, *position.lost))
    whole = not there[0] or _known(position.armies[0], position.faces) == _ALL
    fair = there in counts and at_home and untouched and whole
    if not fair or position.begins is None:
        raise BadPosition(say("mind.bad_start"))


def _check_play(position: Position) -> None:
    """Refuse a text in which a piece is both lost and on the board, or neither."""
    for side, lost in enumerate(position.lost):
        army = position.armies[side]
        if lost & _known(army, position.faces) or (lost.bit_count() + army.bit_count() != _COUNT):
            value = " ".join(_faces_in(lost))
            raise BadPosition(say("mind.bad_lost", side=SIDES[side], value=value, all=_COUNT))
    begins, mover = position.begins, position.mover
    if begins is not None and (position.over or begins != mover):
        raise BadPosition(say("mind.bad_begins", value=begins + 1))
    loser = 1 - position.army(mover)
    if position.over and not position.lost[loser] >> OWN_TARGET[loser] & 1:
        raise reading.not_over()


def _read_shown(data: reading.Data, standing: int) -> int:
    cells, there = data.get("shown", []), list(cells_in(standing))
    if not isinstance(cells, list | tuple) or any(cell not in there for cell in cells):
        raise reading.bad_key("shown", cells, f"[{', '.join(there)}]")
    return sum({1 << INDEX[cell] for cell in cells})


class _SetUps:
    """A side's set-ups, which are too many to list or count."""

    def __init__(self, side: int) -> None:
        self._side = side

    def __iter__(self) -> Iterator[str]:
        raise OverflowError("too many set-ups to list")

    def __len__(self) -> int:
        raise OverflowError("too many set-ups to count")

    def __bool__(self) -> bool:
        return True

    def __contains__(self, move: object) -> bool:
        try:
            return isinstance(move, str) and _set_up_text(_read_set_up(self._side, move)) == move
        except IllegalMove:
            return False

    def pick(self, rng: Random) -> str:
        return _set_up_text(_random_set_up(self._side, rng))


def _set_up_text(layout: Mapping[str, str]) -> str:
    """Write a set-up, faces by cell, in the board's order."""
    return " ".join((_SET_UP, *(f"{cell}={layout[cell]}" for cell in CELLS if cell in layout)))


def _read_set_up(side: int, text: str) -> dict[str, str]:
    """Read a side's set-up with cells in any order; raises IllegalMove."""
    word, *parts = text.split() or [""]
    whole = word == _SET_UP and len(parts) == _COUNT
    return _whole_set_up(side, dict(part.partition("=")[::2] for part in parts if whole))


def _whole_set_up(side: int, layout: dict[str, str]) -> dict[str, str]:
    """Return a set-up that has each face once, in the side's zone; raises IllegalMove."""
    zone = ZONES[side]
    if sorted(layout.values()) == sorted(FACES) and layout.keys() <= {*zone}:
        return layout
    pieces = " ".join(FACES)
    raise IllegalMove(say("mind.bad_set_up", pieces=pieces, least=zone[0], most=zone[-1]))


def _random_set_up(side: int, rng: Random) -> dict[str, str]:
    """Lay out an army at random, so that the occupied squares, which others see, reveal nothing.

    Guards around the own target, or pieces on squares that shield them, would reveal these pieces.
    """
    return dict(zip(rng.sample(ZONES[side], _COUNT), FACES, strict=True))


def _set_up(position: Position, text: str) -> Position:
    """Return the position after the mover's set-up; raises IllegalMove."""
    side, faces, cells = position.mover, bytearray(position.faces), 0
    for cell, face in _read_set_up(side, text).items():
        faces[INDEX[cell]] = NUMBER[face]
        cells |= 1 << INDEX[cell]
    if side == 0:
        return replace(position, armies=(cells, 0), faces=bytes(faces), mover=1)
    laid = replace(position, armies=(position.armies[0], cells), faces=bytes(faces))
    return replace(laid, mover=position.begins or 0, phase=MindPhase.PLAY)


GAME = CirkleMind()
