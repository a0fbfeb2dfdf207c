"""What people read and hear: names, whom words address, and what the lights show, said aloud."""

from dataclasses import replace

import pytest

from game.common import words
from game.rules.adaptoid import GAME as ADAPTOID
from game.rules.azteka import GAME as AZTEKA
from game.rules.base.message import Message, say
from game.rules.base.names import LONGEST_NAME
from game.rules.base.situation import Situation
from game.table import Phase, Played, State, move_sentence, named, spoken_news, spoken_prompt
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command, Saved, SetNames, StartGame, SubmitSetup
from game.table.words import LISTED, spoken_details
from tests.helpers.games.toy_hidden import GREEN, MAUVE, ToyHidden
from tests.helpers.pages.scripted_table import ScriptedTable
from tests.table.random_game import TWO_MEALS, TableSession

FULL = say("journal.full")
NEW, RESIGN = Command.NEW_GAME, Command.RESIGN
ADA_AND_BEA = SetNames(("Ada", "Bea"))
YOURS = {"en": "Your turn", "de": "Du bist dran", "fr": "À vous de jouer", "it": "È il tuo turno"}


def said(session: TableSession, viewer: int | None = None, language: str = "en") -> str:
    return words(language, True).texts(session.table.scene(viewer).prompt)


# Names.


def test_names_are_saved_once_and_go_on_into_the_next_game(sit):
    session = sit().do("e5")
    before = session.state
    after = session.do(ADA_AND_BEA).state
    assert session.saved[-1] == Entry(EntryKind.NAMES, '["Ada", "Bea"]')
    assert after.names == ("Ada", "Bea")
    assert (after.phase, after.history) == (before.phase, before.history)
    saved = list(session.saved)
    session.give(SetNames((" Ada ", "Bea")))
    assert (session.state is after, session.saved) == (True, saved)
    assert session.do(RESIGN, RESIGN, NEW).kinds()[-2:] == ["START", "NAMES"]
    session.do(10.0, SetNames(("", "")))
    assert session.saved[-1] == Entry(EntryKind.NAMES, '["", ""]')
    assert (session.state.names, session.do(NEW).kinds()[-1]) == ((), "START")


@pytest.mark.parametrize("make", [SetNames, lambda names: StartGame(names=names)])
def test_names_that_do_not_fit_are_refused_with_words(sit, make):
    for names, why in (
        ((), "table.bad_entry"),
        (("A",), "table.bad_entry"),
        (("A", "B", "C"), "table.bad_entry"),
        (("A", "B" * (LONGEST_NAME + 1)), "rules.long_name"),
    ):
        session = sit().do(ADA_AND_BEA, make(names))
        assert (session.state.names, session.notice) == (("Ada", "Bea"), why)


def test_prompts_notices_and_outcomes_name_the_players(sit):
    session = sit().do(ADA_AND_BEA)
    texts = words("en").texts
    assert texts(session.table.scene().prompt).startswith("Ada begins: ")
    session.tap("e5")
    assert texts(session.table.scene().prompt).startswith("Ada placed e5: ")
    assert "Bea\u2019s turn" in texts(session.table.scene().prompt)
    session.ask(RESIGN)
    assert texts([session.table.scene().notice]).startswith("Bea resigns?")
    session.ask(RESIGN)
    assert "Bea resigns. Ada wins." in texts(session.table.scene().prompt)
    session.give(SetNames(("", "")))
    assert "Blue resigns. Orange wins." in texts(session.table.scene().prompt)


def test_a_move_names_who_made_it_although_the_sides_have_changed_since():
    before = AZTEKA.parse("DDD./L.../..../..../..../..../..../.... basic LD D -")
    after = AZTEKA.play(before, "a4")
    played = Played(before, 2, "a4", "", (), AZTEKA.result(before, "a4").summary)
    state = State(
        Phase.TAP, Situation(AZTEKA, after), {}, history=(played,), names=ADA_AND_BEA.names
    )
    text = "Bea placed a piece on a4. Bea wins round 1 with 4 pieces (reign)."
    assert words("en").text(move_sentence(state, played)) == text
    # Names replace players only: a side that is a role, a colour or a piece stays.
    role = say("aloud.plays", player=say("player.first"), side=say("azteka.death"))
    assert dict(named(state, role).args) == {"player": "Ada", "side": say("azteka.death")}
    assert move_sentence(replace(state, names=()), played) == played.summary


# Whether the game is being saved.


def test_that_the_game_is_not_saved_is_shown_until_it_is_and_play_goes_on(sit):
    session = sit().do(Saved(FULL))
    assert session.state.notices.save_problem == FULL
    assert session.table.scene().unsaved
    assert session.do("e5").pieces == {"e5": "1"}
    assert session.table.scene().unsaved
    session.give(Saved(None))
    assert not session.table.scene().unsaved
    before = session.do(10.0).state
    assert session.do(Saved(None)).state is before
    # A trouble that loses nothing is told without alarm.
    session = sit().do(Saved(FULL, safe=True))
    assert session.state.notices.save_problem == FULL
    assert not session.table.scene().unsaved
    assert session.do(Saved(None)).notice == ""


# Whom the words address.


