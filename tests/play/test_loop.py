"""The loop: how it is asked to stop."""

import signal

import pytest

from game.play import loop

OURS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def handlers_as_before():
    before = [(each, signal.getsignal(each)) for each in OURS]
    yield
    for each, handler in before:
        signal.signal(each, handler)


def test_loop_ends_by_each_of_its_signals():
    for each in OURS:
        flag = loop.StopFlag()
        loop.stop_on_signals(flag)

        class Session:
            def step(self, _: float, each: signal.Signals = each) -> None:
                signal.raise_signal(each)

            def due(self, now: float) -> float:
                return now

            def wait(self, _: float) -> None:
                raise AssertionError("it waits, though it is told to stop")

        loop.run_loop(Session(), flag)
        assert flag.is_set()
