"""The one rule of what a player's name may be."""

from unicodedata import is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.base.errors import RulesError
from game.rules.base.names import LONGEST_NAME, player_name
from tests.helpers.names import FORTY_LETTERS, JOINED, UNTIDY


@pytest.mark.parametrize("name", [*JOINED, *FORTY_LETTERS])
def test_names_of_all_scripts_and_joined_emoji_stay_as_they_are(name):
    assert player_name(name) == name


@pytest.mark.parametrize(("text", "name"), UNTIDY.items(), ids=ascii)
def test_what_is_invisible_or_decomposed_becomes_one_form(text, name):
    assert player_name(text) == name


@given(st.text(st.characters(codec=None), max_size=LONGEST_NAME // 3))
def test_any_text_becomes_a_name_that_stays_as_it_is(text):
    name = player_name(text)
    assert player_name(name) == name
    assert is_normalized("NFC", name)
    assert name.encode().decode() == name


def test_a_longer_name_is_refused_and_said():
    with pytest.raises(RulesError) as refused:
        player_name("x" * (LONGEST_NAME + 1))
    assert dict(refused.value.message.args) == {"name": "x" * 41, "most": LONGEST_NAME}
