"""What carries a board: a Raspberry Pi or a Pico, and which of them commands and service take."""

from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from game.app.data import board_lock_file
from game.app.history import replay as replaying
from game.app.opened import Plan
from game.app.service import activity
from game.app.service.activity import Ground, open_activity
from game.app.service.as_service import AsService, arguments_of
from game.app.service.places import Places
from game.app.service.settings import (
    AUTO,
    BoardSettings,
    Settings,
    SettingsError,
    checked,
)
from game.app.words import words
from game.app.workshop import instrument
from hal import BackendError, built_in
from hal.errors import LinkFault
from hal.pi import RaspberryPi
from hal.profile_writer import save

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
        checked(file)
    assert str(file) in str(refused.value)
    file.write_text(f'[board]\nbackend = "{allowed}"\nprofile = "{board}"\n')
    assert checked(file).board.backend == allowed


class Opening:
    """Stand in for the opening of a board, which fails; keep how it was asked for."""

    def __init__(self, error: Exception) -> None:
        self.plans: list[Plan] = []
        self.error = error

    @contextmanager
    def __call__(self, plan: Plan):  # type: ignore[no-untyped-def]
        self.plans.append(plan)
        raise self.error
        yield


@pytest.mark.parametrize(
    ("backend", "board", "carrier", "machine"),
    [
        (AUTO, PI, "pi", RaspberryPi),
        (AUTO, PICO, "coprocessor", type(None)),
        # A header has nothing for a board that hangs on a Pico.
        ("pi", PICO, "pi", type(None)),
    ],
)
def test_service_opens_the_board_that_was_learnt_on_what_it_hangs_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, board: str, carrier: str, machine
):  # type: ignore[no-untyped-def]
    opening = Opening(LinkFault("no Pico is there"))
    monkeypatch.setattr(activity, "opened", opening)
    learnt = tmp_path / "board.toml"
    save(built_in(board), learnt)
    with ExitStack() as stack:
        settings = Settings(BoardSettings(backend))
        waits = open_activity(stack, settings, Ground(tmp_path, learnt), words("en"))
        (plan,) = opening.plans
        assert (plan.backend, plan.profile.name) == (carrier, board)
        assert waits.status() == "waiting: no Pico is there"
        waiting = waits.stepping
        assert isinstance(waiting._machine, machine)
        lock = board_lock_file(tmp_path, built_in(board), carrier)
        assert lock in waiting._locks


def test_service_on_a_pico_that_is_not_learnt_waits_and_looks_at_no_pins(tmp_path: Path):
    with ExitStack() as stack:
        settings = Settings(BoardSettings("coprocessor"))
        waits = open_activity(
            stack, settings, Ground(tmp_path, tmp_path / "board.toml"), words("en")
        )
        waits.stepping.step(0.0)
        assert waits.status() == "no board learnt yet; run `sudo lifeboard service learn`"
        assert tmp_path / "board-coprocessor.lock" in waits.stepping._locks


@pytest.mark.parametrize(
    ("learnt", "called", "settings", "wanted"),
    [
        (PICO, "learn", BoardSettings(), "--backend coprocessor --no-browser --out BOARD"),
        (PI, "monitor", BoardSettings(), "--backend pi --no-browser --board BOARD"),
        (PICO, "doctor", BoardSettings(), "--board BOARD"),
        (None, "learn", BoardSettings(), "--backend pi --no-browser --out BOARD"),
        (
            None,
            "learn",
            BoardSettings("coprocessor"),
            "--backend coprocessor --no-browser --out BOARD",
        ),
        # What is said on the command line goes before the settings.
        (PI, "learn --backend=coprocessor", BoardSettings(), "--no-browser --out BOARD"),
        (PI, f"monitor --board {PICO}", BoardSettings(), "--backend coprocessor --no-browser"),
        # What is learnt on a simulated board never takes the place of the real one.
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
    tmp_path: Path, learnt: str | None, called: str, settings: BoardSettings, wanted: str
):
    places = Places(tmp_path)
    places.state.mkdir(parents=True)
    if learnt is not None:
        save(built_in(learnt), places.board)
    command, *given = called.split()
    added = arguments_of(AsService(command, tuple(given)), Settings(settings), places)
    wanted = wanted.replace("BOARD", str(places.board))
    assert added == ["--data", str(places.state), *wanted.split()]


def test_tools_measure_a_board_on_a_pico_with_what_it_was_taught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = []

    def opened(name, profile, **_):  # type: ignore[no-untyped-def]
        asked.append((name, profile.name))
        raise LinkFault("no Pico is there")

    monkeypatch.setattr(instrument, "open_backend", opened)
    monkeypatch.setattr(instrument.loop, "stop_on_signals", lambda stop: None)
    options = instrument.ToolOptions("coprocessor", PICO, 0, browser=False, data=tmp_path)
    with (
        pytest.raises(LinkFault),
        instrument.open_instrument(options, lambda: 0.0),
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

    def opened(name, profile, *, memory):  # type: ignore[no-untyped-def]
        taught.append(memory.path)
        raise BackendError("nothing is there")

    class Kept:
        game = "circle-of-life"

    monkeypatch.setattr(replaying, "record_of", lambda *_: (1, Kept()))
    monkeypatch.setattr(replaying, "open_backend", opened)
    monkeypatch.setattr(replaying.loop, "stop_on_signals", lambda stop: None)
    options = replaying.ReplayOptions("1", backend, board, 1.0, 0, browser=False, data=tmp_path)
    with pytest.raises(BackendError, match="nothing is there"):
        replaying.replay(options)
    assert (tmp_path / f"board-{backend}.lock").exists() is locked
    assert taught == [tmp_path / f"board-{backend}-{board}.json" if locked else None]
