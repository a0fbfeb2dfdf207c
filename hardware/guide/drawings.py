"""Draw a board's measuring points, and pin 1 of its parts: `python -m hardware.guide.drawings`."""

from cmath import rect
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import radians
from pathlib import Path
from textwrap import wrap
from typing import Any

from hardware.board.circuit import Part, circuit
from hardware.board.kinds import C470U, USB_C
from hardware.board.plan import PLANS, Plan, Spot
from hardware.board.sexpr import parse

FOLDER = Path(__file__).parents[1] / "drawings"
BOARDS = ("hexagon-61", "coupon-4", "disc-32", "rectangle-88")
WIDE_MM, ENLARGED = 92.0, 1.9
_FAB, _ONE = ["layer", "B.Fab"], ("1", "A1")
_STYLE = (
    "text{font:2.6px Helvetica,Arial,sans-serif}.c{fill:#f6f3ea;stroke:#bbb;stroke-width:.2}"
    ".o{fill:none;stroke:#1d1d1b;stroke-width:.35}.b{font-weight:bold}.e{text-anchor:end}"
    ".p{fill:#ccd6e6;stroke:#346;stroke-width:.2}.t{fill:#d98a4a;stroke:#8a4f1d;stroke-width:.15}"
)


def drawing(plan: Plan) -> str:
    """Draw a board from below as SVG, 178 mm wide."""
    parts = circuit(plan)
    half_x, half_y = plan.half
    scale = min(WIDE_MM / (2 * half_x), 0.7)
    wide, high = half_x * 2 * scale, half_y * 2 * scale
    body = [f'<rect x="1" y="5" width="{wide:.1f}" height="{high:.1f}" class="o"/>']

    def whole(spot: Spot) -> tuple[float, float]:
        return (half_x - spot.x) * scale + 1, (spot.y + half_y) * scale + 5

    for at in plan.pads.values():
        x, y = whole(at)
        body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{12.5 * scale:.1f}" class="c"/>')
    for part in parts:
        if part.serves and part.reference.startswith(("U", "J", "SW")):
            end = whole(part.spot)[0] > WIDE_MM * 0.8
            name = part.serves if part.reference.startswith("SW") else _named(part)
            body += _box(part, *whole(part.spot), name, end)
    points = [p for p in parts if p.kind.value == "TestPoint" and not p.serves]
    # Groups around the level shifter, and behind the power socket.
    middles = [plan.connectors[name] for name in ("logic", "usb") if name in plan.connectors]
    groups = [[p for p in points if min(middles, key=p.spot.distance) == at] for at in middles]
    body.append('<text x="103" y="5">Test points, enlarged</text>')
    top = 6.0
    for group in groups:
        around = [p for p in parts if p.reference[0] in "FU" and not p.serves]
        body += [
            f'<circle cx="{x:.2f}" cy="{y:.2f}" r=".5" class="t"/>'
            for x, y in map(whole, (p.spot for p in group))
        ]
        body += _enlarged(group, around, top)
        rows = [part.spot.y for part in group]
        top += ENLARGED * (max(rows) - min(rows)) + 33
    tall = max(high + 6, top)
    size = f'width="178mm" height="{tall:.0f}mm" viewBox="0 0 178 {tall:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><title>{plan.title} from below</title>'
        f"<style>{_STYLE}</style>\n" + "\n".join(body) + "\n</svg>\n"
    )


def _named(part: Part) -> str:
    chip = f"chip {part.serves}" if part.reference.startswith("U") else part.kind.value
    return f"{part.reference} {chip}"


def _box(part: Part, x: float, y: float, name: str, end: bool = False) -> Iterator[str]:
    yield f'<rect x="{x - 1:.1f}" y="{y - 1:.1f}" width="2" height="2" class="p"/>'
    side = f'x="{x - 1.8:.1f}" class="e"' if end else f'x="{x + 1.8:.1f}"'
    yield f'<text {side} y="{y + 0.9:.1f}">{name}</text>'


def _enlarged(group: Sequence[Part], around: Iterable[Part], top: float) -> Iterator[str]:
    """Draw a group of test points enlarged, with their nets and the parts near them."""
    left, right = (pick(part.spot.x for part in group) for pick in (max, min))
    low, high = (pick(part.spot.y for part in group) for pick in (min, max))

    def place(spot: Spot) -> tuple[float, float]:
        return 104 + (left - spot.x) * ENLARGED, top + (spot.y - low + 2) * ENLARGED

    for part in around:
        if right <= part.spot.x <= left and low - 2 <= part.spot.y <= high + 2:
            yield from _box(part, *place(part.spot), part.reference)
    for part in group:
        x, y = place(part.spot)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1" class="t"/>'
        yield (
            f'<text transform="translate({x - 0.9:.1f} {y + 2:.1f}) rotate(90)" class="b">'
            f"{part.nets['1']}</text>"
        )


