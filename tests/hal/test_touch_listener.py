"""Touches on electrodes that have no name yet."""

import pytest

from hal.learning.touch_listener import (
    HEAL_S,
    LISTEN_S,
    RELEASE_S,
    ListenerState,
    TouchListener,
)

STEP_S = 0.01


class Listening:
    """A listener, the electrodes touched, and all its answers."""

    def __init__(self, *before: str) -> None:
        self.listener = TouchListener()
        self.pads = set(before)
        self.now = 50.0
        self.answers: list[set[str]] = []

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            answer = self.listener.update(self.now, frozenset(self.pads))
            if answer:
                self.answers.append(set(answer))

    def change(self, *pads: str) -> None:
        """Put fingers on electrodes, or take those away that are there."""
        self.pads ^= set(pads)


@pytest.fixture
def quiet() -> Listening:
    """A listener that has listened to an empty board."""
    listening = Listening()
    listening.wait(LISTEN_S + 0.1)
    assert listening.listener.state is ListenerState.READY
    return listening


def test_ear_hears_one_answer_until_everything_is_lifted(quiet):
    quiet.change("A.1")
    quiet.wait(0.5)
    quiet.change("A.2")
    quiet.wait(0.5)
    quiet.change("A.1")
    quiet.wait(0.5)
    assert quiet.answers == [{"A.1"}]
    quiet.change("A.2")
    quiet.wait(RELEASE_S + 2 * STEP_S)
    quiet.change("A.3")
    quiet.wait(0.2)
    assert quiet.answers == [{"A.1"}, {"A.3"}]


def test_ear_believes_what_was_stuck_after_a_silence_and_no_sooner():
    listening = Listening("A.1")
    listening.wait(LISTEN_S + 0.1)
    listening.change("A.1")
    listening.wait(HEAL_S - 0.1)
    listening.change("A.1")
    listening.wait(0.5)
    assert listening.answers == []
    assert listening.listener.stuck == {"A.1"}
    listening.change("A.1")
    listening.wait(HEAL_S + RELEASE_S + 0.1)
    assert listening.listener.stuck == frozenset()
    listening.change("A.1")
    listening.wait(0.2)
    assert listening.answers == [{"A.1"}]
