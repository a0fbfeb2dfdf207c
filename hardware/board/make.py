"""Makes all files of boards: schematic, layout, checks, and what a maker is sent.

Runs in KiCad's Python, as in: python3 -m hardware.board.make hardware/boards hexagon-61. The same
plan and KiCad give the same files, byte by byte, but for pictures and STEP.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from hardware.board import copper, orders, texts
from hardware.board.circuit import circuit, led_spots
from hardware.board.drawing import Drawing, fill, read_netlist
from hardware.board.field import Field
from hardware.board.plan import PLANS, Plan
from hardware.board.project import project
from hardware.board.schematic import schematic
from hardware.board.supply import areas
from hardware.board.ways import Report, route

SYMBOLS = Path("/usr/share/kicad/symbols")
LAYERS = "F.Cu,In1.Cu,In2.Cu,B.Cu,F.Mask,B.Mask,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"
_DATES = (
    rb"%TF\.CreationDate,[^*]*\*%\n",
    rb"G04 Created by KiCad[^\n]*\n",
    rb"; DRILL file [^\n]*\n",
    rb"; #@! TF\.CreationDate,[^\n]*\n",
    rb',\s*"CreationDate": "[^"]*"',
)


class BoardError(Exception):
    """A board breaks a rule, or a net of it cannot be routed."""


def make(plan: Plan, folder: Path) -> Report:
    """Make the files of a board, checked. Raises BoardError if the checks find anything."""
    folder.mkdir(parents=True, exist_ok=True)
    board, parts = folder / f"{plan.name}.kicad_pcb", circuit(plan)
    sheet, rules = board.with_suffix(".kicad_sch"), board.with_suffix(".kicad_pro")
    sheet.write_text(schematic(plan.name, plan.title, parts, SYMBOLS), "utf-8")
    rules.write_text(project(plan.name), "utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        names = Path(scratch) / "netlist.xml"
        kicad("sch", "export", "netlist", "--format", "kicadxml", "--output", names, sheet)
        report = lay_out(Drawing(plan, parts, read_netlist(names), board))
        # Saving a board overwrites its rules.
        rules.write_text(project(plan.name), "utf-8")
        board.with_suffix(".kicad_prl").unlink(missing_ok=True)
        whole = filled(board, Path(scratch))
        check(whole, report.failed)
        plot(whole, folder / "gerbers.zip")
        for side in ("top", "bottom"):
            size = ("--width", 1200, "--height", 1200, "--output", folder / f"{side}.png")
            kicad("pcb", "render", "--side", side, *size, whole)
        step = ("--board-only", "--output", board.with_suffix(".step"))
        kicad("pcb", "export", "step", *step, whole)
    (folder / "bom.csv").write_text(orders.parts_list(parts), "utf-8")
    (folder / "cpl.csv").write_text(orders.placements(parts), "utf-8")
    return report


def lay_out(drawing: Drawing) -> Report:
    """Draw all items of a board into its file."""
    drawing.add_outline()
    drawing.add_parts()
    drawing.add_holes()
    texts.add_fiducials(drawing)
    texts.add_texts(drawing)
    planes = areas(drawing.plan, led_spots(drawing.plan))
    report = route(drawing, Field(drawing), planes)
    copper.add_zones(drawing, planes)
    copper.add_walls(drawing)
    drawing.save()
    return report


def filled(board: Path, folder: Path) -> Path:
    """Copy a project into a folder and fill its zones, which triples the size of its file."""
    for kind in (".kicad_pcb", ".kicad_sch", ".kicad_pro"):
        shutil.copy(board.with_suffix(kind), folder)
    fill(folder / board.name)
    shutil.copy(board.with_suffix(".kicad_pro"), folder)
    return folder / board.name


def check(board: Path, failed: Iterable[str] = ()) -> None:
    """Raise BoardError if a rule of the schematic or of the layout is broken, or they differ."""
    found = [f"no way for {net}" for net in failed]
    with tempfile.TemporaryDirectory() as scratch:
        report_file = Path(scratch) / "report.json"
        always = ("--format", "json", "--severity-all", "--output", report_file)
        kicad("sch", "erc", *always, board.with_suffix(".kicad_sch"))
        for page in json.loads(report_file.read_text("utf-8"))["sheets"]:
            found += [_line(each) for each in page["violations"]]
        kicad("pcb", "drc", "--schematic-parity", *always, board)
        report = json.loads(report_file.read_text("utf-8"))
        for kind in ("violations", "unconnected_items", "schematic_parity"):
            found += [_line(each) for each in report[kind]]
    if found:
        raise BoardError("\n".join([f"{board.name}: {len(found)} faults", *found]))


def _line(fault: dict[str, object]) -> str:
    items = fault.get("items")
    place = (
        [f"{item['description']} {item.get('pos')}" for item in items]
        if isinstance(items, list)
        else []
    )
    return f"{fault['type']}: {fault['description']} {place}"


def plot(board: Path, target: Path) -> None:
    """Export Gerbers and drills into a zip, without timestamps."""
    with tempfile.TemporaryDirectory() as scratch:
        own = ("--use-drill-file-origin", "--layers", LAYERS, "--output", f"{scratch}/")
        kicad("pcb", "export", "gerbers", *own, board)
        split = ("--drill-origin", "plot", "--excellon-separate-th", "--output", f"{scratch}/")
        kicad("pcb", "export", "drill", *split, board)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(Path(scratch).iterdir()):
                content = file.read_bytes()
                for date in _DATES:
                    content = re.sub(date, b"", content)
                archive.writestr(zipfile.ZipInfo(file.name), content, zipfile.ZIP_DEFLATED, 9)


def kicad(*words: object) -> None:
    """Run kicad-cli; raise BoardError with its output if it fails."""
    done = subprocess.run(
        ["kicad-cli", *map(str, words)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BoardError(f"kicad-cli {words[0]} {words[1]}: {done.stdout}{done.stderr}")


def main(arguments: list[str] | None = None) -> int:
    """Make the named boards, or all, below a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("boards", nargs="*", metavar="board", help=f"one of {', '.join(PLANS)}")
    chosen = parser.parse_args(arguments)
    for name in chosen.boards or PLANS:
        try:
            report = make(PLANS[name](), chosen.folder / name)
        except BoardError as fault:
            print(fault, file=sys.stderr)
            return 1
        longest = max(report.lengths_mm, key=lambda net: report.lengths_mm[net])
        longest_mm = report.lengths_mm[longest]
        print(f"{name}: {len(report.lengths_mm)} electrodes, longest {longest} {longest_mm} mm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
