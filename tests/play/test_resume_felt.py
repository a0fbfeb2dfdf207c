"""After a restart, a simulated board that senses stones stands as hands have left it."""

import signal

import pytest

from tests.helpers.boards.presence import board_with_stones
from tests.helpers.programs.running import Lifeboard, Talk


def set_and_wait(talk: Talk, *cells: str) -> None:
    """Set or lift stones one by one, each after the board has reported the one before."""
    for cell in cells:
        stood = cell in talk.state["sensed"]
        talk.tap(cell)
        talk.until(lambda t, cell=cell, stood=stood: (cell in t.state["sensed"]) is not stood)


@pytest.mark.parametrize(
    ("hands", "stand", "todo"),
    [
        (("e5", "a1", "i5", "i5", "a1"), ["e5"], []),
        (("e5", "e4", "e6"), ["e4", "e5", "e6"], ["e4"]),
    ],
)
def test_stones_stand_after_a_kill_as_they_were_left(tmp_path, hands, stand, todo):
    options = ("--seed", "1", "--board", str(board_with_stones(tmp_path)))
    with Lifeboard(tmp_path / "data", *options) as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("phase") == "tap")
        set_and_wait(talk, *hands)
        talk.until(lambda t: t.state["phase"] == ("edit" if todo else "tap"))
        running.stop(signal.SIGKILL)
    with Lifeboard(tmp_path / "data", *options) as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("sensed") == stand)
        talk.until(lambda t: [each["cell"] for each in t.state["todo"]] == todo)
