"""Log lines with the priorities of journald."""

import io
import logging
import sys

import pytest

from game.service.run import set_up_log


@pytest.fixture
def written(monkeypatch):
    """Log to a text; restore what `set_up_log` changes."""
    root, stream = logging.getLogger(), io.StringIO()
    handler, level = logging.StreamHandler(stream), root.level
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(root, "handlers", [handler])
    yield stream
    root.setLevel(level)
    logging.captureWarnings(False)


def test_each_line_begins_with_its_priority_also_those_of_the_server(written):
    server = logging.getLogger("uvicorn.error")
    server.addHandler(logging.NullHandler())
    set_up_log(logging.DEBUG, {"INVOCATION_ID": "1"})
    log = logging.getLogger("game.cli.test")
    log.debug("one")
    log.info("two\nthree")
    log.warning("four")
    server.error("five")
    assert written.getvalue() == "<7>one\n<6>two\n<6>three\n<4>four\n<3>five\n"


def test_unexpected_end_is_logged_with_its_traceback(written):
    set_up_log(logging.INFO, {"INVOCATION_ID": "1"})
    sys.excepthook(ValueError, ValueError("it"), None)
    lines = written.getvalue().splitlines()
    assert lines == ["<2>lifeboard ends with an unexpected error", "<2>ValueError: it"]


def test_lines_stay_plain_without_systemd(written):
    hook = sys.excepthook
    set_up_log(logging.INFO, {})
    logging.getLogger("game.cli.test").info("one")
    assert written.getvalue() == "one\n"
    assert sys.excepthook is hook
