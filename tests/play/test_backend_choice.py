"""Backends of a board, Raspberry Pi or Pico, and which ones commands and service choose."""

from contextlib import ExitStack, contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from game.common import AppError, words
from game.common.data_folder import board_lock_file
from game.maker import measured_board
from game.play import board_choice
from game.service.activity import open_activity
from game.service.board_commands import added_arguments
from game.service.paths import ServicePaths
from game.service.settings import (
    AUTO,
    BoardSettings,
    Settings,
    SettingsError,
    read_checked,
)
from game.web import GameConfig, host, show
from game.web import replay as replaying
from hal.backends import registry
from hal.backends.backend import Capabilities
from hal.backends.mock import MockBackend
from hal.backends.pi import RaspberryPi
from hal.base.errors import BackendError, LinkFault
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
    backend: str, board: str | None, carrier: str, real: bool
):
    settings = BoardSettings(backend)
    assert settings.carrier(built_in(board) if board else None) == carrier
    assert settings.real is real


@pytest.mark.parametrize(
    ("backend", "board", "allowed"), [("pi", PICO, "coprocessor"), ("coprocessor", PI, "pi")]
)
def test_settings_are_refused_that_name_a_board_of_another_computer(
    tmp_path: Path, backend: str, board: str, allowed: str
):
    file = tmp_path / "lifeboard.toml"
    file.write_text(f'[board]\nbackend = "{backend}"\nprofile = "{board}"\n')
    message = rf'\[board\] backend = "{backend}": allowed with the board {board} is "{allowed}", or'
    with pytest.raises(SettingsError, match=message) as refused:
        read_checked(file)
    assert str(file) in str(refused.value)
    file.write_text(f'[board]\nbackend = "{allowed}"\nprofile = "{board}"\n')
    assert read_checked(file).board.backend == allowed


class Opening:
    """Stands in for opening a board, which fails; records the arguments."""

    def __init__(self, error: Exception) -> None:
        self.plans: list[GameConfig] = []
        self.error = error

    @contextmanager
    def __call__(self, plan: GameConfig):  # type: ignore[no-untyped-def]
        self.plans.append(plan)
        raise self.error
        yield


@pytest.mark.parametrize(
    ("backend", "board", "carrier", "machine"),
    [
        (AUTO, PI, "pi", RaspberryPi),
        (AUTO, PICO, "coprocessor", type(None)),
        # The Pi's header is not used by a board on a Pico.
        ("pi", PICO, "pi", type(None)),
    ],
)
def test_service_opens_the_board_that_was_learned_on_what_it_hangs_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, board: str, carrier: str, machine
):  # type: ignore[no-untyped-def]
    opening = Opening(LinkFault("no Pico is there"))
    monkeypatch.setitem(host.KINDS, "game", opening)
    learned = tmp_path / "board.toml"
    save(built_in(board), learned)
    with ExitStack() as stack:
        settings = Settings(BoardSettings(backend))
        waits = open_activity(stack, settings, ServicePaths(data=tmp_path), words("en"))
        (plan,) = opening.plans
        assert (plan.backend, plan.profile.name) == (carrier, board)
        assert waits.status == "waiting: no Pico is there"
        assert (waits.stepping._lights is None) == (machine is type(None))


def test_service_on_a_pico_that_is_not_learned_waits_and_looks_at_no_pins(tmp_path: Path):
    with ExitStack() as stack:
        settings = Settings(BoardSettings("coprocessor"))
        waits = open_activity(stack, settings, ServicePaths(data=tmp_path), words("en"))
        waits.stepping.step(0.0)
        assert waits.status == "no board learned yet; run `sudo lifeboard service learn`"


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
    tmp_path: Path, learned: str | None, called: str, settings: BoardSettings, wanted: str
):
    paths = ServicePaths(data=tmp_path)
    if learned is not None:
        save(built_in(learned), paths.board)
    command, *given = called.split()
    added = added_arguments(command, tuple(given), Settings(settings), paths)
    wanted = wanted.replace("BOARD", str(paths.board))
    assert added == ["--data", str(paths.data), *wanted.split()]
    assert added_arguments("flash", ("--check",), Settings(settings), paths) == []


def test_tools_measure_a_board_on_a_pico_with_what_it_was_taught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = []

    def opened(name, profile, **_):  # type: ignore[no-untyped-def]
        asked.append((name, profile.name))
        raise LinkFault("no Pico is there")

    monkeypatch.setattr(measured_board, "open_backend", opened)
    monkeypatch.setattr(measured_board, "stop_on_signals", lambda stop: None)
    options = measured_board.ToolOptions("coprocessor", PICO, 0, browser=False, data=tmp_path)
    with (
        pytest.raises(LinkFault),
        measured_board.open_measured_board(options, lambda: 0.0),
    ):
        raise AssertionError("it was opened")
    assert asked == [("coprocessor", PICO)]
    assert (tmp_path / "board-coprocessor.lock").exists()


@pytest.mark.parametrize(
    ("backend", "board", "locked"),
    [("coprocessor", PICO, True), ("sim", PICO, False)],
)
def test_replay_takes_a_real_board_for_itself_and_what_it_was_taught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, board: str, locked: bool
):
    taught = []

    def opened(name, profile, *, clock, memory):  # type: ignore[no-untyped-def]
        taught.append(memory.path)
        raise BackendError("nothing is there")

    class Saved:
        game = "circle-of-life"

    monkeypatch.setattr(replaying, "record_of", lambda *_: (1, Saved()))
    monkeypatch.setattr(show, "open_backend", opened)
    monkeypatch.setattr(replaying, "stop_on_signals", lambda stop: None)
    options = {"backend": backend, "board": board, "data": tmp_path}
    with pytest.raises(BackendError, match="nothing is there"):
        replaying.replay_game("1", speed=1.0, port=0, browser=False, **options)
    assert (tmp_path / f"board-{backend}.lock").exists() is locked
    assert taught == [tmp_path / f"board-{backend}-{board}.json" if locked else None]


class Shield(MockBackend):
    """A real board on another kind of computer, as another distribution may provide one."""

    capabilities = Capabilities(real=True, pico=False)


def test_backend_of_another_distribution_is_a_real_board_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
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
    with pytest.raises(SettingsError, match='the board hexagon-61-pico is "coprocessor"'):
        read_checked(file)
    with pytest.raises(AppError, match="--backend is shield, which has no Pico"):
        board_choice.choose_board("disc-32", "shield", "/dev/ttyACM0")
