"""What the wheel carries; the package, into which it is installed, plays in `tests/machine`."""

from pathlib import Path
from zipfile import ZipFile

from hal.profile import built_in_names
from tests.helpers.machines.deb_package import wheel

ROOT = Path(__file__).parent.parent.parent


def test_wheel_carries_profiles_page_catalogues_and_firmware_and_nothing_foreign():
    names = ZipFile(wheel()).namelist()
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
