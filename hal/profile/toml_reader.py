"""Reads TOML files that people write as typed values; errors name file, key and value."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from hal.base import schema
from hal.base.errors import ProfileError
from hal.base.files import decoded, read_whole

_T = TypeVar("_T")


def read_as(path: Path, kind: type[_T]) -> _T:
    """Read a TOML file as a type; raise ProfileError for one that is unreadable or invalid."""
    return parse_as(read_text(path), path, kind)


def read_text(path: Path) -> str:
    """Read a file of UTF-8; raise ProfileError for one that is unreadable."""
    try:
        return decoded(read_whole(path))
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path}: is no text: allowed is TOML in UTF-8") from error


def parse_as(text: str, path: Path, kind: type[_T]) -> _T:
    """Parse TOML as a type; raise ProfileError, which names the path, for invalid text."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: is no valid TOML: {error}") from error
    with named(path):
        return schema.convert_table(table, kind)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn a SchemaError into a ProfileError that names the file, and the keys as TOML does."""
    try:
        yield
    except schema.SchemaError as error:
        *sections, key = (str(each) for each in error.path if not isinstance(each, int))
        where = f"[{'.'.join(sections)}] {key}" if sections else key
        what = f" {error.what}"
        if isinstance(error.value, dict) or what.startswith(" has"):
            where = f"[{'.'.join([*sections, key])}]"
            what = f" has {len(error.value)} keys" if isinstance(error.value, dict) else what
        elif error.what in ("is unknown", "is missing"):
            what = {"is unknown": ": unknown key", "is missing": ": missing"}[error.what]
        elif error.value is not None:
            what = f" = {_written(error.value, '0x' in error.allowed)}"
        # A quoted key may hold anything, even characters that affect a terminal.
        where = where if where.isprintable() else repr(where)
        are = "are" if error.what == "is unknown" else "is"
        allowed = error.allowed.replace("an object", "a table").replace(" or null", "")
        raise ProfileError(f"{path}: {where}{what}: allowed {are} {allowed}") from None


def _written(value: object, is_hex: bool) -> str:
    match value:
        case str():
            return f'"{value}"' if value.isprintable() else repr(value)
        case bool():
            return str(value).lower()
        case int() if is_hex and value >= 0:
            return f"0x{value:X}"
        case float():
            return f"{value:g}"
        case _:
            return str(value)
