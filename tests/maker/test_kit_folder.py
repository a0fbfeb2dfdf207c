"""The folder of a kit: made anew as often as wanted, and no other file is lost."""

import json
import os
from pathlib import Path

import pytest

from game.common.errors import AppError
from game.maker.kit import folder as folders
from game.maker.kit.folder import LIST, check_folder, write

FIRST = {"guide.html": b"one", "foil/foil.svg": b"<svg/>", "tiles/t1/a.gbr": b"G04*"}
SECOND = {"guide.html": b"two", "foil/foil.svg": b"<svg/>", "top/top.svg": b"<svg />"}


def found(folder: Path) -> dict[str, bytes]:
    """Read all files but the list."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != LIST
    }


@pytest.mark.parametrize("new", [True, False])
def test_kit_folder_that_is_new_or_empty_gets_all_files_and_their_list(new: bool, tmp_path: Path):
    out = tmp_path / "a" / "kit"
    if not new:
        out.mkdir(parents=True)
    write(out, "small", FIRST)
    assert found(out) == FIRST
    listed = json.loads((out / LIST).read_text(encoding="utf-8"))
    assert listed["board"] == "small"
    assert sorted(listed["files"]) == sorted(FIRST)
    assert (out / LIST).read_bytes() == folders.listing("small", FIRST)


def test_kit_folder_keeps_a_persons_own_files_beside_the_kit(tmp_path: Path):
    write(tmp_path, "small", FIRST)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "tiles" / "t1" / "photo.jpg").write_bytes(b"me")
    write(tmp_path, "small", SECOND)
    assert found(tmp_path) == SECOND | {"notes.txt": b"mine", "tiles/t1/photo.jpg": b"me"}


@pytest.mark.parametrize("name", ["guide.html", "tiles/t1/a.gbr"])
def test_kit_folder_does_not_lose_a_file_that_was_changed(name: str, tmp_path: Path):
    write(tmp_path, "small", FIRST)
    (tmp_path / name).write_bytes(b"mended by hand")
    before = found(tmp_path), (tmp_path / LIST).read_bytes()
    with pytest.raises(AppError, match=rf"{name} has been changed since it was made, and would"):
        write(tmp_path, "small", SECOND)
    assert (found(tmp_path), (tmp_path / LIST).read_bytes()) == before


def test_kit_folder_refuses_one_with_other_things(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("years", encoding="utf-8")
    with pytest.raises(AppError, match=r"has other things in it: allowed is a new folder"):
        write(tmp_path, "small", FIRST)
    assert found(tmp_path) == {"thesis.tex": b"years"}


def test_kit_folder_refuses_what_is_no_folder(tmp_path: Path):
    (tmp_path / "kit").write_text("a file", encoding="utf-8")
    with pytest.raises(AppError, match=r"kit, which is no folder"):
        write(tmp_path / "kit", "small", FIRST)


def test_kit_folder_that_can_be_made_is_left_unmade_by_the_check(tmp_path: Path):
    check_folder(tmp_path / "a" / "kit")
    assert list(tmp_path.iterdir()) == []


def test_kit_folder_in_which_nothing_can_be_written_is_refused_by_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    # A test may run as root, who may write everywhere.
    monkeypatch.setattr(os, "mkdir", full)
    said = rf"nothing can be written in {tmp_path} \(Permission denied\): allowed is a folder"
    with pytest.raises(AppError, match=said):
        check_folder(tmp_path / "kit")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 3}', "\x00"])
def test_kit_folder_refuses_a_list_that_is_none(text: str, tmp_path: Path):
    (tmp_path / LIST).write_text(text, encoding="utf-8")
    with pytest.raises(AppError, match=r"kit.json is no list of a kit's files"):
        write(tmp_path, "small", FIRST)


@pytest.mark.parametrize("absolute", [True, False])
def test_kit_folder_does_not_leave_its_folder_for_what_a_list_names(absolute: bool, tmp_path: Path):
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"one")
    out = tmp_path / "kit"
    out.mkdir()
    named = str(outside) if absolute else "../outside.txt"
    known = json.loads(folders.listing("small", {named: b"one"}))
    (out / LIST).write_text(json.dumps(known), encoding="utf-8")
    write(out, "small", FIRST)
    assert outside.read_bytes() == b"one"


def test_kit_folder_cut_off_at_any_write_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    real = os.replace
    cuts = 0
    for cut in range(1, 20):
        out = tmp_path / str(cut)
        write(out, "small", FIRST)
        left = cut

        def replace(source: Path, target: Path) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise OSError("the plug was pulled")
            real(source, target)

        monkeypatch.setattr(os, "replace", replace)
        try:
            write(out, "small", SECOND)
        except OSError:
            cuts += 1
        monkeypatch.setattr(os, "replace", real)
        write(out, "small", SECOND)
        assert found(out) == SECOND
        assert (out / LIST).read_bytes() == folders.listing("small", SECOND)
    assert cuts == 5
