"""Names of players and computer players, as given on the command line or in the settings."""

import shlex
from pathlib import Path
from shutil import which

from game.common import AppError, words
from game.engine import LEVEL_NAMES
from game.opponent.ratings import EvenMatch
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.grades import HELP_ALLOWED, help_in
from game.rules.base.names import LONGEST_NAME, player_name
from game.table.entries import EVEN

PERSON = "person"
UGI = "ugi:"
"""Prefix of the command of another engine."""


def check_names(game: AnyGame, names: tuple[str, ...], where: str) -> None:
    """Raise AppError, naming the place `where`, unless each player has one valid name."""
    if names and len(names) != len(game.players):
        raise AppError(
            f"{where} is {','.join(names)!r}: {game.title} wants {len(game.players)} names"
        )
    try:
        for name in names:
            player_name(name)
    except RulesError as error:
        raise AppError(f"{where}: {words('en').text(error.message)}") from error


def read_help(
    game: AnyGame, text: str | None, where: str, folder: Path, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return each player's level of help; "even" evens the chances of two named people.

    `folder` has their earlier games. None is an empty tuple. Raises AppError, naming the place
    `where`.
    """
    if text is None:
        return ()
    if text == EVEN and len(game.players) == 2:
        text = EvenMatch(folder, game.name).helps(names)
    try:
        return tuple(each.text for each in help_in(text, len(game.players)))
    except RulesError:
        raise AppError(
            f"{where} is {text!r}; allowed: {HELP_ALLOWED}, for all players or one for each of"
            f" {len(game.players)}, such as 3:2,0; or {EVEN}, in a game for two"
        ) from None


def read_opponents(
    game: AnyGame, text: str, where: str
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Parse computer players like `read_computers`, but also `ugi:COMMAND` for another engine.

    Return the level of each player, and the command of each engine by its level. Raises AppError.
    """
    engines: dict[str, tuple[str, ...]] = {}
    who = []
    for part in text.split(","):
        level = part.strip()
        if level.startswith(UGI):
            command = _command(level.removeprefix(UGI), where)
            level = f"{UGI}{Path(command[0]).name}"[: LONGEST_NAME - 2]
            if engines.get(level, command) != command:
                level = f"{level} {len(engines) + 1}"
            engines[level] = command
        who.append(level)
    return read_computers(game, ",".join(who), where, tuple(engines)), engines


def _command(text: str, where: str) -> tuple[str, ...]:
    """Split the command of an engine; raises AppError if there is no such program."""
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise AppError(f"{where}: the command {text!r} cannot be read: {error}") from error
    if not command or which(command[0]) is None or not text.isprintable():
        program = command[0] if command else ""
        raise AppError(f"{where}: there is no program {program!r}; allowed: {UGI}COMMAND")
    return command


def read_computers(
    game: AnyGame, text: str, where: str, engines: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Parse computer players: a level for the last player, or a level or "person" for each.

    A level may have its English name, such as "Mouse". `engines` are further levels. Raises
    AppError, naming the place `where`, for anything else.
    """
    players, named = len(game.players), {words("en").template(f"level.{n}"): n for n in LEVEL_NAMES}
    each = [named.get(part.strip().capitalize(), part.strip()) for part in text.split(",")]
    if len(each) == 1:
        each = [PERSON] * (players - 1) + each
    if len(each) != players or set(each) - {PERSON, EVEN, *LEVEL_NAMES, *engines}:
        first = ",".join([LEVEL_NAMES[-1], *[PERSON] * (players - 1)])
        levels = ", ".join((EVEN, *(f"{n} or {name.lower()}" for name, n in named.items())))
        raise AppError(
            f"{where} is {text!r}; allowed: {PERSON} or a level ({levels}) for the"
            f" last player, or one of these for each of {players} players, such as {first}"
        )
    return tuple("" if part == PERSON else part for part in each)
