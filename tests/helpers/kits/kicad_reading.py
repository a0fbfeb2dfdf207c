"""KiCad's own reading of a circuit's files: what its Gerber viewer makes of them as a board.

Owns how that program is driven, on a screen that nobody sees, and how the board that it exports is
read. Must not know how the files were written. Wants the Debian packages kicad, xvfb and xdotool.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from os import environ
from pathlib import Path
from shutil import which

from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

START_S = 60
STEP_S = 30
LOOK_S = 5
TRIES = 10
NUMBER = r"(-?[\d.]+)"
POINT = rf"{NUMBER} {NUMBER}"


@dataclass
class KicadBoard:
    """Shapes by KiCad's names of layers, and holes as (place, drill), with y up as in Gerber."""

    shapes: dict[str, list[BaseGeometry]] = field(default_factory=dict)
    holes: list[tuple[Point, float]] = field(default_factory=list)


class KicadFailed(Exception):
    """KiCad is not there, or did not do what it was asked."""


def read_by_kicad(files: Mapping[str, bytes], folder: Path) -> KicadBoard:
    """Let KiCad's Gerber viewer open files and export them as a board."""
    missing = [name for name in ("gerbview", "Xvfb", "xdotool") if which(name) is None]
    if missing:
        raise KicadFailed(f"{', '.join(missing)}: missing; apt-get install kicad xvfb xdotool")
    for name, data in files.items():
        (folder / name).write_bytes(data)
    settings = folder / "settings"
    for version in ("6.0", "7.0", "8.0", "9.0"):
        # Without this file KiCad asks where older settings are.
        (settings / version).mkdir(parents=True)
        (settings / version / "kicad_common.json").write_text("{}")
    with _screen() as display:
        env = environ | {
            "DISPLAY": display,
            "HOME": str(settings),
            "KICAD_CONFIG_HOME": str(settings),
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        with subprocess.Popen(
            ["gerbview", *sorted(files)],
            cwd=folder,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as viewer:
            try:
                _export(env)
                viewer.wait(STEP_S)
            finally:
                viewer.kill()
    boards = list(folder.glob("*.kicad_pcb"))
    if len(boards) != 1:
        raise KicadFailed(f"KiCad wrote {len(boards)} boards")
    return parse_board(boards[0].read_text())


def parse_board(text: str) -> KicadBoard:
    """Read what KiCad's Gerber viewer writes, in which y goes down."""
    board = KicadBoard()

    def add(layer: str, shape: BaseGeometry) -> None:
        board.shapes.setdefault(layer, []).append(shape)

    for found in re.finditer(
        rf"\((?:segment|gr_line) \(start {POINT}\) ?\(end {POINT}\)"
        rf"(?: ?\(width {NUMBER}\)| ?\(layer (\S+?)\)){{2}}",
        text,
    ):
        x1, y1, x2, y2, width = map(float, found.groups()[:5])
        line = LineString([(x1, -y1), (x2, -y2)])
        add(found[6], line.buffer(width / 2) if width else line)
    for found in re.finditer(
        rf"\(gr_circle \(center {POINT}\) \(end {POINT}\)\(layer (\S+?)\)", text
    ):
        x, y, edge_x, edge_y = map(float, found.groups()[:4])
        add(found[5], Point(x, -y).buffer(Point(x, y).distance(Point(edge_x, edge_y)), 64))
    for found in re.finditer(r"\(gr_poly \(pts((?:\s*\(xy [^)]*\))+)\s*\)\(layer (\S+?)\)", text):
        corners = re.findall(rf"\(xy {POINT}\)", found[1])
        add(found[2], Polygon((float(x), -float(y)) for x, y in corners))
    for found in re.finditer(rf"\(via \(at {POINT}\) \(size {NUMBER}\) \(drill {NUMBER}\)", text):
        x, y, size, drill = map(float, found.groups())
        board.holes.append((Point(x, -y), drill))
        # A hole without copper is exported as a via of its own size.
        if size > drill + 0.001:
            for layer in ("F.Cu", "B.Cu"):
                add(layer, Point(x, -y).buffer(size / 2, 64))
    return board


@contextmanager
def _screen() -> Iterator[str]:
    with subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        assert server.stdout is not None
        try:
            yield ":" + server.stdout.readline().decode().strip()
        finally:
            server.terminate()


def _export(env: Mapping[str, str]) -> None:
    """Go through the viewer's menu and dialogs, each when its window is there."""
    viewer, name, assign, select = (
        "^Gerber Viewer",
        "^Board File Name",
        "^Automatic Layer",
        "^Layer Selection",
    )
    _at(viewer, env, START_S)
    # The menu has no letters: its last three entries are this one, Print and Quit.
    keys = ("Escape", "Escape", "alt+f", "Up", "Up", "Up", "Return")
    menu = [word for key in keys for word in ("key", key)]
    _step(viewer, menu, name, env)
    _step(name, ["key", "Return"], assign, env)
    _step(assign, ["key", "Return"], select, env)
    place = _at(select, env, STEP_S, "getwindowgeometry", "--shell")
    size = dict(line.split("=") for line in place.split())
    # The button OK, in the lower right corner: the key Return belongs to a list.
    right, low = int(size["WIDTH"]) - 60, int(size["HEIGHT"]) - 23
    _at(select, env, STEP_S, "mousemove", "--window", "%1", str(right), str(low), "click", "1")
    _at(viewer, env, STEP_S, "key", "ctrl+q")


def _step(here: str, keys: list[str], there: str, env: Mapping[str, str]) -> None:
    """Press keys in a window, again if need be, until another one opens.

    A window is there before it listens.
    """
    for _ in range(TRIES):
        with suppress(subprocess.TimeoutExpired):
            _at(here, env, LOOK_S, *keys)
        with suppress(subprocess.TimeoutExpired):
            _at(there, env, LOOK_S)
            return
    raise KicadFailed(f"KiCad's window {here} does not lead to {there}")


def _at(name: str, env: Mapping[str, str], within_s: float, *keys: str) -> str:
    """Do something in a window as soon as it is there."""
    find = ["xdotool", "search", "--sync", "--onlyvisible", "--name", name]
    focus = ["windowfocus", "--sync"] if "key" in keys else []
    for _ in range(TRIES):
        done = subprocess.run(
            [*find, *focus, *keys], env=env, timeout=within_s, capture_output=True, text=True
        )
        # A window may close while xdotool looks at it, before it does anything.
        if "BadWindow" not in done.stderr:
            break
    if done.returncode:
        raise KicadFailed(f"{name}: {done.stderr}")
    return done.stdout
