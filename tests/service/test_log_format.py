"""Log lines with the priorities of journald."""

import io
import logging
import sys

from game.service.run import set_up_log


def test_each_line_begins_with_its_priority_also_those_of_the_server_and_of_the_end(monkeypatch):
    root, written = logging.getLogger(), io.StringIO()
    monkeypatch.setattr(root, "handlers", [logging.StreamHandler(written)])
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(logging, "captureWarnings", bool)
    server, log = logging.getLogger("uvicorn.error"), logging.getLogger("game.cli.test")
    set_up_log(logging.INFO, {})
    log.info("plain without systemd")
    set_up_log(logging.DEBUG, {"INVOCATION_ID": "1"})
    log.debug("one")
    log.info("two\nthree")
    log.warning("four")
    server.error("five")
    sys.excepthook(ValueError, ValueError("it"), None)
    assert written.getvalue().splitlines() == [
        "plain without systemd",
        *("<7>one", "<6>two", "<6>three", "<4>four", "<3>five"),
        *("<2>lifeboard ends with an unexpected error", "<2>ValueError: it"),
    ]
