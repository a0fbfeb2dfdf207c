"""A strict reader of TOML tables: every value is checked, every unknown key refused.

Owns types, ranges and the shape of the messages (file, section, key, value, what is allowed).
Must not know what a board is (`hal.profile`).
"""

import math
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from hal.errors import ProfileError

_Number = TypeVar("_Number", int, float)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_TWICE = re.compile(r"(?i)overwrite|twice|duplicate|mutate immutable")
_LINE = re.compile(r"at line (\d+)")
_INLINE = re.compile(r"inline table key '(.+?)'")


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
    number = int(found[1])
    lines = [line.strip() for line in text.splitlines()[:number]]
    what = lines[-1].split("=")[0].strip()
    if inline := _INLINE.search(message):
        what = f"{inline[1]} of {what}"
    if not what.startswith("["):
        section = next((line for line in reversed(lines) if line.startswith("[")), "")
        what = f"{section.partition(']')[0]}] {what}" if section else what
    return f"line {number}: {what} is given twice: allowed is once"


class Section:
    """One table of the file. Each reading method takes its key; `done` refuses the others."""

    def __init__(self, file: str, name: str, table: dict[str, Any]) -> None:
        self._file = file
        self._name = name
        self._table = table
        self._known: dict[str, None] = {}  # a set that keeps the order

    def fault(self, key: str, written: str, allowed: str) -> ProfileError:
        """Make the error that says that a value, given as it is written, is not allowed here."""
        return ProfileError(f"{self._where(key)} = {written}: allowed is {allowed}")

    def misfit(self, holds: str, allowed: str) -> ProfileError:
        """Make the error that says that what this table holds as a whole is not allowed."""
        return ProfileError(f"{self._file}: [{self._name}] has {holds}: allowed is {allowed}")

    def has(self, key: str) -> bool:
        """Tell whether a key that may be left out is there."""
        self._known[key] = None
        return key in self._table

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

    def text(self, key: str, allowed: Iterable[str] = (), rule: str = "") -> str:
        """Read a text, out of those allowed if any are named; `rule` says it in other words."""
        choices = tuple(allowed)
        rule = rule or " or ".join(f'"{each}"' for each in choices) or "a text that is not empty"
        value = self._take(key, rule)
        if not isinstance(value, str) or not value or (choices and value not in choices):
            raise self.fault(key, _written(value), rule)
        return value

    def texts(self, key: str, pattern: str = "", allowed: str = "texts") -> tuple[str, ...]:
        """Read a list, not empty, of texts that all match a pattern; `allowed` describes one."""
        rule = f"a list of {allowed}"
        values = self._take(key, rule)
        if not isinstance(values, list) or not values:
            raise self.fault(key, _written(values), rule)
        for value in values:
            fits = isinstance(value, str) and (not pattern or re.fullmatch(pattern, value))
            if not fits:
                raise self.fault(key, _written(value), rule)
        return tuple(values)

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

    def pair(self, key: str, low: float, high: float, rule: str = "") -> tuple[float, float]:
        """Read a list of two numbers within a range; `rule` says in words what they are."""
        rule = f"{rule or '[x, y]'}, numbers from {low:g} to {high:g}"
        return self._pair(key, self._take(key, rule), low, high, rule)

    def pairs(
        self, key: str, count: int, low: float, high: float
    ) -> tuple[tuple[float, float], ...]:
        """Read a list of just so many lists of two numbers within a range."""
        rule = f"a list of {count} [x, y], numbers from {low:g} to {high:g}"
        values = self._take(key, rule)
        if not isinstance(values, list) or len(values) != count:
            raise self.fault(key, _written(values), rule)
        return tuple(self._pair(key, value, low, high, rule) for value in values)

    def _pair(
        self, key: str, value: Any, low: float, high: float, rule: str
    ) -> tuple[float, float]:
        numbers = value if isinstance(value, list) else []
        fits = all(type(each) in (int, float) and low <= each <= high for each in numbers)
        if len(numbers) != 2 or not fits:
            raise self.fault(key, _written(value), rule)
        return float(numbers[0]), float(numbers[1])

    def choice(self, key: str, choices: Sequence[_Number], rule: str = "") -> _Number:
        """Read one of some numbers; a fraction may be written for a whole number among them.

        `rule` says in other words which they are.
        """
        rule = rule or " or ".join(f"{each:g}" for each in choices)
        value = self._take(key, rule)
        whole = all(isinstance(each, int) for each in choices)
        number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        for each in choices:
            if number and each == value:
                return each
        raise self.fault(key, _written(value), rule)

    def flag(self, key: str) -> bool:
        """Read true or false."""
        value = self._take(key, "true or false")
        if not isinstance(value, bool):
            raise self.fault(key, _written(value), "true or false")
        return value

    def clock(self, key: str) -> int:
        """Read a time of the day such as "22:00", and give it in minutes after midnight."""
        rule = 'a time from "00:00" to "23:59"'
        value = self._take(key, rule)
        found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
        if not found:
            raise self.fault(key, _written(value), rule)
        return int(found[1]) * 60 + int(found[2])

    def section(self, key: str, rule: str = "a table") -> "Section":
        """Read a table inside this one; `rule` says what such a table looks like."""
        value = self._take(key, rule)
        if not isinstance(value, dict):
            raise self.fault(key, _written(value), rule)
        return Section(self._file, f"{self._name}.{key}" if self._name else key, value)

    def only(self, keys: Iterable[str]) -> None:
        """Raise ProfileError for the first key that is not among these.

        To be asked before any is read: a key that is written wrongly is then not told as missing.
        """
        self._known |= dict.fromkeys(keys)
        self.done()

    def done(self) -> None:
        """Raise ProfileError for the first key that nothing has read."""
        for key in self._table:
            if key not in self._known:
                raise ProfileError(
                    f"{self._where(key)}: unknown key: allowed are {', '.join(self._known)}"
                )

    def _take(self, key: str, rule: str) -> Any:
        self._known[key] = None
        if key not in self._table:
            raise ProfileError(f"{self._where(key)}: missing: allowed is {rule}")
        return self._table[key]

    def _where(self, key: str) -> str:
        return f"{self._file}: [{self._name}] {key}" if self._name else f"{self._file}: {key}"


def _written(value: object) -> str:
    match value:
        case str():
            return f'"{value}"' if value.isprintable() else repr(value)
        case bool():
            return str(value).lower()
        case dict():
            return "a table"
        case _:
            return str(value)
