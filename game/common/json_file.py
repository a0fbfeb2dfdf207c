"""A small JSON file with a version, such as the PIN's, that is written atomically."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hal.base.files import decoded, read_whole, write_whole


def read_json(path: Path, version: int) -> dict[str, Any]:
    """Read a file's object; raises OSError, or ValueError, which never quotes the content."""
    try:
        content = json.loads(decoded(read_whole(path)))
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if not isinstance(content, dict) or content.get("version") != version:
        raise ValueError(f"version is not {version}")
    return content


def write_json(
    path: Path,
    version: int,
    content: Mapping[str, Any],
    mode: int,
    owner: tuple[int, int] | None = None,
) -> None:
    text = json.dumps({"version": version, **content}, sort_keys=True) + "\n"
    write_whole(path, text.encode(), mode, owner)
