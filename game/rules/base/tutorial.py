"""A game's tutorial: the steps of `tutorial.toml` in its folder, checked by the rules."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from game.rules.base.edits import EditKind
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame

LANGUAGES = ("en", "de", "fr", "it")
FILE = "tutorial.toml"
_KEYS = {"position", "move", "touch", "light", "inspect", "eats", "rule", "wrong", *LANGUAGES}


class BadTutorial(ValueError):
    """A tutorial that the rules refuse; the text names the file's step."""


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """One step: a position, its text by language, and the expected touch or move.

    The step expects a `move` (in record notation, entered by `taps`), or a touch of any of `taps`;
    with neither, any touch continues. `light` are further cells to light, `inspect` is a cell whose
    piece is inspected. `rule` is the key of the rule that the step illustrates. `wrong` is the text
    after any other touch.
    """

    position: Any
    texts: Mapping[str, str]
    move: str = ""
    taps: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    inspect: str = ""
    rule: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)

    def expected(self, entered: Sequence[str] = ()) -> frozenset[str]:
        """Return the touches expected after these; empty if any touch continues."""
        if not self.move:
            return frozenset(self.taps)
        return frozenset(self.taps[len(entered) : len(entered) + 1])


@cache
def tutorial(game: AnyGame) -> tuple[TutorialStep, ...]:
    """Return the steps of a game's tutorial; none if it has no file. Raises BadTutorial."""
    return read(game, game.presentation.file_text(FILE))


def taught_by(game: AnyGame) -> str:
    """Name the game whose tutorial covers this game or variant; "" if there is none."""
    return str(tomllib.loads(game.presentation.file_text(FILE)).get("game", ""))


def read(game: AnyGame, text: str) -> tuple[TutorialStep, ...]:
    """Read a tutorial; no steps if it belongs to another variant; raises BadTutorial."""
    data = tomllib.loads(text)
    position, steps = game.initial(), list[TutorialStep]()
    for number, each in enumerate(data.get("step", []) if data.get("game") == game.name else ()):
        try:
            if "position" in each:
                position = game.parse(each["position"])
            step = _step(game, position, each)
            if step.move:
                position = game.play(position, game.parse_move(position, step.move))
        except (RulesError, BadTutorial) as error:
            raise BadTutorial(f"step {number + 1} of {game.name}: {error}") from error
        steps.append(step)
    return tuple(steps)


def _step(game: AnyGame, position: Any, data: Mapping[str, Any]) -> TutorialStep:
    _check("keys", set(data) - _KEYS, set())
    for texts in (data, data.get("wrong", data)):
        _check("languages", [each for each in LANGUAGES if not texts.get(each)], [])
    move, taps = data.get("move", ""), (*data.get("touch", ()),)
    eaten: tuple[str, ...] = ()
    if move:
        result = game.result(position, game.parse_move(position, move))
        taps, eaten = result.taps, result.removed
    _check("eats", [*data.get("eats", ())], [*eaten])
    texts, light = {each: data[each] for each in LANGUAGES}, (*data.get("light", ()),)
    inspect, rule, wrong = data.get("inspect", ""), data.get("rule", ""), data.get("wrong", {})
    spots = {*taps, *light, *filter(None, [inspect])}
    _check("spots", spots - {*game.board.cells, *game.keys}, set())
    return TutorialStep(position, texts, move, taps, light, inspect, rule, wrong)


def _check(what: str, data: object, allowed: object) -> None:
    if data != allowed:
        raise BadTutorial(f"{what} are {data}; by the rules {allowed}")


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
