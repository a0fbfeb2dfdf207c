"""Reading a trace as any program would: JSON, one object a line."""

import gzip
import json
from pathlib import Path
from typing import Any


def read_trace(path: Path) -> list[dict[str, Any]]:
    """Return the header and the samples."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [json.loads(line) for line in text.splitlines()]


def place_of(header: dict[str, Any], spot: str) -> int:
    """Return the place of a cell or key among the readings of each sample."""
    return [each["spot"] for each in header["electrodes"]].index(spot)
