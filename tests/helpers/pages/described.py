"""Hold messages of a server against their types."""

import json
from typing import Any

from hal.base import schema


def conforms(message: object, kind: Any) -> bool:
    """Tell whether a message, as the page gets it, has just what its type says."""
    sent = json.loads(json.dumps(message))
    converted: object = schema.convert(sent, kind)
    return bool(json.loads(json.dumps(converted)) == sent)
