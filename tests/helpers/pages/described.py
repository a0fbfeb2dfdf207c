"""What the page's own files say about the messages that it is sent."""

import re

from game.web.server import page_folder

JS = "".join(
    (page_folder() / name).read_text(encoding="utf-8")
    for name in ("messages.js", "tool_messages.js")
)
DESCRIBED = {
    kind: set(re.findall(r"@property \{[^}]+\}+ \[?(\w+)", rest))
    for kind, rest in re.findall(r"@typedef \{object\} (\w+)(.*?)\*/", JS, re.DOTALL)
}
"""The keys of each message."""
