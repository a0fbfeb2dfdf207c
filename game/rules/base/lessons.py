"""A game's tutorial and puzzles, from `tutorial.toml` and `puzzles.toml` in its folder.

What the rules refuse raises ValueError, with the number of the step or puzzle.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from math import gcd
from typing import Any
from zlib import crc32

from game.rules.base.edits import EditKind
from game.rules.base.game import AnyGame
from game.rules.base.message import say

LANGUAGES = ("en", "de", "fr", "it")
TUTORIAL, PUZZLES = "tutorial.toml", "puzzles.toml"
BANDS = (1250, 1450, 1650)  # Least ratings of the grades from 2 on; a puzzle below is of grade 1
Texts = Mapping[str, str]  # By language


def _texts(data: Mapping[str, str]) -> dict[str, str]:
    return {each: data[each] for each in LANGUAGES}


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """One step: a position, its text by language, and the expected touch or move.

    The step expects a `move` (in record notation, entered by `taps`), or a touch of any of `taps`;
    with neither, any touch continues. `light` are further cells to light, `inspect` is a cell whose
    piece is inspected. `rule` is the key of the rule that the step illustrates. `wrong` is the text
    after any other touch.
    """

    position: Any
    texts: Texts
    move: str = ""
    taps: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    inspect: str = ""
    rule: str = ""
    wrong: Texts = field(default_factory=dict)

    def expected(self, entered: Sequence[str] = ()) -> frozenset[str]:
        """Return the touches expected after these; empty if any touch continues."""
        if not self.move:
            return frozenset(self.taps)
        return frozenset(self.taps[len(entered) : len(entered) + 1])


@cache
def tutorial(game: AnyGame) -> tuple[TutorialStep, ...]:
    """Return the steps of a game's tutorial; none if it has no file."""
    return read_tutorial(game, game.presentation.file_text(TUTORIAL))


def taught_by(game: AnyGame) -> str:
    """Name the game whose tutorial covers this game or variant; "" if there is none."""
    return str(tomllib.loads(game.presentation.file_text(TUTORIAL)).get("game", ""))


def read_tutorial(game: AnyGame, text: str) -> tuple[TutorialStep, ...]:
    """Read a tutorial; no steps if it belongs to another variant."""
    data = tomllib.loads(text)
    position, steps = game.initial(), list[TutorialStep]()
    for number, each in enumerate(data.get("step", []) if data.get("game") == game.name else ()):
        try:
            if "position" in each:
                position = game.parse(each["position"])
            step = _step(game, position, each)
            if step.move:
                position = game.play(position, game.parse_move(position, step.move))
        except (ValueError, KeyError) as error:
            raise ValueError(f"step {number + 1} of {game.name}: {error}") from error
        steps.append(step)
    return tuple(steps)


def _step(game: AnyGame, position: Any, data: Mapping[str, Any]) -> TutorialStep:
    move, taps = data.get("move", ""), (*data.get("touch", ()),)
    eaten: tuple[str, ...] = ()
    if move:
        result = game.result(position, game.parse_move(position, move))
        taps, eaten = result.taps, result.removed
    if (eats := (*data.get("eats", ()),)) != eaten:
        raise ValueError(f"eats are {eats}; by the rules {eaten}")
    light, inspect, rule = (*data.get("light", ()),), data.get("inspect", ""), data.get("rule", "")
    wrong = _texts(data["wrong"]) if "wrong" in data else {}
    return TutorialStep(position, _texts(data), move, taps, light, inspect, rule, wrong)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a step: pieces by cell, a move's changes (`MoveResult.edits`), its path."""

    pieces: Mapping[str, str]
    edits: Mapping[str, tuple[str, str]]
    way: tuple[str, ...]


def pictures(game: AnyGame, rule: str) -> tuple[Picture, ...]:
    """Return the pictures of a rule, by the key of its message."""
    return tuple(_picture(game, step) for step in tutorial(game) if step.rule == rule)


def _picture(game: AnyGame, step: TutorialStep) -> Picture:
    stands, side = game.pieces(step.position), game.presentation.side
    if not step.move:
        # Without a move, `taps` other than `light` are cells that the rules refuse.
        refused = dict.fromkeys(step.taps, ("remove", ""))
        return Picture(stands, refused | dict.fromkeys(step.light, ("mark", "")), ())
    done = game.result(step.position, game.parse_move(step.position, step.move))
    edits = {edit.cell: (edit.kind.value, edit.piece) for edit in done.edits}
    way: list[str] = []
    for tap in step.taps if step.taps[0] in stands else ():
        # The path starts at the moving piece, and ends before another piece of its side.
        mine = tap in stands and side(stands[tap]) == side(stands[step.taps[0]])
        if tap not in game.board.centres or (way and mine):
            break
        way.append(tap)
    for cell in edits.keys() & stands.keys():
        taken = cell in done.removed
        if edits[cell][0] == EditKind.REMOVE.value and not taken:
            edits[cell] = ("leave", "")
        elif taken and cell in way:
            edits[cell] = (EditKind.REMOVE.value, "")
    return Picture(stands, edits, tuple(way))


