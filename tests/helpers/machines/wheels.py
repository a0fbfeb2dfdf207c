"""Wheels of versions of lifeboard that are yet to come."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from tests.helpers.machines.deb_package import wheels
from tests.helpers.shared import built_once, shared_folder

PROGRAM = "game/app/service/run.py"
BROKEN = 'raise SystemExit("this version is broken")\n'


def later(version: str, *, broken: bool = False) -> Path:
    """Return a folder with the wheels of another version, and of all that it needs.

    A broken one ends as soon as it runs as the service.
    """

    def make() -> Path:
        folder = shared_folder() / version
        shutil.copytree(wheels(), folder, ignore=shutil.ignore_patterns("lifeboard-*"))
        (wheel,) = wheels().glob("lifeboard-*.whl")
        _rewrite(wheel, folder, version, {PROGRAM: BROKEN} if broken else {})
        return folder

    return built_once(f"wheels-{version}", make)


def _rewrite(wheel: Path, folder: Path, version: str, changed: Mapping[str, str]) -> None:
    """Write a wheel as it would be of another version, with some files changed."""
    name, old, rest = wheel.name.split("-", 2)
    before, after = f"{name}-{old}.dist-info/", f"{name}-{version}.dist-info/"
    with (
        ZipFile(wheel) as source,
        ZipFile(folder / f"{name}-{version}-{rest}", "w", ZIP_DEFLATED) as made,
    ):
        inside = [each for each in source.namelist() if each != f"{before}RECORD"]
        for each in inside:
            data = changed[each].encode() if each in changed else source.read(each)
            if each == f"{before}METADATA":
                data = data.replace(
                    f"\nVersion: {old}\n".encode(), f"\nVersion: {version}\n".encode()
                )
            made.writestr(each.replace(before, after), data)
        lines = [f"{each.replace(before, after)},," for each in (*inside, f"{before}RECORD")]
        made.writestr(f"{after}RECORD", "\n".join(lines))