def pin_1(plan: Plan) -> str:
    """Draw each kind of part in each of its orientations, from below, as in the board's file."""
    file = FOLDER.parent / "boards" / plan.name / f"{plan.name}.kicad_pcb"
    footprints = {}
    for footprint in _lists(parse(file.read_text(encoding="utf-8")), "footprint"):
        names = {each[1]: each[2] for each in _lists(footprint, "property")}
        footprints[names["Reference"]] = footprint
    turned: dict[tuple[str, float], list[str]] = {}
    for part in circuit(plan):
        if part.kind.bought and (part.reference[0] in "DU" or part.kind in (C470U, USB_C)):
            turned.setdefault((part.kind.value, part.spot.turn % 360), []).append(part.reference)
    body = ""
    for n, ((value, turn), references) in enumerate(turned.items()):
        x, y = 22 + n % 5 * 44, 4 + n // 5 * 48
        body += f'<text x="{x}" y="{y}" class="b">{value}</text>\n'
        for k, line in enumerate(wrap(_ranges(references), 24)):
            body += f'<text x="{x}" y="{y + 3.6 + 3.4 * k:.1f}">{line}</text>\n'.replace("~", " ")
        body += _shape(footprints[references[0]], turn, x, y + 31)
    high = 4 + (len(turned) + 4) // 5 * 48
    size = f'width="178mm" height="{high * 178 / 222:.0f}mm" viewBox="0 0 222 {high}"'
    title = f"Pin 1 of the parts of {plan.name}, from below, as its board file has them"
    style = "text{font:3.3px Helvetica,Arial,sans-serif;text-anchor:middle}.b{font-weight:bold}"
    style += ".o{fill:none;stroke:#555}.pad{fill:#d8c9a0}.one{fill:#c22}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><title>{title}</title>'
    return f"{head}<style>{style}</style>\n{body}</svg>\n"


def _lists(node: Sequence[Any], name: str) -> list[Any]:
    return [each for each in node if each[:1] == [name]]


def _ranges(references: Sequence[str]) -> str:
    """Write references as "D1~to~D9, D12", whose lines are broken at spaces only."""
    found = []
    for _, run in groupby(enumerate(references), lambda pair: int(pair[1][1:]) - pair[0]):
        own = [reference for _, reference in run]
        found += [f"{own[0]}~to~{own[-1]}"] if len(own) > 2 else own
    return ", ".join(found)


def _shape(footprint: Sequence[Any], turn: float, x: float, y: float) -> str:
    """Draw outline and pads, enlarged to one size; from below, left is right."""

    def place(point: Sequence[Any]) -> complex:
        return -(rect(1, -radians(turn)) * complex(*map(float, point[1:3]))).conjugate()

    outline = [each[1:3] for each in _lists(footprint, "fp_line") if _FAB in each]
    for area in _lists(footprint, "fp_poly"):
        outline += [area[1][1:] + area[1][1:2]] if _FAB in area and ["fill", "no"] in area else []
    lines = [[place(end) for end in line] for line in outline]
    enlarged = 12 / max(abs(end) for line in lines for end in line)
    body = f'<g transform="translate({x} {y}) scale({enlarged:.3f})" stroke-width="'
    body += f'{0.25 / enlarged:.3f}">'
    for line in lines:
        points = " ".join(f"{each.real:.3f},{each.imag:.3f}" for each in line)
        body += f'<polyline points="{points}" class="o"/>'
    pads = [each for each in _lists(footprint, "pad") if each[2] != "np_thru_hole"]
    for pad in sorted(pads, key=lambda pad: pad[1] in _ONE):
        (at,), (size,) = _lists(pad, "at"), _lists(pad, "size")
        middle, (wide, high) = place(at), (max(0.26, float(side)) for side in size[1:])
        body += f'<rect x="{-wide / 2:.3f}" y="{-high / 2:.3f}" width="{wide}" height="{high}"'
        body += f' transform="translate({middle.real:.3f} {middle.imag:.3f}) rotate({[*at, 0][3]})"'
        body += f' class="{"one" if pad[1] in _ONE else "pad"}"/>'
    return f"{body}</g>\n"


if __name__ == "__main__":
    for name in BOARDS:
        plan = PLANS[name]()
        (FOLDER / f"{name}-below.svg").write_text(drawing(plan), encoding="utf-8")
        (FOLDER / f"{name}-pin-1.svg").write_text(pin_1(plan), encoding="utf-8")
