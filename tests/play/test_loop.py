"""The loop: how it is told to stop."""

import gc
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from game.play import loop

OURS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def handlers_as_before() -> Iterator[None]:
    before = [(each, signal.getsignal(each)) for each in OURS]
    yield
    for each, handler in before:
        signal.signal(each, handler)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("what", ["set", "clear", "is_set"])
def test_signal_may_come_at_any_line_of_whatever_is_done_with_the_flag(what: str):
    line = 0
    came = True
    while came:
        line += 1
        came = signal_comes(what, line)
    assert line > 1


def signal_comes(what: str, line: int) -> bool:
    """Let a signal come at a line of what is done; tell whether there is such a line."""
    flag = loop.Flag()
    loop.stop_on_signals(flag)
    left = line

    def interrupt(_frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left == 0:
            sys.settrace(None)
            signal.raise_signal(signal.SIGTERM)
        return interrupt

    sys.settrace(interrupt)
    try:
        getattr(flag, what)()
    finally:
        sys.settrace(None)
    if what == "is_set" and left <= 0:
        assert flag.is_set()
    return left <= 0


def test_loop_ends_by_each_of_its_signals():
    for each in OURS:
        flag = loop.Flag()
        loop.stop_on_signals(flag)

        class Session:
            def step(self, _: float, each: signal.Signals = each) -> None:
                signal.raise_signal(each)

            def due(self, now: float) -> float:
                return now

            def wait(self, _: float) -> None:
                raise AssertionError("it waits, though it is told to stop")

        loop.run(Session(), flag)
        assert flag.is_set()


def test_what_is_loaded_is_spared_by_later_garbage_collections():
    try:
        loop.spare_what_is_loaded()
        assert not any(each is loop.__dict__ for each in gc.get_objects())
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
