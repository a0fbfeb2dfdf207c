"""Checks untrusted input against types; errors name the key, its value and what is allowed.

msgspec does the checking. `Meta(title=...)` says in words what a type allows,
`Meta(description=...)` what a field means, and a field of the type `Secret` is never shown.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from enum import Enum
from reprlib import Repr
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta as Meta
from msgspec import Struct as Struct
from msgspec import field as field
from msgspec import structs
from msgspec import to_builtins as to_builtins
from msgspec.structs import asdict as asdict
from msgspec.structs import astuple as astuple
from msgspec.structs import replace as replace

_T = TypeVar("_T")
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
"""What people call msgspec's types."""

MAX_TEXT = 512
Secret = Annotated[str, Meta(max_length=MAX_TEXT, extra={"secret": True})]
"""A text that is hidden from error messages and `repr`."""


class SchemaError(ValueError):
    """A value that is not allowed: where (`path`), `what` is wrong, and what is `allowed`.

    `value` is the value, if it may be shown.
    """

    def __init__(
        self, path: Sequence[str | int], what: str, allowed: str, value: object = None
    ) -> None:
        self.path, self.what, self.allowed, self.value = tuple(path), what, allowed, value
        thing = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path)
        super().__init__(f"{thing.removeprefix('.') or 'message'} {what}; allowed: {allowed}")


def convert(value: object, kind: type[_T]) -> _T:
    """Convert JSON or TOML values to a type; raises SchemaError."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _explain(error, value, kind) from None


def decode(text: str | bytes, kind: type[_T]) -> _T:
    """Decode JSON as a type; raises SchemaError, also for text that is not JSON."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SchemaError((), f"is not JSON ({error})", "JSON") from None
    return convert(value, kind)


def one_of(*choices: str) -> Meta:
    """Return a constraint that allows only these texts."""
    pattern = "|".join(map(re.escape, choices))
    return Meta(pattern=rf"^({pattern})\Z", title=either(choices))


def short(value: object) -> str:
    """Format a value for an error message, cut if it is long."""
    return _SHORT.repr(value)


def secrets(kind: type[Struct]) -> frozenset[str]:
    """Return the names of a struct's fields that are secret."""
    return frozenset(each.encode_name for each in structs.fields(kind) if each.type == Secret)


def _explain(error: Exception, value: Any, kind: Any, path: tuple[Any, ...] = ()) -> SchemaError:
    """Return the error of the first part that does not convert: msgspec names no keys of a dict.

    A list or dict that a title describes counts as one part.
    """
    bare, title = _bare(kind)
    for key, part, of in _parts(value, bare) if isinstance(bare, type) or not title else ():
        try:
            msgspec.convert(part, of)
        except msgspec.ValidationError as inner:
            return _explain(inner, part, of, (*path, key))
    said = str(error).partition(" - at ")[0]
    if unknown := re.fullmatch("Object contains unknown field `(.*)`", said):
        names = ", ".join(each.encode_name for each in structs.fields(bare)) or "no keys"
        return SchemaError((*path, unknown[1]), "is unknown", names)
    allowed = title or _allowed(said, bare)
    if value is msgspec.UNSET:
        return SchemaError(path, "is missing", allowed)
    if kind == Secret:
        return SchemaError(path, "has another form", allowed)
    return SchemaError(path, f"is {short(value)}", allowed, value)


def _bare(kind: Any) -> tuple[Any, str]:
    """Return a type without constraints and null, and the title of its constraints."""
    if get_origin(kind) is Annotated:
        bare, title = _bare(get_args(kind)[0])
        titles = [each.title for each in get_args(kind)[1:] if each.title is not None]
        return bare, titles[0] if titles else title
    if get_origin(kind) in (Union, UnionType):
        members = [each for each in get_args(kind) if each is not type(None)]
        if len(members) == 1:
            return _bare(members[0])
    return kind, ""


def _parts(value: Any, bare: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """Yield the key, value and type of each part, missing parts of an object included."""
    if isinstance(value, dict) and get_origin(bare) is dict:
        of_key, of_value = get_args(bare)
        for key, part in value.items():
            yield key, key, of_key
            yield key, part, of_value
    elif isinstance(value, dict) and is_dataclass(bare):
        for name, of in get_type_hints(bare, include_extras=True).items():
            yield name, value.get(name, msgspec.UNSET), of
    elif isinstance(value, dict) and isinstance(bare, type) and issubclass(bare, Struct):
        for each in structs.fields(bare):
            if each.required or each.encode_name in value:
                yield each.encode_name, value.get(each.encode_name, msgspec.UNSET), each.type
    elif isinstance(value, list) and (get_origin(bare) is list or get_args(bare)[1:] == (...,)):
        for place, part in enumerate(value):
            yield place, part, get_args(bare)[0]


def _allowed(said: str, bare: Any) -> str:
    """Say in words what msgspec, or a type that lists its values, allows."""
    if get_origin(bare) is Literal:
        return either(get_args(bare))
    if isinstance(bare, type) and issubclass(bare, Enum):
        return either([each.value for each in bare])
    expected = said.removeprefix("Expected ").partition(", got ")[0].replace(" | null", "")
    return re.sub("`(.*?)`", lambda found: _in_words(found[1]), expected)


def _in_words(kinds: str) -> str:
    return " or ".join(_WORDS.get(each, each) for each in kinds.split(" | "))


def either(values: Iterable[object]) -> str:
    """List alternatives: texts in quotes, and numbers as people write them."""
    return " or ".join(map(_written, values))


def _written(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:g}" if isinstance(value, float) else str(value)
