"""Programs that run as the service's user: no signal that is meant for them gets lost."""

import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from game.app.service import errand as module
from game.app.service.errand import Errand
from game.app.service.places import Places

pytestmark = pytest.mark.timeout(60)

LONG = [sys.executable, "-c", "import select; select.select([], [], [], 20)"]
"""Ends by itself with 0, which is wrong where a signal should have ended it."""
PASSED_ON = (signal.SIGTERM, signal.SIGHUP)


class OwnProcess(subprocess.Popen[str]):
    """Start a program as whoever runs the tests, and do something when it is begun."""

    begun: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, line: Sequence[str], **more: Any) -> None:
        for each in ("user", "group", "extra_groups"):
            del more[each]
        super().__init__(line, **more)
        self.begun()


@pytest.fixture(autouse=True)
def own_user(monkeypatch: pytest.MonkeyPatch) -> None:
    own = pwd.getpwuid(os.getuid())
    monkeypatch.setattr(module.pwd, "getpwnam", lambda _: own)
    monkeypatch.setattr(module.subprocess, "Popen", OwnProcess)


@pytest.fixture(params=[signal.SIG_DFL, signal.SIG_IGN], ids=["heard", "ignored"], autouse=True)
def before(request: pytest.FixtureRequest) -> Iterator[object]:
    """Let signals be as they are, or ignored as under nohup, which an errand does not inherit."""
    kept = {each: signal.signal(each, request.param) for each in PASSED_ON}
    yield request.param
    for each, handler in kept.items():
        signal.signal(each, handler)


def listened(errand: Errand, line: Sequence[str]) -> int:
    return errand.listen(line)[0]


@pytest.mark.parametrize("way", [Errand.run, listened])
@pytest.mark.parametrize("how", PASSED_ON)
def test_signal_that_comes_before_a_program_is_started_or_known_reaches_it(
    monkeypatch: pytest.MonkeyPatch,
    how: signal.Signals,
    way: Callable[[Errand, Sequence[str]], int],
):
    with Errand(Places()) as errand:
        # As while the service is being stopped.
        signal.raise_signal(how)
        assert way(errand, LONG) == 128 + how
    # It runs already, and its parent has not been told so.
    monkeypatch.setattr(OwnProcess, "begun", staticmethod(lambda: signal.raise_signal(how)))
    with Errand(Places()) as errand:
        assert way(errand, LONG) == 128 + how


@pytest.mark.parametrize("how", PASSED_ON)
def test_signal_after_the_end_is_nobodys_and_the_next_program_goes_on(how: signal.Signals):
    with Errand(Places()) as errand:
        assert errand.run(["true"]) == 0
        signal.raise_signal(how)
        assert errand.run(["true"]) == 0


@pytest.mark.parametrize("how", PASSED_ON)
def test_signal_to_a_program_that_is_about_to_begin_ends_it(
    monkeypatch: pytest.MonkeyPatch, how: signal.Signals
):
    become = module._become_child

    def signalled(parent: int) -> None:
        become(parent)
        signal.raise_signal(how)

    monkeypatch.setattr(module, "_become_child", signalled)
    with Errand(Places()) as errand:
        assert errand.run(["true"]) == 128 + how


def test_program_whose_parent_is_gone_does_not_begin(monkeypatch: pytest.MonkeyPatch):
    become = module._become_child
    monkeypatch.setattr(module, "_become_child", lambda parent: become(parent + 1))
    with Errand(Places()) as errand:
        assert errand.run(["true"]) == 128 + signal.SIGTERM


def test_program_that_cannot_be_started_leaves_signals_as_they_were(before: object):
    errand = Errand(Places())
    with errand, pytest.raises(FileNotFoundError):
        errand.run([str(errand.folder / "nothing")])
    assert not errand.folder.exists()
    assert [signal.getsignal(each) for each in PASSED_ON] == [before, before]