def test_the_only_person_against_the_computer_is_you_and_the_computer_is_choosing(sit):
    session = sit().oppose("", "3")
    assert said(session).startswith("You begin: ")
    session.tap("e5")
    assert said(session) == "You placed e5: singleton. Blue is choosing."
    session.think("a1").do("a1")
    for language, yours in YOURS.items():
        assert yours in said(session, language=language)
    # Watchers and the log are told the colours.
    assert "Orange\u2019s turn" in words("en").texts(session.table.scene().prompt)
    session.ask(RESIGN, RESIGN)
    assert "You resign. Blue wins." in said(session)
    state = session.state
    asked = spoken_prompt(state, session.table.scene().prompt, ())
    assert "Blue is choosing." not in words("en", True).texts(asked)
    news = words("en", True).texts(spoken_news(None, state))
    assert news.startswith("Blue placed a1")
    # Two people at one board are named.
    assert "Orange placed e5: singleton. Blue\u2019s turn: " in said(sit().do("e5"))


def test_a_seat_sees_whose_turn_it_is_and_no_prompt_key_or_cell_of_the_other(sit):
    session = sit(ToyHidden()).do(SubmitSetup(1, GREEN))
    assert said(session, 1) == "You are ready. Blue is still setting up."
    assert said(session, 2) == "Orange is ready. Set up your pieces."
    session.do(SubmitSetup(2, MAUVE), Command.CONFIRM)
    scene = session.table.scene(2)
    assert said(session, 2).endswith("Orange\u2019s turn.")
    assert "legal" not in {lamp.cue.value for lamp in scene.cells.values()}
    assert (scene.keys, scene.aloud) == ({}, ())
    assert said(session, 1).endswith("Your turn: tap a lit cell.")
    assert "legal" in {lamp.cue.value for lamp in session.table.scene(1).cells.values()}
    session.ask(RESIGN, RESIGN)
    assert said(session, 1).startswith("You resign. Blue")
    assert said(session, 2).startswith("Orange resigns. ")
    assert "You won." in said(session, 2)


def test_a_side_with_a_plural_name_has_its_grammar_in_every_language(sit):
    session = sit(AZTEKA.variants["three"]).do("ring1", "ring1")
    turns = {"en": "Mummies\u2019 turn", "de": "Mumien sind dran", "fr": "Aux Momies de jouer"}
    for language, turn in {**turns, "it": "Turno delle Mummie"}.items():
        assert turn in said(session, language=language)


# For people who see neither lights nor page: where, how many, what has happened.


def keys(messages: tuple[Message, ...]) -> list[str]:
    return [message.key for message in messages]


def happened(table: ScriptedTable, before: State | None) -> list[str]:
    return keys(spoken_news(before, table.table.state))


def test_all_edits_and_stones_are_said_and_touches_that_go_on_if_they_are_few():
    table = ScriptedTable()
    table.tap("e5")
    many = table.game.board.cells[: LISTED + 2]
    state = replace(table.table.state, standing=dict.fromkeys(("e5", *many), "1"))
    words = [each for each in spoken_details(state, frozenset(), ()) if "cells" in each.args]
    assert [each.args["cells"] for each in words] == [many]
    table.tap("d4", "a1")
    table.ask(Command.CONFIRM)
    assert [(str(each.args["what"]), each.args["cells"]) for each in table.table.scene().aloud] == [
        ("piece.orange", ("a1", "e5")),
        ("piece.blue", ("d4",)),
    ]
    table = ScriptedTable(ADAPTOID)
    assert "aloud.lit" not in keys(table.table.scene().aloud)
    table.play("W:c3 B:e4", "white")
    table.tap("c3")
    (lit,) = [each for each in table.table.scene().aloud if each.key == "aloud.lit"]
    assert 0 < len(lit.args["spots"]) <= LISTED


def test_moves_with_their_score_refusals_and_take_backs_are_said_once():
    table = ScriptedTable()
    table.give(SetNames(("Ann", "")))
    before = table.table.state
    assert happened(table, before) == []
    table.tap(*TWO_MEALS)
    after = table.table.state
    assert happened(table, before)[-2:] == ["circle_of_life.ate", "page.goal"]
    score = spoken_news(before, after)[-1]
    assert (score.args["name"], score.args["reached"]) == ("Ann", 2)
    assert happened(table, None) == ["circle_of_life.ate"]
    table.ask(Command.TAKE_BACK)
    assert happened(table, after) == ["aloud.taken_back"]
    table.ask(Command.NEW_GAME, Command.NEW_GAME)
    assert "aloud.taken_back" not in happened(table, after)
    # What happened is never asked, and a refusal is said each time.
    table = ScriptedTable()
    table.tap("e5")
    scene = table.table.scene()
    assert keys(spoken_prompt(table.table.state, scene.prompt, scene.aloud)) == ["table.to_play"]
    for _ in range(2):
        before = table.table.state
        table.tap("e5")
        assert happened(table, before) == ["circle_of_life.occupied"]


def test_an_idea_of_the_coach_is_said_once_while_it_holds():
    table = ScriptedTable()
    table.ask(Command.COACH)
    reported: list[str] = []
    for cell in TWO_MEALS:
        before = table.table.state
        table.tap(cell)
        state, scene = table.table.state, table.table.scene()
        said = (*spoken_news(before, state), *spoken_prompt(state, scene.prompt, ()))
        if state.coach.shown is not None:
            reported += [each.key for each in said if each == state.coach.shown.message]
            assert len(reported) == 1
            break
    assert reported
