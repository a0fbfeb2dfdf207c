"""The table of phases is complete, connected, and obeyed."""

import pytest

from game.table.inputs import Asked, Command
from game.table.phases import RESTING, TOUCHES, TRANSITIONS, Event, Phase
from game.table.touches import _ACTS


def test_every_phase_has_its_row_and_every_meaning_of_a_touch_its_act():
    assert set(TRANSITIONS) == set(TOUCHES) == set(Phase)
    assert set(_ACTS) == set(TOUCHES.values())


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_can_be_reached_and_left(phase: Phase):
    leads = {start: {end for end in row.values() if end} for start, row in TRANSITIONS.items()}
    assert phase in RESTING or any(phase in ends for start, ends in leads.items() if start != phase)
    assert set(TRANSITIONS[phase].values()) - {phase}


def test_an_event_that_cannot_come_changes_nothing(sit):
    session = sit()
    session.give(Asked(Command.SET_UP))
    before = session.table.state
    with pytest.raises(KeyError):
        before.after(Event.MENU_OPENS)
    session.give(Asked(Command.MENU))
    assert session.table.state.phase is before.phase is Phase.SET_UP
    assert session.table.state.situation is before.situation
