"""The ready-made kits in hardware/kits: which files of a kit are kept there, and writing them anew.

Run as a program it writes them, which is what `make kits` does.
"""

import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

FOLDER = Path(__file__).parents[3] / "hardware" / "kits"
BOARDS = ("hexagon-61", "hexagon-37", "disc-32", "rectangle-88")


def kept(files: dict[str, bytes]) -> dict[str, bytes]:
    """Choose what is small, and what one orders or wires by: tables, wiring, the circuit's files.

    Drawings and guide are large, and made within a minute.
    """
    return {
        name: content
        for name, content in files.items()
        if name.endswith((".csv", ".zip")) or name.startswith("wiring/wiring-")
    }


def unpacked(files: dict[str, bytes]) -> dict[str, bytes]:
    """Open archives, since the same files can be packed in more than one way."""
    opened = {}
    for name, content in files.items():
        if not name.endswith(".zip"):
            opened[name] = content
            continue
        with ZipFile(BytesIO(content)) as archive:
            for inside in archive.namelist():
                opened[f"{name}/{inside}"] = archive.read(inside)
    return opened


def shipped(board: str) -> dict[str, bytes]:
    """Read what is kept of a board's kit."""
    folder = FOLDER / board
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write(board: str) -> None:
    """Write what is kept of a board's kit, and take away what is no longer."""
    from game.maker.kit.command import make_files
    from hal.profile import built_in

    new = kept(make_files(built_in(board)))
    old = shipped(board)
    for name in old.keys() - new.keys():
        (FOLDER / board / name).unlink()
    for name, content in new.items():
        path = FOLDER / board / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"{board}: {len(new)} files, {sum(map(len, new.values())) // 1000} kB")


if __name__ == "__main__":
    for each in sys.argv[1:] or BOARDS:
        write(each)
