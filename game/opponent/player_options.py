"""Names, computer players and help: from the command line or the settings, or saved by name."""

import logging
import shlex
from pathlib import Path
from shutil import which

from game.common import AppError, read_json, words, write_json
from game.engine import LEVEL_NAMES
from game.opponent.ratings import EvenMatch
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.grades import HELP_ALLOWED, help_in
from game.rules.base.names import LONGEST_NAME, player_name
from game.table import State
from game.table.entries import EVEN
from game.table.inputs import SetHelp
from hal.base.schema import convert

log = logging.getLogger(__name__)

PERSON = "person"
UGI = "ugi:"
"""Prefix of the command of another engine."""
_VERSION = 1  # of the file of people's help


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


class KnownHelp:
    """Follows one table: gives named people the help that they had, which a file stores by name."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "help.json"
        self._known = self._read()
        self._names: tuple[str, ...] = ()
        self._levels = ""

    def follow(self, state: State) -> SetHelp | None:
        """Return the help of people who were just named, None if nothing is to be changed."""
        if state.agreement.strict:
            return None
        levels_were_set = state.agreement.help_levels != self._levels
        if state.names != self._names:
            self._names = state.names
            levels = tuple(self._known.get(name.casefold(), "") for name in state.names)
            if any(levels) and not levels_were_set:
                return SetHelp(levels)
        if levels_were_set:
            self._levels = state.agreement.help_levels
            self._save(state)
        return None

    def _save(self, state: State) -> None:
        levels = self._levels.split(",")
        levels = levels if len(levels) > 1 else levels * len(state.names)
        named = enumerate(zip(state.names, levels, strict=False), start=1)
        people = {
            name.casefold(): level
            for number, (name, level) in named
            if name and not state.level_of(number)
        }
        if people.items() <= self._known.items():
            return
        self._known |= people
        try:
            write_json(self._file, _VERSION, {"help": self._known}, 0o600)
        except OSError as error:
            log.warning("people's help is not known after the next start: %s", error)

    def _read(self) -> dict[str, str]:
        try:
            known = convert(read_json(self._file, _VERSION).get("help"), dict[str, str])
            for level in known.values():
                help_in(level, 1)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RulesError) as error:
            log.warning("people's help cannot be read: %s", error)
            return {}
        return known
