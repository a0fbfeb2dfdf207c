"""The texts on a board's silkscreen, and the fiducials of placing machines."""

from collections.abc import Iterable
from math import hypot

import pcbnew

from hardware.board import kinds
from hardware.board.drawing import Box, Drawing, at, box_of, grown, mm, ring
from hardware.board.field import MARK

SPIRAL = sorted(
    ((dx * 0.4, dy * 0.4) for dx in range(-12, 13) for dy in range(-12, 13)),
    key=lambda at: hypot(*at),
)
"""Offsets at which to try a text, from near to far."""
NEVER_BOTH = "Raspberry Pi OR Pico, never both"
Taken = dict[int, list[Box]]
"""The occupied boxes of each silkscreen layer."""


def add_fiducials(drawing: Drawing) -> None:
    """Place a fiducial near three corners, where nothing else is."""
    taken = [box_of(each.GetBoundingBox(False)) for each in drawing.board.GetFootprints()]
    width, height = drawing.plan.half
    for number, (right, down) in enumerate(((-1, -1), (1, -1), (1, 1)), start=1):
        spots = (
            (right * (width - 4 - far), down * (height - 4 - other))
            for far in range(60)
            for other in range(12)
        )
        x, y = next(
            at for at in spots if _free((at[0] - 1.5, at[1] - 1.5, at[0] + 1.5, at[1] + 1.5), taken)
        )
        mark = drawing.footprint("Fiducial:Fiducial_1mm_Mask2mm")
        mark.SetReference(f"FID{number}")
        mark.SetAttributes(mark.GetAttributes() | pcbnew.FP_BOARD_ONLY)
        drawing.board.Add(mark)
        mark.SetPosition(at(x, y))
        mark.Flip(mark.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
        mark.Reference().SetVisible(False)
        drawing.marks.append((x, y))
        bare = drawing.rule_area((pcbnew.B_Cu,), ring(x, y, MARK))
        bare.SetDoNotAllowCopperPour(True)


def add_texts(drawing: Drawing) -> None:
    """Print references, nets of test points, names of cells, and notes."""
    taken: Taken = {pcbnew.F_SilkS: [], pcbnew.B_SilkS: []}
    for footprint in drawing.board.GetFootprints():
        for pad in footprint.Pads():
            box = grown(box_of(pad.GetBoundingBox()), 0.2)
            taken[pcbnew.B_SilkS].append(box)
            if pad.IsOnLayer(pcbnew.F_Mask) or pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH:
                taken[pcbnew.F_SilkS].append(box)
        for item in footprint.GraphicalItems():
            if item.GetLayer() in taken:
                taken[item.GetLayer()].append(grown(box_of(item.GetBoundingBox()), 0.1))
    for name, spot in drawing.plan.pads.items():
        _print(drawing, name, spot.x, spot.y, 2.0, pcbnew.F_SilkS, taken)
    title = f"lifeboard {drawing.plan.title}"
    for layer in taken:
        _print(drawing, title, 0, 3 - drawing.plan.half[1], 1.5, layer, taken)
        if {"pi", "pico"} <= drawing.plan.connectors.keys():
            one, other = (drawing.plan.connectors[name].at(-25, 0) for name in ("pi", "pico"))
            x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
            _print(drawing, NEVER_BOTH, x, y, 1.2, layer, taken, far=8)
    for part in drawing.parts:
        footprint = drawing.board.FindFootprintByReference(part.reference)
        own = footprint.Reference()
        if part.kind == kinds.TEST_POINT:
            own.SetVisible(False)
            net = next(iter(part.nets.values()))
            _print(drawing, net, part.spot.x, part.spot.y, 0.8, pcbnew.B_SilkS, taken)
            continue
        text = _print(drawing, part.reference, part.spot.x, part.spot.y, 0.8, pcbnew.B_SilkS, taken)
        if text is None:
            own.SetVisible(False)
            continue
        _style(own, 0.8)
        own.SetTextAngleDegrees(0)
        own.SetKeepUpright(False)
        own.SetPosition(text.GetPosition())
        drawing.board.Delete(text)


def _print(
    drawing: Drawing,
    words: str,
    x: float,
    y: float,
    size: float,
    layer: int,
    taken: Taken,
    far: float = 1,
) -> pcbnew.PCB_TEXT | None:
    """Print words as near to a place as they fit; None if not within 5 mm, or `far` times that."""
    text = pcbnew.PCB_TEXT(drawing.board)
    text.SetText(words)
    text.SetLayer(layer)
    text.SetMirrored(layer == pcbnew.B_SilkS)
    _style(text, size)
    text.SetPosition(at(x, y))
    box = grown(box_of(text.GetBoundingBox()), 0.1)
    width, height = drawing.plan.half
    near = [each for each in taken[layer] if _apart(each, (x, y)) < 12 * far + box[2] - box[0]]
    for dx, dy in ((far * a, far * b) for a, b in SPIRAL):
        moved = (box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy)
        inside = max(-moved[0], moved[2]) < width - 0.5 and max(-moved[1], moved[3]) < height - 0.5
        if inside and _free(moved, near):
            text.SetPosition(at(x + dx, y + dy))
            drawing.board.Add(text)
            taken[layer].append(moved)
            return text
    return None


def _style(text: pcbnew.EDA_TEXT, size: float) -> None:
    """Set a text's size in mm, with lines an eighth as thick."""
    text.SetTextSize(pcbnew.VECTOR2I_MM(size, size))
    text.SetTextThickness(mm(max(0.12, size / 8)))
    text.SetHorizJustify(pcbnew.GR_TEXT_H_ALIGN_CENTER)
    text.SetVertJustify(pcbnew.GR_TEXT_V_ALIGN_CENTER)


def _free(box: Box, taken: Iterable[Box]) -> bool:
    a, b, c, d = box
    return all(
        c <= left or right <= a or d <= top or bottom <= b for left, top, right, bottom in taken
    )


def _apart(box: Box, point: tuple[float, float]) -> float:
    x, y = point
    return max(box[0] - x, x - box[2], box[1] - y, y - box[3], 0)
