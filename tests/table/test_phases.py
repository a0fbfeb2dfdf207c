"""The table of phases is complete, connected, and obeyed."""

import pytest

from game.table.inputs import Asked, Command
from game.table.phases import RESTING, TRANSITIONS, Event, Phase
from game.table.touches import _ACTS


def test_every_phase_has_its_row_and_touches_do_something_in_each():
    assert set(TRANSITIONS) == set(_ACTS) == set(Phase)


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_can_be_reached_and_left(phase: Phase):
    leads = {start: {end for end in row.values() if end} for start, row in TRANSITIONS.items()}
    assert phase in RESTING or any(phase in ends for start, ends in leads.items() if start != phase)
    assert set(TRANSITIONS[phase].values()) - {phase}


def test_an_event_that_cannot_come_changes_nothing(sit):
    session = sit().do(Asked(Command.SET_UP))
    before = session.state
    with pytest.raises(KeyError):
        before.after(Event.MENU_OPENS)
    session.give(Asked(Command.MENU))
    assert session.phase is before.phase is Phase.SET_UP
    assert session.state.situation is before.situation
