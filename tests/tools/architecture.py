"""The rooms of the program and what they import of each other, read from the source.

Owns the order of the rooms. `python -m tests.tools.architecture` draws the picture of
docs/architecture.md, and a test compares it.
"""

import ast
from collections.abc import Iterator, Mapping, Set
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from game.table.phases import TRANSITIONS, Event, Phase
from game.table.state import RESTING

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "architecture.md"

ROOMS = (
    *("firmware", "hal.base", "hal.lights", "hal.profile", "hal.drivers"),
    *("hal.sensing", "hal.backends", "hal.measuring", "hal.learning", "hal.sim"),
    *("game.rules.boards", "hardware.board", "hardware.guide"),
    *("game.rules.base", "game.rules.food_web", "game.rules.circle_of_life"),
    *("game.rules.eat_your_neighbor", "game.rules.azteka", "game.rules.adaptoid"),
    *("game.rules.cirkle_mind", "hardware.case", "game.rules.capture_go"),
    *("game.engine", "game.table"),
    *("game.common", "game.store", "game.opponent", "game.remote", "game.play"),
    *("game.web.access", "game.web", "game.house", "game.maker"),
    *("game.service", "game.cli"),
)
"""Lowest first: a room imports only from rooms before it."""

FACES = (
    *("hal.lights", "hal.profile", "hal.sensing", "hal.measuring", "hal.learning"),
    *("game.common", "game.engine", "game.table", "game.store", "game.opponent", "game.play"),
    *("game.web.access", "game.web", "game.maker"),
)
"""Packages whose modules other rooms import only through what `__init__` imports."""

SHARED = ("firmware.framing", "firmware.channel", "firmware.messages")
"""What the host has in common with the Pico, which runs the whole of `firmware`."""
ONLY = {
    "firmware": ("firmware",),
    "hal": ("hal", *SHARED),
    "hardware.board": ("hardware.board", "hal", "game.rules.boards"),
    # The cover has the species of one game, and the squares of another.
    "hardware.case": (
        *("hardware.case", "hardware.board"),
        *("game.rules.circle_of_life", "game.rules.cirkle_mind"),
    ),
    "hardware.guide": ("hardware.guide", "hardware.board"),
    "game.rules": ("game.rules",),
    "game.engine": ("game.engine", "game.rules"),
    "game.table": ("game.table", "game.rules"),
}
"""The only packages that these may import."""

TOPS = ("firmware", "hal", "hardware", "game")


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def room_of(name: str) -> str | None:
    return next((room for room in ROOMS if inside(name, room)), None)


@cache
def modules() -> Mapping[str, ast.Module]:
    """Parse every module of the program, by its dotted name."""
    files = (file for top in TOPS for file in sorted((ROOT / top).rglob("*.py")))
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            file.read_text(encoding="utf-8")
        )
        for file in files
    }


def imported_names(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, set()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", {alias.name for alias in node.names}


def imported_modules(tree: ast.AST) -> set[str]:
    """Return the modules of the program that a file imports."""
    found = set()
    for module, names in imported_names(tree):
        for name in (f"{module}.{each}" for each in names or {""}):
            found |= {name, module} & modules().keys() - ({module} if name in modules() else set())
    return found


@cache
def imports() -> Mapping[str, Set[str]]:
    return {name: imported_modules(tree) - {name} for name, tree in modules().items()}


def cycle(graph: Mapping[str, Set[str]] | None = None) -> list[str]:
    """Return modules that import each other in a circle, or nothing."""
    try:
        TopologicalSorter(imports() if graph is None else graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def upward(name: str, tree: ast.Module) -> list[str]:
    """List what a module imports from rooms above its own, or from rooms that it may not know."""
    room = room_of(name)
    if room is None:
        return [] if name in ("game", "hal", "hardware", "game.rules") else [f"{name} has no room"]
    only = next((allowed for package, allowed in ONLY.items() if inside(name, package)), TOPS)
    wrong = []
    for module, _ in imported_names(tree):
        if module.partition(".")[0] not in TOPS:
            continue
        other = room_of(module)
        low_enough = other is None or ROOMS.index(other) <= ROOMS.index(room)
        if not low_enough or not any(inside(module, each) for each in only):
            wrong.append(f"{name} imports {module}")
    return wrong


@cache
def offered(package: str) -> Set[str]:
    """Return the modules of a package that others may import: itself, and what it imports."""
    names = set().union(*(names for _, names in imported_names(modules()[package])))
    return {package} | {f"{package}.{name}" for name in names}


def past_the_face(name: str, tree: ast.Module) -> list[str]:
    """List what a module imports from another room that the room's face does not offer."""
    wrong = []
    for module, names in imported_names(tree):
        for package in FACES:
            if package not in (room_of(module), module) or room_of(name) == package:
                continue
            taken = {f"{package}.{each}" for each in names} if module == package else set()
            wrong += [f"{name} imports {each}" for each in ({module} | taken) - offered(package)]
    return wrong


def picture() -> str:
    """Draw the rooms as a Mermaid diagram, without arrows that follow from others."""
    boxes = list(dict.fromkeys(_box(room) for room in ROOMS))
    every = set()
    for name, found in imports().items():
        ends = {(room_of(name), room_of(each)) for each in found}
        every |= {(_box(a), _box(b)) for a, b in ends if a and b and _box(a) != _box(b)}

    def reaches(start: str, end: str) -> bool:
        return any(b == end or reaches(b, end) for a, b in every if a == start)

    drawn = sorted(
        (a, b) for a, b in every if not any(c != b and reaches(c, b) for x, c in every if x == a)
    )
    lines = ["```mermaid", "flowchart TD"]
    lines += [f'    {box.replace("/", "_")}["{box}"]' for box in reversed(boxes)]
    lines += [f"    {a.replace('/', '_')} --> {b.replace('/', '_')}" for a, b in drawn]
    return "\n".join([*lines, "```"])


def _box(room: str) -> str:
    """Return the box of a room: hal is one, and so are the rules."""
    parts = room.split(".")
    return parts[0] if parts[0] == "hal" else "/".join(parts[:2])


def phases_picture() -> str:
    """Draw the phases of the table; those that follow from the state are one box."""

    def box(phase: Phase | None) -> str:
        return "rest" if phase is None or phase in RESTING else phase.value

    arrows: dict[tuple[str, str], list[str]] = {}
    for event in Event:
        for source in dict.fromkeys(map(box, TRANSITIONS)):
            inside = [phase for phase in TRANSITIONS if box(phase) == source]
            after = {p: TRANSITIONS[p][event] for p in inside if event in TRANSITIONS[p]}
            for end in dict.fromkeys(after.values()):
                words = event.value
                if end is not None and end in RESTING:
                    words += f", to {end.value}"
                if len(after) < len(inside):
                    words += f", not in {' or '.join(p.value for p in inside if p not in after)}"
                arrows.setdefault((source, box(end)), []).append(words)
    named = f'    state "{", ".join(phase.value for phase in RESTING)}" as rest'
    lines = ["```mermaid", "stateDiagram-v2", named, "    [*] --> rest"]
    lines += [f"    {a} --> {b}: {'<br>'.join(words)}" for (a, b), words in arrows.items()]
    return "\n".join([*lines, "```"])


def with_pictures(text: str) -> str:
    """Return a page's text with its diagrams drawn again."""
    for first, drawn in (("flowchart", picture()), ("stateDiagram", phases_picture())):
        before, start, rest = text.partition(f"```mermaid\n{first}")
        text = before + (start and drawn) + rest.partition("```")[2]
    return text


if __name__ == "__main__":
    PAGE.write_text(with_pictures(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
