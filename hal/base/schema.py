"""Checks untrusted input against types; errors name the key, its value and what is allowed.

msgspec does the checking. `Meta(title=...)` says in words what a type allows,
`Meta(description=...)` what a field means, and a field of the type `Secret` is never shown.
"""

import re
from collections.abc import Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import cache
from reprlib import Repr
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta as Meta
from msgspec import Struct as Struct
from msgspec import field as field
from msgspec import inspect, structs
from msgspec import to_builtins as to_builtins
from msgspec.structs import asdict as asdict
from msgspec.structs import astuple as astuple

_T = TypeVar("_T")
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_info = cache(inspect.type_info)

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
    except msgspec.ValidationError:
        raise _explain(value, kind) from None


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


def _explain(value: Any, kind: Any, path: tuple[str | int, ...] = ()) -> SchemaError:
    """Return the error of the first part of a value that does not convert.

    msgspec does not say which key of an object that is no struct. Parts are not named of a secret,
    nor of a list or object that a title describes.
    """
    info, bare = _info(kind), _member(kind, value)
    known = _info(bare)
    if _is_secret(info):
        return SchemaError(path, "has another form", describe(info))
    match known, value:
        case ((inspect.StructType() | inspect.DataclassType()), dict()):
            hints = get_type_hints(bare, include_extras=True)
            types = {each.encode_name: hints[each.name] for each in known.fields}
            strict, tag = False, None
            if isinstance(known, inspect.StructType):
                strict, tag = known.forbid_unknown_fields, known.tag_field
            for key, part in value.items():
                if key in types and not _converts(part, types[key]):
                    return _explain(part, types[key], (*path, key))
                if key not in types and strict and key != tag:
                    return SchemaError((*path, key), "is unknown", _keys(known))
            for each in known.fields:
                if each.required and (key := each.encode_name) not in value:
                    return SchemaError((*path, key), "is missing", describe(each.type))
        case inspect.UnionType(types=kinds), dict():
            tagged = [each for each in kinds if isinstance(each, inspect.StructType)]
            for key in [each.tag_field for each in tagged[:1] if each.tag_field is not None]:
                what = f"is {short(value[key])}" if key in value else "is missing"
                tags = ", ".join(str(each.tag) for each in tagged)
                return SchemaError((*path, key), what, tags)
        case inspect.DictType(), dict() if not _title(info):
            of_key, of_value = get_args(bare)
            for key, part in value.items():
                if not _converts(key, of_key):
                    return SchemaError((*path, key), "has a bad name", describe(known.key_type))
                if not _converts(part, of_value):
                    return _explain(part, of_value, (*path, key))
        case ((inspect.ListType() | inspect.VarTupleType()), list()) if not _title(info):
            for place, part in enumerate(value):
                if not _converts(part, get_args(bare)[0]):
                    return _explain(part, get_args(bare)[0], (*path, place))
    return SchemaError(path, f"is {short(value)}", describe(info), value)


def _converts(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _member(kind: Any, value: Any) -> Any:
    """Return a type without constraints: of a union the member that fits a value, or its tag."""
    if get_origin(kind) is Annotated:
        return _member(get_args(kind)[0], value)
    if get_origin(kind) not in (Union, UnionType):
        return kind
    for each in [_member(each, value) for each in get_args(kind)]:
        match _info(each), value:
            case inspect.StructType(tag_field=str(field), tag=tag), dict():
                if value.get(field) == tag:
                    return each
            case ((inspect.StructType() | inspect.DataclassType() | inspect.DictType()), dict()):
                return each
            case ((inspect.ListType() | inspect.VarTupleType()), list()):
                return each
    return kind


def _keys(info: inspect.StructType | inspect.DataclassType) -> str:
    return ", ".join(each.encode_name for each in info.fields) or "no keys"
