"""`lifeboard board kit`: matches a profile with a board of the rules, and makes its kit.

Owns the command's messages, and how an error of a kit names its place in the profile. Kits are made
in `hardware.kit`; their folder belongs to `folder`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from game.common.errors import AppError
from game.maker.kit.artwork import artwork
from game.maker.kit.folder import check_folder, write
from game.play.board_choice import find
from game.play.board_mapping import graph_of
from game.rules.boards.board import Board
from hal.profile import Profile
from hal.profile.geometry import Point
from hardware.kit.errors import KitError

INSTALL = "python -m pip install 'lifeboard[kit]'"


@dataclass(frozen=True, slots=True)
class KitOptions:
    """The command line's options. `tiled` asks for small circuit boards, too."""

    board: str
    out: Path
    tiled: bool


def kit(options: KitOptions) -> int:
    """Make the kit of a board in a folder, and list its files; raises AppError and OSError."""
    profile = find(options.board)
    check_folder(options.out)
    check(profile, options.board)
    with _told(profile, options.board):
        import_module("hardware.kit.kit")
        _check_sheets(profile)
    print(f"Making the kit of {profile.name} takes half a minute or so.", flush=True)
    files = make_files(profile, tiled=options.tiled, source=options.board)
    write(options.out, profile.name, files)
    size = sum(map(len, files.values())) / 1e6
    print(f"Written {len(files)} files ({size:.1f} MB) to {options.out}. Begin with guide.html.")
    return 0


def check(profile: Profile, source: str) -> None:
    """Raise AppError for a board that obviously cannot have a kit.

    `source` is the board's name on the command line.
    """
    graph = _graph(profile)
    with _told(profile, source):
        from hardware.kit.layout import Grid
        from hardware.kit.preflight import check_board

        check_board(profile, Grid(graph.shape), graph.centres)


def _check_sheets(profile: Profile) -> None:
    from hardware.kit.materials import check_sheets

    if profile.geometry is not None:
        check_sheets(profile.geometry)


def make_files(profile: Profile, *, tiled: bool = False, source: str = "") -> dict[str, bytes]:
    """Make all files of a kit, by their paths in its folder.

    `source` is the board's name in the guide's commands, by default the profile's name. Raises
    AppError for a board that cannot be made, or where a library for it is not installed.
    """
    graph = _graph(profile)
    source = source or profile.name
    with _told(profile, source):
        from hardware.kit.kit import make
        from hardware.kit.layout import Grid

        return make(
            profile,
            Grid(graph.shape),
            graph.centres,
            artwork(profile, graph),
            tiled=tiled,
            source=source,
        )


def _graph(profile: Profile) -> Board:
    graph = graph_of(profile)
    if graph is None:
        raise AppError(
            f'board "{profile.name}" has cells of no board that lifeboard knows: allowed are those'
            " of a hexagon, a disc or a rectangle, all of them"
        )
    return graph


@contextmanager
def _told(profile: Profile, source: str) -> Iterator[None]:
    """Return an AppError that names the missing library or the entry in the profile."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in ("hardware", "hal", "game"):
            raise
        raise AppError(
            f"a kit is made with libraries that are not installed here ({library}):"
            f" `make kit` installs them in a checkout, elsewhere {INSTALL}"
        ) from error
    except KitError as error:
        raise AppError(f"{source}: {_key(profile, error.key)}{error}") from error


def _key(profile: Profile, key: str) -> str:
    """Name a key of [geometry] as in the profile, with its value where that is short."""
    if not key:
        return ""
    section, _, name = f"geometry.{key}".rpartition(".")
    match getattr(profile.geometry, name, None):
        case float() as number:
            return f"[{section}] {name} = {number:g}: "
        case Point(x, y):
            return f"[{section}] {name} = [{x:g}, {y:g}]: "
        case _:
            return f"[{section}] {name}: "
