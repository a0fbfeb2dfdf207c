"""After a restart, a simulated board that senses stones stands as hands have left it."""

import signal
from importlib.resources import files

from tests.helpers.programs.running import Lifeboard, Talk

SHIPPED = files("hal").joinpath("boards", "hexagon-61.toml")


def set_and_wait(talk: Talk, *cells: str) -> None:
    """Set or lift stones one by one, each after the board has reported the one before."""
    for cell in cells:
        stood = cell in talk.state["sensed"]
        talk.tap(cell)
        talk.until(lambda t, cell=cell, stood=stood: (cell in t.state["sensed"]) is not stood)


def test_stones_stand_after_a_kill_as_they_were_left(tmp_path):
    stand, todo = ["e4", "e5", "e6"], ["e4"]
    text = SHIPPED.read_text(encoding="utf-8").replace('mode = "touch"', 'mode = "presence"')
    board = tmp_path / "stones.toml"
    board.write_text(text, encoding="utf-8")
    options = ("--seed", "1", "--board", str(board))
    with Lifeboard(tmp_path / "data", *options) as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("phase") == "tap")
        set_and_wait(talk, "e5", "e4", "e6")
        talk.until(lambda t: t.state["phase"] == "edit")
        running.stop(signal.SIGKILL)
    with Lifeboard(tmp_path / "data", *options) as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("sensed") == stand)
        talk.until(lambda t: [each["cell"] for each in t.state["todo"]] == todo)
