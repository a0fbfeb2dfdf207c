"""`lifeboard board kit`: what it writes, says and refuses, called as a person calls it."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from game.cli.main import main
from game.common.errors import AppError
from game.maker.kit.command import check
from hal.profile import Profile, load
from hal.profile.geometry import Point
from hal.profile.writer import save, write
from hardware.kit.errors import KitError
from tests.helpers.kits.boards import seven_cells


def written(folder: Path, profile: Profile) -> str:
    file = folder / "seven.toml"
    save(profile, file)
    return str(file)


def read(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_kit_command_writes_every_part_and_says_where_to_begin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "kit"
    board = written(tmp_path, seven_cells())
    assert main(["board", "kit", board, "--out", str(out), "--tiled"]) == 0
    said = capsys.readouterr().out.splitlines()
    files = read(out)
    assert said[-1].startswith(f"Written {len(files) - 1} files (")
    assert said[-1].endswith(f"to {out}. Begin with guide.html.")
    assert {name.partition("/")[0] for name in files} == {
        *("guide.html", "guide.pdf", "board.toml", "figures.csv", "kit.json"),
        *("parts-foil.csv", "parts-circuit.csv", "parts-tiles.csv"),
        *("foil", "circuit", "tiles", "laser", "top", "wiring"),
    }
    assert all(files.values()), [name for name, content in files.items() if not content]
    assert load(out / "board.toml") == seven_cells()
    assert set(json.loads(files["kit.json"])["files"]) == files.keys() - {"kit.json"}
    with ZipFile(out / "circuit" / "seven.zip") as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    assert inside == {
        name.removeprefix("circuit/"): content
        for name, content in files.items()
        if name.startswith("circuit/") and name.endswith((".gbr", ".drl"))
    }
    assert len(inside) == 10
    # Made once more by another process it is the same, byte for byte, whatever its hash seed is.
    again = [sys.executable, "-m", "game.cli", "board", "kit", board, "--out", str(out), "--tiled"]
    subprocess.run(again, check=True, capture_output=True, timeout=100)
    assert read(out) == files


def numb(profile: Profile) -> Profile:
    """Put a cover on that is so thick that no finger is felt through it."""
    assert profile.geometry is not None
    return replace(profile, geometry=replace(profile.geometry, cover_mm=8.0))


def test_kit_command_refuses_a_board_that_cannot_work_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "kit"
    assert main(["board", "kit", written(tmp_path, numb(seven_cells())), "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("lifeboard: ")
    assert "cover" in said
    assert "allowed" in said
    assert not out.exists()


def test_kit_command_refuses_a_folder_with_other_things_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "thesis.tex").write_text("years", encoding="utf-8")
    assert main(["board", "kit", "hexagon-61", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert "which has other things in it" in said.err
    assert said.out == ""


def test_kit_command_refuses_a_board_without_measures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    board = written(tmp_path, replace(seven_cells(), geometry=None))
    assert main(["board", "kit", board, "--out", str(tmp_path / "kit")]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"lifeboard: {board}: ")
    assert "[geometry] is missing" in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("", ""),
        ("air_mm", "[geometry] air_mm = 10: "),
        ("computer", "[geometry] computer = [-38, -58]: "),
        ("keys.hint", "[geometry.keys] hint: "),
        ("lights.turn1", "[geometry.lights] turn1: "),
    ],
)
def test_kit_command_names_file_section_and_key_of_what_a_kit_refuses(
    key: str, named: str, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object) -> None:
        raise KitError("nothing fits", key)

    monkeypatch.setattr("hardware.kit.preflight.check_board", refuse)
    seven = seven_cells()
    assert seven.geometry is not None
    geometry = replace(seven.geometry, air_mm=10.0, computer=Point(-38.0, -58.0))
    with pytest.raises(AppError) as refused:
        check(replace(seven, geometry=geometry), "my.toml")
    assert str(refused.value) == f"my.toml: {named}nothing fits"


def test_kit_command_refuses_cells_of_no_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = write(seven_cells())
    assert "\nc2 = " in text
    (tmp_path / "odd.toml").write_text(text.replace("\nc2 = ", "\nc9 = "), encoding="utf-8")
    args = ["board", "kit", str(tmp_path / "odd.toml"), "--out", str(tmp_path / "kit")]
    assert main(args) == 1
    assert '"seven" has cells of no board that lifeboard knows' in capsys.readouterr().err


@pytest.mark.parametrize("library", ["drawsvg", "ezdxf", "gerbonara", "reportlab", "shapely"])
def test_kit_command_says_how_to_get_the_libraries_that_it_lacks(library: str, tmp_path: Path):
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from game.cli.main import main\n"
        f"sys.exit(main(['board', 'kit', 'hexagon-37', '--out', {str(tmp_path / 'kit')!r}]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert f"libraries that are not installed here ({library})" in ran.stderr
    assert "`make kit`" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_kit_prospect_needs_no_library():
    lacking = ("drawsvg", "ezdxf", "gerbonara", "numpy", "reportlab", "shapely")
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({lacking!r}))\n"
        "from game.maker.board_report import check\n"
        "print(check('hexagon-61'))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert "kit: what the profile places has room" in ran.stdout


def test_kit_command_is_not_needed_by_others():
    code = (
        "import sys, game.cli.main, game.cli.play, game.maker.board_report\n"
        "print([name for name in sys.modules if name.startswith('hardware')])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout.strip() == "[]"
