"""The folder of a kit: replaces the files of an earlier kit, and no others.

Owns which files of a folder are a kit's, and that no file is lost that a person has added or
changed. Must not know what is in a kit.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from game.common.errors import AppError
from hal.base.files import read_whole, write_whole

LIST = "kit.json"
"""The file that lists the others, with the digest of each."""
_LARGEST = 1 << 26
"""Most bytes of a kit's file; the largest has 400 KB."""


def listing(board: str, files: Mapping[str, bytes]) -> bytes:
    """Write the list of a kit's files."""
    return _list(board, {name: [_digest(content)] for name, content in files.items()})


def write(folder: Path, board: str, files: Mapping[str, bytes]) -> None:
    """Write a kit into a folder that is new, empty, or has an earlier kit.

    Files that only the earlier kit had are removed. It can be interrupted at any time and repeated.
    Raises AppError, with nothing changed, when the folder has other files, or when a file that
    would be lost was changed; OSError when writing fails.
    """
    digests: dict[str, Sequence[str]] = {name: [_digest(each)] for name, each in files.items()}
    earlier = earlier_files(folder)
    names = {*earlier, *digests}
    known = {name: [*earlier.get(name, ()), *digests.get(name, ())] for name in names}
    for name, own in known.items():
        path = folder / name
        if path.exists() and not (path.is_file() and _digest(read_whole(path, _LARGEST)) in own):
            why = "has been changed since it was made" if name in earlier else "is not from a kit"
            raise AppError(
                f"{path} {why}, and would be lost: allowed is another --out, or to move it away"
            )
    write_whole(folder / LIST, _list(board, known))
    for name, content in files.items():
        write_whole(folder / name, content)
    for name in earlier.keys() - files.keys():
        (folder / name).unlink(missing_ok=True)
        _prune(folder, PurePosixPath(name).parent)
    write_whole(folder / LIST, listing(board, files))


def check_folder(folder: Path) -> None:
    """Raise AppError for a folder that cannot get a kit; change nothing."""
    earlier_files(folder)
    there = folder.absolute()
    while not os.path.lexists(there):
        there = there.parent
    try:
        with tempfile.TemporaryDirectory(dir=there):
            pass
    except NotADirectoryError as error:
        raise AppError(
            f"--out is {folder}, but {there} is no folder: allowed is a new folder, or an empty one"
        ) from error
    except OSError as error:
        raise AppError(
            f"--out is {folder}, but nothing can be written in {there} ({error.strerror}): allowed"
            " is a folder in which you may write"
        ) from error


def earlier_files(folder: Path) -> Mapping[str, Sequence[str]]:
    """Read an earlier kit's digests by path; none if the folder is new or empty.

    Raises AppError for a folder that cannot get a kit.
    """
    if not folder.exists():
        return {}
    if not folder.is_dir():
        raise AppError(f"--out is {folder}, which is no folder: allowed is a new or an empty one")
    try:
        read = json.loads(read_whole(folder / LIST))["files"]
        return {
            name: own
            for name, own in read.items()
            if isinstance(own, list) and not {"..", "/"} & {*PurePosixPath(name).parts}
        }
    except FileNotFoundError:
        if any(folder.iterdir()):
            raise AppError(
                f"--out is {folder}, which has other things in it: allowed is a new folder, an"
                f" empty one, or one in which a kit was made before (with {LIST})"
            ) from None
        return {}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise AppError(
            f"{folder / LIST} is no list of a kit's files: allowed is another --out, or to take"
            " this folder away"
        ) from error


def _list(board: str, digests: Mapping[str, Sequence[str]]) -> bytes:
    return (
        json.dumps({"board": board, "files": digests}, indent=1, sort_keys=True) + "\n"
    ).encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _prune(folder: Path, inner: PurePosixPath) -> None:
    """Remove folders that have become empty."""
    while inner.parts:
        if (folder / inner).is_dir():
            if any((folder / inner).iterdir()):
                return
            (folder / inner).rmdir()
        inner = inner.parent
