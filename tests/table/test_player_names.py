"""Players' names stand in all sentences, and each move keeps the name of who made it."""

from dataclasses import replace

from game.common import words
from game.rules.azteka import GAME as AZTEKA
from game.rules.base.message import say
from game.rules.base.situation import Situation
from game.table.inputs import Command, SetNames
from game.table.phases import Phase
from game.table.state import Played, State
from game.table.words import move_sentence, named

NAMES = ("Ada", "Bea")


def test_prompts_notices_and_outcomes_name_the_players(sit):
    session = sit().do(SetNames(NAMES))
    said = words("en").texts
    assert said(session.table.scene().prompt).startswith("Ada begins: ")
    session.tap("e5")
    assert said(session.table.scene().prompt).startswith("Ada placed e5: ")
    assert "Bea\u2019s turn" in said(session.table.scene().prompt)
    session.ask(Command.RESIGN)
    assert said([session.table.scene().notice]).startswith("Bea resigns?")
    session.ask(Command.RESIGN)
    assert "Bea resigns. Ada wins." in said(session.table.scene().prompt)
    session.give(SetNames(("", "")))
    assert "Blue resigns. Orange wins." in said(session.table.scene().prompt)


def test_a_move_names_who_made_it_although_the_sides_have_changed_since():
    before = AZTEKA.parse("DDD./L.../..../..../..../..../..../.... basic LD D -")
    after = AZTEKA.play(before, "a4")
    played = Played(before, 2, "a4", "", (), AZTEKA.result(before, "a4").summary)
    state = State(Phase.TAP, Situation(AZTEKA, after), {}, history=(played,), names=NAMES)
    text = "Bea placed a piece on a4. Bea wins round 1 with 4 pieces (reign)."
    assert words("en").text(move_sentence(AZTEKA, state, played)) == text
    # Names replace players only: a side that is a role, a colour or a piece stays.
    role = say("aloud.plays", player=say("player.first"), side=say("azteka.death"))
    assert dict(named(AZTEKA, state, role).args) == {"player": "Ada", "side": say("azteka.death")}
    assert move_sentence(AZTEKA, replace(state, names=()), played) == played.summary
