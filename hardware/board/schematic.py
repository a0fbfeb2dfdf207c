"""Writes the KiCad schematic of a board: each part with KiCad's symbol, connected by labels."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from hardware.board.circuit import Part
from hardware.board.kinds import Kind
from hardware.board.sexpr import Word, parse, words, write

_GRID_MM = 2.54
_WIDTH_MM = 800.0
_LABEL_MM = 17.78
"""Room for the longest name of a net."""
_FLAG = Kind("power:PWR_FLAG", "", "PWR_FLAG", bought=False)
_FIELDS = (("Manufacturer", "manufacturer"), ("MPN", "part_number"), ("LCSC", "lcsc"))


class Pin(NamedTuple):
    """A symbol's pin: the end for a wire, y up, and the direction from there into the symbol."""

    number: str
    kind: str
    x: float
    y: float
    angle: int


def symbol_uuid(board: str, reference: str) -> str:
    """Return the UUID of a part, which its footprint shares."""
    return str(uuid5(NAMESPACE_URL, f"lifeboard/{board}/{reference}"))


def fields(kind: Kind) -> dict[str, str]:
    """Return the known fields of a part in addition to KiCad's own."""
    return {name: value for name, key in _FIELDS if (value := str(getattr(kind, key)))}


def schematic(board: str, title: str, parts: Sequence[Part], library: Path) -> str:
    """Write the schematic of a board; `library` is the folder of KiCad's symbols.

    Parts are in the order given, in rows. A net with power inputs but no power output gets a power
    flag, which KiCad's electrical rules check requires.
    """
    symbols = {part.kind.symbol: _symbol(library, part.kind.symbol) for part in parts}
    symbols[_FLAG.symbol] = _symbol(library, _FLAG.symbol)
    pins = {name: list(_pins(symbol)) for name, symbol in symbols.items()}
    drawn: list[Any] = []
    x = y = row = 0.0
    for part in (*parts, *_flags(parts, pins)):
        left, top, right, bottom = _extent(pins[part.kind.symbol])
        if x + right - left > _WIDTH_MM:
            x, y, row = 0.0, y + row, 0.0
        row = max(row, bottom - top)
        at = _on_grid(25.4 + x - left), _on_grid(25.4 + y - top)
        drawn += _drawn(board, part, pins[part.kind.symbol], *at)
        x += right - left
    return write(
        [
            Word("kicad_sch"),
            words("version 20250114"),
            [Word("generator"), "lifeboard"],
            [Word("generator_version"), "9.0"],
            [Word("uuid"), symbol_uuid(board, "")],
            [Word("paper"), "User", _WIDTH_MM + 50.8, _on_grid(y + row + 76.2)],
            [Word("title_block"), [Word("title"), title]],
            [Word("lib_symbols"), *symbols.values()],
            *drawn,
            [Word("sheet_instances"), [Word("path"), "/", [Word("page"), "1"]]],
            words("embedded_fonts no"),
        ]
    )


def _symbol(library: Path, name: str) -> list[Any]:
    """Read a symbol, merged with the symbol that it extends, under its full name."""
    folder, _, own = name.partition(":")
    text = (library / f"{folder}.kicad_sym").read_text("utf-8")

    def read(each: str) -> list[Any]:
        found = re.search(rf'^\t\(symbol "{re.escape(each)}"\n.*?^\t\)$', text, re.M | re.S)
        if found is None:
            raise ValueError(f"no symbol {each} in {folder}.kicad_sym")
        return parse(found[0])

    symbol = read(own)
    base = next((item[1] for item in symbol if item[0] == "extends"), None)
    if base is not None:
        mine = {item[1]: item for item in symbol if item[0] == "property"}
        symbol = [mine.pop(item[1], item) if item[0] == "property" else item for item in read(base)]
        for item in symbol:
            if item[0] == "symbol":
                item[1] = item[1].replace(base, own, 1)
        first = next(n for n, item in enumerate(symbol) if item[0] == "symbol")
        symbol[first:first] = mine.values()
    return [symbol[0], name, *symbol[2:]]


