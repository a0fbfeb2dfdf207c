"""Backends of a board, Raspberry Pi or Pico, and which ones commands and service choose."""

from importlib.metadata import EntryPoint

import pytest

from game.common import AppError
from game.common.data_folder import board_lock_file
from game.play import board_choice
from game.service.board_commands import added_arguments
from game.service.paths import ServicePaths
from game.service.settings import AUTO, BoardSettings, Settings, SettingsError, read_checked
from hal.backends import registry
from hal.backends.backend import Capabilities
from hal.backends.mock import MockBackend
from hal.profile import built_in
from hal.profile.writer import save

PI, PICO = "hexagon-61", "hexagon-61-pico"


@pytest.mark.parametrize(
    ("backend", "board", "carrier", "real"),
    [
        (AUTO, PI, "pi", True),
        (AUTO, PICO, "coprocessor", True),
        (AUTO, None, "pi", True),
        ("pi", PICO, "pi", True),
        ("coprocessor", None, "coprocessor", True),
        ("sim", PICO, "sim", False),
    ],
)
def test_settings_name_the_backend_that_is_meant_and_auto_goes_by_the_profile(
    backend, board, carrier, real
):
    settings = BoardSettings(backend)
    assert settings.carrier(built_in(board) if board else None) == carrier
    assert settings.real is real


@pytest.mark.parametrize(
    ("backend", "board", "allowed"), [("pi", PICO, "coprocessor"), ("coprocessor", PI, "pi")]
)
def test_settings_are_refused_that_name_a_board_of_another_computer(
    tmp_path, backend, board, allowed
):
    file = tmp_path / "lifeboard.toml"
    file.write_text(f'[board]\nbackend = "{backend}"\nprofile = "{board}"\n')
    message = rf"\[board\] backend is '{backend}'; allowed with the board {board}: '{allowed}' or"
    with pytest.raises(SettingsError, match=message) as refused:
        read_checked(file)
    assert str(file) in str(refused.value)
    file.write_text(f'[board]\nbackend = "{allowed}"\nprofile = "{board}"\n')
    assert read_checked(file).board.backend == allowed


@pytest.mark.parametrize(
    ("learned", "called", "settings", "wanted"),
    [
        (PICO, "learn", BoardSettings(), "--backend coprocessor --no-browser --out BOARD"),
        (PI, "monitor", BoardSettings(), "--backend pi --no-browser --board BOARD"),
        (PI, "history", BoardSettings(), ""),
        (PI, "learn --out=x", BoardSettings(), "--backend pi --no-browser"),
        (PICO, "doctor", BoardSettings(), "--board BOARD"),
        (None, "learn", BoardSettings(), "--backend pi --no-browser --out BOARD"),
        (
            None,
            "learn",
            BoardSettings("coprocessor"),
            "--backend coprocessor --no-browser --out BOARD",
        ),
        # The command line overrides the settings.
        (PI, "learn --backend=coprocessor", BoardSettings(), "--no-browser --out BOARD"),
        (PI, f"monitor --board {PICO}", BoardSettings(), "--backend coprocessor --no-browser"),
        # A wiring learned on a simulated board never replaces that of the real one.
        (PI, "learn --backend sim", BoardSettings(), "--no-browser"),
        (
            PI,
            "monitor",
            BoardSettings(profile=PICO),
            f"--backend coprocessor --no-browser --board {PICO}",
        ),
    ],
)
def test_tools_of_the_service_work_on_what_its_board_hangs_on(
    tmp_path, learned, called, settings, wanted
):
    paths = ServicePaths(data=tmp_path)
    if learned is not None:
        save(built_in(learned), paths.board)
    command, *given = called.split()
    added = added_arguments(command, tuple(given), Settings(settings), paths)
    wanted = wanted.replace("BOARD", str(paths.board))
    assert added == ["--data", str(paths.data), *wanted.split()]
    assert added_arguments("flash", ("--check",), Settings(settings), paths) == []


class Shield(MockBackend):
    """A real board on another kind of computer, as another distribution may provide one."""

    capabilities = Capabilities(real=True, pico=False)


def test_backend_of_another_distribution_is_a_real_board_everywhere(tmp_path, monkeypatch):
    entry = EntryPoint("shield", f"{__name__}:Shield", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    learned = tmp_path / "board.toml"
    save(built_in("disc-32"), learned)
    monkeypatch.setattr(board_choice, "learned_file", lambda: learned)
    assert board_choice.choose_board(None, "shield").name == "disc-32"
    assert board_lock_file(tmp_path, built_in(), "shield").name == "board-shield.lock"
    assert BoardSettings("shield").real
    file = tmp_path / "lifeboard.toml"
    file.write_text('[board]\nbackend = "shield"\nprofile = "hexagon-61"\n')
    assert read_checked(file).board.backend == "shield"
    file.write_text('[board]\nbackend = "shield"\nprofile = "hexagon-61-pico"\n')
    with pytest.raises(SettingsError, match="the board hexagon-61-pico: 'coprocessor'"):
        read_checked(file)
    with pytest.raises(AppError, match="no Pico on board"):
        board_choice.choose_board("disc-32", "shield", "/dev/ttyACM0")
