"""The import rules: downward only, no cycles, outside libraries in adapters, and the diagram."""

import ast
import re
import sys
from collections import Counter

import pytest

from tests.tools.architecture import (
    FACES,
    PAGE,
    ROOT,
    SHARED,
    cycle,
    imported_names,
    inside,
    modules,
    offered,
    past_the_face,
    room_of,
    upward,
    with_pictures,
)

LARGEST_PACKAGE = 5600  # lines; a larger one has several purposes
LONGEST_PAGE_FILE = 300
# Nothing but the standard library may be imported elsewhere.
ADAPTERS = {
    "PIL": {"hardware.case.picture"},
    "adafruit_mpr121": {"hal.drivers.i2c"},
    "adafruit_bus_device": {"hal.drivers.i2c"},
    "rpi_ws281x": {"hal.drivers.ws281x_helper"},
    "adafruit_extended_bus": {"hal.drivers.i2c"},
    "Adafruit_PureIO": {"hal.drivers.spi"},
    "build123d": {"hardware.case.case"},
    "ezdxf": {"hardware.case.case"},
    "gpiozero": {"hal.backends.pi", "hal.sim.platform"},
    "lgpio": {"hal.backends.pi"},
    "msgspec": {"hal.base.schema"},
    "mitsuba": {"hardware.case.picture"},
    "numpy": {"hardware.case.picture"},
    "pcbnew": {
        f"hardware.board.{name}" for name in ("copper", "drawing", "field", "texts", "ways")
    },
    "paho": {"game.remote.mqtt"},
    "platformdirs": {"game.common.data_folder", "game.play.board_choice"},
    "segno": {"game.web.seats"},
    "serial": {"hal.backends.coprocessor.port"},
    "shapely": {f"hardware.case.{name}" for name in ("case", "picture", "prints", "solids")},
    "ifaddr": {"game.common.addresses"},
    "itsdangerous": {"game.web.access.pin"},
    "markdown_it": {"hardware.guide.build"},
    "weasyprint": {"hardware.guide.build"},
    "starlette": {
        "game.web.page_files",
        "game.web.server",
        "game.web.game_library",
        "game.service.updates",
        "game.service.wifi",
        *(f"game.web.access.{n}" for n in ("gate", "login")),
    },
    "uvicorn": {"game.service.wifi", "game.web.server"},
    "websockets": {"game.remote.direct"},
    "zeroconf": {"game.remote.direct"},
    # These are MicroPython's own, on a Pico.
    "machine": {"firmware.pico"},
    "micropython": {"firmware.main", "firmware.pico"},
    "rp2": {"firmware.pico"},
}
# What pure modules must not use: I/O, threads, clocks, randomness of their own.
IMPURE = {"time", "threading", "socket", "sqlite3", "subprocess", "os", "asyncio", "random"}
PURE = (
    "game.rules",
    "game.engine",
    "game.table",
    "game.remote.chain",
    "game.remote.shared_game",
    "game.web.page_messages",
    "game.web.server_messages",
    "hal.base.schema",
    "hal.sensing.touch",
    "hal.learning",
    "hal.measuring",
    "hal.lights.frame",
    "hal.drivers.mpr121_registers",
    "hal.profile.profile",
    "hardware",
    "hal.base.events",
    *SHARED,
)


def foreign(name: str, tree: ast.Module) -> list[str]:
    """List the outside libraries that a module imports although it is no adapter of theirs."""
    tops = {imported.partition(".")[0] for imported, _ in imported_names(tree)}
    return [
        f"{name} imports {top}; only {sorted(ADAPTERS.get(top, ()))} may"
        for top in sorted(tops - {"game", "hal", "firmware", "hardware"})
        if top not in sys.stdlib_module_names and name not in ADAPTERS.get(top, ())
    ]


def test_imports_go_downward_only():
    assert [each for name, tree in modules().items() for each in upward(name, tree)] == []


def test_rooms_with_a_face_are_imported_by_it_only():
    assert [each for name, tree in modules().items() for each in past_the_face(name, tree)] == []


@pytest.mark.parametrize("package", FACES)
def test_a_face_has_few_names_and_a_room_few_files(package):
    assert 3 <= len(offered(package)) - 1 <= 36
    files = sum(room_of(name) == package for name in modules())
    assert files <= {"game.engine": 22, "game.web": 25, "game.maker": 21}.get(package, 15)


def test_files_do_not_import_each_other_in_a_circle():
    assert cycle() == []


def test_outside_libraries_are_imported_in_adapters_only():
    assert [each for name, tree in modules().items() for each in foreign(name, tree)] == []


def test_the_checks_find_a_breach():
    for check, name, line in (
        (past_the_face, "game.play.x", "from game.table.state import State"),
        (past_the_face, "game.play.x", "from game.table import TRANSITIONS"),
        (foreign, "game.cli.x", "import gpiozero"),
        (upward, "game.engine.x", "from game.table.table import Table"),
        (upward, "game.stray", ""),
        (upward, "hal.lights.x", "from firmware.board import Board"),
    ):
        assert check(name, ast.parse(line)), line
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}})


def test_no_loose_module_stands_at_the_top_of_a_package_of_packages():
    for folder in ("game", "hal", "game/rules"):
        loose = {file.name for file in (ROOT / folder).glob("*.py")}
        assert loose <= {"__init__.py", "__main__.py"}


def test_no_room_or_file_of_the_page_is_larger_than_a_person_can_know():
    sizes = Counter[str]()
    for name in modules():
        path = ROOT / name.replace(".", "/")
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        sizes[room_of(name) or name] += file.read_text(encoding="utf-8").count("\n")
    assert {room: size for room, size in sizes.items() if size > LARGEST_PACKAGE} == {}
    page = [file for file in (ROOT / "game/web/page").iterdir() if file.suffix != ".png"]
    sizes = Counter({file.name: file.read_text(encoding="utf-8").count("\n") for file in page})
    assert {file: size for file, size in sizes.items() if size > LONGEST_PAGE_FILE} == {}


def test_pictures_of_rooms_and_phases_are_those_of_the_code():
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```mermaid") == 2
    assert with_pictures(text) == text, "draw them again: python -m tests.tools.architecture"


def test_page_names_files_and_folders_that_exist():
    text = re.sub(r"```.*?```", "", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    named = re.findall(r"`((?:game|hal|firmware|hardware|tests|systemd|docs)/[^`]*)`", text)
    assert len(named) > 30
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_pure_modules_have_no_clock_chance_or_input():
    found = []
    for name, tree in modules().items():
        if not any(inside(name, package) for package in PURE):
            continue
        for imported, names in imported_names(tree):
            seeded = imported == "random" and names == {"Random"}
            outside = imported == "subprocess" and name == "hardware.board.make"  # runs KiCad
            if imported.partition(".")[0] in IMPURE and not seeded and not outside:
                found.append(f"{name} imports {imported}")
    assert found == []


def test_packages_only_re_export():
    code = [
        name
        for name, tree in modules().items()
        if (ROOT / name.replace(".", "/")).is_dir()
        for node in tree.body
        if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr | ast.Assign)
    ]
    assert code == []
