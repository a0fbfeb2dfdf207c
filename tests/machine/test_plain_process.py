"""What a service manager would hear and do, on a plain process: the lesser test of the service.

It runs everywhere; where a machine can be booted, systemd itself does the same there.
"""

import os
import signal
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.helpers.machines.held_thread import held
from tests.helpers.programs.manager import SIM, Managed, moves_told
from tests.helpers.programs.running import Talk

WATCHDOG_S = 2.0


def alive(manager: Managed) -> bool:
    """Tell whether a sign of life was heard."""
    return ("WATCHDOG", "1") in manager.told


def play_a_move(service: Managed) -> None:
    """Wait for the game, and move."""
    service.until(lambda manager: "to play" in manager.status)
    talk = Talk(service.page())
    talk.until(lambda t: t.state.get("phase") in ("tap", "confirm"))
    talk.tap("e5")
    service.until(lambda manager: moves_told(manager.status) == 2)


def assert_dead_to_its_manager(service: Managed) -> None:
    """Hear nothing for as long as the watchdog waits."""
    service.forget()
    with pytest.raises(AssertionError, match="not told"):
        service.until(alive, WATCHDOG_S)


def test_stopped_process_gives_no_sign_of_life_and_killed_goes_on_with_the_game(tmp_path: Path):
    with Managed(tmp_path, SIM, watchdog_s=WATCHDOG_S) as service:
        play_a_move(service)
        service.until(alive)
        os.kill(service.process.pid, signal.SIGSTOP)
        assert_dead_to_its_manager(service)
        service.end(signal.SIGKILL)
    (tmp_path / "notify").unlink()
    with Managed(tmp_path, SIM) as service:
        service.until(lambda manager: moves_told(manager.status) == 2)


def test_loop_that_stands_still_gives_no_sign_of_life_though_the_page_answers(tmp_path: Path):
    with Managed(tmp_path, SIM, watchdog_s=WATCHDOG_S) as service:
        play_a_move(service)
        service.until(alive)
        with held(service.process.pid):
            assert_dead_to_its_manager(service)
            asking = HTTPConnection("127.0.0.1", service.port, timeout=10)
            asking.request("GET", "/")
            assert asking.getresponse().status == 200
            asking.close()
        # And a loop that goes on is alive again.
        service.until(alive)
