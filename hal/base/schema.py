"""Checks untrusted input against types; errors name the key, its value and what is allowed.

msgspec does the checking. `Meta(title=...)` says in words what a type allows,
`Meta(description=...)` what a field means, and a field of the type `Secret` is never shown.
"""

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from reprlib import Repr
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta as Meta
from msgspec import Struct as Struct
from msgspec import field as field
from msgspec import inspect, structs
from msgspec import to_builtins as to_builtins
from msgspec.structs import asdict as asdict
from msgspec.structs import astuple as astuple

_T = TypeVar("_T")
_Record = inspect.StructType | inspect.DataclassType
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 80
# msgspec names the keys of structs and the positions in lists, but not the keys of other objects.
_PATH = re.compile(r"\.([^.\[\]`]+)|\[(\d+)\]|(\[\.\.\.\]|`key`)")
_NAMED = re.compile(r"Object (missing required|contains unknown) field `(.*?)`")

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
        raise _explain(str(error), value, kind) from None


def convert_table(table: dict[str, Any], kind: type[_T]) -> _T:
    """Convert a TOML file; raise SchemaError for unknown keys, even in nested dataclasses."""
    for each in structs.fields(kind):  # type: ignore[arg-type]
        if is_dataclass(each.type) and isinstance(inner := table.get(each.encode_name), dict):
            known = [field.name for field in dataclass_fields(each.type)]
            for key in [each for each in inner if each not in known]:
                raise SchemaError((each.encode_name, key), "is unknown", ", ".join(known))
    return convert(table, kind)


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
    return Meta(pattern=rf"^({pattern})\Z", title=" or ".join(map(_quoted, choices)))


def short(value: object) -> str:
    """Format a value for an error message, cut if it is long."""
    return _SHORT.repr(value)


def secrets(kind: type[Struct]) -> frozenset[str]:
    """Return the names of a struct's fields that are secret."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return frozenset(each.encode_name for each in info.fields if _is_secret(each.type))


def describe(info: inspect.Type) -> str:
    """Describe in words what a type allows."""
    match info:
        case inspect.Metadata(type=bare):
            return _title(info) or describe(bare)
        case inspect.StrType(max_length=most):
            return "a text" if most is None else f"a text of at most {most} letters"
        case inspect.IntType(ge=low, le=high):
            return f"a whole number{_range(low, high)}"
        case inspect.FloatType(ge=low, le=high):
            return f"a number{_range(low, high)}"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case inspect.EnumType(cls=cls):
            return " or ".join(_quoted(each.value) for each in cls)
        case inspect.LiteralType(values=values):
            return " or ".join(map(_quoted, values))
        case inspect.ListType() | inspect.VarTupleType():
            return f"a list{_count(info)}, each {describe(info.item_type)}"
        case inspect.DictType(value_type=each):
            keys = f"{count} keys" if (count := _count(info)) else ""
            return f"an object{keys}, each {describe(each)}"
        case inspect.UnionType(types=types):
            return " or ".join(map(describe, types))
        case inspect.StructType() | inspect.DataclassType():
            return f"an object with {_keys(info)}"
    return "any value"


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _range(low: float | None, high: float | None) -> str:
    if low is None:
        return "" if high is None else f" up to {high}"
    return f" from {low} on" if high is None else f" from {low} to {high}"


def _count(info: inspect.ListType | inspect.VarTupleType | inspect.DictType) -> str:
    if info.max_length is None:
        return f" of {info.min_length} or more" if info.min_length else ""
    return f" of {info.min_length or 'at'} {'to' if info.min_length else 'most'} {info.max_length}"


def _is_secret(info: inspect.Type) -> bool:
    return isinstance(info, inspect.Metadata) and bool((info.extra or {}).get("secret"))


def _title(info: inspect.Type) -> str:
    if not isinstance(info, inspect.Metadata):
        return ""
    return str((info.extra_json_schema or {}).get("title", ""))


def _explain(text: str, document: Any, kind: Any) -> SchemaError:
    """Convert a msgspec error to a SchemaError, with the value at its path."""
    problem, _, where = text.partition(" - at ")
    value, info = document, inspect.type_info(kind)
    path: list[str | int] = []
    named = _NAMED.match(problem)
    steps = [step for step in _PATH.findall(where) if "`key`" not in step]
    for key, position, _ in steps:
        bare = _struct(info, value)
        if _is_secret(info) or (_title(info) and not isinstance(bare, _Record)):
            break
        info = bare
        if key:
            if (inner := _field(info, key)) is None:  # the tag of a union
                given = value.get(key)
                return SchemaError((*path, key), f"is {short(given)}", _tags(info), given)
            path, value, info = [*path, key], value[key], inner
        elif position and isinstance(info, inspect.ListType | inspect.VarTupleType):
            path, value, info = [*path, int(position)], value[int(position)], info.item_type
        elif isinstance(info, inspect.DictType):
            wrong = _wrong_key(text, document, path, kind)
            path, value, info = [*path, wrong], value[wrong], info.value_type
        else:
            break
    if "`key`" in where and isinstance(info, inspect.DictType):
        wrong = _wrong_key(text, document, path, kind)
        return SchemaError((*path, wrong), "has a bad name", describe(info.key_type))
    if named:
        key, info = named[2], _struct(info, value)
        inner = _field(info, key)
        if named[1].startswith("contains"):
            return SchemaError((*path, key), "is unknown", _keys(info))
        return SchemaError((*path, key), "is missing", describe(inner) if inner else _tags(info))
    if _is_secret(info):
        return SchemaError(path, "has another form", describe(info))
    return SchemaError(path, f"is {short(value)}", describe(info), value)


def _wrong_key(text: str, document: Any, path: Sequence[str | int], kind: Any) -> str:
    """Return the invalid key of the object at a path."""
    copy = deepcopy(document)
    target = copy
    for step in path:
        target = target[step]
    for key, value in list(target.items()):
        target.clear()
        target[key] = value
        try:
            msgspec.convert(copy, kind)
        except msgspec.ValidationError as error:
            if str(error) == text:
                return str(key)
    raise AssertionError(text)


def _struct(info: inspect.Type, value: Any) -> inspect.Type:
    """Return the member of a union that a value belongs to, if it has a known tag."""
    if isinstance(info, inspect.Metadata):
        return _struct(info.type, value)
    if not isinstance(info, inspect.UnionType):
        return info
    for each in (_struct(kind, value) for kind in info.types):
        match each:
            case inspect.StructType(tag=None) | inspect.DataclassType() | inspect.DictType() if (
                isinstance(value, dict)
            ):
                return each
            case inspect.StructType(tag_field=str(field), tag=tag) if isinstance(value, dict):
                if value.get(field) == tag:
                    return each
            case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list):
                return each
    return info


def _field(info: inspect.Type, key: str) -> inspect.Type | None:
    fields = info.fields if isinstance(info, _Record) else ()
    return next((each.type for each in fields if each.encode_name == key), None)


def _keys(info: inspect.Type) -> str:
    fields = info.fields if isinstance(info, _Record) else ()
    return ", ".join(each.encode_name for each in fields) or "no keys"


def _tags(info: inspect.Type) -> str:
    kinds = info.types if isinstance(info, inspect.UnionType) else (info,)
    return ", ".join(str(each.tag) for each in kinds if isinstance(each, inspect.StructType))
