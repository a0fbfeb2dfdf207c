"""A strict reader of TOML tables: every value is checked, every unknown key refused.

Owns types, ranges and the shape of the messages (file, section, key, value, what is allowed).
Must not know what a board is (`hal.profile`).
"""

import math
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hal.errors import ProfileError

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TWICE = re.compile(r"(?i)overwrite|twice|duplicate|mutate immutable")
_LINE = re.compile(r"at line (\d+)")


def read(path: Path) -> "Section":
    """Read a TOML file; raise ProfileError when it cannot be read or is no valid TOML."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path}: is no text: allowed is TOML in UTF-8") from error
    return parse(text, str(path))


def parse(text: str, file: str) -> "Section":
    """Parse TOML text; `file` is the name that messages show."""
    try:
        return Section(file, "", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{file}: {_syntax(text, str(error))}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{file}: is no valid TOML: {error}") from error


def _syntax(text: str, message: str) -> str:
    found = _LINE.search(message)
    if not _TWICE.search(message) or not found:
        return f"is no valid TOML: {message}"
    number = int(found.group(1))
    line = text.splitlines()[number - 1].split("=")[0].strip()
    return f"line {number}: {line} is given twice: allowed is once"


class Section:
    """One table of the file. Each reading method takes its key; `done` refuses the others."""

    def __init__(self, file: str, name: str, table: dict[str, Any]) -> None:
        self._file = file
        self._name = name
        self._table = table
        self._known: list[str] = []

    def fault(self, key: str, written: str, allowed: str) -> ProfileError:
        """Make the error that says that a value, given as it is written, is not allowed here."""
        return ProfileError(f"{self._where(key)} = {written}: allowed is {allowed}")

    def names(self, *, required: bool = True) -> tuple[str, ...]:
        """List the keys of a table of named things; raise for a bad name, or for none at all."""
        if required and not self._table:
            raise ProfileError(f"{self._file}: [{self._name}] is empty: allowed is one or more")
        for key in self._table:
            if not _NAME.fullmatch(key):
                raise ProfileError(
                    f"{self._where(key)}: bad name: allowed are a letter, then letters, digits "
                    "and underscores"
                )
        return tuple(self._table)

    def text(self, key: str, allowed: Iterable[str] = ()) -> str:
        """Read a text, out of those allowed if any are named."""
        choices = tuple(allowed)
        rule = " or ".join(f'"{each}"' for each in choices) or "a text that is not empty"
        value = self._take(key, rule)
        if not isinstance(value, str) or not value or (choices and value not in choices):
            raise self.fault(key, _written(value), rule)
        return value

    def integer(self, key: str, low: int, high: int, *, base: int = 10) -> int:
        """Read a whole number within a range; `base` 16 only changes how messages write it."""
        ends = (f"0x{low:X}", f"0x{high:X}") if base == 16 else (str(low), str(high))
        rule = f"a whole number from {ends[0]} to {ends[1]}"
        value = self._take(key, rule)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            hexadecimal = base == 16 and isinstance(value, int) and value >= 0
            written = f"0x{value:X}" if hexadecimal else _written(value)
            raise self.fault(key, written, rule)
        return value

    def number(self, key: str, low: float, high: float) -> float:
        """Read a number within a range."""
        rule = f"a number from {low} to {high}"
        value = self._take(key, rule)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.fault(key, _written(value), rule)
        if math.isnan(value) or not low <= value <= high:
            raise self.fault(key, _written(value), rule)
        return float(value)

    def integers(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """Read a list, not empty, of whole numbers within a range."""
        rule = f"a list of whole numbers from {low} to {high}"
        values = self._take(key, rule)
        if not isinstance(values, list) or not values:
            raise self.fault(key, _written(values), rule)
        for value in values:
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise self.fault(key, _written(value), rule)
        return tuple(values)

    def section(self, key: str) -> "Section":
        """Read a table inside this one."""
        value = self._take(key, "a table")
        if not isinstance(value, dict):
            raise self.fault(key, _written(value), "a table")
        return Section(self._file, f"{self._name}.{key}" if self._name else key, value)

    def done(self) -> None:
        """Raise ProfileError for the first key that nothing has read."""
        for key in self._table:
            if key not in self._known:
                raise ProfileError(
                    f"{self._where(key)}: unknown key: allowed are {', '.join(self._known)}"
                )

    def _take(self, key: str, rule: str) -> Any:
        self._known.append(key)
        if key not in self._table:
            raise ProfileError(f"{self._where(key)}: missing: allowed is {rule}")
        return self._table[key]

    def _where(self, key: str) -> str:
        return f"{self._file}: [{self._name}] {key}" if self._name else f"{self._file}: {key}"


def _written(value: object) -> str:
    match value:
        case str():
            return f'"{value}"'
        case bool():
            return str(value).lower()
        case dict():
            return "a table"
        case _:
            return str(value)
