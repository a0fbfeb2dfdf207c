"""The floors of the house: imports go downward, and outside libraries stay in adapters."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# What the host has in common with the Pico, which runs the whole of `firmware`.
SHARED = ("firmware.wire", "firmware.channel", "firmware.messages")
# What each floor may import of ours.
FLOORS = {
    "game.rules": ("game.rules",),
    "game.engine": ("game.engine", "game.rules"),
    "game.table": ("game.table", "game.rules"),
    "game.app": ("game.app", "game.engine", "game.table", "game.rules", "hal", "hardware.kit"),
    "hal": ("hal", *SHARED),
    "firmware": ("firmware",),
    "hardware": ("hardware.kit", "hal"),
}
# Polygons are the language of whoever plans and checks a circuit; plates have theirs in one place.
POLYGONS = (
    *("check", "connectors", "labels", "legend", "nets"),
    *("outlines", "picture", "plan", "shapes", "tiling"),
)
# Nothing but the standard library may be imported elsewhere.
ADAPTERS = {
    "adafruit_mpr121": {"hal.drivers.mpr121"},
    "adafruit_bus_device": {"hal.drivers.mpr121", "hal.drivers.i2c"},
    "adafruit_tca9548a": {"hal.drivers.i2c"},
    "adafruit_extended_bus": {"hal.drivers.i2c"},
    "Adafruit_PureIO": {"hal.drivers.spi"},
    "drawsvg": {"hardware.kit.files.svg"},
    "ezdxf": {"hardware.kit.files.dxf"},
    "gerbonara": {"hardware.kit.circuit.gerber", "hardware.kit.circuit.reading"},
    "rpi_ws281x": {"hal.drivers.ws281x"},
    "gpiozero": {"hal.drivers.pins", "hal.pi", "hal.sim.machine"},
    "jeepney": {"game.app.service.mdns"},
    "lgpio": {"hal.pi"},
    "numpy": {"hardware.kit.circuit.grid", "hardware.kit.circuit.traffic"},
    "platformdirs": {"game.app.data", "game.app.boards"},
    "reportlab": {
        "hardware.kit.files.pdf",
        *(f"hardware.kit.guide.{name}" for name in ("pdf", "pdf_look", "pdf_tables")),
    },
    "segno": {"game.app.seats.qr"},
    "serial": {"hal.coprocessor.port"},
    "shapely": {
        "hardware.kit.plates.regions",
        *(f"hardware.kit.circuit.{name}" for name in POLYGONS),
    },
    "starlette": {"game.app.serve"},
    "tqdm": {"game.app.opponent.match.progress"},
    "uvicorn": {"game.app.serve", "game.app.gate.connection"},
    # These are MicroPython's own, on a Pico.
    "machine": {"firmware.pico", "firmware.pio"},
    "micropython": {"firmware.main", "firmware.pico"},
    "rp2": {"firmware.pio"},
}
# What pure modules must not reach for: I/O, threads, clocks, chance of their own.
IMPURE = {"time", "threading", "socket", "sqlite3", "subprocess", "os", "asyncio", "random"}
PURE = (
    "game.rules",
    "game.engine",
    "game.table",
    "game.app.gate.bounds",
    "hal.touch",
    "hal.stones",
    "hal.oddities",
    "hal.learning",
    "hal.measuring.calibrator",
    "hal.measuring.charge",
    "hal.measuring.margins",
    "hal.measuring.presses",
    "hal.measuring.replay",
    "hal.wiring",
    "hal.light",
    "hal.drivers.mpr121_registers",
    "hal.drivers.ws2812",
    "hal.rhythm",
    "hal.colour",
    "hal.profile",
    "hal.geometry",
    "hardware",
    "hal.events",
    *SHARED,
)


# Files that stand in for MicroPython's own modules, and run in it: no part of any floor.
BELOW = ROOT / "hal/sim/pico/below"


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Read all our modules, once for all tests, which change nothing of them."""
    files = [
        file
        for package in ("game", "hal", "firmware", "hardware")
        for file in sorted((ROOT / package).rglob("*.py"))
        if file.parent != BELOW
    ]
    names = (".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files)
    return tuple(
        (name.removesuffix(".__init__"), ast.parse(file.read_text(encoding="utf-8")))
        for name, file in zip(names, files, strict=True)
    )


def imports(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """Yield each module imported, with the names taken from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, set()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", {alias.name for alias in node.names}


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def floor_of(name: str) -> str | None:
    return next((floor for floor in FLOORS if inside(name, floor)), None)


def violations(name: str, tree: ast.Module) -> list[str]:
    """List what a module imports against the rules of its floor."""
    floor = floor_of(name)
    if floor is None:
        return [] if name == "game" else [f"{name} stands on no floor"]
    allowed = FLOORS[floor]
    wrong = []
    for imported, _ in imports(tree):
        top = imported.partition(".")[0]
        if top in ("game", "hal", "firmware", "hardware"):
            if not any(inside(imported, each) for each in allowed):
                wrong.append(f"{name} imports {imported}")
        elif top not in sys.stdlib_module_names and name not in ADAPTERS.get(top, ()):
            wrong.append(f"{name} imports {imported}; only {sorted(ADAPTERS.get(top, ()))} may")
    return wrong


def test_only_the_command_line_knows_the_service():
    found = [
        f"{name} imports {imported}"
        for name, tree in modules()
        if not inside(name, "game.app.service") and name != "game.app.cli"
        for imported, _ in imports(tree)
        if inside(imported, "game.app.service")
    ]
    assert found == []


def test_imports_go_downward_only():
    assert [each for name, tree in modules() for each in violations(name, tree)] == []


def test_the_check_of_imports_finds_a_breach():
    assert violations("game.table.x", ast.parse("from hal.device import Device"))
    assert violations("hal.x", ast.parse("import game.rules.game"))
    assert violations("game.rules.x", ast.parse("import numpy"))
    assert violations("game.engine.x", ast.parse("from game.table.table import Table"))
    assert violations("game.table.x", ast.parse("from game.engine.search import Search"))
    assert violations("game.app.x", ast.parse("import gpiozero"))
    assert violations("game.stray", ast.parse(""))
    assert violations("hal.x", ast.parse("from firmware.board import Board"))
    assert violations("firmware.x", ast.parse("from hal.light import Frame"))


@pytest.mark.parametrize("package", PURE)
def test_pure_modules_have_no_clock_chance_or_input(package: str):
    found = []
    for name, tree in modules():
        if not inside(name, package):
            continue
        for imported, names in imports(tree):
            seeded = imported == "random" and names == {"Random"}
            if imported.partition(".")[0] in IMPURE and not seeded:
                found.append(f"{name} imports {imported}")
    assert found == []


def test_packages_only_re_export():
    code = [
        name
        for name, tree in modules()
        if (ROOT / name.replace(".", "/")).is_dir()
        for node in tree.body
        if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr | ast.Assign)
    ]
    assert code == []
