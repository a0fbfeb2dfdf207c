"""How much help people have, by their names: a file in the data folder."""

import logging
from pathlib import Path

from game.common import read_json, write_json
from game.rules.base.errors import RulesError
from game.rules.base.grades import help_in
from game.table import State
from game.table.inputs import SetHelp
from hal.base.schema import convert

log = logging.getLogger(__name__)

VERSION = 1


class KnownHelp:
    """Follows one table: people who are named get the help that they had, and it is saved."""

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
            write_json(self._file, VERSION, {"help": self._known}, 0o600)
        except OSError as error:
            log.warning("people's help is not known after the next start: %s", error)

    def _read(self) -> dict[str, str]:
        try:
            known = convert(read_json(self._file, VERSION).get("help"), dict[str, str])
            for level in known.values():
                help_in(level, 1)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RulesError) as error:
            log.warning("people's help cannot be read: %s", error)
            return {}
        return known
