"""Hold messages of a server against their types."""

import json
from typing import Any

from hal.base import schema


def conforms(message: object, kind: Any) -> bool:
    """Return whether a message, as the page gets it, has exactly what its type lists."""
    sent = json.loads(json.dumps(message))
    converted: object = schema.convert(sent, kind)
    return bool(json.loads(json.dumps(converted)) == sent)
