"""`lifeboard board kit`: joins a profile with the board of the rules that it is, and makes its kit.

Owns what is said on the way. How a kit is made stands in `hardware.kit`, its folder in `folder`.
"""

from dataclasses import dataclass
from pathlib import Path

from game.app.boards import find
from game.app.errors import AppError
from game.app.fitting import graph_of
from game.app.kit.artwork import artwork
from game.app.kit.folder import earlier_files, write
from hal.profile import Profile

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
    earlier_files(options.out)
    print(f"Making the kit of {profile.name} takes half a minute or so.", flush=True)
    files = make_files(profile, tiled=options.tiled, source=options.board)
    write(options.out, profile.name, files)
    size = sum(map(len, files.values())) / 1e6
    print(f"Written {len(files)} files ({size:.1f} MB) to {options.out}. Begin with guide.html.")
    return 0


def make_files(profile: Profile, *, tiled: bool = False, source: str = "") -> dict[str, bytes]:
    """Make all files of a kit, by their paths in its folder.

    `source` is what the guide's commands call the board, its name unless told otherwise. Raises
    AppError for a board that cannot be made, or where the libraries for it are not installed.
    """
    graph = graph_of(profile)
    if graph is None:
        raise AppError(
            f'board "{profile.name}" has cells of no board that lifeboard knows: allowed are those'
            " of a hexagon, a disc or a rectangle, all of them"
        )
    try:
        from hardware.kit.errors import KitError
        from hardware.kit.kit import make
        from hardware.kit.layout import Grid
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library in ("hardware", "hal", "game"):
            raise
        raise AppError(
            f"a kit is made with libraries that are not installed here ({library}):"
            f" `make kit` installs them in a checkout, elsewhere {INSTALL}"
        ) from error
    try:
        return make(
            profile,
            Grid(graph.shape),
            graph.centres,
            artwork(profile, graph),
            tiled=tiled,
            source=source or profile.name,
        )
    except KitError as error:
        raise AppError(str(error)) from error
