"""What the page's own file says about the messages that it is sent."""

import re

from game.web.server import page_folder

JS = (page_folder() / "messages.js").read_text(encoding="utf-8")
DESCRIBED = {
    kind: set(re.findall(r"@property \{[^}]+\}+ \[?(\w+)", rest))
    for kind, rest in re.findall(r"@typedef \{object\} (\w+)(.*?)\*/", JS, re.DOTALL)
}
"""The keys of each message."""
