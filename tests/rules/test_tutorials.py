"""The tutorials that ship: what they say is checked by the rules, and bad ones are refused."""

import pytest

from game.common import LANGUAGES as TRANSLATED
from game.rules.base.lessons import (
    LANGUAGES,
    TutorialStep,
    pictures,
    read_tutorial,
    taught_by,
    tutorial,
)
from game.rules.base.registry import all_games
from game.rules.circle_of_life import GAME

TAUGHT = {name: tutorial(game) for name, game in all_games().items() if tutorial(game)}
MOST_LETTERS = 175
"""Longest text, in letters: it must fit beside the board of a phone."""
TEXTS = "\n".join(f'{language} = "x"' for language in LANGUAGES)


def test_every_shipped_game_has_a_tutorial_in_every_language():
    assert set(TAUGHT) == {
        *("adaptoid", "azteka", "capture-go", "circle-of-life", "cirkle-mind"),
        "eat-your-neighbor",
    }
    assert set(LANGUAGES) == set(TRANSLATED)
    taught = {taught_by(game) for game in all_games().values()}
    assert taught == set(TAUGHT), "a variant is taught by its first game"


@pytest.mark.parametrize("name", TAUGHT)
def test_steps_are_short_and_are_played_rather_than_read(name):
    steps = TAUGHT[name]
    texts = [text for step in steps for text in (*step.texts.values(), *step.wrong.values())]
    assert [text for text in texts if len(text) > MOST_LETTERS] == []
    assert 8 <= len(steps) <= 14
    assert sum(bool(step.move) for step in steps) >= 6
    # The last one leaves time to read.
    assert not steps[-1].expected()


@pytest.mark.parametrize("name", TAUGHT)
def test_steps_name_cells_and_keys_of_the_game(name):
    game = all_games()[name]
    for step in TAUGHT[name]:
        spots = {*step.taps, *step.light, *filter(None, [step.inspect])}
        assert spots <= {*game.board.cells, *game.keys}


@pytest.mark.parametrize("name", TAUGHT)
def test_rules_have_pictures_that_show_what_a_move_changes(name):
    game = all_games()[name]
    keys = {rule.key for rule in game.presentation.rules}
    pictured = {step.rule for step in TAUGHT[name] if step.rule}
    assert pictured <= keys
    assert len(pictured) >= 4
    for step in TAUGHT[name]:
        if step.move and step.rule:
            after = game.play(step.position, game.parse_move(step.position, step.move))
            assert game.text(after) != game.text(step.position)
            assert any(each.edits for each in pictures(game, step.rule))
        elif step.rule:
            refused = dict.fromkeys({*step.taps} - {*step.light}, ("remove", ""))
            assert any(each.edits.items() >= refused.items() for each in pictures(game, step.rule))


def test_touches_of_a_move_are_expected_one_after_the_other():
    step = TutorialStep(None, {}, "b1-b2", ("b1", "b2"))
    assert step.expected() == {"b1"}
    assert step.expected(["b1"]) == {"b2"}
    assert TutorialStep(None, {}, taps=("a1", "a2")).expected() == {"a1", "a2"}
    assert TutorialStep(None, {}).expected() == frozenset()


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ('position = "nonsense"', "bad_text"),
        ('move = "z9"', "not_legal"),
        ('move = "e5"\neats = ["e6"]', "eats are \\('e6',\\)"),
        ('move = "e5"\nwrong = {en = "No"}', "'de'"),
    ],
)
def test_tutorial_against_the_rules_is_refused(step, why):
    with pytest.raises(ValueError, match=f"step 1 of circle-of-life: .*{why}"):
        read_tutorial(GAME, f'game = "{GAME.name}"\n[[step]]\n{TEXTS}\n{step}')