class Kind(Enum):
    """The task of a puzzle for two players; a win is that of the game, or of the whole match."""

    WIN = "win"
    """Win with at most `count` own moves, whatever the opponent answers, even to the last one."""
    SAVE = "save"  # Keep the opponent from winning with the next move, which all other moves allow
    MOST = "most"  # Raise your own score by `count`, the most that one move can
    SAFE = "safe"  # Let the opponent score at most `count` by this move and the next


class Theme(Enum):
    """What must be seen to solve a puzzle; `make puzzles` finds it."""

    CHAIN = say("theme.chain")
    BAIT = say("theme.bait")
    TEMPT = say("theme.tempt")
    LAST_CELL = say("theme.last_cell")
    FEWER = say("theme.fewer")
    DOUBLE = say("theme.double")
    GROUP = say("theme.group")
    FIGHT = say("theme.fight")
    TURN = say("theme.turn")
    BLOCK = say("theme.block")
    COUNTER = say("theme.counter")
    GROW = say("theme.grow")
    FINISH = say("theme.finish")
    DEEP = say("theme.deep")
    TAKE = say("theme.take")
    QUIET = say("theme.quiet")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle: its `rating`, what it asks, and the `line` of right moves with their answers.

    The rating is on the scale of the computer's levels, and of people. `key` identifies it
    independently of its number. `texts` ask for the first own move and each further one, by
    language.
    """

    key: str
    rating: int
    themes: tuple[Theme, ...]
    kind: Kind
    count: int
    line: tuple[str, ...]
    position: Any
    texts: tuple[Texts, ...]

    @property
    def grade(self) -> int:
        """How hard it is, from 1."""
        return 1 + sum(self.rating >= least for least in BANDS)


@cache
def puzzles(game: AnyGame) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, the easiest first; none without a file."""
    return read_puzzles(game, game.presentation.file_text(PUZZLES))


def read_puzzles(game: AnyGame, text: str) -> tuple[Puzzle, ...]:
    """Read puzzles; none if they belong to another variant.

    A line is rating and themes, as in `790:bait,turn`, kind, count, moves split by `,`, position.
    """
    data = tomllib.loads(text)
    if data.get("game") != game.name:
        return ()
    found: list[Puzzle] = []
    for number, line in enumerate(data["puzzles"].strip().splitlines(), start=1):
        try:
            found.append(_puzzle(game, data.get("ask", {}), line))
        except (ValueError, KeyError) as error:
            raise ValueError(f"puzzle {number} of {game.name} is {line!r}: {error}") from error
    return tuple(found)


def _puzzle(game: AnyGame, asks: Mapping[str, Texts], line: str) -> Puzzle:
    head, kind, count, moves, position = line.split(" ", 4)
    rating, _, themes = head.partition(":")
    right = tuple(moves.split(","))
    return Puzzle(
        f"{crc32(line[len(head) :].encode()):08x}",
        int(rating),
        tuple(Theme[name.upper()] for name in themes.split(",")),
        Kind(kind),
        int(count),
        right,
        game.parse(position),
        tuple(_asked(asks, kind, int(count) - n // 2) for n in range(0, len(right), 2)),
    )


def _asked(asks: Mapping[str, Texts], kind: str, count: int) -> dict[str, str]:
    texts = _texts(asks.get(f"{kind}{count}") or asks[kind])
    return {each: text.format(count=count) for each, text in texts.items()}


def daily(count: int, day: int) -> int:
    """Return the number, from 0, of a day's puzzle; each comes once before any comes again."""
    step = next(step for step in range(count * 5 // 8 + 1, count * 2 + 2) if gcd(step, count) == 1)
    return day * step % count


def winner(game: AnyGame, position: Any) -> int | None:
    """Return who has won the game or the match, 0 for a draw, None while it goes on."""
    outcome = game.outcome(position)
    return None if outcome is None else outcome.winner or 0


def forced(game: AnyGame, position: Any, player: int, moves: int) -> bool:
    """Return whether a player can force a win within this many own moves."""
    won = winner(game, position)
    if won is not None:
        return won == player
    own = game.to_move(position) == player
    if own and moves == 0:
        return False
    after = (game.play(position, move) for move in game.legal_moves(position))
    results = (forced(game, each, player, moves - own) for each in after)
    return any(results) if own else all(results)


def refuted(
    game: AnyGame, puzzle: Puzzle, played: int, position: Any, move: Any
) -> tuple[str, ...]:
    """Return a wrong move and the answer that shows why it is wrong, as texts.

    The position is that after `played` moves of the puzzle's line. Answers that win come first,
    then those that raise the opponent's score most. There is no answer if the move ends the game,
    or if the puzzle asks for the highest gain by one move.
    """
    player, then = game.to_move(position) or 0, game.play(position, move)
    kind, other, left = puzzle.kind, 3 - player, puzzle.count - played // 2
    text = game.move_text(position, move)
    if kind is Kind.MOST or winner(game, then) is not None or game.to_move(then) != other:
        return (text,)

    after = {answer: game.play(then, answer) for answer in game.legal_moves(then)}

    def strength(answer: Any) -> tuple[bool, int]:
        return winner(game, after[answer]) == other, game.score(after[answer])[other - 1]

    for answer in sorted(after, key=strength, reverse=True):
        still_wins = kind is Kind.WIN and forced(game, after[answer], player, left - 1)
        if not still_wins and (kind is not Kind.SAVE or winner(game, after[answer]) == other):
            return text, game.move_text(then, answer)
    return (text,)
