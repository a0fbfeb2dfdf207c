"""Generated schematics, read back from their text: symbols, pins, labels and flags."""

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from hardware.board import project
from hardware.board.circuit import Part, circuit
from hardware.board.plan import coupon_4
from hardware.board.schematic import fields, schematic, symbol_uuid
from hardware.board.sexpr import Word, parse, write

PIN = '(pin {kind} line (at {x} {y} {turn}) (length 2.54) (name "~") (number "{number}"))'


def library(folder: Path, parts: tuple[Part, ...]) -> Path:
    """Write symbols for these parts: power pins on top, the others at the left, one pin unused."""
    pads: dict[str, set[str]] = {"power:PWR_FLAG": {"1"}}
    for part in parts:
        pads.setdefault(part.kind.symbol, {"free"}).update(part.nets)
    files: dict[str, list[str]] = {}
    for symbol, numbers in pads.items():
        file, _, name = symbol.partition(":")
        pins = []
        for n, number in enumerate(sorted(numbers)):
            kind, x, y, turn = ("passive", -7.62, 2.54 * n, 0)
            if symbol == "LED:WS2812B-2020" and number == "4":
                kind, x, y, turn = ("power_in", 0, 20.32, 270)
            pins.append(PIN.format(kind=kind, x=x, y=y, turn=turn, number=number))
        body = "\n\t\t\t".join(pins)
        files.setdefault(file, []).append(
            f'\t(symbol "{name}"\n\t\t(property "Value" "{name}" (at 0 0 0))\n'
            f'\t\t(symbol "{name}_1_1"\n\t\t\t{body}\n\t\t)\n\t)'
        )
    for file, symbols in files.items():
        text = "\n".join(symbols)
        (folder / f"{file}.kicad_sym").write_text(f"(kicad_symbol_lib\n{text}\n)\n")
    return folder


def items(node: list[Any], name: str) -> list[list[Any]]:
    return [each for each in node if isinstance(each, list) and each[0] == name]


def place(node: list[Any]) -> tuple[float, float]:
    (at,) = items(node, "at")
    return float(at[1]), float(at[2])


def joined(sheet: list[Any]) -> set[tuple[str, str, str | None]]:
    """Read reference, pin and net of all that is joined; a pin with a cross has None."""
    labels: dict[tuple[float, float], str | None] = {
        place(each): each[1] for each in items(sheet, "global_label")
    }
    labels |= {place(each): None for each in items(sheet, "no_connect")}
    (saved,) = items(sheet, "lib_symbols")
    symbols = {each[1]: each for each in items(saved, "symbol")}
    found = set()
    for drawn in items(sheet, "symbol"):
        (lib_id,), (x, y) = items(drawn, "lib_id"), place(drawn)
        reference = next(each[2] for each in items(drawn, "property") if each[1] == "Reference")
        for unit in items(symbols[lib_id[1]], "symbol"):
            for pin in items(unit, "pin"):
                (number,), (px, py) = items(pin, "number"), place(pin)
                found.add((reference, number[1], labels[round(x + px, 2), round(y - py, 2)]))
    return found


@pytest.fixture
def sheet(tmp_path):
    parts = circuit(coupon_4())
    return parse(schematic("coupon-4", "Four", parts, library(tmp_path, parts)))


def test_every_pin_has_the_label_of_its_net_or_a_cross(sheet):
    parts = circuit(coupon_4())
    read = {each for each in joined(sheet) if not each[0].startswith("#")}
    want = {(part.reference, pad, net) for part in parts for pad, net in part.nets.items()}
    assert {each for each in read if each[2] is not None} == want
    assert {each[:2] for each in read if each[2] is None} == {(p.reference, "free") for p in parts}


def test_symbols_have_the_identity_of_their_footprints_and_what_is_ordered(sheet):
    parts = {part.reference: part for part in circuit(coupon_4())}
    for drawn in items(sheet, "symbol"):
        texts = {each[1]: each[2] for each in items(drawn, "property")}
        if (part := parts.get(texts["Reference"])) is None:
            continue
        assert items(drawn, "uuid")[0][1] == symbol_uuid("coupon-4", part.reference)
        assert items(drawn, "in_bom")[0][1] == ("yes" if part.kind.bought else "no")
        assert texts["Footprint"] == part.kind.footprint
        assert fields(part.kind).items() <= texts.items()
    assert symbol_uuid("hexagon-61", "U1") != symbol_uuid("coupon-4", "U1")


def test_text_format_keeps_words_texts_and_lists():
    whole = [Word("a"), "b c", 'say "x"\n\\', [Word("d"), 1, -2.5, 0.1 + 0.2], ["long" * 30]]
    text = write(whole)
    assert parse(text) == ["a", "b c", 'say "x"\n\\', ["d", "1", "-2.5", "0.3"], ["long" * 30]]
    assert isinstance(parse(text)[0], Word)
    assert not isinstance(parse(text)[1], Word)
    for wrong in ("(a", "(a))", "(a) (b)"):
        with pytest.raises(ValueError, match=r"parenthesis|whole"):
            parse(wrong)


def test_rules_are_no_finer_than_the_makers_cheapest_class():
    read = json.loads(project.project("b"))
    rules = read["board"]["design_settings"]["rules"]
    # jlcpcb.com/capabilities/Capabilities, four layers.
    least = {
        **{"min_clearance": 0.1, "min_track_width": 0.1, "min_via_diameter": 0.4},
        **{"min_through_hole_diameter": 0.2, "min_hole_to_hole": 0.45},
        **{"min_hole_clearance": 0.2, "min_copper_edge_clearance": 0.2},
    }
    assert all(rules[name] >= value for name, value in least.items())
    default, power = read["net_settings"]["classes"]
    assert power["track_width"] > default["track_width"] >= rules["min_track_width"]
    assert default["via_diameter"] - default["via_drill"] >= 2 * rules["min_via_annular_width"]
    patterns = [each["pattern"] for each in read["net_settings"]["netclass_patterns"]]
    nets = {net for part in circuit(coupon_4()) for net in part.nets.values()}
    thick = {net for net in nets if any(fnmatchcase(net, each) for each in patterns)}
    assert thick == {"GND", "+5V", "+3V3"}
    assert re.search(r'"filename": "b.kicad_pro"', project.project("b"))
