"""Writes profiles as TOML text, laid out and commented like a file written by a person."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

from hal.base import schema
from hal.base.errors import ProfileError
from hal.base.files import read_whole, write_whole
from hal.profile.profile import Pin, Profile
from hal.profile.reader import named, parsed

_COMMENT_COLUMN = 33

Table = Mapping[str, Any]


def write(profile: Profile, notes: Sequence[str] = ()) -> str:
    """Write a profile as TOML that reads as an equal one; the notes become comments on top."""
    comments = tomllib.loads(files("hal.profile").joinpath("comments.toml").read_text("utf-8"))
    above = comments["sections"]
    if profile.pico is not None:
        above |= comments["pico"]
    head = [_title(profile), *(" ".join(note.split()) for note in notes), "", above["head"]]
    sections = [_commented("\n".join(head))]
    for name, table in _tables(profile):
        text = "\n".join(_lines(table, comments["fields"]))
        if name == "cells":
            # An empty line between rows: "a5", then "b1", or "H1", then "A2".
            text = re.sub(r"(?m)^(\D+)(\d+)( = .*)\n(?!\1\d|\D+\2 )", r"\1\2\3\n\n", text)
        header = f"[{name}]\n" if name else ""
        if name == "pico.buses":
            sections[-1] += f"\n{header}{text}"
        else:
            comment = _commented(above[name]) + "\n" if name in above else ""
            sections.append(f"{comment}{header}{text}")
        if name == "power" and profile.night is None:
            sections.append(_commented(above["no_night"]))
    return "\n\n".join(each.rstrip() for each in sections) + "\n"


def check(profile: Profile) -> None:
    """Raise ProfileError, with the key and what is allowed, if `load` could not read it back."""
    trial = Path("this makes no profile")
    with named(trial):
        read = parsed(write(profile))
    if read != profile:
        raise ProfileError(f"{trial}: it would be read as another one")


def save(profile: Profile, path: Path, notes: Sequence[str] = ()) -> Path | None:
    """Write a valid profile to a file; return the path to which an older one was copied."""
    check(profile)
    backup = older(path) if path.exists() else None
    if backup is not None:
        write_whole(backup, read_whole(path))
    write_whole(path, write(profile, notes).encode())
    return backup


def older(path: Path) -> Path:
    """Return a free path to copy an older file to: "<name>.old", then ".old2"."""
    names = (f"{path.name}.old{number if number > 1 else ''}" for number in count(1))
    return next(each for each in map(path.with_name, names) if not each.exists())


class _Hex(int):
    def __repr__(self) -> str:
        return f"0x{self:X}"


def _tables(profile: Profile) -> Iterator[tuple[str, Table]]:
    yield "", {"name": profile.name, "title": profile.title}
    yield "sensing", asdict(profile.sensing)
    yield "measuring", asdict(profile.measuring)
    if profile.pico is not None:
        yield "pico", {"port": profile.pico.port}
        yield "pico.buses", {str(n): asdict(pins) for n, pins in profile.pico.buses.items()}
    chips: dict[str, Table] = {}
    for chip in profile.chips:
        behind = {} if chip.mux is None else {"mux": _Hex(chip.mux), "channel": chip.channel}
        chips[chip.name] = {"bus": chip.bus, **behind, "address": _Hex(chip.address)}
    yield "chips", chips
    yield "interrupt", {"pin": profile.interrupt_pin}
    yield "strip", asdict(profile.strip)
    yield "power", schema.asdict(profile.power)
    if profile.night is not None:
        yield "night", schema.asdict(profile.night)
    keys = profile.keys.items()
    yield "keys", {n: {"pin": k.number} if isinstance(k, Pin) else asdict(k) for n, k in keys}
    pixels = profile.pixels
    cells = {
        cell: asdict(pad) | ({"pixel": pixels[cell]} if cell in pixels else {})
        for cell, pad in profile.cells.items()
    }
    yield "cells", cells
    lights = profile.lights.items()
    yield "lights", {name: [pixels[f"{name}.{n}"] for n in range(count)] for name, count in lights}


def _lines(table: Table, comments: Mapping[str, str]) -> Iterator[str]:
    for name, value in table.items():
        entry = f"{name} = {_written(value)}"
        comment = "" if isinstance(value, dict | list) else comments.get(name, "")
        yield f"{entry:<{_COMMENT_COLUMN - 1}} # {comment}" if comment else entry


def _written(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            # For printable text, JSON's escapes are valid in TOML too.
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            pairs = (f"{name} = {_written(each)}" for name, each in value.items())
            return f"{{ {', '.join(pairs)} }}"
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case _:
            return repr(value)


def _title(profile: Profile) -> str:
    things = (
        (len(profile.cells), "cell"),
        (len(profile.chips), "touch chip"),
        (profile.pixel_count, "pixel"),
        (len(profile.keys), "key"),
    )
    counted = [f"{number} {thing}{'s' * (number != 1)}" for number, thing in things]
    return f"A board of {', '.join(counted[:-1])} and {counted[-1]}, written by `lifeboard learn`."


def _commented(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())
