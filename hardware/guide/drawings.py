"""Draw the measuring points of a board: `python -m hardware.guide.drawings`."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hardware.board.circuit import Part, circuit
from hardware.board.plan import PLANS, Plan, Spot

FOLDER = Path(__file__).parents[1] / "drawings"
BOARDS = ("hexagon-61", "coupon-4", "disc-32", "rectangle-88")
WIDE_MM, ENLARGED = 92.0, 1.9
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


if __name__ == "__main__":
    for name in BOARDS:
        (FOLDER / f"{name}-below.svg").write_text(drawing(PLANS[name]()), encoding="utf-8")
