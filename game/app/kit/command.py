"""`lifeboard board kit`: joins a profile with the board of the rules that it is, and makes its kit.

Owns what is said on the way, and how an error of a kit names its place in the profile. How a kit is
made stands in `hardware.kit`, its folder in `folder`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from game.app.boards import find
from game.app.errors import AppError
from game.app.fitting import graph_of
from game.app.kit.artwork import artwork
from game.app.kit.folder import check_folder, write
from game.rules.board import Board
from hal.geometry import Point
from hal.profile import Profile
from hardware.kit.errors import KitError

INSTALL = "python -m pip install 'lifeboard[kit]'"


@dataclass(frozen=True, slots=True)
class KitOptions:
    """What the command line says. `tiled` asks for small circuit boards, too."""

    board: str
    out: Path
    tiled: bool


def kit(options: KitOptions) -> int:
    """Make the kit of a board in a folder, and say what is there; raises AppError and OSError."""
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
    """Raise AppError for a board of which it is known at once that no kit can be made.

    `source` is what the command line calls the board.
    """
    graph = _graph(profile)
    with _told(profile, source):
        from hardware.kit.layout import Grid
        from hardware.kit.prospect import check_prospect

        check_prospect(profile, Grid(graph.shape), graph.centres)


def _check_sheets(profile: Profile) -> None:
    from hardware.kit.materials import check_sheets

    if profile.geometry is not None:
        check_sheets(profile.geometry)


def make_files(profile: Profile, *, tiled: bool = False, source: str = "") -> dict[str, bytes]:
    """Make all files of a kit, by their paths in its folder.

    `source` is what the guide's commands call the board, its name unless told otherwise. Raises
    AppError for a board that cannot be made, or where the libraries for it are not installed.
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
    """Say as an AppError what a kit lacks: a library, or something of its profile."""
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
    """Name a key of [geometry] as the profile has it, with its value where that is short."""
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
