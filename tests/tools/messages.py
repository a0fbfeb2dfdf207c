"""Write what the page's scripts and the documentation say of messages, from their types.

`make messages` writes `game/web/page/messages.js` and the tables of `docs/websocket.md`; a test
compares both with what this would write.
"""

import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from game.web import server_messages
from game.web.page_messages import FROM_PAGE

ROOT = Path(__file__).parents[2]
PAGE_FILE = ROOT / "game/web/page/messages.js"
DOCUMENT = ROOT / "docs/websocket.md"
HEAD = """/**
 * The messages between this page and its server: their types, and functions that make them.
 * Written by `make messages`, from page_messages.py and server_messages.py.
 */
"""
MARK = "<!-- below: written by `make messages` -->\n"
_COMMENT = re.compile(r"^    (\w+): [^#\n]*?  # (.*)$", re.MULTILINE)
FROM_SERVER = [
    each
    for each in vars(server_messages).values()
    if is_typeddict(each) and "type" in each.__annotations__
]
_SIMPLE = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def script() -> str:
    parts = [HEAD]
    for kind in dict.fromkeys(_types(tuple[*FROM_SERVER])):
        fields = ", ".join(f"{name}: {type_of(hint)}" for name, hint in _fields(kind).items())
        parts.append(_wrapped(f"@typedef {{{{{fields}}}}} {kind.__name__}"))
    for do, kind in FROM_PAGE.items():
        fields = list(_fields(kind))
        values = ", ".join([f'do: "{do}"', *(_property(field) for field in fields)])
        name = kind.__name__[0].lower() + kind.__name__[1:]
        parts.append(
            f"/** {kind.__doc__} */\nexport const {name} = "
            f"({', '.join(map(_camel, fields))}) => ({{ {values} }});\n"
        )
    return "\n".join(parts)


def document() -> str:
    """Return the text of `websocket.md`: what is written by hand, then tables of all messages."""
    by_hand, mark, _ = DOCUMENT.read_text(encoding="utf-8").partition(MARK)
    parts = [by_hand + mark, "## To the board\n", "| `do` | fields | what it does |\n|---|---|---|"]
    for do, kind in FROM_PAGE.items():
        fields = ", ".join(f"`{name}`: {type_of(each)}" for name, each in _fields(kind).items())
        parts.append(f"| `{do}` | {_cell(fields)} | {_cell(kind.__doc__ or '')} |")
    parts.append("\n## From the board\n")
    for kind in FROM_SERVER:
        parts.append(f"### {kind.__name__}\n\n{kind.__doc__}\n\n| field | type | |\n|---|---|---|")
        parts += [f"| `{name}` | {each} |" for name, each in _described(kind).items()]
        parts.append("")
    parts.append("### What these are made of\n\n| type | fields |\n|---|---|")
    for kind in dict.fromkeys(_types(tuple[*FROM_SERVER])):
        if kind not in FROM_SERVER:
            fields = (
                f"`{name}` {each.replace(' |', '')}" for name, each in _described(kind).items()
            )
            parts.append(f"| {kind.__name__} | {'; '.join(fields)} |")
    return "\n".join(parts) + "\n"


def type_of(hint: Any) -> str:
    """Return a type as JSDoc writes it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return type_of(inner[0])
    if origin in (Union, UnionType):
        *others, last = sorted(map(type_of, inner), key=lambda each: each == "null")
        return f"?{others[0]}" if last == "null" and len(others) == 1 else "|".join([*others, last])
    if origin is Literal:
        return "|".join(f'"{each}"' for each in inner)
    if origin in (tuple, list, frozenset, Sequence):
        item = type_of(inner[0])
        return f"{item}[]" if item.isidentifier() or item.endswith("]") else f"({item})[]"
    if origin in (dict, Mapping):
        return f"Object<string, {type_of(inner[1])}>"
    if is_typeddict(hint):
        return str(hint.__name__)
    if issubclass(hint, Enum):
        return "|".join(f'"{each.value}"' for each in hint)
    return _SIMPLE[hint]


def _fields(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    typed = sorted(hints, key=lambda name: name != "type")
    return {name: hints[name] for name in getattr(kind, "__struct_fields__", typed)}


def _types(hint: Any) -> Iterator[type]:
    """Yield a typed dict and those in its fields, after what each is made of."""
    is_dict = is_typeddict(hint)
    for each in get_type_hints(hint).values() if is_dict else get_args(hint):
        yield from _types(each)
    if is_dict:
        yield hint


def _comments(name: str) -> dict[str, str]:
    """Return the comments behind the fields of a typed dict and of those that it is built on."""
    source = inspect.getsource(server_messages)
    if (found := re.search(rf"^class {name}\((.*?)\):\n(.*?)\n\n\n", source, re.M | re.S)) is None:
        return {}
    comments = dict(_COMMENT.findall(found[2] + "\n"))
    for base in found[1].split(", "):
        comments = _comments(base) | comments
    return comments


def _described(kind: type) -> dict[str, str]:
    """Return type and comment of each field, as two cells of a table."""
    comments = _comments(kind.__name__)
    return {
        name: f"{_cell(type_of(hint))} | {_cell(comments.get(name, ''))}".rstrip(" ")
        for name, hint in _fields(kind).items()
    }


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(each.title() for each in others)


def _property(name: str) -> str:
    return name if _camel(name) == name else f"{name}: {_camel(name)}"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _wrapped(text: str) -> str:
    lines = textwrap.wrap(text, 108, break_long_words=False, break_on_hyphens=False)
    return "/** " + "\n *   ".join(lines) + " */\n"


def main() -> None:
    PAGE_FILE.write_text(script(), encoding="utf-8")
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
