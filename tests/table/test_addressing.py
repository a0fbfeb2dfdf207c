"""Words address the only person who plays, or the holder of a seat, and say whose turn it is."""

import pytest

from game.common import words
from game.rules.azteka import GAME as AZTEKA
from game.table.inputs import Command, SubmitSetup
from game.table.words import spoken_news, spoken_prompt
from tests.helpers.games.toy_hidden import GREEN, MAUVE, ToyHidden
from tests.table.random_game import TableSession

YOURS = {"en": "Your turn", "de": "Du bist dran", "fr": "À vous de jouer", "it": "È il tuo turno"}


def said(session: TableSession, viewer: int | None = None, language: str = "en") -> str:
    return words(language, True).texts(session.table.scene(viewer).prompt)


def test_the_only_person_against_the_computer_is_you_and_the_computer_is_choosing(sit):
    session = sit()
    session.oppose("", "3")
    assert said(session).startswith("You begin: ")
    session.tap("e5")
    assert said(session) == "You placed e5: singleton. Blue is choosing."
    session.think("a1")
    session.tap("a1")
    for language, yours in YOURS.items():
        assert yours in said(session, language=language)
    # Watchers and the log are told the colours.
    assert "Orange\u2019s turn" in words("en").texts(session.table.scene().prompt)
    session.ask(Command.RESIGN, Command.RESIGN)
    assert "You resign. Blue wins." in said(session)
    state = session.state
    asked = spoken_prompt(session.table.game, state, session.table.scene().prompt, ())
    assert "Blue is choosing." not in words("en", True).texts(asked)
    news = words("en", True).texts(spoken_news(session.table.game, None, state))
    assert news.startswith("Blue placed a1")


def test_two_people_at_one_board_are_named(sit):
    session = sit().do("e5")
    assert "Orange placed e5: singleton. Blue\u2019s turn: " in said(session)


@pytest.fixture
def seated(sit) -> TableSession:
    """Return a game with hidden pieces of two people, before the first move."""
    session = sit(ToyHidden()).do(SubmitSetup(1, GREEN))
    assert said(session, 1) == "You are ready. Blue is still setting up."
    assert said(session, 2) == "Orange is ready. Set up your pieces."
    session.do(SubmitSetup(2, MAUVE), Command.CONFIRM)
    return session


def test_a_seat_sees_whose_turn_it_is_and_no_prompt_key_or_cell_of_the_other(seated):
    scene = seated.table.scene(2)
    assert said(seated, 2).endswith("Orange\u2019s turn.")
    assert "legal" not in {lamp.cue.value for lamp in scene.cells.values()}
    assert (scene.keys, scene.aloud) == ({}, ())
    assert said(seated, 1).endswith("Your turn: tap a lit cell.")
    assert "legal" in {lamp.cue.value for lamp in seated.table.scene(1).cells.values()}


def test_a_seat_is_addressed_after_the_end_too(seated):
    seated.ask(Command.RESIGN, Command.RESIGN)
    assert [said(seated, player)[: len("Orange resigns. ")] for player in (1, 2)] == [
        "You resign. Blue",
        "Orange resigns. ",
    ]
    assert "You won." in said(seated, 2)


def test_a_side_with_a_plural_name_has_its_grammar_in_every_language(sit):
    session = sit(AZTEKA.variants["three"]).do("ring1", "ring1")
    turns = {"en": "Mummies\u2019 turn", "de": "Mumien sind dran", "fr": "Aux Momies de jouer"}
    for language, turn in {**turns, "it": "Turno delle Mummie"}.items():
        assert turn in said(session, language=language)