def _pins(symbol: Iterable[Any]) -> Iterator[Pin]:
    for item in symbol:
        if item[0] == "symbol":
            yield from _pins(item)
        elif item[0] == "pin":
            found = {each[0]: each for each in item if isinstance(each, list)}
            x, y, angle = found["at"][1:4]
            yield Pin(found["number"][1], str(item[1]), float(x), float(y), int(angle))


def _flags(parts: Sequence[Part], pins: Mapping[str, Sequence[Pin]]) -> list[Part]:
    kinds: dict[str, set[str]] = {}
    for part in parts:
        for pin in pins[part.kind.symbol]:
            kinds.setdefault(part.nets.get(pin.number, ""), set()).add(pin.kind)
    nets = [net for net, found in kinds.items() if net and "power_in" in found]
    spot = parts[0].spot
    return [Part(f"#FLG{n}", _FLAG, spot, {"1": net}) for n, net in enumerate(nets, start=1)]


def _extent(pins: Sequence[Pin]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a symbol with its labels, y down."""
    ends = [(0.0, 0.0), *((pin.x, -pin.y) for pin in pins)]
    for pin in pins:
        dx, dy = {0: (-1, 0), 90: (0, 1), 180: (1, 0), 270: (0, -1)}[pin.angle]
        ends.append((pin.x + dx * _LABEL_MM, -pin.y + dy * _LABEL_MM))
    xs, ys = zip(*ends, strict=True)
    return min(xs) - 7.62, min(ys) - 5.08, max(xs) + 7.62, max(ys) + 5.08


def _on_grid(value: float) -> float:
    return round(round(value / _GRID_MM) * _GRID_MM, 2)


def _drawn(board: str, part: Part, pins: Sequence[Pin], x: float, y: float) -> Iterator[Any]:
    """Draw a part, a label at each of its joined pins, and a cross at each of the others."""
    kind, identity = part.kind, symbol_uuid(board, part.reference)
    hidden = part.reference.startswith("#")
    shown = {"Reference": part.reference, "Value": kind.value}
    top = y - max((pin.y for pin in pins), default=0) - 5.08
    texts = shown | {"Footprint": kind.footprint} | fields(kind)
    yes = {True: Word("yes"), False: Word("no")}
    yield [
        Word("symbol"),
        [Word("lib_id"), kind.symbol],
        [Word("at"), x, y, 0],
        words("unit 1"),
        words("exclude_from_sim no"),
        [Word("in_bom"), yes[kind.bought]],
        words("on_board yes"),
        words("dnp no"),
        [Word("uuid"), identity],
        *(
            [
                *(Word("property"), name, text, [Word("at"), x + 2.54, top + 2.54 * n, 0]),
                _effects(name not in shown or (hidden and name == "Reference"), "left"),
            ]
            for n, (name, text) in enumerate(texts.items())
        ),
        *(
            [
                Word("pin"),
                pin.number,
                [Word("uuid"), symbol_uuid(board, f"{part.reference}.{pin.number}")],
            ]
            for pin in pins
        ),
        [
            Word("instances"),
            [
                *(Word("project"), board),
                [
                    *(Word("path"), f"/{symbol_uuid(board, '')}"),
                    [Word("reference"), part.reference],
                    words("unit 1"),
                ],
            ],
        ],
    ]
    done = set()
    for pin in pins:
        at, net = (round(x + pin.x, 2), round(y - pin.y, 2)), part.nets.get(pin.number)
        if (at, net) in done:
            continue
        done.add((at, net))
        mark = [Word("uuid"), symbol_uuid(board, f"{part.reference}.{pin.number} mark")]
        if net is None:
            yield [Word("no_connect"), [Word("at"), *at], mark]
        else:
            angle = (pin.angle + 180) % 360
            yield [
                *(Word("global_label"), net, words("shape passive"), [Word("at"), *at, angle]),
                _effects(False, "right" if angle in (180, 270) else "left"),
                mark,
            ]


def _effects(hide: bool, side: str) -> list[Any]:
    font = [Word("font"), words("size 1.27 1.27")]
    hidden = [words("hide yes")] if hide else []
    return [Word("effects"), font, words(f"justify {side}"), *hidden]
