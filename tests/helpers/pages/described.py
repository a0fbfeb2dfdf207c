"""What the page's own files say about the messages that it is sent."""

import re

from game.web.server import page_folder

JS = "".join(
    (page_folder() / name).read_text(encoding="utf-8")
    for name in ("messages.js", "tool_messages.js")
)
_TYPE = re.compile(r"@typedef \{(\w+)\} (\w+)(.*?)\*/", re.DOTALL)
_KEY = re.compile(r"@property \{[^}]+\}+ (\[?)(\w+)")
DESCRIBED: dict[str, set[str]] = {}
"""The keys of each message; a message that is based on another one has those that it always has."""

_always: dict[str, set[str]] = {"object": set()}
for base, kind, rest in _TYPE.findall(JS):
    keys = _KEY.findall(rest)
    DESCRIBED[kind] = _always[base] | {key for _, key in keys}
    _always[kind] = _always[base] | {key for optional, key in keys if not optional}
