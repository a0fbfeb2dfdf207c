"""The installed wheel plays, in an empty folder away from the checkout."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import pytest

from hal.profile import built_in_names
from tests.helpers.machines.deb_package import wheel as built_wheel
from tests.helpers.programs.running import Lifeboard, Talk

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel():
    return built_wheel()


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel in a new environment with shared libraries; return its `bin`."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = next(folder.glob("lib/python*/site-packages"))
    # A path file adds the libraries, but not the path files among them: not the checkout.
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"])
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [
            *(*pip, "--python", str(folder / "bin" / "python"), "install"),
            *("--no-deps", "--force-reinstall", "--no-index", str(wheel)),
        ],
        check=True,
        capture_output=True,
    )
    return folder / "bin"


def test_wheel_carries_profiles_page_catalogues_and_firmware_and_nothing_foreign(wheel):
    names = ZipFile(wheel).namelist()
    # The profiles, and nothing from the board folders next to them.
    boards = {name.removeprefix("hal/boards/") for name in names if name.startswith("hal/boards/")}
    assert boards == {f"{name}.toml" for name in built_in_names()}
    assert "game/web/page/index.html" in names
    assert "game/common/locale/it/LC_MESSAGES/lifeboard.mo" in names
    assert "game/rules/cirkle_mind/squares.toml" in names
    for game in ("circle_of_life", "azteka", "adaptoid", "cirkle_mind"):
        assert f"game/rules/{game}/page/art.js" in names
    firmware = {each.stem for each in (ROOT / "firmware").glob("*.py")}
    assert {f"firmware/{name}.py" for name in firmware} <= set(names)
    assert {f"firmware/compiled/{name}.mpy" for name in firmware - {"main"}} <= set(names)
    tops = {name.partition("/")[0] for name in names}
    ours = {"firmware", "game", "hal"}
    assert {top for top in tops if not top.endswith(".dist-info")} == ours


def test_installed_wheel_plays_in_an_empty_folder(installed, tmp_path, monkeypatch):
    # A developer's own setting would lead to another copy.
    monkeypatch.delenv("PYTHONPATH", raising=False)
    empty = tmp_path / "empty"
    empty.mkdir()
    where = subprocess.run(
        [installed / "python", "-c", "import game.cli.main, hal; print(game.cli.main.__file__)"],
        cwd=empty,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert where.startswith(str(installed.parent))
    program = [str(installed / "lifeboard")]
    with (
        Lifeboard(tmp_path / "data", "--seed", "1", program=program, cwd=empty) as running,
        running.page("fr") as socket,
    ):
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("phase") == "tap")
        assert "commence" in talk.state["message"]
        talk.tap("e5")
        talk.until(lambda t: t.state["cells"]["e5"]["piece"])
        assert talk.lights
    assert list(empty.iterdir()) == []
