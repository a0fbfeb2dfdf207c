"""A strict reader of TOML tables: every value is checked, every unknown key refused."""

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from hal.base.errors import ProfileError
from hal.base.files import decoded, read_whole

_T = TypeVar("_T")
_Number = TypeVar("_Number", int, float)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


def read(path: Path) -> "Section":
    """Read a TOML file; raise ProfileError when it cannot be read or is no valid TOML."""
    try:
        text = decoded(read_whole(path))
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path}: is no text: allowed is TOML in UTF-8") from error
    try:
        return Section(str(path), "", tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: is no valid TOML: {error}") from error


def read_as(path: Path, kind: type[_T]) -> _T:
    """Read a TOML file as a type; raise ProfileError for what cannot be read or is not allowed."""
    # Imported late: profiles are also read where msgspec is not, in KiCad and by `make case`.
    from hal.base import schema

    try:
        return schema.convert(read(path).table, kind)
    except schema.SchemaError as error:
        *sections, key = (str(each) for each in error.path if not isinstance(each, int))
        where = f"[{'.'.join(sections)}] {key}" if sections else key
        where = f"{path}: {where if where.isprintable() else repr(where)}"
        what = {"is unknown": ": unknown key", "is missing": ": missing"}.get(error.what)
        what = what or f" = {_written(error.value)}"
        allowed = error.allowed.replace("an object", "a table")
        raise ProfileError(f"{where}{what}: allowed is {allowed}") from None


class Section:
    """One table of the file. Each reading method takes its key; `done` refuses the others."""

    def __init__(self, file: str, name: str, table: dict[str, Any]) -> None:
        self._file = file
        self._name = name
        self.table = table
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
        return key in self.table

    def names(self, *, required: bool = True) -> tuple[str, ...]:
        """List the keys of a table of named things; raise for a bad name, or for none at all."""
        if required and not self.table:
            raise ProfileError(f"{self._file}: [{self._name}] is empty: allowed is one or more")
        for key in self.table:
            if not _NAME.fullmatch(key):
                raise ProfileError(
                    f"{self._where(key)}: bad name: allowed are a letter, then letters, digits "
                    "and underscores"
                )
        return tuple(self.table)

    def text(self, key: str, allowed: Iterable[str] = (), rule: str = "") -> str:
        """Read a text, out of those allowed if any are named; `rule` says it in other words."""
        choices = tuple(allowed)
        rule = rule or " or ".join(f'"{each}"' for each in choices) or "a text that is not empty"
        return str(
            self._checked(key, rule, lambda v: v in choices if choices else _is_text(v) and v)
        )

    def integer(self, key: str, low: int, high: int, *, base: int = 10) -> int:
        """Read a whole number within a range; `base` 16 only changes how messages write it."""
        write = (lambda n: f"0x{n:X}") if base == 16 else str
        rule = f"a whole number from {write(low)} to {write(high)}"
        value = self._take(key, rule)
        if not _is_whole(value, low, high):
            positive = type(value) is int and value >= 0
            raise self.fault(key, write(value) if positive else _written(value), rule)
        return int(value)

    def number(self, key: str, low: float, high: float) -> float:
        rule = f"a number from {low} to {high}"
        return float(self._checked(key, rule, lambda v: _is_number(v, low, high)))

    def integers(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """Read a list, not empty, of whole numbers within a range."""
        rule = f"a list of whole numbers from {low} to {high}"
        return self._list(key, rule, lambda v: _is_whole(v, low, high))

    def choice(self, key: str, choices: Sequence[_Number], rule: str = "") -> _Number:
        """Read one of some numbers; a fraction may be written for a whole number among them.

        `rule` says in other words which they are.
        """
        rule = rule or " or ".join(f"{each:g}" for each in choices)
        kind = int if all(isinstance(each, int) for each in choices) else (int, float)
        number = self._checked(
            key, rule, lambda v: isinstance(v, kind) and not isinstance(v, bool) and v in choices
        )
        return next(each for each in choices if each == number)

    def flag(self, key: str) -> bool:
        return bool(self._checked(key, "true or false", lambda v: isinstance(v, bool)))

    def clock(self, key: str) -> int:
        """Read a time of the day such as "22:00", and give it in minutes after midnight."""
        rule = 'a time from "00:00" to "23:59"'
        hours, minutes = self._checked(
            key, rule, lambda v: _is_text(v) and _CLOCK.fullmatch(v)
        ).split(":")
        return int(hours) * 60 + int(minutes)

    def section(self, key: str, rule: str = "a table") -> "Section":
        """Read a table inside this one; `rule` says what such a table looks like."""
        value = self._take(key, rule)
        if not isinstance(value, dict):
            raise self.fault(key, _written(value), rule)
        return Section(self._file, f"{self._name}.{key}" if self._name else key, value)

    def only(self, keys: Iterable[str]) -> None:
        """Raise ProfileError for the first key that is not among these.

        Call it before any key is read: a misspelled key is then not reported as missing.
        """
        self._known |= dict.fromkeys(keys)
        self.done()

    def done(self) -> None:
        """Raise ProfileError for the first key that nothing has read."""
        for key in self.table:
            if key not in self._known:
                raise ProfileError(
                    f"{self._where(key)}: unknown key: allowed are {', '.join(self._known)}"
                )

    def _checked(self, key: str, rule: str, fits: Callable[[Any], object]) -> Any:
        value = self._take(key, rule)
        if not fits(value):
            raise self.fault(key, _written(value), rule)
        return value

    def _list(self, key: str, rule: str, fits: Callable[[Any], object]) -> tuple[Any, ...]:
        values = self._checked(key, rule, lambda v: isinstance(v, list) and v)
        for value in values:
            if not fits(value):
                raise self.fault(key, _written(value), rule)
        return tuple(values)

    def _take(self, key: str, rule: str) -> Any:
        self._known[key] = None
        if key not in self.table:
            raise ProfileError(f"{self._where(key)}: missing: allowed is {rule}")
        return self.table[key]

    def _where(self, key: str) -> str:
        where = f"[{self._name}] {key}" if self._name else key
        # A key in quotes may hold anything, also what changes a terminal.
        return f"{self._file}: {where if where.isprintable() else repr(where)}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: Any, low: float, high: float) -> bool:
    return type(value) in (int, float) and low <= value <= high


def _is_whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


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
