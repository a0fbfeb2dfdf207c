"""Waiting for the Pico under a board: what the service looks for, says, and when it goes on."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from game.service.waiting import CHECK_S, RETRY_S, Waiting
from hal.backends.coprocessor.port import FoundPort
from hal.base.errors import LinkFault, WrongFirmware
from hal.profile import Profile, built_in
from tests.service.test_waiting import run, told

UNPLUGGED = LinkFault("no Pico is plugged in: plug its USB cable in")
OTHER = WrongFirmware("the Pico has firmware 9.8.7 with protocol 9: exchange it")


class Sockets:
    """The USB sockets of a computer: what is plugged in is a file of this folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self.looked = 0

    def __call__(self) -> tuple[FoundPort, ...]:
        self.looked += 1
        return tuple(FoundPort(str(file), "e66", "Pico") for file in self._folder.iterdir())

    def plug(self) -> Path:
        file = self._folder / "ttyACM0"
        file.touch()
        return file


@pytest.fixture
def sockets(tmp_path: Path) -> Sockets:
    return Sockets(tmp_path / "dev")


def on_port(port: str) -> Profile:
    board = built_in("hexagon-61-pico")
    assert board.pico is not None
    return replace(board, pico=replace(board.pico, port=port))


def waiting_for(trouble: Exception, sockets: Any, folder: Path, port: str = "auto") -> Waiting:
    return Waiting(
        trouble,
        folder / "board.toml",
        None,
        profile=on_port(port),
        backend="coprocessor",
        ports=sockets,
    )


def test_board_whose_pico_is_not_plugged_in_waits_and_says_so(sockets: Sockets, tmp_path: Path):
    with closing(waiting_for(UNPLUGGED, sockets, tmp_path)) as waiting:
        run(waiting, 0.0, RETRY_S - 0.1)
    assert not waiting.over
    assert waiting.status == "waiting: no Pico is plugged in: plug its USB cable in"
    news = told(waiting)
    assert (news["why"], news["strip"], news["found"]["ports"]) == ("link", None, [])
    assert sockets.looked >= RETRY_S / CHECK_S - 1


@pytest.mark.parametrize("trouble", [UNPLUGGED, OTHER], ids=["unplugged", "firmware"])
def test_board_is_tried_again_as_soon_as_its_pico_comes(
    trouble: Exception, sockets: Sockets, tmp_path: Path
):
    with closing(waiting_for(trouble, sockets, tmp_path)) as waiting:
        run(waiting, 0.0, CHECK_S)
        assert not waiting.over
        sockets.plug()
        run(waiting, 2 * CHECK_S - 0.1, 2 * CHECK_S)
        assert waiting.over


def test_board_is_tried_again_when_its_pico_was_plugged_in_anew_in_between(
    sockets: Sockets, tmp_path: Path
):
    port = sockets.plug()
    with closing(waiting_for(OTHER, sockets, tmp_path)) as waiting:
        run(waiting, 0.0, 2 * CHECK_S)
        assert (waiting.over, told(waiting)["found"]["ports"]) == (False, [str(port)])
        port.replace(tmp_path / "unplugged")
        sockets.plug()
        run(waiting, 3 * CHECK_S, 3 * CHECK_S)
        assert waiting.over


def test_board_is_tried_again_when_the_rights_to_its_port_have_changed(
    sockets: Sockets, tmp_path: Path
):
    # The port is there a moment before the rules of the devices give it to its group.
    port = sockets.plug()
    port.chmod(0o600)
    with closing(waiting_for(UNPLUGGED, sockets, tmp_path)) as waiting:
        run(waiting, 0.0, 2 * CHECK_S)
        assert not waiting.over
        port.chmod(0o660)
        run(waiting, 3 * CHECK_S, 3 * CHECK_S)
        assert waiting.over


def test_port_that_the_board_names_is_looked_for_too(sockets: Sockets, tmp_path: Path):
    named = tmp_path / "ttyAMA0"
    with closing(waiting_for(UNPLUGGED, sockets, tmp_path, str(named))) as waiting:
        run(waiting, 0.0, CHECK_S)
        assert not waiting.over
        named.touch()
        run(waiting, 2 * CHECK_S, 2 * CHECK_S)
        assert (waiting.over, told(waiting)["found"]["ports"]) == (True, [str(named)])


def test_pico_that_answers_late_is_tried_again_after_a_while(sockets: Sockets, tmp_path: Path):
    sockets.plug()
    with closing(waiting_for(UNPLUGGED, sockets, tmp_path)) as waiting:
        run(waiting, 0.0, RETRY_S - 0.1)
        assert not waiting.over
        run(waiting, RETRY_S, RETRY_S)
        assert waiting.over


@pytest.mark.parametrize("error", [ImportError("no module serial"), OSError(5, "Input/output")])
def test_ports_that_cannot_be_listed_are_part_of_the_answer(error: Exception, tmp_path: Path):
    def refuse() -> tuple[FoundPort, ...]:
        raise error

    with closing(waiting_for(UNPLUGGED, refuse, tmp_path)) as waiting:
        waiting.step(0.0)
        found = told(waiting)["found"]
    assert (found["ports"], found["trouble"]) == ([], str(error))
